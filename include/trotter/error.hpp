// The exceptions that Trotter throws, by what the user can do about them.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

// In this header, which the others include early: an older standard would give hundreds of errors.
#ifndef __cpp_concepts
#error "Trotter needs C++20: compile with -std=c++20"
#endif
#if __FINITE_MATH_ONLY__
#error "Trotter looks for NaNs: leave -ffast-math out, or put -fno-finite-math-only behind it"
#endif

namespace trotter {

/// Base of everything that Trotter throws. The message is one sentence that names the object, its index, the value
/// and what was expected.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Name of a force in messages.
[[gnu::cold]] inline std::string force_named(int index, std::string_view name) {
    return "force " + std::to_string(index) + " (" + std::string(name) + ")";
}

/// The input is wrong (status 2 of the program).
struct InputError : Error {
    using Error::Error;
};

/// The simulation failed: a NaN, constraints that do not converge, a box that became too small (status 3).
struct SimulationError : Error {
    using Error::Error;
};

/// A value of the simulation is infinite or NaN: a position, a velocity, a force, an energy or a derivative of it.
struct NotFiniteError : SimulationError {
    /// `step` begins the message and may be empty.
    NotFiniteError(std::string const& step, std::string const& fact) : SimulationError(step + fact), where(step), sentence(fact) {}

    std::string where;     ///< beginning of the message, such as "step 7: "
    std::string sentence;  ///< the rest: which value, of what
};

/// The platform does not support it: no kernel, not in this build, no device (status 4).
struct UnsupportedError : Error {
    using Error::Error;
};

/// An output cannot be written (status 5).
struct OutputError : Error {
    using Error::Error;
};

}  // namespace trotter
