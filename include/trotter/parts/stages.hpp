// Forces evaluated in stages, such as generalized Born models.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter {

/// Values of particles come first, each from neighbours or from the values before it, then energies of particles and of
/// pairs from all of them. With E the energy, its derivatives A_k(i) by value k of particle i follow from the last value
/// to the first: each formula that has the value as an argument adds the derivative of the energy by the formula, times
/// that of the formula by the value. An energy is a formula by which that derivative is 1.
template <class F>
concept HasStages = requires { requires F::has_stages; };

/// What says which pairs there are.
template <HasStages F> auto const& settings_of_pairs(F const& force) {
    if constexpr (requires { force.pairs; })
        return force.pairs;
    else
        return force;
}

}  // namespace trotter
