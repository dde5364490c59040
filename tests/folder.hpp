// The folder of the tests' data files.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace trotter {

/// The folder tests/, set by CMake: a compiler cache may rewrite the path in __FILE__.
std::string tests_folder();

}  // namespace trotter
