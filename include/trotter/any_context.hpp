// A Context whose backend and precision are chosen while the program runs.
// SPDX-License-Identifier: MIT
#pragma once
#include <any>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include <trotter/forces/mesh_settings.hpp>
#include <trotter/io/archive.hpp>
#include <trotter/io/integrator.hpp>
#include <trotter/minimize.hpp>
#include <trotter/platform_description.hpp>
#include <trotter/request.hpp>
#include <trotter/standard_system.hpp>
#include <trotter/state.hpp>
#include <trotter/tensor.hpp>
#include <trotter/term_energy.hpp>

namespace trotter {

/// Where and in what a Context computes.
struct BackendChoice {
    std::string platform{};           ///< reference, cpu, opencl, cuda; empty: the best that can do it
    std::string precision = "mixed";  ///< single, mixed, double; `reference` computes in double whatever stands here
    int device = 0;                   ///< of `opencl` and `cuda`, counted from 0
    int threads = 0;                  ///< 0: as many as the process may use
    std::uint64_t seed = 1;           ///< of all random numbers whose consumers have no seed of their own
    std::string instruction_set{};    ///< of the Cpu backend, for the whole process; empty: the one in use
    double list_buffer = 0;           ///< of `cpu`: how much farther than the cutoff pair lists reach [nm]; 0: its choice
};

/// A line of the compile-time registry.
struct KernelEntry {
    enum class Kind { own, borrowed };
    std::string_view operation;  ///< the force or integrator
    bool is_integrator = false;
    std::string_view platform, precision;
    Kind kind = Kind::own;
};

class Profile;
struct HostEngine;

/// A type of forces.
struct ForceType {
    std::type_info const& type;
    std::string_view name;
};
/// A force of any type, for the time of a call.
struct ForceReference {
    template <Force F> ForceReference(F const& force) : type{typeid(F), F::name}, force(&force) {}

    ForceType type;
    void const* force;
};

/// What `AnyContext` does with the Context that it holds, as functions of a pointer to it: the compiler fills one table
/// for each type of Context. They do what the members of `AnyContext` with the same names do.
struct ContextFunctions {
    void (*destroy)(void*);
    HostEngine& (*host)(void*);
    void (*set_state)(void*, State const&);
    State (*state)(void*, StateData, ForceGroups const&);
    void (*set_positions)(void*, std::vector<Vec3<>>);
    void (*set_velocities)(void*, std::vector<Vec3<>>);
    void (*set_box)(void*, Box const&);
    void (*set_time)(void*, double);
    void (*set_step_count)(void*, std::int64_t);
    void (*set_temperature)(void*, double);
    void (*set_friction)(void*, double);
    void (*set_step_size)(void*, double);
    double (*parameter)(void*, std::string_view);
    void (*set_parameter)(void*, std::string_view, double);
    void (*set_velocities_to_temperature)(void*, double, std::uint64_t);
    void (*apply_constraints)(void*, double);
    void (*apply_velocity_constraints)(void*, double);
    void (*compute_virtual_sites)(void*);
    void (*update)(void*, int, ForceReference const&);
    std::any (*ask)(void*, int, ForceType const&);
    void (*reinitialize)(void*, bool);
    std::int64_t (*step)(void*, std::int64_t, std::stop_token);
    void (*step_ahead)(void*, std::int64_t);
    void (*step_towards)(void*, double);
    void (*check)(void*);
    void (*set_state_change)(void*, std::function<void()>);
    double (*evaluate)(void*, Request const&);
    double (*evaluate_unchecked)(void*, Request const&);
    double (*evaluate_one)(void*, int, Request const&);
    std::vector<double> const& (*energies)(void*);
    double (*kinetic_energy)(void*, bool);
    MinimizationResult (*minimize)(void*, MinimizationSettings const&);
    std::vector<Vec3<>> const& (*positions)(void*);
    std::vector<Vec3<>> const& (*velocities)(void*);
    std::vector<Vec3<>> const& (*forces)(void*);
    void const* (*system)(void*);
    double (*step_size)(void*);
    void (*set_current_integrator)(void*, int);
    std::map<std::string, double> (*integrator_parameters)(void*);
    void (*set_integrator_parameters)(void*, std::map<std::string, double> const&);
    double (*global_variable)(void*, std::string const&);
    void (*set_global_variable)(void*, std::string const&, double);
    std::vector<Vec3<>> (*per_dof_variable)(void*, std::string const&);
    void (*set_per_dof_variable)(void*, std::string const&, std::vector<Vec3<>> const&);
    double (*heat_bath_energy)(void*);
    std::vector<double> (*adapted_friction)(void*, int);
    void (*set_adapted_friction)(void*, int, std::vector<double> const&);
    void (*scale_positions)(void*, std::array<Vec3<>, 3> const&, bool);
    void (*restore_positions)(void*);
    std::array<double, 6> (*kinetic_tensor)(void*, bool);
    std::vector<Vec3<>> (*shifted_velocities)(void*, double, double);
    UsedMeshes (*meshes)(void*, int);
    PlatformDescription (*description)(void*);
    void (*save)(void*, Archive&);
    void (*load)(void*, Archive&);
};

/// What a Context of Reference computes on request, at once with its own kernels.
struct ObservableFunctions {
    Tensor (*virial)(void*, ForceGroups const&) = nullptr;
    Tensor (*pressure_tensor)(void*, ForceGroups const&) = nullptr;
    std::vector<TermEnergy> (*term_energies)(void*, int) = nullptr;
    double (*interaction_energy)(void*, int, std::vector<int> const&, std::vector<int> const&) = nullptr;
};

/// The same for `AnyReplicas`.
struct ReplicasFunctions {
    void (*destroy)(void*);
    HostEngine& (*host)(void*);  ///< of all replicas, or of the first
    void (*set_state)(void*, State const&);
    void (*set_state_of)(void*, int, State const&);
    void (*set_velocities_to_temperature)(void*, double, std::uint64_t);
    void (*set_temperature)(void*, double);
    void (*set_temperature_of)(void*, int, double);
    void (*set_friction)(void*, double);
    void (*set_step_size)(void*, double);
    void (*set_parameter)(void*, std::string_view, double);
    void (*step)(void*, std::int64_t);
    State (*state)(void*, int, StateData, ForceGroups const&);
    PlatformDescription (*description)(void*);
};

/// The Contexts of one backend and number type for Systems with a certain list of forces.
struct CompiledContext {
    std::string platform{};                      ///< the backend's name in lower case
    std::vector<std::string_view> precisions{};  ///< that it offers
    void* (*make)(void const* system, AnyIntegrator const&, BackendChoice const&);
    ContextFunctions functions{};
    std::vector<KernelEntry> (*kernels)();
    void* (*make_replicas)(void const* system, AnyIntegrator const&, BackendChoice const&, int count);
    ReplicasFunctions replicas{};
    ObservableFunctions observables{};  ///< of Reference alone
};

/// All that were compiled for this list. `Trotter::standard` holds those of the standard forces; for a list of your
/// own, one file of your program includes `<trotter/contexts.hpp>` and names `compiled_contexts<List>`, or makes an
/// `AnyContext`, and so compiles them.
template <class List> std::span<CompiledContext const> compiled_contexts();
extern template std::span<CompiledContext const> compiled_contexts<StandardForces>();

/// The run-time door to the compiled Contexts: holds one of them. Files and the program use it; where the backend is
/// known when compiling, use `Context` itself. Its members do what those of `Context` with the same names do, and throw
/// the same. Moves, and does not copy.
class AnyContext {
public:
    /// Throws UnsupportedError where this build has no such platform, or no kernel there for a force or the integrator;
    /// InputError where the System or the integrator makes no sense.
    template <class List>
    AnyContext(System<List> const& system, AnyIntegrator const& integrator, BackendChoice const& choice = {})
        : AnyContext(compiled_contexts<List>(), &system, integrator, choice) {}

    void set_state(State const& state);
    State state(StateData data = StateData::none, ForceGroups const& groups = {});
    void set_positions(std::vector<Vec3<>> positions);
    void set_velocities(std::vector<Vec3<>> velocities);
    void set_box(Box const& box);
    void set_time(double time);
    void set_step_count(std::int64_t count);
    /// Of the current integrator, from the next step on.
    void set_temperature(double temperature);
    void set_friction(double friction);
    void set_step_size(double step_size);
    double parameter(std::string_view name) const;
    void set_parameter(std::string_view name, double value);
    void set_velocities_to_temperature(double temperature, std::uint64_t seed = 0);
    void apply_constraints(double tolerance);
    void apply_velocity_constraints(double tolerance);
    void compute_virtual_sites();

    /// Takes over new parameters of the force with this index. Throws InputError where it is of another type, or where
    /// more than numbers changed; UnsupportedError where its kernel takes none in a live Context.
    void update(int index, ForceReference const& force);
    /// What a force of type F knows at the present positions besides its energy.
    template <Force F> typename F::Answer ask(int index) {
        return std::any_cast<typename F::Answer>(functions_->ask(held(), index, {typeid(F), F::name}));
    }
    void reinitialize(bool preserve_state = false);

    std::int64_t step(std::int64_t steps, std::stop_token stop = {});
    void step_ahead(std::int64_t steps);
    void step_towards(double end_time);
    void check();
    void set_state_change(std::function<void()> change);
    double evaluate(Request const& request);
    double evaluate_unchecked(Request const& request);
    double evaluate_one(int index, Request const& request = {});
    /// Of the last evaluation [kJ/mol/nm].
    std::vector<Vec3<>> const& forces() const;
    /// By parameters, of the last evaluation that asked for them; no names: no force has any.
    std::map<std::string, double> const& parameter_derivatives() const;
    /// By force, of the last evaluation [kJ/mol].
    std::vector<double> const& energies() const;
    double kinetic_energy(bool are_forces_known = false);
    MinimizationResult minimize(MinimizationSettings const& settings = {});

    /// Of several integrators, the one that steps, and that the members below speak of.
    void set_current_integrator(int index);
    std::map<std::string, double> integrator_parameters();
    void set_integrator_parameters(std::map<std::string, double> const& parameters);
    /// Variables of a CustomIntegrator. Throw InputError for another integrator, and for a name that it lacks.
    double global_variable(std::string const& name);
    void set_global_variable(std::string const& name, double value);
    std::vector<Vec3<>> per_dof_variable(std::string const& name);
    void set_per_dof_variable(std::string const& name, std::vector<Vec3<>> const& values);
    /// Of the chains of a NoseHooverIntegrator, 0 of others [kJ/mol].
    double heat_bath_energy();
    /// Of a particle by a QTBIntegrator [1/ps]. Throw InputError for another integrator.
    std::vector<double> adapted_friction(int particle);
    void set_adapted_friction(int particle, std::vector<double> const& friction);
    /// Velocities moved on by `offset` [ps] with the present forces of the integrator's groups, and projected on the
    /// constraints.
    std::vector<Vec3<>> shifted_velocities(double offset, double tolerance = 1e-5);

    /// For barostats of one's own: moves the centers of molecules, or all particles, by the linear map with these images
    /// of the unit vectors, and takes the last such move back to the bit. The box stays as it is.
    void scale_positions(std::array<Vec3<>, 3> const& images, bool molecules_are_rigid = true);
    void restore_positions();
    /// Σ M V V of molecules, or of particles: the elements xx, yy, zz, xy, xz, yz [kJ/mol].
    std::array<double, 6> kinetic_tensor(bool molecules_are_rigid = true);
    /// Of the force with this index, as they were chosen.
    UsedMeshes meshes(int index);

    /// What the functions of `reference/observables.hpp` with the same names compute, on Reference whatever the platform.
    Tensor virial(ForceGroups const& groups = {});
    Tensor pressure_tensor(ForceGroups const& groups = {});
    std::vector<TermEnergy> term_energies(int force_index);
    double interaction_energy(int force_index, std::vector<int> const& first, std::vector<int> const& second);

    double time() const;
    std::int64_t step_count() const;
    Box const& box() const;
    std::vector<Vec3<>> const& positions() const;
    std::vector<Vec3<>> const& velocities() const;
    std::vector<std::vector<int>> const& molecules() const;
    std::map<std::string, double, std::less<>> const& parameters() const;
    std::uint64_t seed() const;
    /// Of forces, and changes of the numbers behind them, so far.
    std::uint64_t evaluations() const;
    /// The force groups of the current integrator, and its step [ps] (of variable ones: the last).
    ForceGroups const& integration_groups() const;
    double step_size() const;
    /// 3 for each particle with mass, less one for each constraint with an end of mass, less 3 where a CMMotionRemover
    /// acts.
    int degrees_of_freedom() const;

    /// Everything that a step changes, for a bit-exact continuation by `load` in an equal Context.
    void save(Archive& archive);
    void load(Archive& archive);

    PlatformDescription const& platform() const { return description_; }
    /// Of the host's work; measures nothing until it is started.
    Profile& profile();

private:
    AnyContext(std::span<CompiledContext const> compiled, void const* system,
               AnyIntegrator const& integrator, BackendChoice const& choice);

    HostEngine const& host() const { return functions_->host(held()); }
    void* held() const;
    template <class Observe> auto observed(Observe const& observe);

    std::span<CompiledContext const> compiled_;
    ContextFunctions const* functions_;
    std::unique_ptr<void, void (*)(void*)> context_;
    PlatformDescription description_;
};

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

/// Every force and integrator on every platform and precision.
std::vector<KernelEntry> list_kernels(std::span<CompiledContext const> compiled = compiled_contexts<StandardForces>());

/// The platforms, with or without a device.
std::vector<std::string_view> list_platforms(
    std::span<CompiledContext const> compiled = compiled_contexts<StandardForces>());

/// The fastest that has the device of this choice: `cuda`, or `opencl` where the device is no processor, else `cpu` or
/// `reference`.
std::string best_platform(BackendChoice const& choice = {},
                          std::span<CompiledContext const> compiled = compiled_contexts<StandardForces>());

/// A device that this build can use, as `trotter platforms` shows it.
struct DeviceEntry {
    std::string platform{}, description{};
    bool is_processor = true;  ///< rather than an accelerator
};
/// Those of `opencl` and `cuda` begin with their number.
std::vector<DeviceEntry> list_devices();

}  // namespace trotter
