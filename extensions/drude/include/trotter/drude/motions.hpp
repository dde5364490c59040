// Motions with different temperatures in a System with Drude oscillators.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/common/host_state.hpp>
#include <trotter/drude/joined.hpp>

namespace trotter::drude {

/// Velocities of a Drude particle and its parent, as those of their center of mass and of their relative motion.
struct PairMotion {
    Vec3<> center, relative;  ///< [nm/ps]

    /// `share` is the Drude particle's share of the mass.
    PairMotion(Vec3<> const& drude, Vec3<> const& parent, double share)
        : center(drude * share + parent * (1 - share)), relative(drude - parent) {}

    Vec3<> drude(double share) const { return center + relative * (1 - share); }
    Vec3<> parent(double share) const { return center - relative * share; }
};

/// A quantity of the particles and centers of mass of pairs, and of the relative motion of Drude particles.
struct ByMotion {
    double system = 0, drude = 0;
};

/// Particles by their motions: massive particles on their own, pairs of a Drude particle and its parent, and Drude
/// particles with massless parents, whose motion is relative to these. A massless Drude particle has no motion, and its
/// parent moves as if on its own.
class Motions {
public:
    /// A pair that moves, with its masses.
    struct MovingPair {
        std::size_t drude, parent;
        double share;                               ///< of the Drude particle in the mass
        double inverse_mass, inverse_reduced_mass;  ///< [1/amu]
    };

    /// Throws InputError, which names the integrator, for a particle that does not exist or is in two pairs.
    Motions(std::vector<Pair> const& pairs, HostState const& host, std::string_view integrator);

    std::vector<std::size_t> const& single() const { return single_; }
    std::vector<std::size_t> const& tethered() const { return tethered_; }
    std::vector<MovingPair> const& pairs() const { return pairs_; }

    /// Draws velocities at the two temperatures [K]. Constraints are not applied.
    void draw_velocities(HostState& host, double temperature, double drude_temperature,
                         RandomStream const& stream) const;

    /// [kJ/mol]
    ByMotion kinetic_energies(HostState const& host, std::vector<Vec3<>> const& velocities) const;
    /// [K]; 0 for a motion without degrees of freedom. Constraints and removal of center-of-mass motion take degrees of
    /// freedom from the system.
    ByMotion temperatures(HostState const& host, std::vector<Vec3<>> const& velocities) const;

private:
    std::vector<std::size_t> single_, tethered_;
    std::vector<MovingPair> pairs_;
};

}  // namespace trotter::drude
