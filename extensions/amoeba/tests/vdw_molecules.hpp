// Particles with AMOEBA's van der Waals force, for its tests.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/amoeba/vdw.hpp>

namespace amoeba_vdw_test {

using namespace trotter;
using Alchemy = AmoebaVdwForce::Alchemy;
using EpsilonRule = AmoebaVdwForce::EpsilonRule;
using Method = AmoebaVdwForce::Method;
using Potential = AmoebaVdwForce::Potential;
using SigmaRule = AmoebaVdwForce::SigmaRule;

inline Box const cube = Box::rectangular(3, 3, 3);

/// Two different particles.
inline AmoebaVdwForce pair_of(SigmaRule sigma_rule = SigmaRule::cubic_mean, EpsilonRule epsilon_rule = EpsilonRule::hhg,
                       Potential potential = Potential::buffered_14_7) {
    return {.particles = {{.parent = 0, .sigma = 0.3, .epsilon = 0.5}, {.parent = 1, .sigma = 0.25, .epsilon = 0.2}},
            .sigma_rule = sigma_rule, .epsilon_rule = epsilon_rule, .potential = potential};
}

/// Molecules of a heavy particle and two with displaced sites, in a box with images.
inline AmoebaVdwForce molecules(int count, Method method) {
    AmoebaVdwForce force{.method = method, .cutoff_distance = 0.9, .alchemy = Alchemy::decouple, .softcore_power = 3};
    for (int i = 0; i < 3 * count; ++i)
        force.particles.push_back({.parent = i - i % 3,
                                   .sigma = i % 3 == 0 ? 0.17 : 0.13,
                                   .epsilon = 0.1 + 0.05 * (i % 4),
                                   .reduction = i % 3 == 0 ? 1 : 0.91,
                                   .is_alchemical = i % 5 == 0,
                                   .scale = i % 7 == 0 ? 0.5 : 1,
                                   .exclusions = {i - i % 3, i - i % 3 + 1, i - i % 3 + 2}});
    return force;
}

}  // namespace amoeba_vdw_test
