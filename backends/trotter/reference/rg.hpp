// The radius of gyration.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/forces/rg.hpp>
#include <trotter/reference/compiled_kernel.hpp>

namespace trotter {

/// See src/reference/rg.cpp.
template <> class Kernel<RGForce, Reference, Double> : public reference::CompiledKernel<RGForce> {
public:
    using CompiledKernel::CompiledKernel;
};

template <> inline constexpr bool is_lent<RGForce> = true;

}  // namespace trotter
