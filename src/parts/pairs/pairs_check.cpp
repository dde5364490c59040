// Validates the settings of pair forces.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/core/range_check.hpp>
#include <trotter/core/repeated_pair.hpp>
#include <trotter/error.hpp>
#include <trotter/parts/pairs/pairs_check.hpp>

namespace trotter::detail {

void check_settings(PairSettings const& settings, int particle_count, Box const& box) {
    if (settings.uses_cutoff()) check_cutoff(settings.cutoff_distance, settings.is_periodic(), box);
    if (settings.is_switched()) check_switching_distance(settings.switching_distance, settings.cutoff_distance);
    check_exclusions(settings.exclusions, particle_count);
}

void check_exclusions(std::vector<PairSettings::Exclusion> const& exclusions, int particle_count) {
    for (std::size_t n = 0; n < exclusions.size(); ++n) {
        auto const [i, j] = exclusions[n];
        Numbered const where{"exclusion", n};
        for (int const particle : {i, j}) check_particle(particle, particle_count, where);
        if (i == j) throw InputError(where + " pairs particle " + std::to_string(i) + " with itself");
    }
    if (auto const repeated = repeated_pair(exclusions)) {
        auto const [i, j] = exclusions[repeated->second];
        throw InputError(Numbered{"exclusion", repeated->second} + " repeats an earlier exclusion of particles "
                         + std::to_string(i) + " and " + std::to_string(j));
    }
}

}  // namespace trotter::detail
