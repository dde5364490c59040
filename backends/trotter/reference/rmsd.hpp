// The distance from a reference structure after superposition.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/forces/rmsd.hpp>
#include <trotter/reference/compiled_kernel.hpp>

namespace trotter {

/// See src/reference/rmsd.cpp.
template <> class Kernel<RMSDForce, Reference, Double> : public reference::CompiledKernel<RMSDForce> {
public:
    using CompiledKernel::CompiledKernel;
};

template <> inline constexpr bool is_lent<RMSDForce> = true;

}  // namespace trotter
