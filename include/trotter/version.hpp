// The version of Trotter.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace trotter {

inline constexpr int version_major = 0, version_minor = 1, version_patch = 0;
inline constexpr std::string_view version = "0.1.0";

}  // namespace trotter
