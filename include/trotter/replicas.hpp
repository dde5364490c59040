// Replicas of a System: the same particles and forces many times, each with its own positions and velocities.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/context.hpp>
#include <trotter/replicas/batched.hpp>
#include <trotter/replicas/serial.hpp>

namespace trotter {

namespace detail {

template <class SystemType, class B, class P, class Integrators> struct ReplicasOf {
    using Type = SerialReplicas<SystemType, B, P, Integrators>;
};
template <class SystemType, BatchingBackend B, class P, class Integrators>
struct ReplicasOf<SystemType, B, P, Integrators> {
    using Type = BatchedReplicas<SystemType, B, P, Integrators>;
};

}  // namespace detail

/// `count` replicas of a System that take their steps together. They do not interact; box, time, parameters and
/// integrator are the same for all, random numbers differ. A batching backend (`BatchingBackend`: OpenCl and Cuda) runs
/// all replicas in the same launches, which is many times as fast for small Systems; on others each has its own
/// Context. The results of a replica do not depend on the other replicas, to the last bit; those of replica 0 are those
/// of a single Context with the same seeds, up to rounding. Used by one thread at a time.
template <class SystemType, Backend B, Precision P, class Integrators> class Replicas {
public:
    /// `seed` is used for all random numbers whose consumers have no seed. Throws as a Context does, and
    /// UnsupportedError for what a batch does not support: barostats, integrators that couple all particles, plain
    /// Ewald sums.
    template <class I>
    Replicas(SystemType const& system, I const& integrator, B const& backend, P, int count, std::uint64_t seed = 1)
        : count_(checked_count(count)), replicas_(system, integrator, backend, count, seed) {}

    /// Number of replicas.
    int count() const { return count_; }
    /// Common to all [ps].
    double time() const { return replicas_.time(); }
    /// Common to all.
    std::int64_t step_count() const { return replicas_.step_count(); }
    /// Common to all [nm].
    Box const& box() const { return replicas_.box(); }

    /// Sets all data in the State for every replica.
    void set_state(State const& state) {
        replicas_.set_common(state);
        for (int k = 0; k < count_; ++k) set_vectors(k, state);
    }
    /// Sets positions and velocities of one replica. Throws InputError if the State's box is not that of the others.
    void set_state(int replica, State const& state) {
        if (state.box && *state.box != box())
            throw InputError("the State for replica " + std::to_string(checked(replica))
                             + " has another box than the other replicas");
        set_vectors(checked(replica), state);
    }
    /// One vector for each particle [nm]. Throws InputError for a wrong number of them, and for values that are not
    /// finite.
    void set_positions(int replica, std::vector<Vec3<>> const& positions) {
        replicas_.set_positions(checked(replica), positions);
    }
    /// One vector for each particle [nm/ps]. Throws InputError as `set_positions` does.
    void set_velocities(int replica, std::vector<Vec3<>> const& velocities) {
        replicas_.set_velocities(checked(replica), velocities);
    }
    /// As `Context::set_velocities_to_temperature`, with other velocities for each replica.
    void set_velocities_to_temperature(double temperature, std::uint64_t seed = 0) {
        replicas_.set_velocities_to_temperature(temperature, seed);
    }
    /// Of all replicas. Throws InputError for a name that no force declares.
    void set_parameter(std::string const& name, double value) { replicas_.set_parameter(name, value); }
    /// Sets the temperature of all replicas [K], as that of `Context`.
    void set_temperature(double temperature) { replicas_.set_temperature(temperature); }
    /// Of one replica [K].
    void set_temperature(int replica, double temperature) { replicas_.set_temperature(checked(replica), temperature); }
    /// Of all replicas [1/ps].
    void set_friction(double friction) {
        replicas_.for_each_context([&](auto& context) { context.set_friction(friction); });
    }
    /// Of all replicas [ps].
    void set_step_size(double step_size) {
        replicas_.for_each_context([&](auto& context) { context.set_step_size(step_size); });
    }

    /// Takes `steps` steps of each replica. Throws NotFiniteError with the first replica, step and particle if a value
    /// becomes NaN.
    void step(std::int64_t steps) { replicas_.step(steps); }

    /// Copies the data selected by `data`, of one replica.
    State state(int replica, StateData data = StateData::none, ForceGroups const& groups = {}) {
        return replicas_.state(checked(replica), data, groups);
    }
    /// Of one replica, copied [nm].
    std::vector<Vec3<>> positions(int replica) { return replicas_.positions(checked(replica)); }
    /// Of one replica, copied [nm/ps].
    std::vector<Vec3<>> velocities(int replica) { return replicas_.velocities(checked(replica)); }

    /// Saves everything that a step changes, for a bit-exact continuation by `load` in equal Replicas.
    template <class Archive> void save(Archive& archive) { replicas_.save(archive); }
    /// Loads what `save` wrote. Throws InputError for an archive of another simulation.
    template <class Archive> void load(Archive& archive) { replicas_.load(archive); }

    /// Of all replicas, or of the first if each has its own.
    auto& engine() { return replicas_.engine(); }

private:
    static int checked_count(int count) {
        if (count < 1) throw InputError("there are to be " + std::to_string(count) + " replicas, expected at least 1");
        return count;
    }
    int checked(int replica) const {
        if (replica < 0 || replica >= count_)
            throw InputError("there is no replica " + std::to_string(replica) + "; there are " + std::to_string(count_)
                             + ", counted from 0");
        return replica;
    }
    void set_vectors(int replica, State const& state) {
        if (!state.positions.empty()) replicas_.set_positions(replica, state.positions);
        if (!state.velocities.empty()) replicas_.set_velocities(replica, state.velocities);
    }

    int count_;
    typename detail::ReplicasOf<SystemType, B, P, Integrators>::Type replicas_;
};

template <class S, class I, class B, class P> Replicas(S const&, I const&, B, P, int, std::uint64_t = 1)
    -> Replicas<S, B, P, typename ListFor<I>::Type>;

}  // namespace trotter
