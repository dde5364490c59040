// A leapfrog step in the middle of which something acts on the velocities of all particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/host/integrators/common.hpp>

namespace trotter {

/// V R (something) R (Z. Zhang et al., J. Phys. Chem. A 123, 6056 (2019)).
class MiddleStepper {
public:
    /// `middle()` acts on `host.velocities`. The time grows by the step.
    template <class Middle>
    void step(HostEngine& host, ForceEvaluator const& evaluate, double step_size, double tolerance,
              Middle const& middle) {
        evaluate({host.integration_groups, false});
        host.threads.for_each(host.size(), [&](std::size_t i) {
            host.velocities[i] += host.forces[i] * (step_size * host.inverse_masses[i]);
        });
        host.constraints.apply_to_velocities(host.positions, host.velocities, tolerance, host.threads);
        if (!host.constraints.empty()) copy_vectors(host.threads, host.positions, start_);
        drift(host, step_size / 2);
        middle();
        drift(host, step_size / 2);
        if (!host.constraints.empty()) constrain(host, step_size, tolerance);
        host.time += step_size;
    }

private:
    static void drift(HostEngine& host, double time) {
        host.threads.for_each(host.size(), [&](std::size_t i) {
            if (host.inverse_masses[i] != 0) host.positions[i] += host.velocities[i] * time;
        });
    }
    // Moving the positions back onto the constraints took an impulse: it also acts on the velocities.
    void constrain(HostEngine& host, double time, double tolerance) {
        copy_vectors(host.threads, host.positions, unconstrained_);
        constrain_positions(host, start_, tolerance);
        host.threads.for_each(host.size(), [&](std::size_t i) {
            if (host.inverse_masses[i] != 0) host.velocities[i] += (host.positions[i] - unconstrained_[i]) * (1 / time);
        });
    }

    std::vector<Vec3<>> start_, unconstrained_;
};

}  // namespace trotter
