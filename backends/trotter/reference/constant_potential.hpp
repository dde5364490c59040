// ConstantPotentialForce on Reference: charges on electrodes at given potentials.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/forces/constant_potential.hpp>
#include <trotter/parts/mesh/mesh_settings.hpp>
#include <trotter/reference/compiled_kernel.hpp>

namespace trotter {

/// See src/reference/constant_potential.cpp.
template <> class Kernel<ConstantPotentialForce, Reference, Double>
    : public reference::CompiledKernel<ConstantPotentialForce> {
public:
    using CompiledKernel::CompiledKernel;

    /// Charges of all particles in the last evaluation [e].
    std::vector<double> answer() const;
    UsedMeshes meshes() const;
};

template <> inline constexpr bool uses_reference_fallback<ConstantPotentialForce> = true;

}  // namespace trotter
