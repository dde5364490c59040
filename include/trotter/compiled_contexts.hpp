// Dispatch tables of the Contexts that were compiled for a run-time choice of backend and precision.
// SPDX-License-Identifier: MIT
#pragma once
#include <any>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include <trotter/base/archive.hpp>
#include <trotter/base/tensor.hpp>
#include <trotter/box.hpp>
#include <trotter/concepts.hpp>
#include <trotter/context/platform_description.hpp>
#include <trotter/core/request.hpp>
#include <trotter/core/term_energy.hpp>
#include <trotter/io/integrator.hpp>
#include <trotter/minimize.hpp>
#include <trotter/parts/mesh/mesh_settings.hpp>
#include <trotter/standard_system.hpp>
#include <trotter/state.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

struct HostState;

/// Platform, precision and settings of a Context.
struct BackendChoice {
    std::string platform{};           ///< reference, cpu, opencl, cuda; empty: see `best_platform`
    std::string precision = "mixed";  ///< single, mixed, double; `reference` always computes in double
    int device = 0;                   ///< of `opencl` and `cuda`, counted from 0
    int threads = 0;                  ///< 0: as many as the process may use
    std::uint64_t seed = 1;           ///< of all random numbers whose consumers have no seed
    std::string instruction_set{};    ///< of the Cpu backend, for the whole process; empty: the one in use
    double list_buffer = 0;           ///< of `cpu`: range of pair lists beyond the cutoff [nm]; 0: automatic
    /// Of `opencl` and `cuda`: the System is this number of consecutive copies that do not interact, as by `replicate`.
    int copies = 1;
};

/// An entry of the compile-time registry.
struct KernelEntry {
    /// Native kernel, or Reference's as a fallback.
    enum class Kind { own, fallback };
    std::string_view operation;  ///< the force or integrator
    bool is_integrator = false;  ///< a force otherwise
    std::string_view platform, precision;  ///< names, as `BackendChoice` has them
    Kind kind = Kind::own;  ///< native or fallback
};

/// A type of forces.
struct ForceType {
    std::type_info const& type;  ///< identity of the type
    std::string_view name;  ///< `F::name`
};
/// Refers to a force of any type during a call.
struct ForceReference {
    /// Refers to the force, which outlives this object.
    template <Force F> ForceReference(F const& object) : type{typeid(F), F::name}, force(&object) {}

    ForceType type;  ///< its type and name
    void const* force;  ///< points to an object of that type
};

/// Dispatch table of `AnyContext` for one type of Context: functions of a pointer to it, which do the same as the
/// members of `AnyContext` with the same names.
struct ContextFunctions {
    ///@{
    /// Member of `AnyContext` with this name; `destroy` deletes the Context, `host` and `system` return its parts.
    void (*destroy)(void*);
    HostState& (*host)(void*);
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
    int (*current_integrator)(void*);
    int (*integrator_count)(void*);
    int (*force_count)(void*);
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
    ///@}
};

/// Observables that Reference computes with its own kernels.
struct ObservableFunctions {
    ///@{
    /// Member of `AnyContext` with this name; null on other backends.
    Tensor (*virial)(void*, ForceGroups const&) = nullptr;
    Tensor (*pressure_tensor)(void*, ForceGroups const&) = nullptr;
    std::vector<TermEnergy> (*term_energies)(void*, int) = nullptr;
    double (*interaction_energy)(void*, int, std::vector<int> const&, std::vector<int> const&) = nullptr;
    ///@}
};

/// Dispatch table of `AnyReplicas`.
struct ReplicasFunctions {
    ///@{
    /// Member of `AnyReplicas` with this name; `_of` is for one replica; `destroy` deletes the replicas.
    void (*destroy)(void*);
    HostState& (*host)(void*);  ///< of all replicas, or of the first
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
    ///@}
};

/// The Contexts of one backend and number type for Systems with a certain list of forces.
struct CompiledContext {
    std::string platform{};                      ///< the backend's name in lower case
    std::vector<std::string_view> precisions{};  ///< that it offers
    /// Throws as the constructor of `AnyContext`; `functions.destroy` deletes the result.
    void* (*make)(void const* system, AnyIntegrator const&, BackendChoice const&);
    ContextFunctions functions{};  ///< for the result of `make`
    std::vector<KernelEntry> (*kernels)();  ///< forces and integrators that have a kernel
    /// Throws as the constructor of `AnyReplicas`; `replicas.destroy` deletes the result.
    void* (*make_replicas)(void const* system, AnyIntegrator const&, BackendChoice const&, int count);
    ReplicasFunctions replicas{};  ///< for the result of `make_replicas`
    ObservableFunctions observables{};  ///< of Reference alone
};

/// All Contexts compiled for this list. Those of the standard forces are in `Trotter::standard`; for your own list, one
/// file of your program includes `<trotter/contexts.hpp>` and uses `compiled_contexts<List>`, or makes an `AnyContext`,
/// which compiles them.
template <class List> std::span<CompiledContext const> compiled_contexts();
extern template std::span<CompiledContext const> compiled_contexts<StandardForces>();

}  // namespace trotter
