// Lennard-Jones and Coulomb of a register of pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/layout.hpp>
#include <trotter/cpu/polynomial.hpp>
#include <trotter/forces/pair_energies.hpp>

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
    static constexpr bool with_energy = energies, has_forces = true, has_sums = false;
    struct Result {
        B force_over_r;
    };

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
    [[gnu::always_inline]] Result evaluate(B const& r2, Parameters const& i, Parameters const& j, M const& interacting, M const& screened,
                                           B& energy) const {
        B const inverse = inverse_sqrt<Real, Arch>(r2), inverse2 = inverse * inverse;
        B const charges = i.charge * j.charge;
        B const sr = (i.half_sigma + j.half_sigma) * inverse, sr2 = sr * sr;
        auto bare = lennard_jones<B>(sr2 * sr2 * sr2, i.root * j.root);
        if constexpr (dispersion == DispersionKind::switched)
            bare = switched<B>(bare, r2 * inverse, B(constants.switching_start), B(constants.switching_inverse_width));
        if constexpr (coulomb == CoulombKind::reaction_field) {
            bare = bare + coulomb_with_field<B>(charges, inverse, r2, B(constants.field_k), B(constants.field_c));
            if constexpr (with_energy) energy += keep<Real, Arch>(interacting, bare.energy);
            return {keep<Real, Arch>(interacting, B(bare.virial * inverse2))};
        } else {
            bare.virial = xsimd::fma(charges, inverse, bare.virial);
            B const x = xsimd::fms(B(constants.scale), r2, B(Real(1)));
            B mesh = charges * constants.coulomb_force.template operator()<degree>(x);
            if constexpr (dispersion == DispersionKind::mesh)
                mesh = xsimd::fma(mesh_product(i, j), constants.dispersion_force.template operator()<degree>(x), mesh);
            if constexpr (with_energy) {
                bare.energy = xsimd::fma(charges, inverse, bare.energy);
                B mesh_energy = charges * constants.coulomb_energy.template operator()<degree>(x);
                if constexpr (dispersion == DispersionKind::mesh) {
                    mesh_energy = xsimd::fma(mesh_product(i, j), constants.dispersion_energy.template operator()<degree>(x), mesh_energy);
                    bare.energy -= energy_at_cutoff(i, j);
                }
                energy += difference<is_masked>(interacting, bare.energy, screened, mesh_energy);
            }
            if constexpr (is_masked) return {difference<true>(interacting, bare.virial * inverse2, screened, mesh)};
            else return {keep<Real, Arch>(interacting, xsimd::fms(bare.virial, inverse2, mesh))};
        }
    }

private:
    template <bool is_masked>
    [[gnu::always_inline]] static B difference(M const& interacting, B const& bare, M const& screened, B const& mesh) {
        if constexpr (is_masked) return keep<Real, Arch>(interacting, bare) - keep<Real, Arch>(screened, mesh);
        else return keep<Real, Arch>(interacting, B(bare - mesh));
    }

    /// The product of the dispersion charges 2√ε σ³.
    [[gnu::always_inline]] static B mesh_product(Parameters const& i, Parameters const& j) {
        B const s = i.half_sigma * j.half_sigma;
        return B(Real(64)) * (i.root * j.root) * (s * s * s);
    }

    /// In LJPME, what is left for direct space is shifted to vanish at the cutoff.
    [[gnu::always_inline]] B energy_at_cutoff(Parameters const& i, Parameters const& j) const {
        B const sigma = i.half_sigma + j.half_sigma, sigma2 = sigma * sigma;
        B const bare = lennard_jones<B>(sigma2 * sigma2 * sigma2 * B(constants.inverse_cutoff6), i.root * j.root).energy;
        return bare - mesh_product(i, j) * B(constants.dispersion_at_cutoff);
    }
};

}  // namespace trotter::cpu
