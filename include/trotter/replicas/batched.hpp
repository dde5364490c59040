// Replicas that a backend advances together, in one Context of a System that contains all of them.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <trotter/context.hpp>
#include <trotter/replicas/replicate.hpp>

namespace trotter {

/// A backend that advances copies of a System in the same launches: the particles of a Context on it are `copies`
/// consecutive copies, which do not interact.
template <class B>
concept BatchingBackend = Backend<B> && requires(B& backend) {
    backend.copies = 2;
};

/// Integrators whose step of one particle depends on all others by more than forces, which would couple replicas:
/// those below, and those with a constant `couples_all_particles` of their own.
template <class I> inline constexpr bool couples_all_particles = requires { requires I::couples_all_particles; };
/// A step may need a sum over all particles.
template <> inline constexpr bool couples_all_particles<CustomIntegrator> = true;
/// Acts on pairs of particles.
template <> inline constexpr bool couples_all_particles<DPDIntegrator> = true;
/// One thermostat for many particles.
template <> inline constexpr bool couples_all_particles<NoseHooverIntegrator> = true;
/// Particles of a type share their adapted friction.
template <> inline constexpr bool couples_all_particles<QTBIntegrator> = true;
/// One step size for all particles.
template <> inline constexpr bool couples_all_particles<VariableVerletIntegrator> = true;
/// One step size for all particles.
template <> inline constexpr bool couples_all_particles<VariableLangevinIntegrator> = true;

namespace detail {

template <class I> void check_can_batch(I const& integrator) {
    if constexpr (requires { integrator.integrators; }) {
        for (auto const& one : integrator.integrators) std::visit([](auto const& i) { check_can_batch(i); }, one);
    } else if constexpr (couples_all_particles<I>)
        throw UnsupportedError(std::string(I::name) + " couples all particles and cannot advance a batch of replicas");
}

/// Implements `Replicas` on a batching backend.
template <class SystemType, BatchingBackend B, Precision P, class Integrators> class BatchedReplicas {
    using ContextType = Context<SystemType, B, P, Integrators>;

public:
    template <class I>
    BatchedReplicas(SystemType const& system, I const& integrator, B const& backend, int count, std::uint64_t seed)
        : particles_(static_cast<std::size_t>(system.particle_count())),
          batch_((check_can_batch(integrator), replicate(system, count)), integrator, with_copies(backend, count), P{},
                 seed),
          is_compound_(requires { integrator.integrators; }),
          is_set_(static_cast<std::size_t>(count)) {
        make_single_ = [=] {
            return Owned<ContextType>(std::in_place, system, integrator, with_copies(backend, 1), P{}, seed);
        };
    }

    void set_common(State state) {
        state.positions.clear();
        state.velocities.clear();
        batch_.set_state(state);
    }
    void set_positions(int replica, std::vector<Vec3<>> const& positions) {
        check_vectors(positions, particles_, "positions");
        gather();
        put(replica, positions, positions_);
        is_set_[static_cast<std::size_t>(replica)] = true;
    }
    void set_velocities(int replica, std::vector<Vec3<>> const& velocities) {
        check_vectors(velocities, particles_, "velocities");
        gather();
        put(replica, velocities, velocities_);
    }
    void set_velocities_to_temperature(double temperature, std::uint64_t seed) {
        give();
        batch_.set_velocities_to_temperature(temperature, seed);
    }
    void set_parameter(std::string const& name, double value) { batch_.set_parameter(name, value); }

    /// The integrator has the highest temperature; the noise of the other replicas is scaled down.
    void set_temperature(int replica, double temperature) {
        if (is_compound_) throw UnsupportedError("replicas in a batch share the temperatures of a CompoundIntegrator");
        if (temperatures_.empty()) temperatures_.assign(is_set_.size(), integrator_temperature());
        batch_.set_temperature(temperature);  // refuses an invalid one
        temperatures_[static_cast<std::size_t>(replica)] = temperature;
        give_temperatures();
    }
    void set_temperature(double temperature) {
        for_each_context([&](auto& context) { context.set_temperature(temperature); });
        temperatures_.clear();
        give_temperatures();
    }

    /// Visits the Context of all replicas, and the one for the energies of a single replica.
    template <class Visit> void for_each_context(Visit const& visit) {
        visit(batch_);
        visit(single());
    }
    void step(std::int64_t steps) {
        give();
        batch_.step(steps);
    }

    auto& engine() { return batch_.engine(); }
    double time() const { return batch_.time(); }
    std::int64_t step_count() const { return batch_.step_count(); }
    Box const& box() const { return batch_.box(); }

    State state(int replica, StateData data, ForceGroups const& groups) {
        give();
        auto own = batch_.state(StateData::parameters | StateData::integrator_parameters);
        own.positions = part(replica, batch_.positions());
        own.velocities = part(replica, batch_.velocities());
        single().set_state(own);
        return single().state(data, groups);
    }
    std::vector<Vec3<>> positions(int replica) {
        give();
        return part(replica, batch_.positions());
    }
    std::vector<Vec3<>> velocities(int replica) {
        give();
        return part(replica, batch_.velocities());
    }

    template <class Archive> void save(Archive& archive) {
        give();
        batch_.save(archive);
        archive.put(temperatures_);
    }
    template <class Archive> void load(Archive& archive) {
        batch_.load(archive);
        temperatures_ = archive.template get_vector<double>();
        give_temperatures();
        is_gathered_ = false;
        is_set_.assign(is_set_.size(), true);
    }

private:
    static B with_copies(B backend, int count) {
        backend.copies = count;
        return backend;
    }
    ContextType& single() {
        if (!single_) single_.emplace(make_single_());
        return **single_;
    }
    double integrator_temperature() {
        return batch_.visit_integrator([](auto& kernel) -> double {
            if constexpr (requires { kernel.integrator().temperature; }) return kernel.integrator().temperature;
            else return 0;
        });
    }
    void give_temperatures() {
        auto& factors = batch_.engine().host.noise_factors;
        factors.clear();
        if (temperatures_.empty()) return;
        double const highest = *std::max_element(temperatures_.begin(), temperatures_.end());
        batch_.set_temperature(highest);
        for (double const temperature : temperatures_) factors.push_back(highest > 0 ? std::sqrt(temperature / highest) : 0);
    }
    // Vectors that are set for one replica after the other are passed to the Context together.
    void gather() {
        if (!std::exchange(is_gathered_, true)) positions_ = batch_.positions(), velocities_ = batch_.velocities();
    }
    void give() {
        for (std::size_t k = 0; k < is_set_.size(); ++k)
            if (!is_set_[k]) throw InputError("the positions of replica " + std::to_string(k) + " have not been set");
        if (!is_gathered_) return;
        batch_.set_positions(std::move(positions_));
        batch_.set_velocities(std::move(velocities_));
        is_gathered_ = false;
    }
    void put(int replica, std::vector<Vec3<>> const& from, std::vector<Vec3<>>& to) const {
        std::copy(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(first(replica)));
    }
    std::vector<Vec3<>> part(int replica, std::vector<Vec3<>> const& all) const {
        auto const begin = all.begin() + static_cast<std::ptrdiff_t>(first(replica));
        return {begin, begin + static_cast<std::ptrdiff_t>(particles_)};
    }
    std::size_t first(int replica) const { return static_cast<std::size_t>(replica) * particles_; }

    std::size_t particles_;
    ContextType batch_;
    std::optional<Owned<ContextType>> single_;  // evaluates the energy of one replica; made on demand
    std::function<Owned<ContextType>()> make_single_;
    bool is_compound_;
    std::vector<double> temperatures_;  // of each replica, or none where all have the integrator's
    std::vector<bool> is_set_;
    bool is_gathered_ = false;
    std::vector<Vec3<>> positions_, velocities_;
};

}  // namespace detail

}  // namespace trotter
