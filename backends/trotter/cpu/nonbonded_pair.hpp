// Lennard-Jones and Coulomb of a register of pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/layout.hpp>
#include <trotter/cpu/polynomial.hpp>

namespace trotter::cpu {

enum class CoulombKind { reaction_field, ewald };
enum class DispersionKind { plain, switched, mesh };

/// What the pairs of a NonbondedForce have in common. Plain Coulomb is a reaction field of nothing.
template <class Real> struct PairConstants {
    CoulombKind coulomb = CoulombKind::reaction_field;
    DispersionKind dispersion = DispersionKind::plain;
    Real cutoff2 = 0;
    Real field_k = 0, field_c = 0;
    Real scale = 0;  ///< 2/cutoff², for the polynomials
    Polynomial<Real> coulomb_force, coulomb_energy, dispersion_force, dispersion_energy;
    Real switching_start = 0, switching_inverse_width = 0;
    Real inverse_cutoff6 = 0, dispersion_at_cutoff = 0;
};

/// Parameters of a particle are its charge (times √(1/4 pi eps0)), σ/2 and 2√ε.
template <class Real, class Arch, CoulombKind coulomb, DispersionKind dispersion, int degree, bool energies> struct NonbondedPair {
    using L = Layout<Real, Arch>;
    using B = typename L::B;
    using M = Mask<Real, Arch>;
    static constexpr bool with_energy = energies;

    struct Parameters {
        B charge, half_sigma, root;
    };
    struct IParameters : Parameters {
        IParameters() = default;
        [[gnu::always_inline]] IParameters(Real const* p, int k)
            : Parameters{L::load_i(p, k), L::load_i(p + L::j_size, k), L::load_i(p + 2 * L::j_size, k)} {}
    };
    struct JParameters : Parameters {
        [[gnu::always_inline]] JParameters(Real const* p, int part)
            : Parameters{L::load_j(p, part), L::load_j(p + L::j_size, part), L::load_j(p + 2 * L::j_size, part)} {}
    };

    PairConstants<Real> const& constants;
    B cutoff2;
    explicit NonbondedPair(PairConstants<Real> const& c) : constants(c), cutoff2(c.cutoff2) {}

    template <bool is_masked>
    [[gnu::always_inline]] B force_over_r(B const& r2, Parameters const& i, Parameters const& j, M const& interacting, M const& screened,
                                          B& energy) const {
        B const inverse = inverse_sqrt<Real, Arch>(r2), inverse2 = inverse * inverse;
        B const charges = i.charge * j.charge;
        B const sr = (i.half_sigma + j.half_sigma) * inverse, sr2 = sr * sr, sr6 = sr2 * sr2 * sr2;
        B const attraction = B(i.root * j.root) * sr6;  // 4 ε (σ/r)⁶
        // Forces times r, as far as they act on pairs that are not excluded.
        B lennard_jones = attraction * xsimd::fma(B(Real(12)), sr6, B(Real(-6)));
        if constexpr (dispersion == DispersionKind::switched || with_energy) {
            B lj_energy = attraction * (sr6 - B(Real(1)));
            if constexpr (dispersion == DispersionKind::switched) apply_switching(r2 * inverse, lj_energy, lennard_jones);
            if constexpr (with_energy) add_energy<is_masked>(lj_energy, charges, r2, inverse, i, j, interacting, screened, energy);
        }
        if constexpr (coulomb == CoulombKind::ewald) {
            B const bare = xsimd::fma(charges, inverse, lennard_jones);
            B correction = charges * constants.coulomb_force.template operator()<degree>(x_of(r2));
            if constexpr (dispersion == DispersionKind::mesh)
                correction -= mesh_product(i, j) * constants.dispersion_force.template operator()<degree>(x_of(r2));
            if constexpr (is_masked) return keep<Real, Arch>(interacting, B(bare * inverse2)) - keep<Real, Arch>(screened, correction);
            else return keep<Real, Arch>(interacting, xsimd::fms(bare, inverse2, correction));
        } else {
            B const field = xsimd::fnma(B(2 * constants.field_k), r2, inverse);
            return keep<Real, Arch>(interacting, B(xsimd::fma(charges, field, lennard_jones) * inverse2));
        }
    }

private:
    [[gnu::always_inline]] B x_of(B const& r2) const { return xsimd::fms(B(constants.scale), r2, B(Real(1))); }

    /// The product of what the dispersion mesh has for i and j: 2√ε σ³ each.
    [[gnu::always_inline]] static B mesh_product(Parameters const& i, Parameters const& j) {
        B const s = i.half_sigma * j.half_sigma;
        return B(Real(64)) * (i.root * j.root) * (s * s * s);
    }

    /// S = 1 + t³(-10 + 15t - 6t²); r times the force is then S r F - E r dS/dr.
    [[gnu::always_inline]] void apply_switching(B const& r, B& energy, B& force_times_r) const {
        B const t = xsimd::max(B(Real(0)), B((r - B(constants.switching_start)) * B(constants.switching_inverse_width)));
        B const t2 = t * t;
        B const value = xsimd::fma(B(t2 * t), xsimd::fma(t, xsimd::fma(t, B(Real(-6)), B(Real(15))), B(Real(-10))), B(Real(1)));
        B const slope = t2 * xsimd::fma(t, xsimd::fma(t, B(Real(-30)), B(Real(60))), B(Real(-30))) * B(constants.switching_inverse_width);
        force_times_r = xsimd::fnma(B(energy * slope), r, B(force_times_r * value));
        energy = energy * value;
    }

    template <bool is_masked>
    [[gnu::always_inline]] void add_energy(B const& lj, B const& charges, B const& r2, B const& inverse, Parameters const& i,
                                           Parameters const& j, M const& interacting, M const& screened, B& energy) const {
        if constexpr (coulomb == CoulombKind::ewald) {
            B bare = xsimd::fma(charges, inverse, lj);
            B correction = charges * constants.coulomb_energy.template operator()<degree>(x_of(r2));
            if constexpr (dispersion == DispersionKind::mesh) {
                // Both parts are shifted to vanish at the cutoff.
                B const product = mesh_product(i, j), sigma = i.half_sigma + j.half_sigma, sigma2 = sigma * sigma;
                B const at_cutoff = sigma2 * sigma2 * sigma2 * B(constants.inverse_cutoff6);
                bare += (i.root * j.root) * at_cutoff * (B(Real(1)) - at_cutoff) - product * B(constants.dispersion_at_cutoff);
                correction -= product * constants.dispersion_energy.template operator()<degree>(x_of(r2));
            }
            if constexpr (is_masked) energy += keep<Real, Arch>(interacting, bare) - keep<Real, Arch>(screened, correction);
            else energy += keep<Real, Arch>(interacting, B(bare - correction));
        } else {
            B const field = xsimd::fma(B(constants.field_k), r2, inverse) - B(constants.field_c);
            energy += keep<Real, Arch>(interacting, xsimd::fma(charges, field, lj));
        }
    }
};

}  // namespace trotter::cpu
