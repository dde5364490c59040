// Cutoff, switching function and exclusions of pair forces.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace trotter {

/// Settings of every pair force, in a member `pairs`. A Context throws InputError for a cutoff of more than half the
/// box and for invalid exclusions.
struct PairSettings {
    /// Which pairs interact.
    enum class Method {
        no_cutoff,            ///< all pairs, no periodic images
        cutoff_non_periodic,  ///< pairs within the cutoff
        cutoff_periodic       ///< the same between nearest images
    };
    /// A pair that does not interact.
    struct Exclusion {
        int particle1 = 0, particle2 = 0;  ///< particle indices, from 0

        friend bool operator==(Exclusion const&, Exclusion const&) = default;  ///< compares all members
    };
    Method method = Method::no_cutoff;  ///< all pairs, or those within the cutoff
    double cutoff_distance = 1;  ///< [nm]
    bool use_switching_function =
        false;  ///< energy × (1 - 10t³ + 15t⁴ - 6t⁵) from `switching_distance` to the cutoff
    double switching_distance = -1;  ///< [nm]
    /// Whether the mean energy left out by cutoff and switching function is added; periodic systems only. A Context
    /// throws InputError if the energy decays too slowly for that.
    bool use_long_range_correction = false;
    /// Whether that mean includes pairs of a particle with itself, as is usual if all particles interact.
    bool correction_counts_self = true;
    std::vector<Exclusion> exclusions{};  ///< at most one for each pair

    /// Whether pairs beyond `cutoff_distance` are left out.
    bool uses_cutoff() const { return method != Method::no_cutoff; }
    /// Whether the force needs periodic box vectors.
    bool is_periodic() const { return method == Method::cutoff_periodic; }
    /// Whether the switching function acts.
    bool is_switched() const { return uses_cutoff() && use_switching_function; }
    /// Whether the long-range correction acts.
    bool has_long_range_correction() const { return is_periodic() && use_long_range_correction; }
    friend bool operator==(PairSettings const&, PairSettings const&) = default;  ///< compares all members
};

/// Returns the excluded partners of each particle, ascending.
inline std::vector<std::vector<int>> excluded_partners(std::vector<PairSettings::Exclusion> const& exclusions,
                                                       std::size_t particles) {
    std::vector<std::vector<int>> result(particles);
    for (auto const& [i, j] : exclusions) {
        result[static_cast<std::size_t>(i)].push_back(j);
        result[static_cast<std::size_t>(j)].push_back(i);
    }
    for (auto& partners : result) std::sort(partners.begin(), partners.end());
    return result;
}
/// The same; empty without exclusions.
inline std::vector<std::vector<int>> excluded_partners(PairSettings const& settings, std::size_t particles) {
    return excluded_partners(settings.exclusions, settings.exclusions.empty() ? 0 : particles);
}

}  // namespace trotter
