// What `trotter --version` says.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace trotter::program {

struct KnownForces;

/// Version, backends, and the licence that the linked FFT library puts on the binary.
std::string version_text(KnownForces const& forces);

}  // namespace trotter::program
