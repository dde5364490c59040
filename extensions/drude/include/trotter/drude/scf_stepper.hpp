// Step of the dynamics with relaxed Drude particles, on the host.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/common/integration/live_integrator.hpp>
#include <trotter/drude/drift.hpp>
#include <trotter/drude/motions.hpp>
#include <trotter/drude/relaxation.hpp>
#include <trotter/drude/scf.hpp>
#include <trotter/registration.hpp>

namespace trotter::drude {

/// Integrator with its step: kick, drift with constraints, relaxation of the Drude particles.
class ScfStepper : public LiveIntegrator<DrudeSCFIntegrator> {
public:
    /// `epsilon` is the relative resolution of forces. Throws InputError for an invalid parameter or particle.
    ScfStepper(DrudeSCFIntegrator const& integrator, HostState const& host, double epsilon);

    void step(HostState& host, ForceEvaluator const& evaluate);

    /// With velocities advanced by half a step, to the time of the positions.
    double kinetic_energy(HostState& host, ForceEvaluator const& evaluate);
    /// Velocities that a Context draws are taken as they are, as in OpenMM.
    double velocity_offset() const { return 0; }

    void draw_velocities(HostState& host, double temperature, RandomStream const& stream) const {
        motions_.draw_velocities(host, temperature, integrator_.drude_temperature, stream);
    }
    /// Of the stored velocities [K].
    ByMotion temperatures(HostState const& host) const { return motions_.temperatures(host, host.velocities); }

private:
    Motions motions_;
    Relaxation relaxation_;
    Drift drift_;
};

}  // namespace trotter::drude
