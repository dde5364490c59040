// Implementation of `AnyContext` for one Context type.
// SPDX-License-Identifier: MIT
#pragma once
#include <any>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

#include <trotter/base/archive.hpp>
#include <trotter/common/barostats/box_change.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/common/integration/common.hpp>
#include <trotter/compiled_contexts.hpp>
#include <trotter/context.hpp>
#include <trotter/context/platform_description.hpp>
#include <trotter/contexts/backend_choices.hpp>
#include <trotter/core/request.hpp>
#include <trotter/error.hpp>
#include <trotter/integrators/custom.hpp>
#include <trotter/integrators/qtb.hpp>
#include <trotter/io/integrator.hpp>
#include <trotter/kernel.hpp>
#include <trotter/minimize.hpp>
#include <trotter/parts/mesh/mesh_settings.hpp>
#include <trotter/standard_integrators.hpp>
#include <trotter/state.hpp>
#include <trotter/system.hpp>

namespace trotter::detail {

/// The object that `AnyContext` points to.
template <class List, class B, class P> struct ErasedContext {
    using BoxChanges = typename BoxChangeOf<Engine<B, P>>::Type;

    Context<System<List>, B, P, StandardIntegrators> context;
    bool has_stepped = false;
    std::optional<BoxChanges> box_change{};  ///< the last `scale_positions`
    bool moved_molecules = false;            ///< rigid molecules in it

    static ErasedContext& of(void* object) { return *static_cast<ErasedContext*>(object); }

    static void* make(void const* system, AnyIntegrator const& integrator, BackendChoice const& choice) {
        auto const make_with = [&](auto const& known) -> void* {
            auto const& own = *static_cast<System<List> const*>(system);
            return new ErasedContext{{own, known, BackendChoices<B>::backend(choice), P{}, choice.seed}};
        };
        return std::visit(make_with, integrator);
    }

    std::int64_t step(std::int64_t steps, std::stop_token stop) {
        return take([&] {
            auto const done = context.step(steps, stop);
            has_stepped = has_stepped || done > 0;
            return done;
        });
    }
    void step_ahead(std::int64_t steps) {
        take([&] {
            context.step_ahead(steps);
            has_stepped = has_stepped || steps > 0;
        });
    }
    void step_towards(double end_time) {
        take([&] {
            context.step_towards(end_time);
            has_stepped = true;
        });
    }
    /// Runs steps; adds the step number to errors.
    template <class Steps> auto take(Steps const& steps) {
        auto const at_step = [this](std::string const& what) {
            return what.starts_with("step ") ? what : "step " + std::to_string(context.step_count()) + ": " + what;
        };
        auto const first = context.step_count();
        try {
            return steps();
        } catch (NotFiniteError const& error) {
            throw NotFiniteError(error.where.empty() ? at_step("") : error.where, error.sentence);
        } catch (SimulationError const& error) {
            throw SimulationError(at_step(error.what()));
        } catch (InputError const& error) {
            // Input that was valid at the first step became invalid in the simulation, such as a box that shrank.
            if (!has_stepped && context.step_count() == first) throw;
            throw SimulationError(at_step(error.what()));
        }
    }

    void update(int index, ForceReference const& changed) {
        visit_force(index, changed.type, [&]<class F>(F const& force) {
            if constexpr (requires(Kernel<F, B, P>& kernel) { kernel.update(force, context.engine()); })
                context.update(index, *static_cast<F const*>(changed.force));
            else
                context.update(index);  // throws, as its kernel has no update
        });
    }
    std::any ask(int index, ForceType const& type) {
        std::any answer;
        visit_force(index, type, [&]<class F>(F const&) {
            if constexpr (requires { typename F::Answer; }) answer = context.template ask<F>(index);
        });
        return answer;
    }

    void reinitialize(bool preserve_state) {
        box_change.reset();
        context.reinitialize(preserve_state);
    }

    void scale_positions(std::array<Vec3<>, 3> const& images, bool molecules_are_rigid) {
        auto& engine = context.engine();
        if (!box_change || moved_molecules != molecules_are_rigid) box_change.emplace(molecules_are_rigid, engine);
        moved_molecules = molecules_are_rigid;
        HostState& host = box_change->hold(engine);
        box_change->apply(host, host.box, {images[0], images[1], images[2]});
    }
    void restore_positions() {
        if (!box_change) throw InputError("there are no positions to restore: none were scaled");
        HostState& host = box_change->hold(context.engine());
        Box const box = host.box;
        box_change->undo(host);
        context.set_box(box);
    }
    std::array<double, 6> kinetic_tensor(bool molecules_are_rigid) {
        (void)context.velocities();  // copies them to the host
        return BoxChange(molecules_are_rigid).kinetic_tensor(context.engine().host);
    }
    std::vector<Vec3<>> shifted_velocities(double offset, double tolerance) {
        auto evaluate = [this](Request const& request) { return context.evaluate(request); };
        return trotter::shifted_velocities(state_on_host(context.engine()), ForceEvaluator(evaluate), offset, tolerance);
    }
    UsedMeshes meshes(int index) {
        UsedMeshes result;
        context.for_each_kernel([&](int other, auto& kernel) {
            if (other != index) return;
            if constexpr (requires { kernel.meshes(); }) result = kernel.meshes();
        });
        return result;
    }
    /// Calls `visit` with the kernel of the current integrator; throws InputError unless that is an I.
    template <class I, class Visit> auto with_integrator(Visit const& visit) {
        using Result = std::invoke_result_t<Visit const&, Kernel<I, B, P>&>;
        return context.visit_integrator([&]<class K>(K& kernel) -> Result {
            if constexpr (std::is_same_v<K, Kernel<I, B, P>>)
                return visit(kernel);
            else
                throw InputError("the integrator is a " + std::string(kernel.integrator().name) + ", expected a "
                                 + std::string(I::name));
        });
    }

private:
    template <class Visit> void visit_force(int index, ForceType const& type, Visit const& visit) {
        context.system().visit_force(index, [&]<class F>(F const& force) {
            if (type.type != typeid(F))
                throw InputError("force " + std::to_string(index) + " is not a " + std::string(type.name));
            visit(force);
        });
    }
};

template <class Erased> constexpr ContextFunctions context_functions() {
    return {
        .destroy = [](void* object) { delete &Erased::of(object); },
        .host = [](void* object) -> HostState& {
            auto& engine = Erased::of(object).context.engine();
            if constexpr (requires { engine.sync_clock(); }) engine.sync_clock();
            return engine.host;
        },
        .set_state = [](void* object, State const& state) { Erased::of(object).context.set_state(state); },
        .state = [](void* object, StateData data,
                    ForceGroups const& groups) { return Erased::of(object).context.state(data, groups); },
        .set_positions =
            [](void* object, std::vector<Vec3<>> positions) {
                Erased::of(object).context.set_positions(std::move(positions));
            },
        .set_velocities =
            [](void* object, std::vector<Vec3<>> velocities) {
                Erased::of(object).context.set_velocities(std::move(velocities));
            },
        .set_box = [](void* object, Box const& box) { Erased::of(object).context.set_box(box); },
        .set_time = [](void* object, double time) { Erased::of(object).context.set_time(time); },
        .set_step_count = [](void* object, std::int64_t count) { Erased::of(object).context.set_step_count(count); },
        .set_temperature = [](void* object,
                              double temperature) { Erased::of(object).context.set_temperature(temperature); },
        .set_friction = [](void* object, double friction) { Erased::of(object).context.set_friction(friction); },
        .set_step_size = [](void* object, double step_size) { Erased::of(object).context.set_step_size(step_size); },
        .parameter = [](void* object, std::string_view name) { return Erased::of(object).context.parameter(name); },
        .set_parameter = [](void* object, std::string_view name,
                            double value) { Erased::of(object).context.set_parameter(name, value); },
        .set_velocities_to_temperature =
            [](void* object, double temperature, std::uint64_t seed) {
                Erased::of(object).context.set_velocities_to_temperature(temperature, seed);
            },
        .apply_constraints = [](void* object,
                                double tolerance) { Erased::of(object).context.apply_constraints(tolerance); },
        .apply_velocity_constraints =
            [](void* object, double tolerance) { Erased::of(object).context.apply_velocity_constraints(tolerance); },
        .compute_virtual_sites = [](void* object) { Erased::of(object).context.compute_virtual_sites(); },
        .update = [](void* object, int index, ForceReference const& force) { Erased::of(object).update(index, force); },
        .ask = [](void* object, int index, ForceType const& type) { return Erased::of(object).ask(index, type); },
        .reinitialize = [](void* object, bool preserve_state) { Erased::of(object).reinitialize(preserve_state); },
        .step = [](void* object, std::int64_t steps,
                   std::stop_token stop) { return Erased::of(object).step(steps, stop); },
        .step_ahead = [](void* object, std::int64_t steps) { Erased::of(object).step_ahead(steps); },
        .step_towards = [](void* object, double end_time) { Erased::of(object).step_towards(end_time); },
        .check = [](void* object) { Erased::of(object).take([&] { Erased::of(object).context.check(); }); },
        .set_state_change =
            [](void* object, std::function<void()> change) {
                Erased::of(object).context.set_state_change(std::move(change));
            },
        .evaluate = [](void* object, Request const& request) { return Erased::of(object).context.evaluate(request); },
        .evaluate_unchecked =
            [](void* object, Request const& request) { return Erased::of(object).context.evaluate_unchecked(request); },
        .evaluate_one = [](void* object, int index,
                           Request const& request) { return Erased::of(object).context.evaluate_one(index, request); },
        .energies = [](void* object) -> std::vector<double> const& { return Erased::of(object).context.energies(); },
        .kinetic_energy =
            [](void* object, bool are_forces_known) {
                return Erased::of(object).context.kinetic_energy(are_forces_known);
            },
        .minimize = [](void* object,
                       MinimizationSettings const& settings) { return minimize(Erased::of(object).context, settings); },
        .positions = [](void* object) -> std::vector<Vec3<>> const& { return Erased::of(object).context.positions(); },
        .velocities = [](void* object) -> std::vector<Vec3<>> const& {
            return Erased::of(object).context.velocities();
        },
        .forces = [](void* object) -> std::vector<Vec3<>> const& { return Erased::of(object).context.forces(); },
        .system = [](void* object) -> void const* { return &Erased::of(object).context.system(); },
        .step_size = [](void* object) { return Erased::of(object).context.step_size(); },
        .set_current_integrator = [](void* object,
                                     int index) { Erased::of(object).context.set_current_integrator(index); },
        .current_integrator = [](void* object) { return Erased::of(object).context.current_integrator(); },
        .integrator_count = [](void* object) { return Erased::of(object).context.integrator_count(); },
        .force_count = [](void* object) { return Erased::of(object).context.force_count(); },
        .integrator_parameters = [](void* object) { return Erased::of(object).context.integrator_parameters(); },
        .set_integrator_parameters =
            [](void* object, std::map<std::string, double> const& parameters) {
                Erased::of(object).context.set_integrator_parameters(parameters);
            },
        .global_variable =
            [](void* object, std::string const& name) {
                return Erased::of(object).template with_integrator<CustomIntegrator>(
                    [&](auto& kernel) { return kernel.global(name); });
            },
        .set_global_variable =
            [](void* object, std::string const& name, double value) {
                Erased::of(object).template with_integrator<CustomIntegrator>(
                    [&](auto& kernel) { kernel.set_global(name, value); });
            },
        .per_dof_variable =
            [](void* object, std::string const& name) {
                return Erased::of(object).template with_integrator<CustomIntegrator>(
                    [&](auto& kernel) { return std::vector<Vec3<>>(kernel.per_dof(name)); });
            },
        .set_per_dof_variable =
            [](void* object, std::string const& name, std::vector<Vec3<>> const& values) {
                Erased::of(object).template with_integrator<CustomIntegrator>(
                    [&](auto& kernel) { kernel.set_per_dof(name, values); });
            },
        .heat_bath_energy =
            [](void* object) {
                return Erased::of(object).context.visit_integrator([](auto& kernel) {
                    if constexpr (requires { kernel.heat_bath_energy(); }) return kernel.heat_bath_energy();
                    return 0.0;
                });
            },
        .adapted_friction =
            [](void* object, int particle) {
                return Erased::of(object).template with_integrator<QTBIntegrator>(
                    [&](auto& kernel) { return std::vector<double>(kernel.adapted_friction(particle)); });
            },
        .set_adapted_friction =
            [](void* object, int particle, std::vector<double> const& friction) {
                Erased::of(object).template with_integrator<QTBIntegrator>(
                    [&](auto& kernel) { kernel.set_adapted_friction(particle, friction); });
            },
        .scale_positions = [](void* object, std::array<Vec3<>, 3> const& images,
                              bool rigid) { Erased::of(object).scale_positions(images, rigid); },
        .restore_positions = [](void* object) { Erased::of(object).restore_positions(); },
        .kinetic_tensor = [](void* object, bool rigid) { return Erased::of(object).kinetic_tensor(rigid); },
        .shifted_velocities = [](void* object, double offset,
                                 double tolerance) { return Erased::of(object).shifted_velocities(offset, tolerance); },
        .meshes = [](void* object, int index) { return Erased::of(object).meshes(index); },
        .description = [](void* object) { return Erased::of(object).context.description(); },
        .save = [](void* object, Archive& archive) { Erased::of(object).context.save(archive); },
        .load = [](void* object, Archive& archive) { Erased::of(object).context.load(archive); },
    };
}

}  // namespace trotter::detail
