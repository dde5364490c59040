// The three sweeps of generalized Born over a register of pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/pair_loop.hpp>
#include <trotter/forces/gbsa_formula.hpp>

namespace trotter::cpu {

/// Born integrals; energies of pairs and their slopes by ln T; forces from the change of the Born radii.
enum class BornSweep { integrals, energies, chain };

/// What pairs have in common.
template <class Real> struct BornConstants {
    Real cutoff2 = 0;
    Real prefactor = 0;
    Real shift = 0;  ///< taken from 1/f of every pair [1/nm]
};

/// Parameters of a particle: rho, the scaled rho, and dE/dI; for the energies charge and Born radius.
template <class Real, BornSweep sweep> struct BornPairs {
    static constexpr bool with_energy = sweep == BornSweep::energies;
    static constexpr bool has_forces = sweep != BornSweep::integrals, has_sums = sweep != BornSweep::chain,
                          has_charges = false, has_cutoff = false;
    static constexpr int parameter_count = 3;
    template <class T> struct Result { T force_over_r, energy, sum_i, sum_j; };

    BornConstants<Real> const& constants;
    Real cutoff2;
    [[gnu::always_inline]] explicit BornPairs(BornConstants<Real> const& c) : constants(c), cutoff2(c.cutoff2) {}

    template <PairKind, class T, class M = typename T::M>
    [[gnu::always_inline]] Result<T> evaluate(T const& r2, T const& inverse, PairParameters<T> const& i,
                                              PairParameters<T> const& j, M const& interacting, M const&) const {
        Result<T> result;
        if constexpr (sweep == BornSweep::energies) {
            auto const pair = born_pair<T>(r2, i.p[1] * j.p[1]);
            T const product = T(constants.prefactor) * (i.p[0] * j.p[0]);
            result.energy = keep(interacting, product * (pair.inverse - T(constants.shift)));
            result.force_over_r = keep(interacting, product * pair.virial * (inverse * inverse));
            result.sum_i = result.sum_j = keep(interacting, product * pair.radius_slope);
        } else {
            T const half(Real(0.5)), r = r2 * inverse;
            auto const on_i = descreening<T>(r, inverse, i.p[0], j.p[1]),
                       on_j = descreening<T>(r, inverse, j.p[0], i.p[1]);
            if constexpr (sweep == BornSweep::integrals) {
                result.sum_i = keep(interacting, half * on_i.value);
                result.sum_j = keep(interacting, half * on_j.value);
            } else {
                T const slope = half * (i.p[2] * on_i.slope + j.p[2] * on_j.slope);
                result.force_over_r = keep(interacting, -(slope * inverse));
            }
        }
        return result;
    }
};

}  // namespace trotter::cpu
