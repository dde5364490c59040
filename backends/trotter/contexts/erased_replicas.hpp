// Implementation of `AnyReplicas` for one Replicas type.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include <trotter/common/host_state.hpp>
#include <trotter/compiled_contexts.hpp>
#include <trotter/context/platform_description.hpp>
#include <trotter/contexts/backend_choices.hpp>
#include <trotter/core/request.hpp>
#include <trotter/io/integrator.hpp>
#include <trotter/replicas.hpp>
#include <trotter/standard_integrators.hpp>
#include <trotter/state.hpp>
#include <trotter/system.hpp>

namespace trotter::detail {

/// The object that `AnyReplicas` points to.
template <class List, class B, class P> struct ErasedReplicas {
    using Erased = Replicas<System<List>, B, P, StandardIntegrators>;

    static Erased& of(void* object) { return *static_cast<Erased*>(object); }

    static void* make(void const* system, AnyIntegrator const& integrator, BackendChoice const& choice, int count) {
        auto const make_with = [&](auto const& known) -> void* {
            auto const& own = *static_cast<System<List> const*>(system);
            return new Erased{own, known, BackendChoices<B>::backend(choice), P{}, count, choice.seed};
        };
        return std::visit(make_with, integrator);
    }
    static constexpr ReplicasFunctions functions() {
        return {
            .destroy = [](void* object) { delete &of(object); },
            .host = [](void* object) -> HostState& { return of(object).engine().host; },
            .set_state = [](void* object, State const& state) { of(object).set_state(state); },
            .set_state_of = [](void* object, int replica, State const& state) { of(object).set_state(replica, state); },
            .set_velocities_to_temperature =
                [](void* object, double temperature, std::uint64_t seed) {
                    of(object).set_velocities_to_temperature(temperature, seed);
                },
            .set_temperature = [](void* object, double temperature) { of(object).set_temperature(temperature); },
            .set_temperature_of = [](void* object, int replica,
                                     double temperature) { of(object).set_temperature(replica, temperature); },
            .set_friction = [](void* object, double friction) { of(object).set_friction(friction); },
            .set_step_size = [](void* object, double step_size) { of(object).set_step_size(step_size); },
            .set_parameter = [](void* object, std::string_view name,
                                double value) { of(object).set_parameter(std::string(name), value); },
            .step = [](void* object, std::int64_t steps) { of(object).step(steps); },
            .state = [](void* object, int replica, StateData data,
                        ForceGroups const& groups) { return of(object).state(replica, data, groups); },
            .description = [](void* object) { return describe_platform<B, P>(of(object).engine()); },
        };
    }
};

}  // namespace trotter::detail
