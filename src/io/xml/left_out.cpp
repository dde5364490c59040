// Extensions that this build is without: CMake defines their options as TROTTER_EXTENSIONS_LEFT_OUT.
// SPDX-License-Identifier: MIT
#include "left_out.hpp"

#include <string_view>

namespace trotter::detail {

std::string extensions_left_out() {
    constexpr std::string_view options = TROTTER_EXTENSIONS_LEFT_OUT;
    return options.empty() ? "" : "; this build is without the extensions of " + std::string(options);
}

}  // namespace trotter::detail
