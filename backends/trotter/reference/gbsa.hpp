// Generalized Born solvent, pair by pair.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/forces/gbsa_obc.hpp>
#include <trotter/reference/compiled_kernel.hpp>

namespace trotter {

/// See src/reference/gbsa.cpp.
template <> class Kernel<GBSAOBCForce, Reference, Double> : public reference::CompiledKernel<GBSAOBCForce> {
public:
    using CompiledKernel::CompiledKernel;
};

}  // namespace trotter
