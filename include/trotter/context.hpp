// A simulation: a System, a way to move it, and a place to run.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <trotter/concepts.hpp>
#include <trotter/global_parameters.hpp>
#include <trotter/finite.hpp>
#include <trotter/integrators/integrator_kernels.hpp>
#include <trotter/kernel.hpp>
#include <trotter/molecules.hpp>
#include <trotter/random.hpp>
#include <trotter/request.hpp>
#include <trotter/state.hpp>
#include <trotter/system.hpp>
#include <trotter/units.hpp>

namespace trotter {

template <class System, Backend B, Precision P, class Integrators = StandardIntegrators> class Context;

/// Holds one kernel for every force and integrator, and the backend's arrays. Used by one thread at a time.
/// Units are nm, ps, amu, kJ/mol, K throughout.
template <Force... Fs, Backend B, Precision P, class Integrators>
class Context<System<ForceList<Fs...>>, B, P, Integrators> {
public:
    using SystemType = System<ForceList<Fs...>>;
    using AnyIntegrator = typename IntegratorKernels<Integrators, B, P>::Any;

    /// Checks the System and makes all kernels. Particles start at rest; positions have to be set.
    /// `seed` is that of all random numbers whose consumers have no seed of their own.
    /// Throws InputError where the System or the integrator makes no sense, UnsupportedError without a kernel.
    template <class I>
    Context(SystemType const& system, I const& integrator, B backend, P = {}, std::uint64_t seed = 1)
        : system_(system), backend_(backend), engine_(make_engine(system, backend, seed)) {
        make_kernels();
        add_integrators(integrator);
    }

    Engine<B, P>& engine() { return *engine_; }
    std::uint64_t seed() const { return host().seed; }
    std::vector<std::vector<int>> const& molecules() const { return host().molecules; }

    double time() const { return host().time; }
    void set_time(double time) { host().time = time; }
    std::int64_t step_count() const { return host().step_count; }
    void set_step_count(std::int64_t count) { host().step_count = count; }

    Box const& box() const { return host().box; }
    /// Throws InputError unless the vectors are in reduced form.
    void set_box(Box const& box) {
        box.check();
        host().box = box;
    }

    void set_positions(std::vector<Vec3<>> positions) {
        check_vectors(positions, "positions");
        host().positions = std::move(positions);
        has_positions_ = true;
    }
    void set_velocities(std::vector<Vec3<>> velocities) {
        check_vectors(velocities, "velocities");
        host().velocities = std::move(velocities);
    }
    std::vector<Vec3<>> const& positions() const { return host().positions; }
    std::vector<Vec3<>> const& velocities() const { return host().velocities; }

    double parameter(std::string_view name) const { return host().parameters.value(name); }
    void set_parameter(std::string_view name, double value) { host().parameters.set(name, value); }
    GlobalParameters const& parameters() const { return host().parameters; }

    /// Draws velocities from the Maxwell-Boltzmann distribution at `temperature` [K], shifted to the time at which the
    /// integrator (the first of a CompoundIntegrator) keeps them, and projected on the constraints. The seed 0 stands for
    /// the Context's.
    void set_velocities_to_temperature(double temperature, std::uint64_t seed = 0) {
        auto const stream = host().random_stream(seed, streams::velocities);
        double const kT = constants::gas_constant * temperature;
        for (std::size_t i = 0; i < host().size(); ++i)
            host().velocities[i] =
                stream.normals(0, static_cast<std::uint32_t>(i)) * std::sqrt(kT * host().inverse_masses[i]);
        double const offset = std::visit([](auto& kernel) { return kernel->velocity_offset(); }, integrators_.front());
        if (offset != 0) {
            evaluate({ForceGroups::all(), false});
            for (std::size_t i = 0; i < host().size(); ++i)
                host().velocities[i] -= host().forces[i] * (offset * host().inverse_masses[i]);
        }
        apply_velocity_constraints(1e-5);
    }

    /// Moves particles so that all constraints hold within the relative `tolerance`, then places virtual sites.
    void apply_constraints(double tolerance) {
        auto const start = host().positions;
        host().constraints.apply_to_positions(start, host().positions, tolerance, host().threads);
        compute_virtual_sites();
    }
    void apply_velocity_constraints(double tolerance) {
        host().constraints.apply_to_velocities(host().positions, host().velocities, tolerance, host().threads);
    }
    void compute_virtual_sites() { host().virtual_sites.place(host().positions, host().box, host().threads); }

    /// Takes `steps` steps, or fewer where `stop` asks for it between two of them; returns how many.
    /// Throws SimulationError that names step, particle and force where a number becomes NaN.
    std::int64_t step(std::int64_t steps, std::stop_token stop = {}) {
        check_positions_set();
        auto evaluator = [this](Request const& request) { return evaluate_checked(request); };
        std::int64_t done = 0;
        for (; done < steps && !stop.stop_requested(); ++done) {
            engine_->host.step_size = visit_integrator([](auto& kernel) { return kernel.integrator().step_size; });
            for_each_kernel([&](int, auto& kernel) {
                if constexpr (requires { kernel.before_step(*engine_, ForceEvaluator(evaluator)); })
                    kernel.before_step(*engine_, ForceEvaluator(evaluator));
            });
            visit_integrator([&](auto& kernel) { kernel.step(host_for(kernel), ForceEvaluator(evaluator)); });
            if (!engine_->host.virtual_sites.empty()) compute_virtual_sites();
            ++engine_->host.step_count;
            if ((done + 1) % steps_between_checks == 0) check_device();
        }
        if (done > 0) check_finite();
        return done;
    }

    /// Copies what `data` asks for. Energy and forces are those of `groups`; the kinetic energy is the integrator's,
    /// always with all groups that it integrates.
    State state(StateData data = StateData::none, ForceGroups const& groups = {}) {
        State result{.time = time(), .step_count = step_count(), .box = box()};
        if (data & StateData::positions) result.positions = require_positions();
        if (data & StateData::velocities) result.velocities = host().velocities;
        if (data & StateData::energy) result.kinetic_energy = kinetic_energy();
        if (data & (StateData::energy | StateData::forces | StateData::parameter_derivatives)) {
            double const energy = evaluate({groups, data & StateData::energy, data & StateData::parameter_derivatives});
            if (data & StateData::energy) result.potential_energy = energy;
            if (data & StateData::forces) result.forces = host().forces;
            if (data & StateData::parameter_derivatives) result.parameter_derivatives = host().parameter_derivatives;
        }
        if (data & StateData::parameters)
            result.parameters.emplace(host().parameters.values().begin(), host().parameters.values().end());
        if (data & StateData::integrator_parameters) result.integrator_parameters = integrator_parameters();
        return result;
    }
    /// Takes over time, step count and box, and everything else that the State holds.
    void set_state(State const& state) {
        if (state.parameters)
            for (auto const& [name, value] : *state.parameters) set_parameter(name, value);
        if (state.box) set_box(*state.box);
        if (!state.positions.empty()) set_positions(state.positions);
        if (!state.velocities.empty()) set_velocities(state.velocities);
        if (state.integrator_parameters) set_integrator_parameters(*state.integrator_parameters);
        set_time(state.time);
        set_step_count(state.step_count);
    }

    /// Evaluates the forces into the engine; returns their energy, also by force in `energies()`.
    double evaluate(Request const& request) {
        check_positions_set();
        for (auto& entry : engine_->host.parameter_derivatives) entry.second = 0;
        engine_->begin(request);
        for_each_kernel([&](int index, auto& kernel) { energies_[static_cast<std::size_t>(index)] = kernel_energy(kernel, request); });
        engine_->finish(request);
        double total = 0;
        for_each_kernel([&](int index, auto& kernel) {
            total += energies_[static_cast<std::size_t>(index)] += late_energy(kernel, request);
        });
        return total;
    }
    /// The energy of each force in the last evaluation, 0 for those that were not asked for [kJ/mol].
    std::vector<double> const& energies() const { return energies_; }

    /// Evaluates one force alone, whatever its group; its forces are then in the engine. Returns its energy.
    double evaluate_one(int index, Request const& request = {}) {
        check_positions_set();
        Request alone = request;
        alone.groups = ForceGroups::all();
        alone.only_force = index;
        engine_->begin(alone);
        double energy = 0;
        for_each_kernel([&](int i, auto& kernel) {
            if (i == index) energy = kernel_energy(kernel, alone);
        });
        engine_->finish(alone);
        for_each_kernel([&](int i, auto& kernel) {
            if (i == index) energy += late_energy(kernel, alone);
        });
        return energy;
    }

    double kinetic_energy() {
        require_positions();
        auto evaluator = [this](Request const& request) { return evaluate(request); };
        return visit_integrator([&](auto& kernel) { return kernel.kinetic_energy(host(), ForceEvaluator(evaluator)); });
    }

    /// Takes over new parameters of the force with this index. Throws InputError where more than numbers changed.
    template <class F>
        requires lists_force<F, ForceList<Fs...>>
    void update(int index, F const& force) {
        auto const place = system_.place(index);
        if (place.type != SystemType::template type_index<F>())
            throw InputError("force " + std::to_string(index) + " is not a " + std::string(F::name));
        std::get<KernelsOf<F>>(kernels_)[place.position]->update(force, *engine_);
        system_.template forces<F>()[place.position] = force;
        engine_->begin({});  // its forces are no longer those of the System
    }

    /// Makes everything anew from the System as it is now; positions, velocities, box, parameters, time and step count
    /// survive where `preserve_state` says so.
    void reinitialize(bool preserve_state = false) {
        bool const keep = preserve_state && has_positions_;
        auto const old = keep ? state(Positions | Velocities | Parameters | IntegratorParameters) : State{};
        int const current = current_;
        remember_integrators();
        engine_ = make_engine(system_, backend_, seed());
        make_kernels();
        make_integrator_kernels();
        set_current_integrator(current);
        has_positions_ = false;
        if (keep) set_state(old);
    }
    /// The Context's own copy of the System: changes of it take effect at `reinitialize`.
    SystemType& system() { return system_; }
    SystemType const& system() const { return system_; }

    /// Calls `visit` with the kernel of the current integrator.
    template <class Visit> decltype(auto) visit_integrator(Visit&& visit) {
        return std::visit([&](auto& kernel) -> decltype(auto) { return visit(*kernel); }, integrators_[static_cast<std::size_t>(current_)]);
    }
    int current_integrator() const { return current_; }
    int integrator_count() const { return static_cast<int>(integrators_.size()); }
    void set_current_integrator(int index) {
        if (index < 0 || index >= integrator_count())
            throw InputError("there is no integrator " + std::to_string(index) + "; the Context has " + std::to_string(integrator_count()));
        current_ = index;
        host().integration_groups = visit_integrator([](auto& kernel) { return kernel.integrator().force_groups; });
    }

    /// Calls `visit(index, kernel)` for the kernel of every force, in order.
    template <class Visit> void for_each_kernel(Visit&& visit) {
        for (int index = 0; index < system_.force_count(); ++index)
            (void)(visit_kernel_of<Fs>(index, visit) || ...);
    }

    /// Everything that a step changes, for a bit-exact continuation by `load` in an equal Context.
    template <class Archive> void save(Archive& archive) {
        archive.put(std::int64_t{current_});
        transfer([&](auto& part) {
            if constexpr (requires { part.save(archive); }) part.save(archive);
        });
    }
    template <class Archive> void load(Archive& archive) {
        set_current_integrator(static_cast<int>(archive.template get<std::int64_t>()));
        transfer([&](auto& part) {
            if constexpr (requires { part.load(archive); }) part.load(archive);
        });
        has_positions_ = true;
    }

private:
    template <class F> using KernelsOf = std::vector<std::unique_ptr<Kernel<F, B, P>>>;
    /// The state, which a device may have held until now.
    auto& host() const {
        if constexpr (requires { engine_->bring_home(); }) engine_->bring_home();
        return engine_->host;
    }

    /// The engine for a kernel that may leave the state on the device.
    template <class KernelType> auto& host_for(KernelType const& kernel) const {
        if constexpr (requires { kernel.stays_on_device(); })
            if (kernel.stays_on_device()) return engine_->host;
        return host();
    }

    static std::unique_ptr<Engine<B, P>> make_engine(SystemType const& system, B const& backend, std::uint64_t seed) {
        if (system.particle_count() == 0) throw InputError("the System has no particles");
        system.particles.check();
        system.box.check();
        auto engine = std::make_unique<Engine<B, P>>(backend, system.particles, system.box, seed);
        engine->host.molecules = find_molecules(system);
        engine->host.removes_motion = (removes_motion<Fs>(system) || ...);
        engine->host.is_periodic = is_periodic(system);
        return engine;
    }
    template <class F> static bool removes_motion(SystemType const& system) {
        if constexpr (requires { requires F::removes_motion; }) return !system.template forces<F>().empty();
        else return false;
    }

    void make_kernels() {
        kernels_ = {};
        energies_.assign(static_cast<std::size_t>(system_.force_count()), 0);
        system_.for_each_force([this]<class F>(int index, F const& force) {
            host().next_force = index;
            host().next_stream = streams::force + static_cast<std::uint32_t>(index);
            try {
                std::get<KernelsOf<F>>(kernels_).push_back(std::make_unique<Kernel<F, B, P>>(force, *engine_));
            } catch (InputError const& error) {
                throw InputError("force " + std::to_string(index) + " (" + std::string(F::name) + "): " + error.what());
            }
        });
    }
    template <class I> void add_integrators(I const& integrator) {
        if constexpr (requires { integrator.integrators; }) {
            if (integrator.integrators.empty()) throw InputError("the CompoundIntegrator holds no integrator");
            integrator_values_.assign(integrator.integrators.begin(), integrator.integrators.end());
            current_ = integrator.current;
            is_compound_ = true;
        } else {
            integrator_values_.emplace_back(integrator);
        }
        make_integrator_kernels();
    }
    void make_integrator_kernels() {
        integrators_.clear();
        for (auto const& value : integrator_values_) {
            host().next_stream = streams::integrator + static_cast<std::uint32_t>(integrators_.size());
            std::visit(
                [this]<class I>(I const& integrator) {
                    integrators_.emplace_back(std::make_unique<Kernel<I, B, P>>(integrator, *engine_));
                },
                value);
        }
        set_current_integrator(current_);
    }
    void remember_integrators() {
        for (std::size_t i = 0; i < integrators_.size(); ++i)
            std::visit([&](auto& kernel) { integrator_values_[i] = kernel->integrator(); }, integrators_[i]);
    }

    template <class F, class Visit> bool visit_kernel_of(int index, Visit& visit) {
        auto const place = system_.order()[static_cast<std::size_t>(index)];
        if (place.type != SystemType::template type_index<F>()) return false;
        visit(index, *std::get<KernelsOf<F>>(kernels_)[place.position]);
        return true;
    }
    template <class KernelType> double kernel_energy(KernelType& kernel, Request const& request) {
        if constexpr (requires { kernel.compute(*engine_, request); }) return kernel.compute(*engine_, request);
        else return 0;
    }

    // Where a force is evaluated with others when the evaluation ends, its energy is known then.
    template <class KernelType> double late_energy(KernelType& kernel, Request const& request) {
        if constexpr (requires { kernel.late_energy(*engine_, request); }) return kernel.late_energy(*engine_, request);
        else return 0;
    }

    void check_vectors(std::vector<Vec3<>> const& vectors, char const* what) const {
        if (vectors.size() != host().size())
            throw InputError(std::to_string(vectors.size()) + " " + what + " were given for a System of " + std::to_string(host().size())
                             + " particles");
        for (std::size_t i = 0; i < vectors.size(); ++i)
            if (!is_finite(vectors[i])) throw InputError("the " + std::string(what) + " of particle " + std::to_string(i) + " are not finite numbers");
    }
    void check_positions_set() const {
        if (!has_positions_) throw InputError("the positions of the particles have not been set");
    }
    std::vector<Vec3<>> const& require_positions() const {
        check_positions_set();
        return host().positions;
    }

    // A NaN is caught where it arises: the positions that gave it are still finite, so each force can be asked again.
    double evaluate_checked(Request const& request) {
        double const energy = evaluate(request);
        if (is_away()) return energy;
        if (int const particle = first_not_finite(host().forces, host().threads); particle >= 0) blame(particle, request);
        return energy;
    }
    [[noreturn]] void blame(int particle, Request const& request) {
        std::string const where = "step " + std::to_string(step_count()) + ": ";
        auto const index = static_cast<std::size_t>(particle);
        if (!is_finite(host().positions[index]))
            throw SimulationError(where + "the position of particle " + std::to_string(particle) + " is not a finite number");
        std::string culprit = "the sum of all forces";
        for (int force = 0; force < system_.force_count() && culprit.starts_with("the sum"); ++force) {
            evaluate_one(force, request);
            if (!is_finite(host().forces[index]))
                system_.visit_force(force, [&]<class F>(F const&) { culprit = "force " + std::to_string(force) + " (" + std::string(F::name) + ")"; });
        }
        throw SimulationError(where + "the force on particle " + std::to_string(particle) + " is not a finite number; it comes from " + culprit);
    }
    /// Whether a device holds the state: it keeps watch itself, and is asked every now and then.
    bool is_away() const {
        if constexpr (requires { engine_->is_away(); }) return engine_->is_away();
        else return false;
    }
    void check_device() {
        if constexpr (requires { engine_->failed_particle(); }) {
            int const particle = engine_->failed_particle();
            if (particle < 0) return;
            check_finite_on_host();
            evaluate_checked({host().integration_groups, false});
            throw SimulationError("step " + std::to_string(step_count()) + ": the constraints of particle " + std::to_string(particle)
                                  + " cannot be satisfied");
        }
    }
    void check_finite() {
        if (is_away()) check_device();
        else check_finite_on_host();
    }
    void check_finite_on_host() {
        for (auto const* vectors : {&host().positions, &host().velocities})
            if (int const particle = first_not_finite(*vectors, host().threads); particle >= 0)
                throw SimulationError("step " + std::to_string(step_count()) + ": the " + (vectors == &host().positions ? "position" : "velocity")
                                      + " of particle " + std::to_string(particle) + " is not a finite number");
    }

    /// Names are places in the tree that files hold, where each integrator of a Compound has an element of its own.
    std::map<std::string, double> integrator_parameters() {
        std::map<std::string, double> result;
        for_each_integrator_kernel([&](auto& kernel) {
            if constexpr (requires { kernel.parameters(); }) result.merge(kernel.parameters());
        });
        if (!is_compound_) return result;
        result["currentIntegrator"] = current_;
        for (int i = 0; i < integrator_count(); ++i) result["IntegratorParameters[" + std::to_string(i) + "]/"] = 0;
        return result;
    }
    void set_integrator_parameters(std::map<std::string, double> const& parameters) {
        for_each_integrator_kernel([&](auto& kernel) {
            if constexpr (requires { kernel.set_parameters(parameters); }) kernel.set_parameters(parameters);
        });
        if (auto const current = parameters.find("currentIntegrator"); is_compound_ && current != parameters.end())
            set_current_integrator(static_cast<int>(current->second));
    }

    template <class Visit> void for_each_integrator_kernel(Visit const& visit) {
        for (auto& any : integrators_) std::visit([&](auto& kernel) { visit(*kernel); }, any);
    }
    template <class Visit> void transfer(Visit const& visit) {
        visit(*engine_);
        for_each_kernel([&](int, auto& kernel) { visit(kernel); });
        for_each_integrator_kernel(visit);
    }

    static constexpr std::int64_t steps_between_checks = 50;

    SystemType system_;
    B backend_;
    std::unique_ptr<Engine<B, P>> engine_;
    std::tuple<KernelsOf<Fs>...> kernels_;
    std::vector<typename Integrators::Any> integrator_values_;
    std::vector<AnyIntegrator> integrators_;
    int current_ = 0;
    bool is_compound_ = false;
    std::vector<double> energies_;
    bool has_positions_ = false;
};

template <class S, class I, class B, class P>
Context(S const&, I const&, B, P) -> Context<S, B, P, typename ListFor<I>::Type>;
template <class S, class I, class B, class P>
Context(S const&, I const&, B, P, std::uint64_t) -> Context<S, B, P, typename ListFor<I>::Type>;

}  // namespace trotter
