// What `AnyReplicas` does with the Replicas that it holds.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include <trotter/compiled_contexts.hpp>
#include <trotter/contexts/backend_choices.hpp>
#include <trotter/host/engine.hpp>
#include <trotter/integrators/compound.hpp>
#include <trotter/io/integrator.hpp>
#include <trotter/platform_description.hpp>
#include <trotter/replicas.hpp>
#include <trotter/request.hpp>
#include <trotter/state.hpp>
#include <trotter/system.hpp>

namespace trotter::detail {

/// What a pointer in `AnyReplicas` points to.
template <class List, class B, class P> struct HeldReplicas {
    using Held = Replicas<System<List>, B, P, StandardIntegrators>;

    static Held& of(void* held) { return *static_cast<Held*>(held); }

    static void* make(void const* system, AnyIntegrator const& integrator, BackendChoice const& choice, int count) {
        auto const make_with = [&](auto const& known) -> void* {
            auto const& own = *static_cast<System<List> const*>(system);
            return new Held{own, known, BackendChoices<B>::backend(choice), P{}, count, choice.seed};
        };
        return std::visit(make_with, integrator);
    }
    static constexpr ReplicasFunctions functions() {
        return {
            .destroy = [](void* held) { delete &of(held); },
            .host = [](void* held) -> HostEngine& { return of(held).engine().host; },
            .set_state = [](void* held, State const& state) { of(held).set_state(state); },
            .set_state_of = [](void* held, int replica, State const& state) { of(held).set_state(replica, state); },
            .set_velocities_to_temperature =
                [](void* held, double temperature, std::uint64_t seed) {
                    of(held).set_velocities_to_temperature(temperature, seed);
                },
            .set_temperature = [](void* held, double temperature) { of(held).set_temperature(temperature); },
            .set_temperature_of = [](void* held, int replica,
                                     double temperature) { of(held).set_temperature(replica, temperature); },
            .set_friction = [](void* held, double friction) { of(held).set_friction(friction); },
            .set_step_size = [](void* held, double step_size) { of(held).set_step_size(step_size); },
            .set_parameter = [](void* held, std::string_view name,
                                double value) { of(held).set_parameter(std::string(name), value); },
            .step = [](void* held, std::int64_t steps) { of(held).step(steps); },
            .state = [](void* held, int replica, StateData data,
                        ForceGroups const& groups) { return of(held).state(replica, data, groups); },
            .description = [](void* held) { return describe_platform<B, P>(of(held).engine()); },
        };
    }
};

}  // namespace trotter::detail
