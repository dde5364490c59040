// Replicas whose backend and precision are chosen while the program runs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <trotter/compiled_contexts.hpp>
#include <trotter/io/integrator.hpp>
#include <trotter/platform_description.hpp>
#include <trotter/request.hpp>
#include <trotter/state.hpp>
#include <trotter/system.hpp>

namespace trotter {

/// `Replicas` on a backend that is chosen while the program runs. Its members do what those of `Replicas` with the same
/// names do, and throw the same. Moves, and does not copy.
class AnyReplicas {
public:
    template <class List>
    AnyReplicas(System<List> const& system, AnyIntegrator const& integrator, BackendChoice const& choice, int count)
        : AnyReplicas(compiled_contexts<List>(), &system, integrator, choice, count) {}

    int count() const { return count_; }
    double time() const;
    std::int64_t step_count() const;
    std::uint64_t seed() const;

    void set_state(State const& state);
    void set_state(int replica, State const& state);
    void set_velocities_to_temperature(double temperature, std::uint64_t seed = 0);
    void set_temperature(double temperature);
    void set_temperature(int replica, double temperature);
    void set_friction(double friction);
    void set_step_size(double step_size);
    void set_parameter(std::string_view name, double value);
    void step(std::int64_t steps);
    State state(int replica, StateData data = StateData::none, ForceGroups const& groups = {});

    PlatformDescription const& platform() const { return description_; }

private:
    AnyReplicas(std::span<CompiledContext const> compiled, void const* system,
                AnyIntegrator const& integrator, BackendChoice const& choice, int count);
    void* held() const;

    int count_;
    ReplicasFunctions const* functions_;
    std::unique_ptr<void, void (*)(void*)> replicas_;
    PlatformDescription description_;
};

}  // namespace trotter
