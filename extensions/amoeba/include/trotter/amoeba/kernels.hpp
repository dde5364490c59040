// Kernels of this extension's forces, for every backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/amoeba/forces.hpp>
#include <trotter/common/fallback/host_kernel.hpp>

namespace trotter {

template <class F>
    requires lists_force<F, amoeba::Forces>
inline constexpr bool has_host_kernel<F> = true;

}  // namespace trotter
