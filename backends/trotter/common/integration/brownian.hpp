// Brownian dynamics: positions follow forces and noise without inertia.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include <trotter/common/integration/live_integrator.hpp>
#include <trotter/integrators/brownian.hpp>
#include <trotter/kernel.hpp>
#include <trotter/units.hpp>

namespace trotter {

/// Integrator with its step on the host.
class BrownianStepper : public LiveIntegrator<BrownianIntegrator> {
public:
    BrownianStepper(BrownianIntegrator const& integrator, HostState const& host, Registration who)
        : LiveIntegrator(integrator), noise_(host.random_stream(integrator.seed, who.stream)) {}

    /// Throws InputError if a parameter is invalid for a step.
    void check_step() const {
        require_positive(integrator_.name, "step size", integrator_.step_size);
        require_positive(integrator_.name, "friction", integrator_.friction);
    }
    void step(HostState& host, ForceEvaluator const& evaluate) {
        double const dt = integrator_.step_size;
        check_step();
        evaluate({host.integration_groups, false});
        copy_vectors(host.threads, host.positions, start_);
        double const mobility = dt / integrator_.friction;
        double const spread = std::sqrt(2 * constants::gas_constant * integrator_.temperature * mobility);
        auto const draw = static_cast<std::uint64_t>(host.step_count);
        host.threads.for_ranges(host.size(), [&](std::size_t from, std::size_t to) {
            NormalBlock noise;
            for (std::size_t i = from; i < to; ++i) {
                if (i % NormalBlock::size == 0) host.fill_normals(noise_, draw, static_cast<std::uint32_t>(i), noise);
                double const inverse_mass = host.inverse_masses[i];
                if (inverse_mass == 0) continue;
                host.positions[i] += host.forces[i] * (mobility * inverse_mass)
                                     + noise[i % NormalBlock::size] * (spread * std::sqrt(inverse_mass));
            }
        });
        constrain_positions(host, start_, integrator_.constraint_tolerance);
        host.threads.for_each(host.size(), [&](std::size_t i) {
            if (host.inverse_masses[i] != 0) host.velocities[i] = (host.positions[i] - start_[i]) * (1 / dt);
        });
        host.time += dt;
    }

    RandomStream const& noise() const { return noise_; }
    /// From displacements over a step; does not give a temperature.
    double kinetic_energy(HostState& host, ForceEvaluator) { return stored_kinetic_energy(host); }
    double velocity_offset() const { return 0; }

private:
    RandomStream noise_;
    std::vector<Vec3<>> start_;
};

template <HostBackend B, Precision P> struct Kernel<BrownianIntegrator, B, P> : BrownianStepper {
    Kernel(BrownianIntegrator const& integrator, Engine<B, P>& engine, Registration who)
        : BrownianStepper(integrator, engine.host, who) {}
};

}  // namespace trotter
