// The three sweeps of generalized Born over a register of pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/layout.hpp>
#include <trotter/forces/gbsa_formula.hpp>

namespace trotter::cpu {

/// Born integrals; energies of pairs and their slopes by ln B; forces from the change of the Born radii.
enum class BornSweep { integrals, energies, chain };

/// What pairs have in common.
template <class Real> struct BornConstants {
    Real cutoff2 = 0;
    Real prefactor = 0;
    Real shift = 0;  ///< taken from 1/f of every pair [1/nm]
};

/// Parameters of a particle: rho, the scaled rho, and dE/dI; for the energies charge and Born radius.
template <class Real, class Arch, BornSweep sweep> struct BornPairs {
    using L = Layout<Real, Arch>;
    using B = typename L::B;
    using M = Mask<Real, Arch>;
    static constexpr bool with_energy = sweep == BornSweep::energies;
    static constexpr bool has_forces = sweep != BornSweep::integrals, has_sums = sweep != BornSweep::chain;

    struct Parameters {
        B first, second, third;
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
    struct Result {
        B force_over_r, sum_i, sum_j;
    };

    BornConstants<Real> const& constants;
    B cutoff2;
    explicit BornPairs(BornConstants<Real> const& c) : constants(c), cutoff2(c.cutoff2) {}

    template <bool is_masked>
    [[gnu::always_inline]] Result evaluate(B const& r2, Parameters const& i, Parameters const& j, M const& interacting, M const&,
                                           B& energy) const {
        B const zero(Real(0)), half(Real(0.5));
        if constexpr (sweep == BornSweep::energies) {
            auto const pair = born_pair<B>(r2, i.second * j.second);
            B const product = B(constants.prefactor) * (i.first * j.first);
            energy += keep<Real, Arch>(interacting, B(product * (pair.inverse - B(constants.shift))));
            B const by_radius = keep<Real, Arch>(interacting, B(product * pair.radius_slope));
            return {keep<Real, Arch>(interacting, B(product * pair.virial / r2)), by_radius, by_radius};
        } else {
            B const inverse = inverse_sqrt<Real, Arch>(r2), r = r2 * inverse;
            auto const on_i = descreening<B>(r, inverse, i.first, j.second), on_j = descreening<B>(r, inverse, j.first, i.second);
            if constexpr (sweep == BornSweep::integrals)
                return {zero, keep<Real, Arch>(interacting, B(half * on_i.value)), keep<Real, Arch>(interacting, B(half * on_j.value))};
            else {
                B const slope = half * (i.third * on_i.slope + j.third * on_j.slope);
                return {keep<Real, Arch>(interacting, B(-(slope * inverse))), zero, zero};
            }
        }
    }
};

}  // namespace trotter::cpu
