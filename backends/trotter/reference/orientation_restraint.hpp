// A restraint on the orientation of a structure.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/forces/orientation_restraint.hpp>
#include <trotter/reference/compiled_kernel.hpp>

namespace trotter {

/// See src/reference/orientation_restraint.cpp.
template <> class Kernel<OrientationRestraintForce, Reference, Double>
    : public reference::CompiledKernel<OrientationRestraintForce> {
public:
    using CompiledKernel::CompiledKernel;
};

template <> inline constexpr bool is_lent<OrientationRestraintForce> = true;

}  // namespace trotter
