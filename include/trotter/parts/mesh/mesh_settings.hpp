// Ewald splitting parameter and mesh size of a reciprocal sum.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter {

/// Splitting parameter and mesh of a reciprocal-space sum. Alpha 0: both are chosen from the force's error tolerance;
/// devices then round up sizes above 64 with a prime factor above 13.
struct MeshSettings {
    double alpha = 0;  ///< [1/nm]
    int nx = 0, ny = 0, nz = 0;  ///< mesh points along each box vector
};

/// Meshes used by a Context; all 0 for sums that the method does not have.
struct UsedMeshes {
    MeshSettings pme{}, ljpme{};  ///< of charges and of dispersion
};

}  // namespace trotter
