// Lennard-Jones and Coulomb interactions of a register of pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <trotter/common/formulas/polynomial.hpp>
#include <trotter/cpu/pair_loops/pair_loop.hpp>
#include <trotter/physics/pair_energies.hpp>

namespace trotter::cpu {

enum class CoulombKind { none, reaction_field, ewald };
/// `switched` also supports particles without any interaction, which may coincide with others.
enum class DispersionKind { plain, switched, mesh };

/// Constants of all pairs. Plain Coulomb is a reaction field with zero coefficients; `none` is for systems without
/// charges.
template <class Real> struct PairConstants {
    CoulombKind coulomb = CoulombKind::reaction_field;
    DispersionKind dispersion = DispersionKind::plain;
    Real cutoff2 = 0;
    Real field_k = 0, minus_two_field_k = 0, field_c = 0;
    Real scale = 1, middle = 0;  ///< polynomials are functions of scale r² - middle
    bool is_unrolled = false;    ///< they have the unrolled degree, and scale is 1
    Polynomial<Real> coulomb_force, coulomb_energy, dispersion_force, dispersion_energy;
    Real switching_start = 0, switching_inverse_width = 0;
    Real inverse_cutoff6 = 0, dispersion_at_cutoff = 0;
};

/// A Lennard-Jones site (σ/2 and 2√ε) in a form that leaves few operations per pair: with s = 2 (σ/r)⁶,
/// E = ε (s² - 2s) and -r dE/dr = 12 ε (s² - s).
template <class Real> struct LoopSite { Real half_length, root; };  ///< 2^(1/6) σ/2 and √(12 ε)

template <class Real> static LoopSite<Real> loop_site(double half_sigma, double root) {
    if (root == 0) return {0, 0};  // one type, whatever their σ
    return {static_cast<Real>(std::pow(2.0, 1.0 / 6) * half_sigma), static_cast<Real>(std::sqrt(3.0) * root)};
}

/// Per-particle parameters: charge (times √(1/4 pi eps0)) and the members of LoopSite.
template <class Real, CoulombKind coulomb, DispersionKind dispersion, int degree, bool energies> struct NonbondedPair {
    static constexpr bool with_energy = energies, has_forces = true, has_sums = false, has_charges = true;
    static constexpr int parameter_count = 3;
    template <class T> struct Result { T force_over_r, energy; };

    PairConstants<Real> const& constants;
    /// Whether a particle without charge and depth may coincide with another; else forces are NaN there.
    static constexpr bool is_made_for_one_place = energies || dispersion != DispersionKind::plain;
    Real cutoff2;
    [[gnu::always_inline]] explicit NonbondedPair(PairConstants<Real> const& c) : constants(c), cutoff2(c.cutoff2) {}

    template <PairKind kind, class T, class M = typename T::M>
    [[gnu::always_inline]] Result<T> evaluate(T const& r2, T const& inverse, PairParameters<T> const& i,
                                              PairParameters<T> const& j, M const& interacting,
                                              M const& screened) const {
        constexpr bool has_site = kind != PairKind::without_lj;
        T const inverse2 = inverse * inverse, charges = i.p[0] * j.p[0];
        Site<T> site;
        if constexpr (has_site) site = {i.p[1] + j.p[1], i.p[2] * j.p[2]};
        PairValue<T> of_site;
        if constexpr (has_site) {
            T const ratio = site.length * inverse, ratio2 = bounded(ratio * ratio);
            of_site = lennard_jones(ratio2 * ratio2 * ratio2, site.twelve_epsilon);
            if constexpr (dispersion == DispersionKind::switched)
                of_site = switched<T>(of_site, r2 * inverse, T(constants.switching_start),
                                      T(constants.switching_inverse_width));
        }
        auto const with_site = [&](T const& by_charges, T const& other) __attribute__((always_inline)) {
            if constexpr (has_site)
                return multiply_add(charges, by_charges, other);
            else
                return charges * by_charges;
        };
        Result<T> result;
        if constexpr (coulomb == CoulombKind::none) {
            if constexpr (!has_site) return {T(Real(0)), T(Real(0))};
            if constexpr (with_energy) result.energy = keep(interacting, of_site.energy);
            result.force_over_r = keep(interacting, of_site.virial * inverse2);
        } else if constexpr (coulomb == CoulombKind::reaction_field) {
            // qq (1/r + k r² - c)
            T const virial = with_site(multiply_add(T(constants.minus_two_field_k), r2, inverse), of_site.virial);
            if constexpr (with_energy) {
                T const field = multiply_subtract(T(constants.field_k), r2, T(constants.field_c));
                result.energy = keep(interacting, with_site(inverse + field, of_site.energy));
            }
            result.force_over_r = keep(interacting, virial * inverse2);
        } else {
            constexpr bool is_masked = kind == PairKind::masked,
                           has_mesh_site = has_site && dispersion == DispersionKind::mesh;
            T const x = shifted(r2);
            T mesh = charges * constants.coulomb_force.template operator()<degree>(x), c6;
            if constexpr (has_mesh_site) {
                c6 = dispersion_charges(i, j);
                mesh = multiply_add(c6, constants.dispersion_force.template operator()<degree>(x), mesh);
            }
            result.force_over_r =
                difference<is_masked>(interacting, with_site(inverse, of_site.virial), inverse2, screened, mesh);
            if constexpr (with_energy) {
                T mesh_energy = charges * constants.coulomb_energy.template operator()<degree>(x);
                if constexpr (has_mesh_site) {
                    mesh_energy =
                        multiply_add(c6, constants.dispersion_energy.template operator()<degree>(x), mesh_energy);
                    of_site.energy -= energy_at_cutoff(site, c6);
                }
                result.energy = difference<is_masked>(interacting, with_site(inverse, of_site.energy), T(Real(1)),
                                                      screened, mesh_energy);
            }
        }
        return result;
    }

private:
    /// Combined parameters of two particles.
    template <class T> struct Site { T length, twelve_epsilon; };

    /// Keeps the third power finite, so that pairs without depth have no energy; with depth, energies overflow all the
    /// same.
    template <class T> [[gnu::always_inline]] static T bounded(T const& ratio2) {
        if constexpr (is_made_for_one_place)
            return lesser(T(expression::limit<Real>(3)), ratio2);
        else
            return ratio2;
    }

    /// The variable of the polynomials.
    template <class T> [[gnu::always_inline]] T shifted(T const& r2) const {
        if constexpr (degree > 0)
            return r2 - T(constants.middle);
        else
            return multiply_subtract(T(constants.scale), r2, T(constants.middle));
    }

    template <class T> [[gnu::always_inline]] static PairValue<T> lennard_jones(T const& s, T const& twelve_epsilon) {
        T const scaled = twelve_epsilon * s;
        PairValue<T> value;
        value.virial = multiply_subtract(scaled, s, scaled);
        if constexpr (with_energy || dispersion == DispersionKind::switched)
            value.energy = T(Real(1.0 / 12)) * scaled * (s - T(Real(2)));
        return value;
    }

    /// bare·factor of the pairs that interact, less the mesh part.
    template <bool is_masked, class T, class M>
    [[gnu::always_inline]] static T difference(M const& interacting, T const& bare, T const& factor, M const& screened,
                                               T const& mesh) {
        if constexpr (is_masked)
            return keep(interacting, bare * factor) - keep(screened, mesh);
        else
            return keep(interacting, multiply_subtract(bare, factor, mesh));
    }

    /// The product of both particles' 2√ε σ³.
    template <class T>
    [[gnu::always_inline]] static T dispersion_charges(PairParameters<T> const& i, PairParameters<T> const& j) {
        // With the geometric mean of their lengths.
        T const s = i.p[1] * j.p[1];
        return T(Real(64.0 / 6)) * (i.p[2] * j.p[2]) * (s * s * s);
    }

    /// In LJPME, the direct-space energy is shifted to vanish at the cutoff.
    template <class T> [[gnu::always_inline]] T energy_at_cutoff(Site<T> const& site, T const& c6) const {
        T const square = site.length * site.length;
        T const bare =
            lennard_jones(square * square * square * T(constants.inverse_cutoff6), site.twelve_epsilon).energy;
        return bare - c6 * T(constants.dispersion_at_cutoff);
    }
};

}  // namespace trotter::cpu
