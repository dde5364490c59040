// Nosé-Hoover chains.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/force_groups.hpp>
#include <trotter/base/not_set.hpp>

namespace trotter {

/// Constant temperature by Nosé-Hoover chains (G. J. Martyna, M. L. Klein, M. Tuckerman, J. Chem. Phys. 97, 2635
/// (1992)) in the leapfrog "middle" scheme (Z. Zhang et al., J. Phys. Chem. A 123, 6056 (2019)).
struct NoseHooverIntegrator {
    static constexpr std::string_view name = "NoseHooverIntegrator";  ///< type name, in messages and files

    /// A thermostat chain for particles, and for pairs of particles with a separate temperature of their relative
    /// motion.
    struct Chain {
        double temperature = not_set;             ///< [K]
        double collision_frequency = not_set;     ///< [1/ps]
        double relative_temperature = 0;          ///< of the pairs [K]
        double relative_collision_frequency = 1;  ///< of the pairs [1/ps]
        int chain_length = 3;                     ///< thermostats, each acting on the one before
        int multiple_time_steps = 3;              ///< substeps of the chain per step
        int yoshida_suzuki_steps = 7;  ///< 1, 3, 5 or 7
        std::vector<int> particles{};  ///< empty together with `pairs`: all particles
        /// Two particles with a thermostat on their relative motion, as a Drude pair.
        struct Pair {
            int particle1 = 0, particle2 = 0;  ///< particle indices, from 0
        };
        std::vector<Pair> pairs{};  ///< empty together with `particles`: no pairs
    };
    std::vector<Chain> chains{};  ///< in the order in which they act
    double maximum_pair_distance = -1;  ///< [nm]; not positive: no limit
    double step_size = not_set;         ///< [ps]
    double constraint_tolerance = 1e-5;  ///< of distances, relative
    ForceGroups force_groups{};  ///< those that the integrator applies; all by default

    /// Name of a bead's position in a State: its path in the State's file. `integrator` is the index in a
    /// CompoundIntegrator; `chain` counts the chains of all thermostats, where pairs have a separate chain.
    static std::string bead_position(int integrator, int chain, int bead) {
        return bead_name(integrator, chain, bead) + "position";
    }
    /// Name of a bead's velocity [1/ps] in a State.
    static std::string bead_velocity(int integrator, int chain, int bead) {
        return bead_name(integrator, chain, bead) + "velocity";
    }

private:
    static std::string bead_name(int integrator, int chain, int bead) {
        return "IntegratorParameters[" + std::to_string(integrator) + "]/Chain[" + std::to_string(chain) + "]/Bead["
               + std::to_string(bead) + "]/";
    }
};

}  // namespace trotter
