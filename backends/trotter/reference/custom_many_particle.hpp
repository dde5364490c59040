// Sets of particles, found from lists of neighbours.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/forces/custom_many_particle.hpp>
#include <trotter/reference/compiled_kernel.hpp>

namespace trotter {

/// See src/reference/custom_many_particle.cpp.
template <> class Kernel<CustomManyParticleForce, Reference, Double>
    : public reference::CompiledKernel<CustomManyParticleForce> {
public:
    using CompiledKernel::CompiledKernel;
};

template <> inline constexpr bool is_lent<CustomManyParticleForce> = true;

}  // namespace trotter
