// Replicas whose backend and precision are chosen at run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <trotter/compiled_contexts.hpp>
#include <trotter/context/platform_description.hpp>
#include <trotter/core/request.hpp>
#include <trotter/io/integrator.hpp>
#include <trotter/state.hpp>
#include <trotter/system.hpp>

namespace trotter {

/// `Replicas` on a backend chosen at run time. Members do the same as those of `Replicas` with the same names, and
/// throw the same. Movable, not copyable.
class AnyReplicas {
public:
    /// Throws as the constructor of `AnyContext`.
    template <class List>
    AnyReplicas(System<List> const& system, AnyIntegrator const& integrator, BackendChoice const& choice, int count)
        : AnyReplicas(compiled_contexts<List>(), &system, integrator, choice, count) {}

    /// Number of replicas.
    int count() const { return count_; }
    double time() const;  ///< common to all [ps]
    std::int64_t step_count() const;  ///< common to all
    std::uint64_t seed() const;  ///< of all random numbers

    void set_state(State const& state);  ///< of every replica
    void set_state(int replica, State const& state);  ///< of one replica
    /// Of every replica, each from its own random numbers.
    void set_velocities_to_temperature(double temperature, std::uint64_t seed = 0);
    void set_temperature(double temperature);  ///< of every replica [K]
    void set_temperature(int replica, double temperature);  ///< of one replica [K]
    void set_friction(double friction);  ///< of every replica [1/ps]
    void set_step_size(double step_size);  ///< of every replica [ps]
    void set_parameter(std::string_view name, double value);  ///< of every replica
    void step(std::int64_t steps);  ///< of every replica
    /// Copy of the state of one replica.
    State state(int replica, StateData data = StateData::none, ForceGroups const& groups = {});

    /// Platform, precision, device, threads.
    PlatformDescription const& platform() const { return description_; }

private:
    AnyReplicas(std::span<CompiledContext const> compiled, void const* system,
                AnyIntegrator const& integrator, BackendChoice const& choice, int count);
    void* object() const;

    int count_;
    ReplicasFunctions const* functions_;
    std::unique_ptr<void, void (*)(void*)> replicas_;
    PlatformDescription description_;
};

}  // namespace trotter
