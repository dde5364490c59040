// The virial of sums over wave vectors.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/base/tensor.hpp>
#include <trotter/box.hpp>
#include <trotter/common/forces/box_virial.hpp>
#include <trotter/parts/mesh/particle_mesh.hpp>

namespace trotter::reference {

/// -∂psi/∂ε of a wave: positions and box change as one, so that a structure factor stays as it is, while the volume
/// grows by the trace of ε, psi shrinks with it, and m² falls by 2 ε_ab m_a m_b.
inline Tensor wave_virial(Vec3<> const& m, MeshInfluence::Formula psi, MeshInfluence::Formula slope, double alpha,
                          double volume) {
    double const m2 = dot(m, m);
    return Tensor::diagonal(psi(m2, alpha, volume)) + outer(m, m) * (2 * slope(m2, alpha, volume));
}

/// Adds energy and forces of a sum over wave vectors, and where it is asked for the virial: W less what the forces
/// give.
template <class Sum> double add_reciprocal(Sum& sum, std::vector<double> const& charges, HostState& host) {
    if (!host.box_virial) return sum.add(charges, host.positions, host.box, host.forces);
    std::vector<Vec3<>> own(host.size());
    double const energy = sum.add(charges, host.positions, host.box, own);
    *host.box_virial += sum.virial(charges, host.positions, host.box);
    for (std::size_t i = 0; i < own.size(); ++i) {
        host.forces[i] += own[i];
        add_image(host, -own[i], host.positions[i]);
    }
    return energy;
}

}  // namespace trotter::reference
