// Text of `trotter --version`.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace trotter::program {

struct KnownForces;

/// Version, backends, and the licence of the binary due to the linked FFT library.
std::string version_text(KnownForces const& forces);

}  // namespace trotter::program
