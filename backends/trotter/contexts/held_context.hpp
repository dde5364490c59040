// What `AnyContext` does with the Context that it holds.
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

#include <trotter/compiled_contexts.hpp>
#include <trotter/context.hpp>
#include <trotter/contexts/backend_choices.hpp>
#include <trotter/error.hpp>
#include <trotter/forces/mesh_settings.hpp>
#include <trotter/host/barostats/box_change.hpp>
#include <trotter/host/engine.hpp>
#include <trotter/host/integrators/common.hpp>
#include <trotter/integrators/custom.hpp>
#include <trotter/integrators/qtb.hpp>
#include <trotter/io/archive.hpp>
#include <trotter/io/integrator.hpp>
#include <trotter/kernel.hpp>
#include <trotter/minimize.hpp>
#include <trotter/platform_description.hpp>
#include <trotter/request.hpp>
#include <trotter/state.hpp>
#include <trotter/system.hpp>

namespace trotter::detail {

/// What a pointer in `AnyContext` points to.
template <class List, class B, class P> struct HeldContext {
    using BoxChanges = typename BoxChangeOf<Engine<B, P>>::Type;

    Context<System<List>, B, P> context;
    bool has_stepped = false;
    std::optional<BoxChanges> box_change{};  ///< the last one of positions alone
    bool moved_molecules = false;            ///< in it

    static HeldContext& of(void* held) { return *static_cast<HeldContext*>(held); }

    static void* make(void const* system, AnyIntegrator const& integrator, BackendChoice const& choice) {
        auto const make_with = [&](auto const& known) -> void* {
            auto const& own = *static_cast<System<List> const*>(system);
            return new HeldContext{{own, known, BackendChoices<B>::backend(choice), P{}, choice.seed}};
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
    /// What fails in steps has the number of the step in its sentence.
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
            // What was good for the first step has become bad by itself, such as a box that shrank.
            if (!has_stepped && context.step_count() == first) throw;
            throw SimulationError(at_step(error.what()));
        }
    }

    void update(int index, ForceReference const& changed) {
        visit_force(index, changed.type, [&]<class F>(F const& force) {
            if constexpr (requires(Kernel<F, B, P>& kernel) { kernel.update(force, context.engine()); })
                context.update(index, *static_cast<F const*>(changed.force));
            else
                context.update(index);  // which says that its kernel takes none
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
        HostEngine& host = box_change->hold(engine);
        box_change->apply(host, host.box, {images[0], images[1], images[2]});
    }
    void restore_positions() {
        if (!box_change) throw InputError("there are no positions to restore: none were scaled");
        HostEngine& host = box_change->hold(context.engine());
        Box const box = host.box;
        box_change->undo(host);
        context.set_box(box);
    }
    std::array<double, 6> kinetic_tensor(bool molecules_are_rigid) {
        (void)context.velocities();  // on the host from here on
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
    /// Calls `visit` with the kernel of the current integrator, which is an I.
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

template <class Held> constexpr ContextFunctions context_functions() {
    return {
        .destroy = [](void* held) { delete &Held::of(held); },
        .host = [](void* held) -> HostEngine& {
            auto& engine = Held::of(held).context.engine();
            if constexpr (requires { engine.refresh_clock(); }) engine.refresh_clock();
            return engine.host;
        },
        .set_state = [](void* held, State const& state) { Held::of(held).context.set_state(state); },
        .state = [](void* held, StateData data,
                    ForceGroups const& groups) { return Held::of(held).context.state(data, groups); },
        .set_positions = [](void* held, std::vector<Vec3<>> positions) {
            Held::of(held).context.set_positions(std::move(positions));
        },
        .set_velocities = [](void* held, std::vector<Vec3<>> velocities) {
            Held::of(held).context.set_velocities(std::move(velocities));
        },
        .set_box = [](void* held, Box const& box) { Held::of(held).context.set_box(box); },
        .set_time = [](void* held, double time) { Held::of(held).context.set_time(time); },
        .set_step_count = [](void* held, std::int64_t count) { Held::of(held).context.set_step_count(count); },
        .set_temperature = [](void* held, double temperature) { Held::of(held).context.set_temperature(temperature); },
        .set_friction = [](void* held, double friction) { Held::of(held).context.set_friction(friction); },
        .set_step_size = [](void* held, double step_size) { Held::of(held).context.set_step_size(step_size); },
        .parameter = [](void* held, std::string_view name) { return Held::of(held).context.parameter(name); },
        .set_parameter = [](void* held, std::string_view name,
                            double value) { Held::of(held).context.set_parameter(name, value); },
        .set_velocities_to_temperature =
            [](void* held, double temperature, std::uint64_t seed) {
                Held::of(held).context.set_velocities_to_temperature(temperature, seed);
            },
        .apply_constraints = [](void* held, double tolerance) { Held::of(held).context.apply_constraints(tolerance); },
        .apply_velocity_constraints =
            [](void* held, double tolerance) { Held::of(held).context.apply_velocity_constraints(tolerance); },
        .compute_virtual_sites = [](void* held) { Held::of(held).context.compute_virtual_sites(); },
        .update = [](void* held, int index, ForceReference const& force) { Held::of(held).update(index, force); },
        .ask = [](void* held, int index, ForceType const& type) { return Held::of(held).ask(index, type); },
        .reinitialize = [](void* held, bool preserve_state) { Held::of(held).reinitialize(preserve_state); },
        .step = [](void* held, std::int64_t steps, std::stop_token stop) { return Held::of(held).step(steps, stop); },
        .step_ahead = [](void* held, std::int64_t steps) { Held::of(held).step_ahead(steps); },
        .step_towards = [](void* held, double end_time) { Held::of(held).step_towards(end_time); },
        .check = [](void* held) { Held::of(held).take([&] { Held::of(held).context.check(); }); },
        .set_state_change = [](void* held, std::function<void()> change) {
            Held::of(held).context.set_state_change(std::move(change));
        },
        .evaluate = [](void* held, Request const& request) { return Held::of(held).context.evaluate(request); },
        .evaluate_unchecked = [](void* held,
                                 Request const& request) { return Held::of(held).context.evaluate_unchecked(request); },
        .evaluate_one = [](void* held, int index,
                           Request const& request) { return Held::of(held).context.evaluate_one(index, request); },
        .energies = [](void* held) -> std::vector<double> const& { return Held::of(held).context.energies(); },
        .kinetic_energy = [](void* held, bool are_forces_known) {
            return Held::of(held).context.kinetic_energy(are_forces_known);
        },
        .minimize = [](void* held,
                       MinimizationSettings const& settings) { return minimize(Held::of(held).context, settings); },
        .positions = [](void* held) -> std::vector<Vec3<>> const& { return Held::of(held).context.positions(); },
        .velocities = [](void* held) -> std::vector<Vec3<>> const& { return Held::of(held).context.velocities(); },
        .forces = [](void* held) -> std::vector<Vec3<>> const& { return Held::of(held).context.forces(); },
        .system = [](void* held) -> void const* { return &Held::of(held).context.system(); },
        .step_size = [](void* held) { return Held::of(held).context.step_size(); },
        .set_current_integrator = [](void* held, int index) { Held::of(held).context.set_current_integrator(index); },
        .current_integrator = [](void* held) { return Held::of(held).context.current_integrator(); },
        .integrator_count = [](void* held) { return Held::of(held).context.integrator_count(); },
        .force_count = [](void* held) { return Held::of(held).context.force_count(); },
        .integrator_parameters = [](void* held) { return Held::of(held).context.integrator_parameters(); },
        .set_integrator_parameters =
            [](void* held, std::map<std::string, double> const& parameters) {
                Held::of(held).context.set_integrator_parameters(parameters);
            },
        .global_variable =
            [](void* held, std::string const& name) {
                return Held::of(held).template with_integrator<CustomIntegrator>(
                    [&](auto& kernel) { return kernel.global(name); });
            },
        .set_global_variable =
            [](void* held, std::string const& name, double value) {
                Held::of(held).template with_integrator<CustomIntegrator>(
                    [&](auto& kernel) { kernel.set_global(name, value); });
            },
        .per_dof_variable =
            [](void* held, std::string const& name) {
                return Held::of(held).template with_integrator<CustomIntegrator>(
                    [&](auto& kernel) { return std::vector<Vec3<>>(kernel.per_dof(name)); });
            },
        .set_per_dof_variable =
            [](void* held, std::string const& name, std::vector<Vec3<>> const& values) {
                Held::of(held).template with_integrator<CustomIntegrator>(
                    [&](auto& kernel) { kernel.set_per_dof(name, values); });
            },
        .heat_bath_energy =
            [](void* held) {
                return Held::of(held).context.visit_integrator([](auto& kernel) {
                    if constexpr (requires { kernel.heat_bath_energy(); }) return kernel.heat_bath_energy();
                    return 0.0;
                });
            },
        .adapted_friction =
            [](void* held, int particle) {
                return Held::of(held).template with_integrator<QTBIntegrator>(
                    [&](auto& kernel) { return std::vector<double>(kernel.adapted_friction(particle)); });
            },
        .set_adapted_friction =
            [](void* held, int particle, std::vector<double> const& friction) {
                Held::of(held).template with_integrator<QTBIntegrator>(
                    [&](auto& kernel) { kernel.set_adapted_friction(particle, friction); });
            },
        .scale_positions = [](void* held, std::array<Vec3<>, 3> const& images,
                              bool rigid) { Held::of(held).scale_positions(images, rigid); },
        .restore_positions = [](void* held) { Held::of(held).restore_positions(); },
        .kinetic_tensor = [](void* held, bool rigid) { return Held::of(held).kinetic_tensor(rigid); },
        .shifted_velocities = [](void* held, double offset,
                                 double tolerance) { return Held::of(held).shifted_velocities(offset, tolerance); },
        .meshes = [](void* held, int index) { return Held::of(held).meshes(index); },
        .description = [](void* held) { return Held::of(held).context.description(); },
        .save = [](void* held, Archive& archive) { Held::of(held).context.save(archive); },
        .load = [](void* held, Archive& archive) { Held::of(held).context.load(archive); },
    };
}

}  // namespace trotter::detail
