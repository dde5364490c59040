// Frames of multipole sites.
// SPDX-License-Identifier: MIT
#include "sites.hpp"

namespace trotter::amoeba {
namespace {

/// The symmetric traceless part; files have it up to rounding.
Symmetric<> quadrupole_of(std::array<double, 9> const& q) {
    double const third = (q[0] + q[4] + q[8]) / 3;
    return {q[0] - third, (q[1] + q[3]) / 2, (q[2] + q[6]) / 2, q[4] - third, (q[5] + q[7]) / 2, q[8] - third};
}

}  // namespace

Sites::Sites(std::vector<AmoebaMultipoleForce::Multipole> const& multipoles)
    : moments(multipoles.size()), gradients_(multipoles.size()) {
    for (auto const& m : multipoles) {
        auto const& d = m.dipole;
        definitions_.push_back({m.axis,
                                m.z_particle,
                                m.x_particle,
                                m.y_particle,
                                {m.charge, {d[0], d[1], d[2]}, quadrupole_of(m.quadrupole)}});
        thole.push_back({m.damping, m.thole});
        polarizability.push_back(m.polarizability);
    }
}

Sites::Vectors Sites::vectors_of(std::size_t i, std::vector<Vec3<>> const& positions) const {
    auto const& definition = definitions_[i];
    auto to = [&](int particle) {
        return particle < 0 ? Vec3<>{} : positions[static_cast<std::size_t>(particle)] - positions[i];
    };
    return {to(definition.z), to(definition.x), to(definition.y)};
}

// Moments of a chiral center have the handedness for which the volume (i - y)·((z - y) × (x - y)) is positive; in the
// mirror image those with one index y change sign.
Moments<> Sites::chiral_moments(std::size_t i, Vectors const& to) const {
    auto const& definition = definitions_[i];
    Moments<> result = definition.moments;
    if (definition.axis != AmoebaMultipoleForce::Axis::z_then_x || definition.y < 0) return result;
    if (dot(cross(to.z - to.y, to.x - to.y), -to.y) < 0) {
        result.dipole.y = -result.dipole.y;
        result.quadrupole.xy = -result.quadrupole.xy;
        result.quadrupole.yz = -result.quadrupole.yz;
    }
    return result;
}

void Sites::place(std::vector<Vec3<>> const& positions, Threads& threads) {
    for_each_site(threads, size(), [&](std::size_t i) {
        auto const to = vectors_of(i, positions);
        moments[i] = rotated(chiral_moments(i, to), frame_of(definitions_[i].axis, to.z, to.x, to.y));
    });
}

void Sites::add_frame_forces(std::vector<Vec3<>> const& positions, std::vector<Potential<>> const& by_moments,
                             double unit, std::vector<Vec3<>>& forces, Threads& threads) {
    for_each_site(threads, size(), [&](std::size_t i) {
        auto const axis = definitions_[i].axis;
        if (axis == AmoebaMultipoleForce::Axis::none) return;
        auto const to = vectors_of(i, positions);
        auto const of_frame = energy_by_frame(chiral_moments(i, to), frame_of(axis, to.z, to.x, to.y), by_moments[i]);
        gradients_[i] = frame_gradient(axis, to.z, to.x, to.y, of_frame);
    });
    for (std::size_t i = 0; i < size(); ++i) {
        auto const& [axis, z, x, y, m] = definitions_[i];
        if (axis == AmoebaMultipoleForce::Axis::none) continue;
        std::array<int, 3> const particles{z, x, y};
        for (std::size_t n = 0; n < 3; ++n) {
            if (particles[n] < 0) continue;
            forces[static_cast<std::size_t>(particles[n])] -= gradients_[i][n] * unit;
            forces[i] += gradients_[i][n] * unit;
        }
    }
}

}  // namespace trotter::amoeba
