// Dissipative particle dynamics.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include <trotter/base/force_groups.hpp>
#include <trotter/base/not_set.hpp>

namespace trotter {

/// A momentum-conserving pair thermostat: the relative velocity u of two particles along the line between them obeys du
/// = -2 g w² u dt + noise, w = 1 - r/cutoff, up to the cutoff. Each pair's equation is solved exactly, one pair after
/// the other by ascending particles, in the middle of a leapfrog step (after T. Shardlow, SIAM J. Sci. Comput. 24, 1267
/// (2003), and Z. Zhang et al., J. Phys. Chem. A 123, 6056 (2019)). Pairs use minimum images if any force is periodic.
/// Frozen particles have infinite mass; virtual sites are left out.
struct DPDIntegrator {
    static constexpr std::string_view name = "DPDIntegrator";  ///< type name, in messages and files

    /// Friction and cutoff between particles of two types.
    struct TypePair {
        int type1 = 0, type2 = 0;  ///< may be equal
        double friction = not_set;  ///< g [1/ps]
        double cutoff = 0;    ///< [nm]
    };
    double temperature = not_set;       ///< [K]
    double default_friction = not_set;  ///< of pairs that are not in `type_pairs` [1/ps]
    double default_cutoff = 1;    ///< of these pairs [nm]
    double step_size = not_set;   ///< [ps]
    std::map<int, int> particle_types{};  ///< type of a particle; 0 if not listed
    std::vector<TypePair> type_pairs{};   ///< unordered; the last one of the same types applies
    std::uint64_t seed = 0;               ///< 0: derived from the Context's
    double constraint_tolerance = 1e-5;   ///< of distances, relative
    ForceGroups force_groups{};  ///< those that the integrator applies; all by default
};

}  // namespace trotter
