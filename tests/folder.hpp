// Where data lies beside the sources of tests.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace trotter {

/// The folder tests/, as CMake knows it: __FILE__ may be a path that a compiler cache has rewritten.
std::string tests_folder();

}  // namespace trotter
