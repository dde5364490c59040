// What the integrators of Drude oscillators take from the DrudeForce of their System.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include <trotter/drude/drude_force.hpp>
#include <trotter/system.hpp>

namespace trotter::drude {

/// A Drude particle and its parent.
struct Pair {
    int drude = 0, parent = 0;  ///< particle indices, from 0
};

/// Throws InputError unless the System has one DrudeForce.
void check_count_of_forces(std::string_view integrator, std::size_t count);

/// The DrudeForce of a System. Throws InputError, which names the integrator, unless there is one.
template <class List> DrudeForce const& force_of(System<List> const& system, std::string_view integrator) {
    DrudeForce const* found = nullptr;
    std::size_t count = 0;
    if constexpr (lists_force<DrudeForce, List>) {
        auto const& forces = system.template forces<DrudeForce>();
        count = forces.size();
        found = forces.data();
    }
    check_count_of_forces(integrator, count);
    return *found;
}

/// The Drude particles of a System with their parents.
template <class List> std::vector<Pair> pairs_of(System<List> const& system, std::string_view integrator) {
    std::vector<Pair> pairs;
    for (auto const& particle : force_of(system, integrator).particles)
        pairs.push_back({particle.drude, particle.parent});
    return pairs;
}

}  // namespace trotter::drude
