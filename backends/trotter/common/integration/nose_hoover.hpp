// Nosé-Hoover dynamics: thermostat chains for groups of particles and for the relative motion of pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <vector>

#include <trotter/common/integration/live_integrator.hpp>
#include <trotter/common/integration/nose_hoover_chain.hpp>
#include <trotter/common/integration/nose_hoover_groups.hpp>
#include <trotter/common/integration/sequence_stepper.hpp>
#include <trotter/integrators/nose_hoover.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

/// Integrator with its chains and its step on the host.
class NoseHooverStepper : public LiveIntegrator<NoseHooverIntegrator> {
public:
    NoseHooverStepper(NoseHooverIntegrator const& integrator, HostState const& host, Registration who);

    /// Throws InputError if a parameter is invalid for a step.
    void check_step() const;
    void step(HostState& host, ForceEvaluator const& evaluate);

    std::vector<NoseHooverGroup>& groups() { return groups_; }
    std::vector<NoseHooverGroup> const& groups() const { return groups_; }
    /// Sets it for all chains; the relative motion of pairs keeps its temperature.
    void set_temperature(double temperature) {
        require_not_negative(integrator_.name, "temperature", temperature);
        for (std::size_t n = 0; n < groups_.size(); ++n)
            groups_[n].chain.temperature = integrator_.chains[n].temperature = temperature;
    }

    /// Of all particles, including those without a thermostat and the relative motion of pairs: the kinetic part of the
    /// conserved energy.
    double kinetic_energy(HostState& host, ForceEvaluator) { return stored_kinetic_energy(host); }
    double velocity_offset() const { return 0; }
    /// Energy of the chains [kJ/mol]: conserved together with the energy of the particles.
    double heat_bath_energy() const;

    std::map<std::string, double> parameters() const;
    /// Beads that are not named start at rest.
    void set_parameters(std::map<std::string, double> const& parameters);

    template <class Archive> void save(Archive& archive) const {
        archive.put(integrator_.step_size);
        for (auto const& chain : integrator_.chains) archive.put(chain.temperature);
        for_each_bead(*this, [&](int, int, NoseHooverChain::Bead const& bead) {
            archive.put(bead.position);
            archive.put(bead.velocity);
        });
    }
    template <class Archive> void load(Archive& archive) {
        integrator_.step_size = archive.template get<double>();
        for (std::size_t n = 0; n < groups_.size(); ++n)
            groups_[n].chain.temperature = integrator_.chains[n].temperature = archive.template get<double>();
        for_each_bead(*this, [&](int, int, NoseHooverChain::Bead& bead) {
            bead.position = archive.template get<double>();
            bead.velocity = archive.template get<double>();
        });
    }

private:
    template <class Self, class Visit> static void for_each_bead(Self& self, Visit const& visit) {
        int number = 0;
        for (auto& group : self.groups_)
            for (auto* chain : group.chains()) {
                for (std::size_t bead = 0; bead < chain->beads.size(); ++bead)
                    visit(number, static_cast<int>(bead), chain->beads[bead]);
                ++number;
            }
    }

    int index_;
    std::vector<NoseHooverGroup> groups_;
    SequenceStepper stepper_;
};

template <HostBackend B, Precision P> struct Kernel<NoseHooverIntegrator, B, P> : NoseHooverStepper {
    Kernel(NoseHooverIntegrator const& integrator, Engine<B, P>& engine, Registration who)
        : NoseHooverStepper(integrator, engine.host, who) {}
};

}  // namespace trotter
