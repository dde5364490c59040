// Dissipative particle dynamics: pairwise friction and noise.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/common/integration/live_integrator.hpp>
#include <trotter/common/integration/sequence_stepper.hpp>
#include <trotter/integrators/dpd.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

/// The DPD thermostat, acting on all pairs.
class PairThermostat {
public:
    /// Throws InputError for invalid types or parameters.
    PairThermostat(DPDIntegrator const& integrator, HostState const& host, Registration who);

    /// Finds pairs within the longest cutoff at the beginning of a step, as OpenMM does: a pair that enters its cutoff
    /// in the first half of the step has no friction yet, which would be negligible. Throws InputError for a cutoff
    /// longer than half the periodic box.
    void find_pairs(HostState const& host);
    /// Acts on the velocities for `time` [ps] at the current positions.
    void act(HostState& host, double temperature, double time) const;

private:
    struct Numbers {
        double friction = 0, cutoff = 0;
    };
    Numbers const& numbers(std::size_t i, std::size_t j) const {
        return numbers_[types_[i] * type_count_ + types_[j]];
    }
    void act_on_pair(HostState& host, std::size_t i, std::size_t j, Vec3<> const& d, double temperature,
                     double time) const;

    std::vector<std::size_t> types_;  // per particle, consecutive
    std::size_t type_count_ = 1;
    std::vector<Numbers> numbers_;  // for each pair of types
    double longest_cutoff_ = 0;
    std::vector<std::vector<std::size_t>> partners_;  // per particle: those of higher index
    RandomStream noise_;
};

template <HostBackend B, Precision P> struct Kernel<DPDIntegrator, B, P> : LiveIntegrator<DPDIntegrator> {
    Kernel(DPDIntegrator const& integrator, Engine<B, P>& engine, Registration who)
        : LiveIntegrator(integrator),
          thermostat_(integrator, engine.host, who),
          stepper_(OperatorSequence::middle_scheme(integrator.force_groups), {}, engine.host.size()) {}

    void step(HostState& host, ForceEvaluator evaluate) {
        require_positive(DPDIntegrator::name, "step size", integrator_.step_size);
        thermostat_.find_pairs(host);
        stepper_.step(host, evaluate, fixed_step(integrator_),
                      [&] { thermostat_.act(host, integrator_.temperature, integrator_.step_size); });
        host.time += integrator_.step_size;
    }

    double kinetic_energy(HostState& host, ForceEvaluator) { return stored_kinetic_energy(host); }
    double velocity_offset() const { return 0.5 * integrator_.step_size; }

private:
    PairThermostat thermostat_;
    SequenceStepper stepper_;
};

}  // namespace trotter
