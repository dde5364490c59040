// Surface areas by pairs and triples of overlapping spheres.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/forces/lcpo.hpp>
#include <trotter/reference/compiled_kernel.hpp>

namespace trotter {

/// See src/reference/lcpo.cpp.
template <> class Kernel<LCPOForce, Reference, Double> : public reference::CompiledKernel<LCPOForce> {
public:
    using CompiledKernel::CompiledKernel;
};

template <> inline constexpr bool is_lent<LCPOForce> = true;

}  // namespace trotter
