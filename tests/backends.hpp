// The pairs of a backend and a precision in this build, on which the force tests run. Cpu's inner loops are those of
// the library; tests/cpu compiles them for the including file's instruction set.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <tuple>

#include <trotter/precision.hpp>
#include <trotter/reference.hpp>
#ifdef TROTTER_HAVE_CPU
#include <trotter/cpu.hpp>
#include <trotter/cpu/dispatch_table.hpp>
#endif
#ifdef TROTTER_TEST_DEVICES
#include "device/tested_device.hpp"
#endif

namespace trotter {

template <class B, class P> struct TestedBackend {
    using Backend = B;
    using Precision = P;
    static constexpr bool is_double = std::same_as<typename P::Real, double>;
    static constexpr bool is_on_device = requires { typename B::Queue; };
    /// Rounding error of a number computed from a few others, relative to their magnitude.
    static constexpr double rounding = is_double ? 1e-13 : 2e-6;
    /// The same for terms, which hosts compute in double in every precision.
    static constexpr double term_rounding = is_double || !is_on_device ? 1e-12 : rounding;
};

#ifdef TROTTER_TEST_DEVICES
using TestedBackends = std::tuple<TestedBackend<TestedDevice, Single>, TestedBackend<TestedDevice, Mixed>,
                                  TestedBackend<TestedDevice, Double>>;
#elif defined(TROTTER_HAVE_CPU) && defined(TROTTER_TEST_WITH_SANITIZERS)
using TestedBackends = std::tuple<TestedBackend<Reference, Double>, TestedBackend<Cpu, Mixed>>;
#elif defined(TROTTER_HAVE_CPU)
using TestedBackends =
    std::tuple<TestedBackend<Reference, Double>, TestedBackend<Cpu, Mixed>, TestedBackend<Cpu, Double>>;
#else
using TestedBackends = std::tuple<TestedBackend<Reference, Double>>;
#endif

}  // namespace trotter
