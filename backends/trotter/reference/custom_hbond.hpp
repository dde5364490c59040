// Donors and acceptors, pair by pair.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/forces/custom_hbond.hpp>
#include <trotter/reference/compiled_kernel.hpp>

namespace trotter {

/// See src/reference/custom_hbond.cpp.
template <> class Kernel<CustomHbondForce, Reference, Double> : public reference::CompiledKernel<CustomHbondForce> {
public:
    using CompiledKernel::CompiledKernel;
};

template <> inline constexpr bool is_lent<CustomHbondForce> = true;

}  // namespace trotter
