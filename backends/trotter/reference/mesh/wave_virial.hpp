// Virial of reciprocal-space sums.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/base/tensor.hpp>
#include <trotter/box.hpp>
#include <trotter/common/forces/box_virial.hpp>
#include <trotter/parts/mesh/particle_mesh.hpp>

namespace trotter::reference {

/// -∂psi/∂ε of a wave under a strain of positions and box: the structure factor is unchanged, the volume grows by the
/// trace of ε, psi shrinks with it, and m² decreases by 2 ε_ab m_a m_b.
inline Tensor wave_virial(Vec3<> const& m, MeshInfluence::Formula psi, MeshInfluence::Formula slope, double alpha,
                          double volume) {
    double const m2 = dot(m, m);
    return Tensor::diagonal(psi(m2, alpha, volume)) + outer(m, m) * (2 * slope(m2, alpha, volume));
}

/// Adds the forces of a reciprocal-space sum, and on request its virial W minus the part given by the forces; returns
/// the energy.
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
