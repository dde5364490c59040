// What `trotter --version` says.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace trotter::program {

/// Version, backends, and the licence that the linked FFT library puts on the binary.
std::string version_text();

}  // namespace trotter::program
