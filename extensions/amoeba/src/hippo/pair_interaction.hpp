// All interactions of a pair of particles of HIPPO.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <trotter/amoeba/hippo/damping.hpp>
#include <trotter/amoeba/hippo_nonbonded.hpp>
#include <trotter/amoeba/multipoles/potential.hpp>
#include <trotter/units.hpp>

#include "scalar_terms.hpp"
#include "separation.hpp"
#include "site.hpp"

namespace trotter::amoeba::hippo {

using Scales = HippoNonbondedForce::Exception;  // its particles are not used here
/// The factors of an exception, as numbers of other types.
template <class T> struct ScaleNumbers {
    T multipole_multipole_scale{1}, dipole_multipole_scale{1}, dipole_dipole_scale{1}, dispersion_scale{1},
        repulsion_scale{1}, charge_transfer_scale{1};
};

/// Splitting parameters, 0 without meshes [1/nm], and the switching function.
struct Splitting {
    double alpha = 0, dispersion_alpha = 0;
    Switch tapering{};
};

/// Gradient at the first particle of the potential of the second's permanent moments, for induced dipoles.
template <class T, class ScalesType>
Vec3<T> permanent_gradient(Site<T> const& other, Separation<T> const& pair, ScalesType const& scales) {
    T const a = other.of->alpha, scale = scales.dipole_multipole_scale;
    auto const electrons = pair.damped(scale, penetration(DecayingFunctions<T>(a, pair.r), a));
    return potential_gradient(other.electrons, pair.d, electrons)
           - pair.d * (other.core() * pair.between_points(scale, 1));
}

/// The functions 1 and 2 of the interaction of induced dipoles with each other.
template <class T = double> struct MutualFunctions {
    T first, second;

    /// Gradient of the potential of a dipole at distance vector `d`.
    Vec3<T> gradient(Vec3<T> const& dipole, Vec3<T> const& d) const {
        return dipole * first - d * (dot(dipole, d) * second);
    }
};
template <class T, class ScalesType> RadialFunctions<T> mutual_functions(RadialFunctions<T> const& taken,
                                                                         Separation<T> const& pair,
                                                                         ScalesType const& scales) {
    return pair.damped(scales.dipole_dipole_scale, taken);
}

/// Force on dipole `a` in the field of dipole `b`.
template <class T> Vec3<T> force_between_dipoles(Vec3<T> const& a, Vec3<T> const& b, Vec3<T> const& d,
                                                 RadialFunctions<T> const& functions) {
    T const along_a = dot(a, d), along_b = dot(b, d), second = functions.b[2], third = functions.b[3];
    return d * (dot(a, b) * second - along_a * along_b * third) + (a * along_b + b * along_a) * second;
}

/// Whether numbers are equal, as far as is known: kernel source has names for numbers.
template <class T> bool are_known_equal(T const& a, T const& b) {
    if constexpr (requires { a.is_constant(); })
        return a.is_constant() && b.is(a.value());
    else
        return a == b;
}

/// Adds electrostatics of `one` in the potential of `other`, without the Coulomb constant: permanent moments with each
/// other and with induced dipoles. The energy of the latter is not counted here.
template <class T, class ScalesType> void add_electrostatics(Site<T> const& one, Site<T> const& other,
                                                             Separation<T> const& pair, Penetrations<T> const& taken,
                                                             ScalesType const& scales, Load<T>& load) {
    Vec3<T> const& d = pair.d;
    T const s = scales.multipole_multipole_scale, t = scales.dipole_multipole_scale;
    Moments<T> const nucleus{other.core(), {}, {}};
    auto const of_both = pair.damped(s, taken.both), of_nucleus = pair.damped(s, taken.first);
    auto const on_nucleus = pair.damped(s, taken.second), of_points = pair.between_points(s);
    Potential<T> at_electrons = potential_of<3>(other.electrons, d, of_both);
    at_electrons += potential_of<3>(nucleus, d, of_nucleus);
    Potential<T> at_nucleus = potential_of<2>(other.electrons, d, on_nucleus);
    at_nucleus += potential_of<2>(nucleus, d, of_points);
    load.energy += (energy_of(one.electrons, at_electrons) + one.core() * at_nucleus.value) * T(0.5);

    bool const is_same = are_known_equal(s, t);
    Dipole<T> const induced{other.induced};
    Vec3<T> const by_induced = potential_gradient(induced, d, is_same ? of_points : pair.between_points(t));
    Symmetric<T> at_induced = at_nucleus.second;
    if (!is_same) {
        at_induced = second_potential_derivative(other.electrons, d, pair.damped(t, taken.second));
        at_induced += second_potential_derivative(nucleus, d, pair.between_points(t));
    }
    at_electrons += potential_of<3>(induced, d, is_same ? of_nucleus : pair.damped(t, taken.first));
    load.force -= gradient_of(one.electrons, at_electrons) + (at_nucleus.first + by_induced) * one.core()
                  + at_induced * one.induced;
    load.add_moments(at_electrons, T(1));
}

/// Adds K_1 K_2 [L_1 L_2 S²]/r with the operators L of the particles' moments and the squared overlap S² (J. A.
/// Rackers, J. W. Ponder, J. Chem. Phys. 150, 084104 (2019)), switched off at the cutoff. `strength` is K_1 K_2 with
/// the pair's scale.
template <class T> void add_repulsion(Site<T> const& one, Site<T> const& other, Separation<T> const& pair,
                                      RadialFunctions<T> const& squared_overlap, Switch const& tapering,
                                      T const& strength, Load<T>& load) {
    T const r = pair.r;
    Moments<T> const mine = one.pauli();
    auto const potential = potential_of<3>(other.pauli(), pair.d, squared_overlap);
    T const energy = energy_of(mine, potential);
    Radial<T> const factor = Radial<T>{strength / r, -strength / (r * r)} * tapering(r);
    load.energy += energy * factor.energy * T(0.5);
    load.force -= gradient_of(mine, potential) * factor.energy + pair.d * (energy * factor.slope / r);
    load.add_moments(potential, factor.energy);
}

/// Adds dispersion and charge transfer.
template <class T, class ScalesType> void add_scalar_terms(Site<T> const& one, Site<T> const& other, T const& r,
                                                           Vec3<T> const& d, RadialFunctions<T> const& taken,
                                                           Splitting const& splitting, ScalesType const& scales,
                                                           Load<T>& load) {
    T const c6 = one.of->c6 * other.of->c6;
    Radial<T> const spread = dispersion(c6, taken, T(scales.dispersion_scale), splitting.dispersion_alpha, r);
    Radial<T> const transfer = charge_transfer(*one.of, *other.of, r) * splitting.tapering(r);
    T const scale = scales.charge_transfer_scale;
    load.energy += (spread.energy + scale * transfer.energy) * T(0.5);
    load.force -= d * ((spread.slope + scale * transfer.slope) / r);
}

}  // namespace trotter::amoeba::hippo
