// Ring polymer molecular dynamics of a System.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/core/finite.hpp>
#include <trotter/core/molecules.hpp>
#include <trotter/rpmd/barostat.hpp>
#include <trotter/rpmd/ring.hpp>
#include <trotter/rpmd/ring_forces.hpp>
#include <trotter/rpmd/ring_on_device.hpp>
#include <trotter/rpmd/rpmd_integrator.hpp>
#include <trotter/rpmd/single_copy.hpp>
#include <trotter/rpmd/system_checks.hpp>
#include <trotter/state.hpp>
#include <trotter/system.hpp>

namespace trotter::rpmd {

/// Copies of a System coupled to rings by RPMDIntegrator. A step: half a step of the thermostat, half a kick, motion of
/// the free ring, half a kick by the forces at the new positions, half a step of the thermostat. Normal modes are
/// computed on the host, in double. On a BatchingBackend (OpenCl, Cuda) all copies are evaluated in the same launches;
/// other backends have one Context for each copy, on which their threads work concurrently. Results do not depend on
/// the number of threads. Used by one thread at a time.
template <class SystemType, Backend B, Precision P> class RingPolymer {
public:
    /// Checks the System and the integrator. Particles start at rest; positions must be set. `seed` is used for all
    /// random numbers whose consumers have no seed. Throws InputError for constraints and invalid parameters,
    /// UnsupportedError for forces that cannot act on copies, such as other thermostats and barostats.
    RingPolymer(SystemType const& system, RPMDIntegrator const& integrator, B const& backend, P = {},
                std::uint64_t seed = 1)
        : integrator_((check(integrator, system.particles), integrator)),
          single_(system, integrator.step_size, backend, seed),
          removers_(motion_removers<B, P>(system)),
          molecules_(find_molecules(system)),
          threads_(host_threads(backend)),
          forces_(system, integrator, backend, seed),
          ring_(integrator.copies, system.particles),
          copy_forces_(ring_.positions().size()) {
        auto const& host = forces_.host();
        noise_ = {host.random_stream(integrator.seed, streams::integrator), host.fill_normals};
        check_barostat(integrator, system);
        if (integrator.barostat)
            barostat_.emplace(*integrator.barostat, host.random_stream(integrator.barostat->seed, streams::force));
    }

    /// Number of copies.
    int copies() const { return ring_.copies(); }
    /// With the current temperature, friction and step size.
    RPMDIntegrator const& integrator() const { return integrator_; }
    /// [ps]
    double time() const { return time_; }
    /// Number of steps taken.
    std::int64_t step_count() const { return step_count_; }
    /// Common to all copies [nm].
    Box const& box() { return forces_.host().box; }
    /// Throws InputError unless the vectors are in reduced form.
    void set_box(Box const& box) {
        if (box == this->box()) return;
        box.check();
        forces_.set_box(box);
        are_forces_known_ = false;
    }

    /// Of one copy [nm], virtual sites included. Throws InputError for a wrong number of vectors, and for values that
    /// are not finite.
    void set_positions(int copy, std::vector<Vec3<>> const& positions) {
        ring_.set_positions(copy, positions);
        are_forces_known_ = are_sites_placed_ = false;
    }
    /// The same in all copies.
    void set_positions(std::vector<Vec3<>> const& positions) {
        for (int copy = 0; copy < copies(); ++copy) set_positions(copy, positions);
    }
    /// Of one copy [nm/ps]. Throws InputError as `set_positions` does.
    void set_velocities(int copy, std::vector<Vec3<>> const& velocities) {
        ring_.set_velocities(copy, velocities, threads_);
    }
    /// Draws velocities from the distribution that the thermostat keeps at `temperature` [K]: each copy is `copies()`
    /// times as hot, their mean has this temperature. Seed 0 means that of the RingPolymer.
    void set_velocities_to_temperature(double temperature, std::uint64_t seed = 0) {
        check_not_negative("temperature of the velocities", temperature);
        ring_.set_velocities_to_temperature(temperature, forces_.host().random_stream(seed, streams::velocities));
    }
    /// In all copies. Throws InputError for a name that no force declares.
    void set_parameter(std::string const& name, double value) {
        auto const& known = forces_.host().parameters.values();
        if (auto const own = known.find(name); own != known.end() && own->second == value) return;
        forces_.for_each_context([&](auto& context) { context.set_parameter(name, value); });
        are_forces_known_ = false;
    }
    /// Updates the parameters of the force with this index in all copies. Throws as `Context::update` does.
    template <Force F> void update(int index, F const& force) {
        forces_.update(index, force);
        single_.update(index, force);
        are_forces_known_ = false;
    }
    /// Whether the thermostat acts from the next step on. Throws InputError if a barostat needs it.
    void set_apply_thermostat(bool applies) { change(&RPMDIntegrator::apply_thermostat, applies); }
    /// Number of force evaluations and parameter changes so far, of all Contexts.
    std::uint64_t evaluations() {
        std::uint64_t sum = 0;
        forces_.for_each_context([&](auto& context) { sum += host_of(context).evaluations; });
        return sum;
    }
    /// Of thermostat, springs and barostat [K].
    void set_temperature(double temperature) { change(&RPMDIntegrator::temperature, temperature); }
    /// Of centroids [1/ps].
    void set_friction(double friction) { change(&RPMDIntegrator::friction, friction); }
    /// [ps]
    void set_step_size(double step_size) { change(&RPMDIntegrator::step_size, step_size); }
    /// Of the barostat [bar]. Throws InputError if there is none.
    void set_pressure(double pressure) {
        if (!barostat_) throw InputError("the pressure was to be set, but RPMDIntegrator has no barostat");
        check_finite_number("pressure of RPMDMonteCarloBarostat", pressure);
        barostat_->set_pressure(pressure);
    }

    /// Takes `steps` steps. Throws NotFiniteError with step, copy, particle and force if a value becomes NaN.
    void step(std::int64_t steps) {
        if (steps < 0) throw InputError("the number of steps is " + std::to_string(steps) + ", expected 0 or more");
        ring_.require_positions();
        while (steps > 0) steps -= take_steps(steps);
    }

    /// Of one copy, copied [nm].
    std::vector<Vec3<>> positions(int copy) {
        place_sites();
        return ring_.part(copy, ring_.positions());
    }
    /// The same with whole molecules shifted by box vectors, in all copies alike: their centers in copy 0 are in the
    /// box.
    std::vector<Vec3<>> wrapped_positions(int copy) {
        auto result = positions(copy);
        auto const first = positions(0), wrapped = wrap_molecules(first, box(), molecules_);
        for (std::size_t i = 0; i < result.size(); ++i) result[i] += wrapped[i] - first[i];
        return result;
    }
    /// Of one copy, copied [nm/ps].
    std::vector<Vec3<>> velocities(int copy) { return ring_.part(copy, ring_.velocities(threads_)); }
    /// The mean of the positions of all copies [nm].
    std::vector<Vec3<>> centroids() {
        place_sites();
        return ring_.centroids();
    }
    /// The data of one copy selected by `data`. Energy and forces are those of `groups` at its own positions, without
    /// springs and contractions.
    State state(int copy, StateData data = StateData::none, ForceGroups const& groups = {}) {
        State own{.time = time_, .step_count = step_count_, .box = box(), .positions = positions(copy)};
        own.velocities = velocities(copy);
        auto const& parameters = forces_.host().parameters.values();
        own.parameters.emplace(parameters.begin(), parameters.end());
        return single_.state(own, data, groups);
    }

    /// Potential energy of all forces in all copies, kinetic energies, and the energy of the springs, as OpenMM's
    /// `getTotalEnergy` [kJ/mol]. Constant without thermostat and contractions.
    double total_energy() {
        ring_.require_positions();
        return forces_.energy_of_copies(ring_.positions(), step_count_, {}, copy_forces_) + energy_of_motion();
    }
    /// The same with contractions and the force groups of the integrator: constant without thermostat [kJ/mol].
    double conserved_energy() { return energy_of_forces() + energy_of_motion(); }
    /// Estimate of the potential energy of the quantum particles: the mean of the copies, with contractions [kJ/mol].
    double potential_energy() { return energy_of_forces() / copies(); }
    /// Estimate of their kinetic energy: f kT/2 - 1/2 <(q - centroid)·force>, averaged over the copies, with f degrees
    /// of freedom [kJ/mol]. (M. F. Herman, E. J. Bruskin, B. J. Berne, J. Chem. Phys. 76, 5150 (1982).)
    double kinetic_energy() {
        ring_.require_positions();
        if (!are_forces_known_) find_forces();
        double const kT = constants::gas_constant * integrator_.temperature;
        return 0.5 * single_.particles().degrees_of_freedom(!removers_.empty()) * kT
               - 0.5 * ring_.virial_about_centroids(threads_) / copies();
    }

    /// Saves everything that a step changes, for a bit-exact continuation by `load` in an equal RingPolymer.
    template <class Archive> void save(Archive& archive) {
        ring_.require_positions();
        place_sites();
        archive.put(copies());
        archive.put(barostat_.has_value());
        for (auto const member : live_members) archive.put(integrator_.*member);
        archive.put(time_);
        archive.put(step_count_);
        archive.put(are_forces_known_);
        ring_.save(archive);
        forces_.for_each_context([&](auto& context) { context.save(archive); });
        if (barostat_) barostat_->save(archive);
    }
    /// Loads what `save` wrote. Throws InputError for an archive of another simulation.
    template <class Archive> void load(Archive& archive) {
        int const saved_copies = archive.template get<int>();
        check_checkpoint(integrator_, saved_copies, archive.template get<bool>());
        for (auto const member : live_members) integrator_.*member = archive.template get<double>();
        time_ = archive.template get<double>();
        step_count_ = archive.template get<std::int64_t>();
        are_forces_known_ = archive.template get<bool>();
        ring_.load(archive);
        forces_.for_each_context([&](auto& context) { context.load(archive); });
        if (barostat_) barostat_->load(archive);
        are_sites_placed_ = true;
    }

private:
    static constexpr std::array live_members{&RPMDIntegrator::temperature, &RPMDIntegrator::friction,
                                             &RPMDIntegrator::step_size};

    template <class Value> void change(Value RPMDIntegrator::*member, Value value) {
        RPMDIntegrator changed = integrator_;
        changed.*member = value;
        check(changed, single_.particles());
        integrator_ = changed;
    }
    void place_sites() {
        ring_.require_positions();
        if (!std::exchange(are_sites_placed_, true)) forces_.place_sites(ring_.positions());
    }
    double energy_of_motion() {
        return ring_.kinetic_energy(threads_) + ring_.spring_energy(integrator_.temperature, threads_);
    }
    double energy_of_forces() {
        ring_.require_positions();
        return forces_.evaluate(ring_.positions(), step_count_, true, copy_forces_, threads_);
    }

    void find_forces() {
        if (is_stopping(step_count_)) ring_.remove_motion(threads_);
        forces_.evaluate(ring_.positions(), step_count_, false, copy_forces_, threads_);
        ring_.take_forces(copy_forces_, threads_);
        are_forces_known_ = are_sites_placed_ = true;
    }
    bool is_stopping(std::int64_t step) const {
        return single_.particles().total_mass() > 0
               && std::any_of(removers_.begin(), removers_.end(), [&](int frequency) { return step % frequency == 0; });
    }
    // Takes up to this number of steps; returns how many.
    std::int64_t take_steps(std::int64_t most) {
        if (barostat_ && barostat_->is_due()) move_volume();
        if (!are_forces_known_) find_forces();
        are_forces_known_ = false;  // until they are found, also if an exception is thrown
        std::int64_t taken = 1;
        if (device_.can_step(forces_, noise_.stream)) {
            if (barostat_ && barostat_->is_active()) most = std::min<std::int64_t>(most, barostat_->steps_to_move());
            forces_.for_each_context([&](auto& context) {
                device_.step(
                    context, ring_, integrator_, forces_.full_groups(), step_count_, most,
                    [&](std::int64_t step) { return is_stopping(step); }, threads_);
            });
            if (barostat_ && barostat_->is_active()) barostat_->pass(static_cast<int>(most) - 1);
            taken = most;
            are_forces_known_ = true;
        } else {
            take_step();
        }
        for (std::int64_t n = 0; n < taken; ++n) time_ += integrator_.step_size;
        step_count_ += taken;
        return taken;
    }
    void take_step() {
        ring_.begin_step(integrator_, step_count_, noise_, threads_);
        ring_.check_positions(step_count_, threads_);
        find_forces();
        ring_.end_step(integrator_, step_count_, noise_, threads_);
    }
    void move_volume() {
        if (barostat_->move(ring_, forces_, molecules_, integrator_.temperature, step_count_, copy_forces_, threads_))
            are_forces_known_ = true;
    }

    RPMDIntegrator integrator_;
    SingleCopy<SystemType, B, P> single_;
    std::vector<int> removers_;  // frequencies [steps]
    std::vector<std::vector<int>> molecules_;
    Threads threads_;
    RingForces<SystemType, B, P> forces_;
    Ring ring_;
    RingNoise noise_{};
    RingOnDevice<B> device_;
    std::optional<Barostat> barostat_;
    CopyVectors copy_forces_;
    bool are_forces_known_ = false, are_sites_placed_ = false;
    double time_ = 0;
    std::int64_t step_count_ = 0;
};

}  // namespace trotter::rpmd
