// Extensions that this build is without.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace trotter::detail {

/// The end of a message about an unknown type: CMake's options of the extensions left out, or nothing.
std::string extensions_left_out();

}  // namespace trotter::detail
