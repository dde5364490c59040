// Multi-stage forces on the Cpu backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/common/forces/stages.hpp>
#include <trotter/cpu/engine.hpp>
#include <trotter/cpu/far_apart.hpp>
#include <trotter/reference/stages.hpp>
#include <trotter/registration.hpp>

namespace trotter {

namespace cpu {

/// The pair lists of a force's stages and passes over them; `begin` updates positions, `update_parameters` per-particle
/// parameters. `evaluate_stages` calls the rest.
template <HasStages F, class Arch, class Real> class Stages;

}  // namespace cpu

template <HasStages F, class Arch, Precision P> class Kernel<F, BasicCpu<Arch>, P> {
    using ThisEngine = Engine<BasicCpu<Arch>, P>;
    using Real = typename P::Real;

public:
    Kernel(F const& force, ThisEngine& engine, Registration who)
        : who_(who),
          system_box_(engine.host.box),
          force_(checked_stages(force, engine.host)),
          stages_(force_, cpu::pair_list_buffers<Real>(engine.backend, engine.host.size())) {}
    Kernel(Kernel const&) = delete;
    Kernel& operator=(Kernel const&) = delete;

    double compute(ThisEngine& engine, Request const& request) {
        HostState& host = engine.host;
        if (!request.wants(who_.index, force_.force_group)) return 0;
        if (!settings_of_pairs(force_).uses_cutoff() && cpu::are_too_far_apart<Arch>(host.positions))
            return cpu::compute_by_reference<Arch>(host, request, [&](auto& reference) {
                return [&, kernel = Kernel<F, Reference, Double>(force_, reference, who_)]() mutable {
                    return kernel.compute(reference, request);
                };
            });
        stages_.begin(host);
        double const energy = evaluate_stages(stages_, host);
        if (request.parameter_derivatives) give_parameter_derivatives(force_, stages_.by_global(), host);
        return energy;
    }

    /// Updates per-particle parameters and tables.
    void update(F const& force, ThisEngine& engine) {
        check(force, engine.host.particles.count(), system_box_);
        check_same(force_, force);
        force_ = force;
        stages_.update_parameters();
    }

    template <class Archive> void save(Archive& archive) const { stages_.save(archive); }
    template <class Archive> void load(Archive& archive) { stages_.load(archive); }

private:
    Registration who_;
    Box system_box_;
    F force_;
    cpu::Stages<F, Arch, Real> stages_;  // refers to the force
};

}  // namespace trotter
