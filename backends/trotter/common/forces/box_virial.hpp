// Contributions of forces to the virial through the periodic box.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <trotter/base/tensor.hpp>
#include <trotter/common/host_state.hpp>

namespace trotter {

// The virial of a force is W = -dU/dε, where positions r and box vectors h become (1+ε) r and (1+ε) h. It is W = Σ F⊗r
// + T with T = -∂U/∂ε at fixed positions, and the forces give the first term. So a kernel adds T, the part of periodic
// images and of the volume, to `host.box_virial`, and nothing if it does not depend on the box.

/// Adds the virial of a pair force; `image` is the shift that the box adds to the difference of the positions.
inline void add_image(HostState& host, Vec3<> const& force, Vec3<> const& image) {
    if (host.box_virial) *host.box_virial += outer(force, image);
}

/// Adds the pair force on `i` and its reaction on `j`; `d` is the vector from j, or its periodic image, to i.
inline void add_force(HostState& host, std::size_t i, std::size_t j, Vec3<> const& force, Vec3<> const& d) {
    host.forces[i] += force;
    host.forces[j] -= force;
    if (host.box_virial) add_image(host, force, d - (host.positions[i] - host.positions[j]));
}

/// An energy c/V depends on the volume alone: -∂U/∂ε = U δ.
inline void add_mean_energy(HostState& host, double energy) {
    if (host.box_virial) *host.box_virial += Tensor::diagonal(energy);
}

}  // namespace trotter
