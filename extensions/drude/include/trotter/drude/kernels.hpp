// The kernels of this extension, for every backend. Its force consists of terms, for which engines need no kernel.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>

#include <trotter/common/integration/nose_hoover.hpp>
#include <trotter/drude/forces.hpp>
#include <trotter/drude/integrators.hpp>
#include <trotter/drude/langevin_stepper.hpp>
#include <trotter/drude/nose_hoover_chain.hpp>
#include <trotter/drude/scf_stepper.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

template <HostBackend B, Precision P> struct Kernel<DrudeLangevinIntegrator, B, P> : drude::LangevinStepper {
    Kernel(DrudeLangevinIntegrator const& integrator, Engine<B, P>& engine, Registration who)
        : LangevinStepper(integrator, engine.host, who) {}
};

template <HostBackend B, Precision P> struct Kernel<DrudeSCFIntegrator, B, P> : drude::ScfStepper {
    Kernel(DrudeSCFIntegrator const& integrator, Engine<B, P>& engine, Registration)
        : ScfStepper(integrator, engine.host, epsilon_of(engine)) {}

private:
    // A precision chosen at run time is known only to the engine.
    static double epsilon_of(Engine<B, P> const& engine) {
        if constexpr (requires { engine.real_epsilon(); })
            return engine.real_epsilon();
        else
            return std::numeric_limits<typename P::Real>::epsilon();
    }
};

/// The backend's kernel of a NoseHooverIntegrator, with this integrator's settings.
template <HostBackend B, Precision P> struct Kernel<DrudeNoseHooverIntegrator, B, P>
    : Kernel<NoseHooverIntegrator, B, P> {
    using Chains = Kernel<NoseHooverIntegrator, B, P>;

    Kernel(DrudeNoseHooverIntegrator const& integrator, Engine<B, P>& engine, Registration who)
        : Chains(drude::with_chain(integrator, engine.host), engine, who),
          integrator_(integrator),
          motions_(integrator.pairs, engine.host, integrator.name) {}

    DrudeNoseHooverIntegrator const& integrator() const { return integrator_; }
    void set_step_size(double step_size) {
        Chains::set_step_size(step_size);
        take_settings();
    }
    void set_temperature(double temperature) {
        Chains::set_temperature(temperature);
        take_settings();
    }

    /// Without the relative motion of pairs, as in OpenMM.
    double kinetic_energy(HostState& host, ForceEvaluator) const {
        return motions_.kinetic_energies(host, host.velocities).system;
    }
    /// Of all motions: conserved together with the potential energy and that of the chains.
    double total_kinetic_energy(HostState const& host) const {
        auto const [system, drude] = motions_.kinetic_energies(host, host.velocities);
        return system + drude;
    }

    void draw_velocities(HostState& host, double temperature, RandomStream const& stream) const {
        motions_.draw_velocities(host, temperature, integrator_.drude_temperature, stream);
    }
    /// Of the stored velocities [K].
    drude::ByMotion temperatures(HostState const& host) const { return motions_.temperatures(host, host.velocities); }

    template <class Archive> void load(Archive& archive) {
        Chains::load(archive);
        take_settings();
    }

private:
    void take_settings() {
        integrator_.step_size = Chains::integrator().step_size;
        integrator_.temperature = Chains::integrator().chains.front().temperature;
    }

    DrudeNoseHooverIntegrator integrator_;
    drude::Motions motions_;
};

}  // namespace trotter
