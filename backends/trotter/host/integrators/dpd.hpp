// Dissipative particle dynamics: friction and noise between pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

#include <trotter/host/integrators/common.hpp>
#include <trotter/host/integrators/middle_step.hpp>
#include <trotter/integrators/dpd.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

/// The thermostat of all pairs.
class PairThermostat {
public:
    /// Throws InputError where types or numbers make no sense.
    PairThermostat(DPDIntegrator const& integrator, HostEngine const& host, Registration who);

    /// Looks which pairs are within the longest cutoff: as OpenMM does where a step begins, so a pair that comes to its
    /// cutoff in the first half of the step has no friction yet, which would be next to none. Throws InputError where a
    /// cutoff is longer than half the periodic box.
    void find_pairs(HostEngine const& host);
    /// Acts on the velocities for `time` [ps] at the present positions.
    void act(HostEngine& host, double temperature, double time) const;

private:
    struct Numbers {
        double friction = 0, cutoff = 0;
    };
    Numbers const& numbers(std::size_t i, std::size_t j) const {
        return numbers_[types_[i] * type_count_ + types_[j]];
    }
    void act_on_pair(HostEngine& host, std::size_t i, std::size_t j, Vec3<> const& d, double temperature,
                     double time) const;

    std::vector<std::size_t> types_;  // of each particle, numbered without gaps
    std::size_t type_count_ = 1;
    std::vector<Numbers> numbers_;  // for each pair of types
    double longest_cutoff_ = 0;
    std::vector<std::vector<std::size_t>> partners_;  // of each particle, behind it
    RandomStream noise_;
};

template <HostBackend B, Precision P> struct Kernel<DPDIntegrator, B, P> {
    Kernel(DPDIntegrator const& integrator, Engine<B, P>& engine, Registration who)
        : integrator_(integrator), thermostat_(integrator, engine.host, who) {}

    void step(HostEngine& host, ForceEvaluator evaluate) {
        require_positive(DPDIntegrator::name, "step size", integrator_.step_size);
        thermostat_.find_pairs(host);
        stepper_.step(host, evaluate, integrator_.step_size, integrator_.constraint_tolerance,
                      [&] { thermostat_.act(host, integrator_.temperature, integrator_.step_size); });
    }

    double kinetic_energy(HostEngine& host, ForceEvaluator) { return stored_kinetic_energy(host); }
    double velocity_offset() const { return 0.5 * integrator_.step_size; }
    DPDIntegrator const& integrator() const { return integrator_; }
    void set_step_size(double step_size) { change_step_size(integrator_, step_size); }
    void set_temperature(double temperature) { change_temperature(integrator_, temperature); }
    template <class Archive> void save(Archive& archive) const {
        archive.put(integrator_.step_size);
        archive.put(integrator_.temperature);
    }
    template <class Archive> void load(Archive& archive) {
        integrator_.step_size = archive.template get<double>();
        integrator_.temperature = archive.template get<double>();
    }

private:
    DPDIntegrator integrator_;
    PairThermostat thermostat_;
    MiddleStepper stepper_;
};

}  // namespace trotter
