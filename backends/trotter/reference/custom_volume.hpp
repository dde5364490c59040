// An energy of the periodic box by a formula.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/forces/custom_volume.hpp>
#include <trotter/reference/compiled_kernel.hpp>

namespace trotter {

/// See src/reference/custom_volume.cpp.
template <> class Kernel<CustomVolumeForce, Reference, Double> : public reference::CompiledKernel<CustomVolumeForce> {
public:
    using CompiledKernel::CompiledKernel;
};

template <> inline constexpr bool is_lent<CustomVolumeForce> = true;

}  // namespace trotter
