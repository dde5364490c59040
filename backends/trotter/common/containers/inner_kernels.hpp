// Runs the forces of a container force on a separate engine.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <trotter/base/tensor.hpp>
#include <trotter/common/fallback/host_tasks.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/context/force_kernels.hpp>
#include <trotter/error.hpp>
#include <trotter/kernel.hpp>
#include <trotter/system.hpp>

namespace trotter {

/// How the container uses the forces: `multiplied` if its formula may scale them by a large slope.
enum class ForceUse { added, multiplied };

/// Kernels for the forces of a container, on the backend of the Context. Their engine has the particles of the System
/// without constraints and virtual sites, and its own neighbor lists, meshes and arrays; positions, box and parameters
/// are copied in every evaluation, and forces go to the container's kernel. On a device they pass through the host.
template <class Inner, HostBackend B, Precision P> class InnerKernels {
    using List = typename Inner::Forces;

public:
    /// Throws InputError for an invalid force, or one that changes the state between steps: a container does not
    /// support this. A CMMotionRemover is ignored.
    InnerKernels(Inner const& forces, Engine<B, P>& outer, ForceUse use)
        : engine_(made_like(outer, use)) {
        give_setting(outer.host, host());
        named([&] {
            kernels_.make(forces, engine_);
            kernels_.for_each([]<class F>(int index, Kernel<F, B, P>& kernel) { refuse_state_change(index, kernel); });
        });
        declare_all(host(), outer.host);
    }

    /// Copies all inputs of the forces; `state` is that of the Context.
    void place(HostState const& state, std::vector<Vec3<>> const& positions) { copy_state(state, positions, host()); }
    /// Returns the energy of one force, or of all, at these positions; stores the forces in `forces()`.
    double compute_one(int index, bool wants_derivatives) {
        clear_derivatives();
        return kernels_.compute_one(index, engine_, {ForceGroups::all(), true, wants_derivatives, index});
    }
    double compute(bool wants_derivatives) {
        clear_derivatives();
        return kernels_.compute(engine_, {ForceGroups::all(), true, wants_derivatives});
    }
    std::vector<Vec3<>> const& forces() const { return engine_.host.forces; }
    /// Box part of the virial, if the container's virial is requested.
    std::optional<Tensor> const& box_virial() const { return engine_.host.box_virial; }
    std::map<std::string, double> const& derivatives() const { return engine_.host.parameter_derivatives; }

    /// Updates parameters. Throws InputError, with everything unchanged, if more than parameters differs.
    void update(Inner const& before, Inner const& after) {
        if (before.force_count() != after.force_count())
            throw InputError("there are " + std::to_string(after.force_count()) + " inner forces and were "
                             + std::to_string(before.force_count()) + " before");
        named([&] {
            try {
                update_all(before, after);
            } catch (...) {
                update_all(before, before);
                throw;
            }
        });
    }

    template <class Archive> void save(Archive& archive) {
        for_each_part([&](auto& part) {
            if constexpr (requires { part.save(archive); }) part.save(archive);
        });
    }
    template <class Archive> void load(Archive& archive) {
        for_each_part([&](auto& part) {
            if constexpr (requires { part.load(archive); }) part.load(archive);
        });
    }

private:
    static Engine<B, P> made_like(Engine<B, P>& outer, ForceUse use) {
        Particles const particles{.masses = outer.host.particles.masses};
        auto const& host = outer.host;
        if constexpr (requires { outer.accuracy_inside(true); })
            return {outer.backend, particles, host.box, host.seed, outer.accuracy_inside(use == ForceUse::multiplied)};
        else
            return {outer.backend, particles, host.box, host.seed};
    }
    HostState& host() { return engine_.host; }
    void clear_derivatives() {
        for (auto& [name, value] : host().parameter_derivatives) value = 0;
    }
    template <class F> static void refuse_state_change(int index, Kernel<F, B, P>& kernel) {
        auto const nothing = [](Request const&) { return 0.0; };
        if constexpr (requires { F::removes_motion; })
            return;
        else if constexpr (requires(Engine<B, P> & engine) { kernel.before_step(engine, ForceEvaluator(nothing)); })
            throw InputError(force_named(index, F::name)
                             + ": it changes the state between steps, which no force in a container can");
    }
    void update_all(Inner const& before, Inner const& after) {
        for (int index = 0; index < after.force_count(); ++index)
            after.visit_force(index, [&]<class F>(F const& force) {
                std::string const where = force_named(index, F::name);
                if (before.handle(index).type != after.handle(index).type) throw InputError(where + " was of another type before");
                if constexpr (ForceKernels<List, B, P>::template has_update<F>) {
                    try {
                        kernels_.update(index, force, after, engine_);
                    } catch (InputError const& error) {
                        throw InputError(where + ": " + error.what());
                    }
                }
            });
    }
    template <class Work> static void named(Work const& work) {
        try {
            work();
        } catch (InputError const& error) {
            throw InputError("inner " + std::string(error.what()));
        }
    }
    template <class Visit> void for_each_part(Visit const& visit) {
        visit(engine_);
        kernels_.for_each([&](int, auto& kernel) { visit(kernel); });
    }

    Engine<B, P> engine_;
    ForceKernels<List, B, P> kernels_;
};

}  // namespace trotter
