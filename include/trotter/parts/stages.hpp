// Forces evaluated in stages, such as generalized Born models.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter {

/// A force evaluated in stages: per-particle values, each from neighbours or from the values before it, then energies
/// of particles and pairs from all of them. The derivatives A_k(i) of the energy E by value k of particle i follow from
/// the last value to the first (chain rule): each formula with the value as an argument adds ∂E/∂formula ·
/// ∂formula/∂value, where ∂E/∂formula is 1 for an energy.
template <class F>
concept HasStages = requires { requires F::has_stages; };

/// Returns the cutoff and exclusion settings: the member `pairs`, or the force itself.
template <HasStages F> auto const& settings_of_pairs(F const& force) {
    if constexpr (requires { force.pairs; })
        return force.pairs;
    else
        return force;
}

}  // namespace trotter
