// A simulation: a System, an integrator and a backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trotter/base/coordinates.hpp>
#include <trotter/base/global_parameters.hpp>
#include <trotter/base/owned.hpp>
#include <trotter/base/random.hpp>
#include <trotter/concepts.hpp>
#include <trotter/context/context_engine.hpp>
#include <trotter/context/context_state.hpp>
#include <trotter/context/diagnosis.hpp>
#include <trotter/context/digest.hpp>
#include <trotter/context/force_kernels.hpp>
#include <trotter/context/integrator_kernels.hpp>
#include <trotter/context/platform_description.hpp>
#include <trotter/context/stepping.hpp>
#include <trotter/context/velocities.hpp>
#include <trotter/core/finite.hpp>
#include <trotter/core/molecules.hpp>
#include <trotter/core/request.hpp>
#include <trotter/kernel.hpp>
#include <trotter/state.hpp>
#include <trotter/system.hpp>

namespace trotter {

/// For types that make no Context: accepts any call, so that the only compile error is the explanation.
template <class System, Backend B, Precision P, class Integrators = BuiltInIntegrators> class Context {
public:
    /// @cond
    template <class... Arguments> Context(Arguments const&...) {
        diagnosis::Check<System, B, P, Integrators>::explain();
    }
    void set_positions(std::vector<Vec3<>> const&);
    void set_positions(auto const&);
    void set_velocities(auto const&...);
    void set_velocities_to_temperature(auto const&...);
    void set_parameter(auto const&...);
    void update(auto const&...);
    double evaluate(auto const&...);
    void step(auto const&...);
    State state(auto const&...);
    double time() const;
    std::int64_t step_count() const;
    double step_size() const;
    Box const& box() const;
    std::vector<Vec3<>> const& positions() const;
    std::vector<Vec3<>> const& velocities() const;
    std::vector<Vec3<>> const& forces() const;
    std::vector<std::vector<int>> const& molecules() const;
    ForceGroups const& integration_groups() const;
    int degrees_of_freedom() const;
    double total_mass() const;
    bool is_periodic() const;
    /// @endcond
};

/// Holds one kernel for every force and integrator, and the backend's arrays. Used by one thread at a time.
/// Units are nm, ps, amu, kJ/mol, K throughout.
template <class... Fs, Backend B, Precision P, class Integrators>
    requires(diagnosis::Check<System<ForceList<Fs...>>, B, P, Integrators>::is_sound())
class Context<System<ForceList<Fs...>>, B, P, Integrators> {
public:
    using SystemType = System<ForceList<Fs...>>;  ///< with the forces to compile kernels for

    /// Checks the System and makes all kernels. Particles start at rest; positions must be set. `seed` is used for all
    /// random numbers whose consumers have no seed. Throws InputError if the System or the integrator is invalid,
    /// UnsupportedError without a kernel.
    template <class I>
    [[gnu::cold]] Context(SystemType const& system, I const& integrator, B backend, P = {}, std::uint64_t seed = 1)
        : system_(system), backend_(backend), engine_(make_engine(seed)), integrators_(integrator) {
        make_kernels();
    }

    /// Throws InputError after a move from the Context, as do all members that need its data.
    Engine<B, P>& engine() { return engine_.owned(); }
    /// Profile of the host's work, once started: `context.profile().start()`.
    auto& profile() { return engine_.host().threads.profile; }
    /// Of all random numbers whose consumers have no seed.
    std::uint64_t seed() const { return engine_.host().seed; }
    /// Platform, precision, instruction set, threads and device.
    PlatformDescription description() const { return describe_platform<B, P>(engine_.owned()); }
    /// Particle indices by molecule, ascending.
    std::vector<std::vector<int>> const& molecules() const { return engine_.host().molecules; }

    /// 3 for each particle with mass, minus 1 for each constraint on a particle with mass, minus 3 with a
    /// CMMotionRemover.
    int degrees_of_freedom() const {
        return engine_.host().particles.degrees_of_freedom(engine_.host().removes_motion);
    }
    /// Of all particles [amu].
    double total_mass() const { return engine_.host().particles.total_mass(); }
    /// Whether a force uses periodic boundary conditions.
    bool is_periodic() const { return engine_.host().is_periodic; }
    /// The force groups of the current integrator.
    ForceGroups const& integration_groups() const { return engine_.host().integration_groups; }

    /// [ps]
    double time() const { return engine_.state_with_time().time; }
    /// Throws InputError for a time that is not finite.
    void set_time(double time) {
        check_finite_number("time", time);
        engine_.state_with_time().time = time;
    }
    /// Of the next step, or of the last one for variable steps [ps].
    double step_size() {
        engine_.state_with_time();
        return visit_integrator([](auto& kernel) { return kernel.integrator().step_size; });
    }
    /// Number of steps taken, unless it was set.
    std::int64_t step_count() const { return engine_.host().step_count; }
    /// Throws InputError for a negative number.
    void set_step_count(std::int64_t count) {
        check_count("step count", count);
        engine_.writable_state().step_count = count;
    }

    /// Set temperature [K], friction [1/ps] or step size [ps] of the current integrator (of a variable-step one, the
    /// last step size). Parameters such as a barostat's temperature are set by `set_parameter`. Throw InputError for an
    /// invalid value, UnsupportedError if the integrator has no such parameter, or cannot change it.
    void set_temperature(double temperature) {
        visit_integrator([&](auto& kernel) {
            if constexpr (requires { kernel.set_temperature(temperature); })
                kernel.set_temperature(temperature);
            else
                throw cannot_change(kernel, "temperature");
        });
    }
    /// [1/ps]; see `set_temperature`.
    void set_friction(double friction) {
        visit_integrator([&](auto& kernel) {
            if constexpr (requires { kernel.set_friction(friction); })
                kernel.set_friction(friction);
            else
                throw cannot_change(kernel, "friction");
        });
    }
    /// [ps]; see `set_temperature`.
    void set_step_size(double step_size) {
        visit_integrator([&](auto& kernel) {
            if constexpr (requires { kernel.set_step_size(step_size); })
                kernel.set_step_size(step_size);
            else
                throw cannot_change(kernel, "step size");
        });
    }

    /// Current box vectors [nm].
    Box const& box() const { return engine_.host().box; }
    /// Throws InputError unless the vectors are in reduced form.
    void set_box(Box const& box) {
        box.check();
        if constexpr (requires { engine_.owned().set_box(box); })
            engine_.owned().set_box(box);
        else
            engine_.writable_state().box = box;
    }

    /// One for each particle [nm], virtual sites included. Throws InputError for a wrong number of them, and for values
    /// that are not finite.
    void set_positions(std::vector<Vec3<>> positions) {
        check_vectors(positions, engine_.host().size(), "positions");
        engine_.writable_state().positions = std::move(positions);
        has_positions_ = true;
    }
    /// One for each particle [nm/ps]. Throws InputError as `set_positions` does.
    void set_velocities(std::vector<Vec3<>> velocities) {
        check_vectors(velocities, engine_.host().size(), "velocities");
        engine_.writable_state().velocities = std::move(velocities);
    }
    ///@{
    /// The same from external arrays that convert to a `std::span`: a Vec3 or three numbers for each particle.
    template <CoordinateArray A> void set_positions(A const& array) { set_positions(vectors_of(array, "positions")); }
    template <CoordinateArray A> void set_velocities(A const& array) { set_velocities(vectors_of(array, "velocities")); }
    ///@}
    /// Current positions [nm], not a copy unless the state is on a device. Convertible to `std::span<Vec3<> const>`.
    /// Valid until the Context is changed, steps or moves.
    std::vector<Vec3<>> const& positions() const { return engine_.readable_state().positions; }
    /// [nm/ps]; see `positions`.
    std::vector<Vec3<>> const& velocities() const { return engine_.readable_state().velocities; }

    /// Throws InputError for a name that no force declares.
    double parameter(std::string_view name) const { return engine_.host().parameters.value(name); }
    /// Throws InputError for a name that no force declares, and for a value that is not finite.
    void set_parameter(std::string_view name, double value) {
        check_finite_number(("global parameter '" + std::string(name) + "'").c_str(), value);
        engine_.writable_state().parameters.set(name, value);
    }
    /// Current values of all parameters.
    GlobalParameters const& parameters() const { return engine_.host().parameters; }

    /// Draws velocities from the Maxwell-Boltzmann distribution at `temperature` [K], shifted to the time of the
    /// velocities of the integrator (the first of a CompoundIntegrator), and projected on the constraints. Seed 0 means
    /// the Context's.
    void set_velocities_to_temperature(double temperature, std::uint64_t seed = 0) {
        check_not_negative("temperature of the velocities", temperature);
        auto& drawn = engine_.writable_state();
        auto const stream = drawn.random_stream(seed, streams::velocities);
        integrators_.visit(0, [&](auto& kernel) {
            if constexpr (requires { kernel.draw_velocities(drawn, temperature, stream); })
                kernel.draw_velocities(drawn, temperature, stream);  // motions with temperatures of their own
            else
                draw_velocities(drawn.velocities, drawn.inverse_masses, temperature, stream);
        });
        double const offset = integrators_.visit(0, [](auto& kernel) { return kernel.velocity_offset(); });
        if (offset != 0) {
            evaluate({ForceGroups::all(), false});
            auto& host = engine_.writable_state();
            for (std::size_t i = 0; i < host.size(); ++i)
                host.velocities[i] -= host.forces[i] * (offset * host.inverse_masses[i]);
        }
        apply_velocity_constraints(1e-5);
    }

    /// Moves particles so that all constraints hold within the relative `tolerance`, then places virtual sites.
    void apply_constraints(double tolerance) {
        check_tolerance(tolerance);
        auto& host = engine_.writable_state();
        auto const start = host.positions;
        host.constraints.apply_to_positions(start, host.positions, tolerance, host.threads);
        compute_virtual_sites();
    }
    /// Removes the components of velocities along constraints, to the relative `tolerance`.
    void apply_velocity_constraints(double tolerance) {
        check_tolerance(tolerance);
        auto& host = engine_.writable_state();
        host.constraints.apply_to_velocities(host.positions, host.velocities, tolerance, host.threads);
    }
    /// Places virtual sites from the positions of their parents.
    void compute_virtual_sites() {
        auto& host = engine_.writable_state();
        host.virtual_sites.place(host.positions, host.box, host.threads);
    }

    /// Takes `steps` steps, or fewer if `stop.stop_requested()` between two of them; returns their number. Throws
    /// NotFiniteError with step, particle and force if a value becomes NaN, SimulationError if a force moves a particle
    /// faster than light.
    template <class Stop = NeverStop> std::int64_t step(std::int64_t steps, Stop const& stop = {}) {
        auto const done = take_steps(steps, stop);
        if (done > 0) check();
        return done;
    }
    /// The same without waiting for a device at the end: errors of these steps are thrown by a later one or by `check`,
    /// which must be called before results are read.
    void step_ahead(std::int64_t steps) { take_steps(steps, NeverStop{}); }
    /// Takes one such step, which a variable-step integrator ends at `end_time` [ps] at the latest.
    void step_towards(double end_time) { take_steps(1, NeverStop{}, end_time); }
    /// Throws as `step` does if a position or velocity is not finite.
    void check() { check_finite(*this); }
    /// Sets a function to call after the forces that change the state. It may read, evaluate and change this Context,
    /// but take no step.
    void set_state_change(std::function<void()> change) { stepping_.state_change = std::move(change); }

    /// Copies the data selected by `data`. Energy and forces are those of `groups`; the kinetic energy is the
    /// integrator's, always with all groups that it integrates.
    State state(StateData data = StateData::none, ForceGroups const& groups = {}) {
        if (data & StateData::positions) require_positions();
        return copy_state(*this, data, groups);
    }
    /// Sets time, step count, box, and everything else in the State. Ignores integrator parameters that this Context's
    /// integrator does not have.
    void set_state(State const& state) {
        restore_state(*this, state);
        if (state.integrator_parameters) take_integrator_parameters(*state.integrator_parameters);
    }

    /// Evaluates the forces into the engine; returns their energy, also by force in `energies()`. Throws NotFiniteError
    /// with the force whose energy is not finite.
    double evaluate(Request const& request) {
        double const energy = evaluate_unchecked(request);
        if (request.energy && !std::isfinite(energy)) throw_nan_energy(*this, "");
        return energy;
    }
    /// The same for callers that accept an energy that is not finite, such as a minimizer.
    double evaluate_unchecked(Request const& request) {
        require_positions();
        for (auto& entry : engine_.host().parameter_derivatives) entry.second = 0;
        return forces_.compute(engine(), request);
    }
    /// Of the last evaluation [kJ/mol/nm]; not a copy, as `positions()`.
    std::vector<Vec3<>> const& forces() const { return engine_.readable_state().forces; }
    /// The energy of each force in the last evaluation, 0 for those not requested [kJ/mol].
    std::vector<double> const& energies() const { return forces_.energies(); }

    /// Evaluates one force alone, whatever its group; its forces are then in the engine. Returns its energy. Throws
    /// InputError if there is no such force, NotFiniteError for an energy that is not finite.
    double evaluate_one(int index, Request const& request = {}) {
        require_positions();
        Request const alone{ForceGroups::all(), request.energy, request.parameter_derivatives, index};
        double const energy = forces_.compute_one(index, engine(), alone);
        if (request.energy && !std::isfinite(energy)) blame_energy_of(*this, index, "");
        return energy;
    }

    /// Results of a force of type F at the current positions besides its energy: the variables of a CustomCVForce, the
    /// energies of the states of an ATMForce. Evaluates it alone. Throws InputError for another type.
    template <class F> auto ask(int index) {
        auto& kernel = forces_.template at<F>(handle_of<F>(index));
        evaluate_one(index);
        return kernel.answer();
    }

    /// At the time of the positions. `are_forces_known`: the last evaluation was at these positions with all groups of
    /// the integrator, so that none is needed to shift the velocities.
    double kinetic_energy(bool are_forces_known = false) {
        require_positions();
        auto evaluator = [&](Request const& request) {
            return are_forces_known ? 0 : evaluate(request);
        };
        auto on_host = [&](Request const& request) {
            double const energy = evaluator(request);
            (void)engine_.readable_state();  // copies the forces to the host
            return energy;
        };
        // A device kernel may take the engine and leave velocities and forces on the device.
        return visit_integrator([&](auto& kernel) {
            if constexpr (requires { kernel.kinetic_energy(engine_.owned(), ForceEvaluator(evaluator)); }) {
                return kernel.kinetic_energy(engine_.owned(), ForceEvaluator(evaluator));
            } else {
                (void)engine_.readable_state();
                return kernel.kinetic_energy(engine_.host(), ForceEvaluator(on_host));
            }
        });
    }

    /// Updates the parameters of the force with this index. Throws InputError if more has changed.
    template <class F>
        requires lists_force<F, ForceList<Fs...>>
    void update(int index, F const& force) {
        auto const handle = handle_of<F>(index);
        forces_.update(index, force, system_, engine());
        system_.template forces<F>()[handle.index] = force;
        forces_.update_joined(index, system_, engine());
        ++engine_.host().evaluations;  // the last one is out of date
    }

    /// The same with the parameters that were changed in `system().force<F>(index)`, without a copy of them.
    void update(int index) {
        forces_.check_handle(index, system_.handle(index));
        system_.visit_force(index, [&]<class F>(F const& force) {
            if constexpr (decltype(forces_)::template has_update<F>)
                forces_.update(index, force, system_, engine());
            else
                throw UnsupportedError(force_named(index, F::name)
                                       + " takes no other numbers in a live Context; use reinitialize()");
        });
        forces_.update_joined(index, system_, engine());
        ++engine_.host().evaluations;
    }

    /// Makes engine and kernels from the current System; keeps positions, velocities, box, parameters, time and step
    /// count only if `preserve_state`.
    void reinitialize(bool preserve_state = false) {
        bool const keep = preserve_state && has_positions_;
        auto const old = keep ? state(Positions | Velocities | Parameters | IntegratorParameters) : State{};
        integrators_.for_each([](auto& kernel) {
            if constexpr (requires { kernel.sync_to_host(); }) kernel.sync_to_host();
        });
        engine_ = make_engine(seed());
        make_kernels();
        has_positions_ = false;
        if (keep) set_state(old);
    }
    /// The Context's copy of the System: changes take effect at `reinitialize`, changed parameters of a force also at
    /// `update`.
    SystemType& system() { return system_; }
    /// As given, with all updates.
    SystemType const& system() const { return system_; }
    /// Of the System when the Context was made.
    int force_count() const { return forces_.count(); }

    /// Calls `visit` with the kernel of the current integrator.
    template <class Visit> decltype(auto) visit_integrator(Visit&& visit) {
        (void)engine_.owned();
        return integrators_.visit(current_integrator(), visit);
    }
    /// Index of the integrator that steps.
    int current_integrator() const { return integrators_.current(); }
    /// 1 without a CompoundIntegrator.
    int integrator_count() const { return integrators_.count(); }
    /// Throws InputError for an index that does not exist.
    void set_current_integrator(int index) {
        integrators_.choose(index);
        engine_.writable_state().integration_groups =
            visit_integrator([](auto& kernel) { return kernel.integrator().force_groups; });
    }

    /// State of the integrators besides their settings, by its names in files.
    std::map<std::string, double> integrator_parameters() { return integrators_.parameters(); }
    /// Restores what `integrator_parameters` returned. Throws InputError for a name that is not among these.
    void set_integrator_parameters(std::map<std::string, double> const& parameters) {
        integrators_.check_names(parameters);
        take_integrator_parameters(parameters);
    }

    /// Calls `visit(index, kernel)` for the kernel of every force, in order.
    template <class Visit> void for_each_kernel(Visit&& visit) { forces_.for_each(visit); }

    /// Saves everything that a step changes, for a bit-exact continuation by `load` in an equal Context. The header
    /// identifies platform, precision, integrators, and the System in `system()`, so parameters that were updated must
    /// be updated there before `load`.
    template <class Archive> void save(Archive& archive) {
        engine_.writable_state();
        save_identity(identity(), archive);
        archive.put(std::int64_t{current_integrator()});
        transfer([&](auto& part) {
            if constexpr (requires { part.save(archive); }) part.save(archive);
        });
    }
    /// Throws InputError with the first difference in the header.
    template <class Archive> void load(Archive& archive) {
        engine_.writable_state();
        check_identity(identity(), archive);
        set_current_integrator(static_cast<int>(archive.template get<std::int64_t>()));
        transfer([&](auto& part) {
            if constexpr (requires { part.load(archive); }) part.load(archive);
        });
        has_positions_ = true;
    }

private:
    template <class Stop>
    std::int64_t take_steps(std::int64_t steps, Stop const& stop,
                            double end_time = std::numeric_limits<double>::infinity()) {
        check_count("number of steps", steps);
        require_positions();
        return stepping_.take(*this, engine_, steps, stop, end_time);
    }
    void take_integrator_parameters(std::map<std::string, double> const& parameters) {
        integrators_.set_parameters(parameters);
        set_current_integrator(current_integrator());
    }
    template <class F> typename SystemType::ForceHandle handle_of(int index) const {
        auto const handle = system_.template handle_of<F>(index);
        forces_.check_handle(index, handle);
        return handle;
    }
    [[gnu::cold]] Owned<Engine<B, P>> make_engine(std::uint64_t seed) const {
        if (system_.particle_count() == 0) throw InputError("the System has no particles");
        Owned<Engine<B, P>> engine(std::in_place, backend_, system_.particles, box_of(system_), seed);
        engine->host.molecules = find_molecules(system_);
        engine->host.removes_motion = removes_motion(system_);
        engine->host.is_periodic = trotter::is_periodic(system_);
        return engine;
    }
    [[gnu::cold]] void make_kernels() {
        forces_.make(system_, engine());
        integrators_.make(system_, engine());
        set_current_integrator(current_integrator());
    }
    void require_positions() const {
        (void)engine_.owned();
        if (!has_positions_) throw InputError("the positions of the particles have not been set");
    }
    static void check_count(char const* what, std::int64_t count) {
        if (count < 0)
            throw InputError("the " + std::string(what) + " is " + std::to_string(count) + ", expected 0 or more");
    }
    static void check_tolerance(double tolerance) {
        if (!(tolerance > 0 && std::isfinite(tolerance)))
            throw InputError("the tolerance of constraints is " + std::to_string(tolerance)
                             + ", expected a positive number");
    }
    template <class K> static UnsupportedError cannot_change(K const& kernel, std::string const& what) {
        return UnsupportedError(std::string(kernel.integrator().name) + " has no " + what + " that can be changed");
    }
    [[gnu::cold]] Identity identity() {
        std::string_view precision = P::name;
        if constexpr (requires { engine().precision(); }) precision = engine().precision();
        Identity result{{"the platform " + std::string(B::name), 0}, {"the precision " + std::string(precision), 0}};
        integrators_.for_each([&](auto const& kernel) { add_integrator(kernel.integrator(), result); });
        add_system(system_, result);
        return result;
    }
    template <class Visit> void transfer(Visit const& visit) {
        visit(engine());
        for_each_kernel([&](int, auto& kernel) { visit(kernel); });
        integrators_.for_each(visit);
    }

    SystemType system_;
    B backend_;
    ContextEngine<B, P> engine_;
    ForceKernels<ForceList<Fs...>, B, P> forces_;
    IntegratorKernels<Integrators, B, P> integrators_;
    Stepping stepping_;
    bool has_positions_ = false;
};

template <class S, class I, class B, class P>
Context(S const&, I const&, B, P, std::uint64_t = 1) -> Context<S, B, P, typename ListFor<I>::Type>;

}  // namespace trotter
