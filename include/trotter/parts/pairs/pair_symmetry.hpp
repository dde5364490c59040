// Checks that a pair energy is symmetric in the two particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <string>

#include <trotter/error.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>

namespace trotter {

/// Samples pairs of `count` particles, since backends choose the order of the two. `energy(i, j, r)` is that of
/// particles i and j at r [nm], and `title` its name in messages. Throws InputError that names the first asymmetric
/// pair.
template <class Energy>
[[gnu::cold]] void check_symmetry(std::string const& title, std::size_t count, PairSettings const& pairs,
                                  Energy&& energy) {
    std::size_t const step = count / 40 + 1;
    double const cutoff = pairs.uses_cutoff() ? pairs.cutoff_distance : 1;
    for (std::size_t i = 0; i < count; i += step)
        for (std::size_t j = 0; j < i; j += step)
            for (double const r : {0.4 * cutoff, 0.83 * cutoff}) {
                double const one = energy(i, j, r), other = energy(j, i, r);
                if (std::abs(one - other) > 1e-4 * (std::abs(one) + std::abs(other)))
                    throw InputError(title + " of particles " + std::to_string(j) + " and " + std::to_string(i) + " at "
                                     + std::to_string(r) + " nm is " + std::to_string(other) + " kJ/mol, but "
                                     + std::to_string(one)
                                     + " with the two exchanged; expected a formula that is symmetric");
            }
}

}  // namespace trotter
