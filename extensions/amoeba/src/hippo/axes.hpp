// Moments of the particles in the axes of space, and the forces that turn them.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include <trotter/amoeba/hippo_nonbonded.hpp>
#include <trotter/amoeba/multipoles/frame.hpp>

#include "site.hpp"

namespace trotter::amoeba::hippo {

/// The axes of a particle as functions of positions. Molecules are whole: vectors between atoms are not wrapped.
class Axes {
public:
    Axes(HippoNonbondedForce::Particle const& particle, std::size_t index, std::vector<Vec3<>> const& positions)
        : particle_(particle), type_(static_cast<AmoebaMultipoleForce::Axis>(particle.axis_type)) {
        std::array const ends{particle.axis_z, particle.axis_x, particle.axis_y};
        for (std::size_t n = 0; n < atoms(particle.axis_type); ++n)
            directions_[n] = positions[static_cast<std::size_t>(ends[n])] - positions[index];
        frame_ = frame_of(type_, directions_[0], directions_[1], directions_[2]);
    }

    /// The number of atoms that define axes: of z, x and y.
    static std::size_t atoms(HippoNonbondedForce::AxisType type) {
        using Type = HippoNonbondedForce::AxisType;
        if (type == Type::none) return 0;
        if (type == Type::z_only) return 1;
        return type == Type::z_then_x || type == Type::bisector ? 2 : 3;
    }

    /// The particle's electrons in the axes of space.
    Moments<> electrons() const { return rotated(own_electrons(), frame_); }
    /// Derivatives of the energy by the vectors to the atoms of the z, x and y axes, for its derivatives by moments.
    std::array<Vec3<>, 3> gradient(Load<> const& load) const {
        Potential<> const by_moments{0, load.by_dipole, load.by_quadrupole, {}};
        return frame_gradient(type_, directions_[0], directions_[1], directions_[2],
                              energy_by_frame(own_electrons(), frame_, by_moments));
    }

private:
    Moments<> own_electrons() const {
        auto const& q = particle_.quadrupole;
        return {particle_.charge - particle_.core_charge, particle_.dipole, {q[0], q[1], q[2], q[4], q[5], q[8]}};
    }

    HippoNonbondedForce::Particle const& particle_;
    AmoebaMultipoleForce::Axis type_;
    std::array<Vec3<>, 3> directions_{};
    Frame<> frame_;
};

}  // namespace trotter::amoeba::hippo
