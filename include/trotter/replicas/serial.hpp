// Replicas on a backend that does not batch: one Context each, stepped in turn.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <variant>
#include <vector>

#include <trotter/context.hpp>

namespace trotter::detail {

/// The seed of a replica: a derived one for k > 0. 0 remains, since it means the Context's seed.
inline std::uint64_t seed_of_replica(std::uint64_t seed, int replica) {
    constexpr std::uint32_t stream = 0x30000;
    return seed == 0 || replica == 0 ? seed : derived_seed(seed, stream + static_cast<std::uint32_t>(replica));
}
template <class Op> Op for_replica(Op op, int replica) {
    if constexpr (requires { op.integrators; })
        for (auto& one : op.integrators) std::visit([&](auto& i) { i = for_replica(i, replica); }, one);
    if constexpr (requires { op.seed; }) op.seed = seed_of_replica(op.seed, replica);
    return op;
}
template <class... Fs> System<ForceList<Fs...>> system_for_replica(System<ForceList<Fs...>> system, int replica) {
    auto const reseed = [&]<class F>(std::vector<F>& forces) {
        if constexpr (requires(F force) { force.seed; })
            for (auto& force : forces) force.seed = seed_of_replica(force.seed, replica);
    };
    (reseed(system.template forces<Fs>()), ...);
    return system;
}

/// Implements `Replicas` by plain Contexts.
template <class SystemType, Backend B, Precision P, class Integrators> class SerialReplicas {
public:
    template <class I>
    SerialReplicas(SystemType const& system, I const& integrator, B const& backend, int count, std::uint64_t seed) {
        for (int k = 0; k < count; ++k)
            contexts_.emplace_back(system_for_replica(system, k), for_replica(integrator, k), backend, P{},
                                   seed_of_replica(seed, k));
    }

    void set_common(State state) {
        state.positions.clear();
        state.velocities.clear();
        for (auto& context : contexts_) context.set_state(state);
    }
    void set_positions(int replica, std::vector<Vec3<>> const& positions) { at(replica).set_positions(positions); }
    void set_velocities(int replica, std::vector<Vec3<>> const& velocities) { at(replica).set_velocities(velocities); }
    void set_velocities_to_temperature(double temperature, std::uint64_t seed) {
        each([&](auto& context, int k) {
            context.set_velocities_to_temperature(temperature, seed_of_replica(seed, k));
        });
    }
    void set_parameter(std::string const& name, double value) {
        for (auto& context : contexts_) context.set_parameter(name, value);
    }

    void set_temperature(double temperature) {
        for (auto& context : contexts_) context.set_temperature(temperature);
    }
    void set_temperature(int replica, double temperature) { at(replica).set_temperature(temperature); }

    template <class Visit> void for_each_context(Visit const& visit) {
        for (auto& context : contexts_) visit(context);
    }
    void step(std::int64_t steps) {
        each([&](auto& context, int) { context.step(steps); });
    }

    auto& engine() { return at(0).engine(); }
    double time() const { return at(0).time(); }
    std::int64_t step_count() const { return at(0).step_count(); }
    Box const& box() const { return at(0).box(); }

    State state(int replica, StateData data, ForceGroups const& groups) { return at(replica).state(data, groups); }
    std::vector<Vec3<>> positions(int replica) { return at(replica).positions(); }
    std::vector<Vec3<>> velocities(int replica) { return at(replica).velocities(); }

    template <class Archive> void save(Archive& archive) {
        for (auto& context : contexts_) context.save(archive);
    }
    template <class Archive> void load(Archive& archive) {
        for (auto& context : contexts_) context.load(archive);
    }

private:
    using ContextType = Context<SystemType, B, P, Integrators>;
    void check_not_moved_from() const {
        if (contexts_.empty()) throw InputError("these Replicas have been moved from");
    }
    ContextType const& at(int replica) const {
        return check_not_moved_from(), contexts_[static_cast<std::size_t>(replica)];
    }
    ContextType& at(int replica) { return check_not_moved_from(), contexts_[static_cast<std::size_t>(replica)]; }
    template <class Work> void each(Work const& work) {
        check_not_moved_from();
        for (int k = 0; k < static_cast<int>(contexts_.size()); ++k) {
            std::string const where = "replica " + std::to_string(k) + ": ";
            try {
                work(at(k), k);
            } catch (NotFiniteError const& error) {
                throw NotFiniteError(where + error.where, error.sentence);
            } catch (SimulationError const& error) {
                throw SimulationError(where + error.what());
            } catch (InputError const& error) {
                throw InputError(where + error.what());
            }
        }
    }

    std::deque<ContextType> contexts_;
};

}  // namespace trotter::detail
