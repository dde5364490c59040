// A Context whose backend and precision are chosen at run time.
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

#include <trotter/base/archive.hpp>
#include <trotter/base/coordinates.hpp>
#include <trotter/base/named_numbers.hpp>
#include <trotter/base/tensor.hpp>
#include <trotter/box.hpp>
#include <trotter/compiled_contexts.hpp>
#include <trotter/concepts.hpp>
#include <trotter/context/platform_description.hpp>
#include <trotter/core/request.hpp>
#include <trotter/core/term_energy.hpp>
#include <trotter/io/integrator.hpp>
#include <trotter/minimize.hpp>
#include <trotter/parts/mesh/mesh_settings.hpp>
#include <trotter/state.hpp>
#include <trotter/system.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

class Profile;
struct HostState;

/// A type-erased Context, for files and the program: holds one of the compiled Contexts. If the backend is known at
/// compile time, use `Context` itself. Members do the same as those of `Context` with the same names, and throw the
/// same. Movable, not copyable.
class AnyContext {
public:
    /// Throws UnsupportedError if this build has no such platform, or no kernel there for a force or the integrator;
    /// InputError if the System or the integrator is invalid.
    template <class List>
    AnyContext(System<List> const& system, AnyIntegrator const& integrator, BackendChoice const& choice = {})
        : AnyContext(compiled_contexts<List>(), &system, integrator, choice) {}

    void set_state(State const& state);  ///< time, step count, box, and all else in it
    /// Copies the data selected by `data`; energy and forces are those of `groups`.
    State state(StateData data = StateData::none, ForceGroups const& groups = {});
    void set_positions(std::vector<Vec3<>> positions);  ///< [nm]
    void set_velocities(std::vector<Vec3<>> velocities);  ///< [nm/ps]
    ///@{
    /// The same from external arrays: a Vec3 or three numbers for each particle. Throws InputError for other counts.
    template <CoordinateArray A> void set_positions(A const& array) { set_positions(vectors_of(array, "positions")); }
    template <CoordinateArray A> void set_velocities(A const& array) { set_velocities(vectors_of(array, "velocities")); }
    ///@}
    void set_box(Box const& box);  ///< reduced box vectors [nm]
    void set_time(double time);  ///< [ps]
    void set_step_count(std::int64_t count);  ///< throws InputError for a negative number
    /// Of the current integrator [K], from the next step on.
    void set_temperature(double temperature);
    void set_friction(double friction);  ///< of the current integrator [1/ps]
    void set_step_size(double step_size);  ///< of the current integrator [ps]
    double parameter(std::string_view name) const;  ///< value of a Context parameter
    void set_parameter(std::string_view name, double value);  ///< throws InputError for a name that no force declares
    /// From the Maxwell-Boltzmann distribution at `temperature` [K].
    void set_velocities_to_temperature(double temperature, std::uint64_t seed = 0);
    void apply_constraints(double tolerance);  ///< to a relative `tolerance`, then virtual sites
    void apply_velocity_constraints(double tolerance);  ///< to a relative `tolerance`
    void compute_virtual_sites();  ///< from the positions of their parents

    /// Updates the parameters of the force with this index. Throws InputError if it is of another type, or if more than
    /// parameters changed; UnsupportedError if its kernel cannot update them.
    void update(int index, ForceReference const& force);
    /// Results of a force of type F at the current positions besides its energy.
    template <Force F> typename F::Answer ask(int index) {
        return std::any_cast<typename F::Answer>(functions_->ask(object(), index, {typeid(F), F::name}));
    }
    /// Makes new kernels from the System, as in OpenMM; keeps positions, velocities and time only if `preserve_state`.
    void reinitialize(bool preserve_state = false);
    /// Of the System when the Context was made.
    int force_count() const;

    /// Takes `steps` steps, or fewer if `stop` is requested; returns their number. Throws NotFiniteError or
    /// SimulationError.
    std::int64_t step(std::int64_t steps, std::stop_token stop = {});
    void step_ahead(std::int64_t steps);  ///< without waiting for the device
    void step_towards(double end_time);  ///< one step, not beyond `end_time` [ps]
    void check();  ///< throws the errors of earlier steps
    void set_state_change(std::function<void()> change);  ///< called after thermostats and barostats
    double evaluate(Request const& request);  ///< energy [kJ/mol]; see `forces` and `energies`
    double evaluate_unchecked(Request const& request);  ///< energy [kJ/mol], which may be NaN
    double evaluate_one(int index, Request const& request = {});  ///< energy [kJ/mol] of one force alone
    /// Of the last evaluation [kJ/mol/nm]; not a copy, as `positions()`.
    std::vector<Vec3<>> const& forces() const;
    /// Of the last evaluation that requested them; empty if no force has any.
    EnergyDerivatives const& parameter_derivatives() const;
    /// By force, of the last evaluation [kJ/mol].
    std::vector<double> const& energies() const;
    double kinetic_energy(bool are_forces_known = false);  ///< at the time of the positions [kJ/mol]
    MinimizationResult minimize(MinimizationSettings const& settings = {});  ///< to a local energy minimum

    /// Selects the integrator that steps, to which the members below refer.
    void set_current_integrator(int index);
    int current_integrator() const;  ///< index of the integrator that steps
    int integrator_count() const;  ///< 1 without a CompoundIntegrator
    std::map<std::string, double> integrator_parameters();  ///< by their names in a State
    /// Restores what `integrator_parameters` returned. Throws InputError for a name that is not among these.
    void set_integrator_parameters(std::map<std::string, double> const& parameters);
    /// Of a CustomIntegrator. Throws InputError for another integrator, and for an unknown name.
    double global_variable(std::string const& name);
    void set_global_variable(std::string const& name, double value);  ///< of a CustomIntegrator
    std::vector<Vec3<>> per_dof_variable(std::string const& name);  ///< one vector for each particle
    /// One vector for each particle.
    void set_per_dof_variable(std::string const& name, std::vector<Vec3<>> const& values);
    /// Energy of the chains of a NoseHooverIntegrator, 0 for others [kJ/mol].
    double heat_bath_energy();
    /// Of a particle by a QTBIntegrator [1/ps]. Throws InputError for another integrator.
    std::vector<double> adapted_friction(int particle);
    void set_adapted_friction(int particle, std::vector<double> const& friction);  ///< [1/ps], by frequency
    /// Velocities advanced by `offset` [ps] with the current forces of the integrator's groups, and projected on the
    /// constraints.
    std::vector<Vec3<>> shifted_velocities(double offset, double tolerance = 1e-5);

    /// For user-defined barostats: moves the centers of molecules, or all particles, by the linear map with these
    /// images of the unit vectors; `restore_positions` undoes the last one bit-exactly. The box stays the same.
    void scale_positions(std::array<Vec3<>, 3> const& images, bool molecules_are_rigid = true);
    void restore_positions();  ///< undoes the last `scale_positions`
    /// Σ M V V of molecules, or of particles: the elements xx, yy, zz, xy, xz, yz [kJ/mol].
    std::array<double, 6> kinetic_tensor(bool molecules_are_rigid = true);
    /// Mesh parameters in use by the force with this index.
    UsedMeshes meshes(int index);

    /// As the functions of `reference/observables.hpp` with the same names; computed on Reference for all platforms.
    Tensor virial(ForceGroups const& groups = {});
    Tensor pressure_tensor(ForceGroups const& groups = {});  ///< of `groups` [bar]
    std::vector<TermEnergy> term_energies(int force_index);  ///< of one force, term by term
    /// Energy of one force between two sets of particles [kJ/mol].
    double interaction_energy(int force_index, std::vector<int> const& first, std::vector<int> const& second);

    double time() const;  ///< [ps]
    std::int64_t step_count() const;  ///< steps taken so far
    Box const& box() const;  ///< current box vectors [nm]
    /// Current positions [nm], not a copy unless the state is on a device. Convertible to `std::span<Vec3<> const>`.
    /// Valid until the Context is changed, steps or moves.
    std::vector<Vec3<>> const& positions() const;
    std::vector<Vec3<>> const& velocities() const;  ///< [nm/ps]
    std::vector<std::vector<int>> const& molecules() const;  ///< particle indices by molecule, ascending
    std::map<std::string, double, std::less<>> const& parameters() const;  ///< all Context parameters and their values
    std::uint64_t seed() const;  ///< of all random numbers whose consumers have no seed
    /// Number of force evaluations and parameter changes so far.
    std::uint64_t evaluations() const;
    /// Of the current integrator.
    ForceGroups const& integration_groups() const;
    double step_size() const;  ///< of the current integrator; the last one of a variable-step integrator [ps]
    /// 3 for each particle with mass, minus 1 for each constraint on a particle with mass, minus 3 with a
    /// CMMotionRemover.
    int degrees_of_freedom() const;
    /// Of all particles [amu].
    double total_mass() const;
    /// Whether a force uses periodic boundary conditions.
    bool is_periodic() const;

    /// Saves everything that a step changes, for a bit-exact continuation by `load` in an equal Context.
    void save(Archive& archive);
    void load(Archive& archive);  ///< loads what `save` wrote; throws InputError for another simulation

    /// Platform, precision, device, threads.
    PlatformDescription const& platform() const { return description_; }
    /// Of the host's work; off until it is started.
    Profile& profile();

private:
    AnyContext(std::span<CompiledContext const> compiled, void const* system,
               AnyIntegrator const& integrator, BackendChoice const& choice);

    HostState const& host() const { return functions_->host(object()); }
    void* object() const;
    template <class Observe> auto observed(Observe const& observe);

    std::span<CompiledContext const> compiled_;
    ContextFunctions const* functions_;
    std::unique_ptr<void, void (*)(void*)> context_;
    PlatformDescription description_;
};

}  // namespace trotter
