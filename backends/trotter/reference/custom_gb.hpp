// Values of particles and energies of these, formula by formula and pair by pair.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/forces/custom_gb.hpp>
#include <trotter/reference/compiled_kernel.hpp>

namespace trotter {

/// See src/reference/custom_gb.cpp.
template <> class Kernel<CustomGBForce, Reference, Double> : public reference::CompiledKernel<CustomGBForce> {
public:
    using CompiledKernel::CompiledKernel;
};

}  // namespace trotter
