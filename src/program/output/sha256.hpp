// SHA-256, by which reports name input files and staged runs notice changed ones.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

namespace trotter::program {

/// The hash of these bytes as 64 hexadecimal digits (FIPS 180-4).
std::string sha256(std::string_view bytes);

}  // namespace trotter::program
