// What forces hand to the virial through the periodic box.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <trotter/base/tensor.hpp>
#include <trotter/common/host_state.hpp>

namespace trotter {

// The virial of a force is W = -dU/dε, where positions r and box vectors h become (1+ε) r and (1+ε) h. Forces give its
// larger part, W = Σ F⊗r + T with T = -∂U/∂ε at fixed positions. So a kernel adds to `host.box_virial`, which is T,
// what periodic images and the volume do, and nothing for what does not see the box.

/// A force on one end of a difference, minus it on the other, of which `image` is what the box adds to the positions'
/// own difference.
inline void add_image(HostState& host, Vec3<> const& force, Vec3<> const& image) {
    if (host.box_virial) *host.box_virial += outer(force, image);
}

/// What particle `j` does to `i`, and back, by the difference `d` from j to i or to its periodic image.
inline void add_force(HostState& host, std::size_t i, std::size_t j, Vec3<> const& force, Vec3<> const& d) {
    host.forces[i] += force;
    host.forces[j] -= force;
    if (host.box_virial) add_image(host, force, d - (host.positions[i] - host.positions[j]));
}

/// An energy c/V depends on nothing but the volume: -∂U/∂ε = U δ.
inline void add_mean_energy(HostState& host, double energy) {
    if (host.box_virial) *host.box_virial += Tensor::diagonal(energy);
}

}  // namespace trotter
