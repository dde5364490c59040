// A particle of HIPPO with its moments in the axes of space.
// SPDX-License-Identifier: MIT
#pragma once
#include <type_traits>

#include <trotter/amoeba/hippo_nonbonded.hpp>
#include <trotter/amoeba/multipoles/moments.hpp>

namespace trotter::amoeba::hippo {

/// The members of a Particle that its pairs need, as numbers of other types.
template <class T> struct ParticleNumbers {
    T charge{}, core_charge{}, alpha{}, epsilon{}, damping{}, c6{}, pauli_k{}, pauli_q{}, pauli_alpha{};
};

/// Nucleus, electrons and induced dipole.
template <class T = double> struct Site {
    using Particle = std::conditional_t<std::is_same_v<T, double>, HippoNonbondedForce::Particle, ParticleNumbers<T>>;

    Particle const* of = nullptr;
    Moments<T> electrons{};  ///< charge without the nucleus; dipole and quadrupole
    Vec3<T> induced{};       ///< induced dipole [e nm]

    T core() const { return of->core_charge; }
    /// Moments of electrons and nucleus.
    Moments<T> all() const { return {of->charge, electrons.dipole, electrons.quadrupole}; }
    /// Moments that repel.
    Moments<T> pauli() const { return {of->pauli_q, electrons.dipole, electrons.quadrupole}; }
};

/// Energy of a particle, half of each pair's, and its derivatives.
template <class T = double> struct Load {
    T energy{};
    Vec3<T> force{};               ///< with fixed moments
    Vec3<T> by_dipole{};           ///< derivative of the energy by the dipole
    Symmetric<T> by_quadrupole{};  ///< and by the quadrupole

    /// Adds the derivatives by moments in a potential.
    void add_moments(Potential<T> const& potential, T const& factor) {
        by_dipole += potential.first * factor;
        by_quadrupole += potential.second * factor;
    }
    friend Load operator*(Load const& a, T const& s) {
        return {a.energy * s, a.force * s, a.by_dipole * s, a.by_quadrupole * s};
    }
    Load& operator+=(Load const& b) {
        energy += b.energy, force += b.force, by_dipole += b.by_dipole, by_quadrupole += b.by_quadrupole;
        return *this;
    }
};

}  // namespace trotter::amoeba::hippo
