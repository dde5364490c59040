// The NoseHooverIntegrator that moves Drude oscillators.
// SPDX-License-Identifier: MIT
#include <trotter/drude/nose_hoover_chain.hpp>

#include <cstddef>
#include <utility>
#include <vector>

#include <trotter/common/integration/common.hpp>

namespace trotter::drude {
namespace {

void check_numbers(DrudeNoseHooverIntegrator const& integrator) {
    auto const check = [&](char const* what, double value, auto const& require) {
        require_set(integrator.name, what, value);
        require(integrator.name, what, value);
    };
    check("temperature", integrator.temperature, require_not_negative);
    check("collision frequency", integrator.collision_frequency, require_positive);
    check("Drude temperature", integrator.drude_temperature, require_not_negative);
    check("Drude collision frequency", integrator.drude_collision_frequency, require_positive);
    check("maximum Drude distance", integrator.maximum_drude_distance, require_not_negative);
}

}  // namespace

NoseHooverIntegrator with_chain(DrudeNoseHooverIntegrator const& integrator, HostState const& host) {
    check_numbers(integrator);
    NoseHooverIntegrator::Chain chain{.temperature = integrator.temperature,
                                      .collision_frequency = integrator.collision_frequency,
                                      .relative_temperature = integrator.drude_temperature,
                                      .relative_collision_frequency = integrator.drude_collision_frequency,
                                      .chain_length = integrator.chain_length,
                                      .multiple_time_steps = integrator.multiple_time_steps,
                                      .yoshida_suzuki_steps = integrator.yoshida_suzuki_steps};
    std::vector<bool> is_single(host.size());
    for (std::size_t i = 0; i < host.size(); ++i) is_single[i] = host.inverse_masses[i] != 0;
    for (auto const& [drude, parent] : integrator.pairs) {
        chain.pairs.push_back({drude, parent});
        for (int const index : {drude, parent})
            if (index >= 0 && static_cast<std::size_t>(index) < host.size())
                is_single[static_cast<std::size_t>(index)] = false;
    }
    for (std::size_t i = 0; i < host.size(); ++i)
        if (is_single[i]) chain.particles.push_back(static_cast<int>(i));
    return {.chains = {std::move(chain)},
            .maximum_pair_distance = integrator.maximum_drude_distance,
            .step_size = integrator.step_size,
            .constraint_tolerance = integrator.constraint_tolerance,
            .force_groups = integrator.force_groups};
}

}  // namespace trotter::drude
