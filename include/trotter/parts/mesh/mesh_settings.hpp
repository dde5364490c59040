// Ewald splitting parameter and mesh size of a reciprocal sum.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter {

/// Splitting and mesh of a reciprocal sum; alpha 0: chosen from the force's tolerance of errors, and on devices then rounded
/// up where a size above 64 has a prime factor above 13.
struct MeshSettings {
    double alpha = 0;  ///< [1/nm]
    int nx = 0, ny = 0, nz = 0;  ///< mesh points along each box vector
};

/// What a Context uses for the charges, and for dispersion; all 0 for what the method does without.
struct UsedMeshes {
    MeshSettings pme{}, ljpme{};  ///< of charges and of dispersion
};

}  // namespace trotter
