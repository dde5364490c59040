// The three passes of generalized Born over a register of pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/pair_loops/pair_loop.hpp>
#include <trotter/physics/gbsa_formula.hpp>

namespace trotter::cpu {

/// Born integrals; energies of pairs and their slopes by ln B; forces from the change of the Born radii B.
enum class BornPass { integrals, energies, chain };

/// Terms of the series for pairs farther apart than `series_reach` times the scaled rho: there the next one is 3e-7 of
/// a slope in float, and 2e-15 in double; farther away it falls with r^-12 and r^-26.
template <class Real> inline constexpr int series_terms = sizeof(Real) == 4 ? 6 : 13;
inline constexpr double series_reach = 4;

/// Constants of all pairs.
template <class Real> struct BornConstants {
    Real cutoff2 = 0;
    Real prefactor = 0;
    Real shift = 0;  ///< subtracted from 1/f of every pair [1/nm]
};

/// Per-particle parameters: rho, the scaled rho, dE/dI, and the distance from which descreening uses the series; for
/// the energies charge, Born radius B and 1/(2B).
template <class Real, BornPass pass> struct BornPairs {
    static constexpr bool with_energy = pass == BornPass::energies;
    static constexpr bool has_forces = pass != BornPass::integrals, has_sums = pass != BornPass::chain,
                          has_charges = false;
    static constexpr int parameter_count = pass == BornPass::energies ? 3 : 4;
    template <class T> struct Result { T force_over_r, energy, sum_i, sum_j; };

    BornConstants<Real> const& constants;
    Real cutoff2;
    [[gnu::always_inline]] explicit BornPairs(BornConstants<Real> const& c) : constants(c), cutoff2(c.cutoff2) {}

    template <PairKind, class T, class M = typename T::M>
    [[gnu::always_inline]] Result<T> evaluate(T const& r2, T const& inverse,
                                              PairParameters<T, parameter_count> const& i,
                                              PairParameters<T, parameter_count> const& j, M const& interacting,
                                              M const&) const {
        Result<T> result;
        if constexpr (pass == BornPass::energies) {
            // As born_pair(), without a square root and divisions.
            T const radii = i.p[1] * j.p[1], x = r2 * (i.p[2] * j.p[2]), gaussian = exp(-x);
            T const inverse_f = inverse_sqrt(multiply_add(radii, gaussian, r2));
            auto const slopes = born_slopes<T>(radii, x, gaussian, inverse_f);
            T const product = T(constants.prefactor) * (i.p[0] * j.p[0]);
            result.energy = keep(interacting, product * (inverse_f - T(constants.shift)));
            result.force_over_r = keep(interacting, product * slopes.force_over_r);
            result.sum_i = result.sum_j = keep(interacting, product * slopes.radius_slope);
        } else {
            T const r = r2 * inverse;
            // Nearly always, all pairs in the registers use the series.
            if (!any(r < max(i.p[3], j.p[3]))) [[likely]]
                take(result, distant_descreening<series_terms<Real>>(inverse, j.p[1]),
                     distant_descreening<series_terms<Real>>(inverse, i.p[1]), inverse, i, j, interacting);
            else
                take(result, near_descreening(r, inverse, i.p[0], j.p[1]), near_descreening(r, inverse, j.p[0], i.p[1]),
                     inverse, i, j, interacting);
        }
        return result;
    }

private:
    template <class T> [[gnu::always_inline]] static ValueAndSlope<T> near_descreening(T const& r, T const& inverse,
                                                                                       T const& rho, T const& s) {
        auto const closed = descreening<T>(r, inverse, rho, s);
        if (!any(T(Real(central_ratio)) * r < s)) [[likely]]
            return closed;
        return central_descreening<T>(r, rho, s, closed);
    }
    /// Sets the result from the descreening of i by j and of j by i.
    template <class T, class M> [[gnu::always_inline]] static void take(Result<T>& result, ValueAndSlope<T> const& on_i,
                                                                        ValueAndSlope<T> const& on_j, T const& inverse,
                                                                        PairParameters<T, 4> const& i,
                                                                        PairParameters<T, 4> const& j,
                                                                        M const& interacting) {
        T const half(Real(0.5));
        if constexpr (pass == BornPass::integrals) {
            result.sum_i = keep(interacting, half * on_i.value);
            result.sum_j = keep(interacting, half * on_j.value);
        } else {
            T const slope = half * (i.p[2] * on_i.slope + j.p[2] * on_j.slope);
            result.force_over_r = keep(interacting, -(slope * inverse));
        }
    }
};

}  // namespace trotter::cpu
