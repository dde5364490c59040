// The default of parameters that must be set.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>
#include <string>
#include <string_view>

#include <trotter/error.hpp>

namespace trotter {

/// A Context throws InputError with the parameter's name: a forgotten temperature must not be 0.
inline constexpr double not_set = std::numeric_limits<double>::quiet_NaN();

/// Throws InputError for a value that was not set.
[[gnu::cold]] inline void require_set(std::string_view owner, char const* what, double value) {
    if (value != value) throw InputError("the " + std::string(what) + " of " + std::string(owner) + " was not set");
}

}  // namespace trotter
