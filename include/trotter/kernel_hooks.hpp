// Optional members of kernels.
// SPDX-License-Identifier: MIT
#pragma once

#include <trotter/core/request.hpp>

namespace trotter {

class Archive;

}  // namespace trotter

/// Optional members of a `Kernel<MyForce, MyBackend, MyPrecision>`, found by name, as concepts:
///
/// | hook | called |
/// | --- | --- |
/// | `double compute(Engine&, Request const&)` | in every evaluation: adds forces, returns the energy [kJ/mol] |
/// | `double late_energy(Engine&, Request const&)` | after the evaluation: returns an energy that is known only then |
/// | `void before_step(Engine&, ForceEvaluator)` | before every step: changes the state (thermostats, barostats) |
/// | `void update(MyForce const&, Engine&)` | by `Context::update`: updates the parameters, or throws InputError |
/// | `void save(Archive&)`, `void load(Archive&)` | for checkpoints, always both |
/// | `UsedMeshes meshes() const` | to report splitting parameters and mesh sizes in use |
/// | `auto answer()` | by `Context::ask`, after an evaluation |
/// | `void for_each_part(visit)` | for results of single parts: energies of terms, and between groups |
///
/// A kernel has `compute` or `before_step` or both.
///
/// A kernel of an integrator has
///
/// | hook | called |
/// | --- | --- |
/// | `void step(HostState&, ForceEvaluator)` | for a step; takes a StateChange, too, if it chooses when that acts |
/// | `double kinetic_energy(HostState&, ForceEvaluator)` | for the kinetic energy at the positions' time [kJ/mol] |
/// | `double velocity_offset() const` | for the time by which stored velocities lag behind the positions [ps] |
/// | `MyIntegrator const& integrator() const` | for its current parameters |
///
/// and, where applicable, `step_towards(end_time, HostState&, ForceEvaluator)`, `stays_on_device()`, `set_step_size`,
/// `set_temperature`, `set_friction`, `draw_velocities(HostState&, temperature, RandomStream)`, `parameters`,
/// `set_parameters`, `save` and `load`.
namespace trotter::hooks {

template <class K, class EngineType>
concept Computes = requires(K& kernel, EngineType& engine, Request const& request) {
    kernel.compute(engine, request);
};
template <class K, class EngineType>
concept ChangesState = requires(K& kernel, EngineType& engine, ForceEvaluator evaluate) {
    kernel.before_step(engine, evaluate);
};
template <class K, class EngineType>
concept HasLateEnergy = requires(K& kernel, EngineType& engine, Request const& request) {
    kernel.late_energy(engine, request);
};
template <class K, class F, class EngineType>
concept Updates = requires(K& kernel, F const& force, EngineType& engine) {
    kernel.update(force, engine);
};
template <class K>
concept Saves = requires(K& kernel, Archive& archive) {
    kernel.save(archive);
};
template <class K>
concept Loads = requires(K& kernel, Archive& archive) {
    kernel.load(archive);
};

/// Likely misspellings of a hook.
template <class K>
concept MisspellsCompute = requires { &K::compute_forces; } || requires { &K::compute_energy; }
    || requires { &K::computes; } || requires { &K::calculate; } || requires { &K::execute; };
template <class K>
concept MisspellsChange = requires { &K::beforeStep; } || requires { &K::before_steps; };
template <class K>
concept MisspellsLateEnergy = requires { &K::lateEnergy; } || requires { &K::late_energies; };
template <class K>
concept MisspellsUpdate = requires { &K::updates; } || requires { &K::update_parameters; };

/// Whether a kernel has a member with such a name and lacks the hook itself.
template <class K, class F, class EngineType>
inline constexpr bool is_misspelt =
    (MisspellsCompute<K> && !Computes<K, EngineType>) || (MisspellsChange<K> && !ChangesState<K, EngineType>)
    || (MisspellsLateEnergy<K> && !HasLateEnergy<K, EngineType>) || (MisspellsUpdate<K> && !Updates<K, F, EngineType>);

/// Whether `update` has the wrong arguments.
template <class K, class F, class EngineType>
inline constexpr bool has_wrong_update = requires { &K::update; } && !Updates<K, F, EngineType>;

}  // namespace trotter::hooks
