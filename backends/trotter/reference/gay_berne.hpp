// Gay-Berne ellipsoids, pair by pair.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/forces/gay_berne.hpp>
#include <trotter/reference/compiled_kernel.hpp>

namespace trotter {

/// See src/reference/gay_berne.cpp.
template <> class Kernel<GayBerneForce, Reference, Double> : public reference::CompiledKernel<GayBerneForce> {
public:
    using CompiledKernel::CompiledKernel;
};

template <> inline constexpr bool is_lent<GayBerneForce> = true;

}  // namespace trotter
