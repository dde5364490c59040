// Removes the centre-of-mass motion.
// SPDX-License-Identifier: MIT
#pragma once
#include <numeric>
#include <string>

#include <trotter/common/host_state.hpp>
#include <trotter/common/threads/sums.hpp>
#include <trotter/forces/cm_motion_remover.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

/// Throws InputError if the frequency is invalid.
inline int checked_frequency(CMMotionRemover const& remover) {
    if (remover.frequency < 1)
        throw InputError("the frequency of CMMotionRemover is " + std::to_string(remover.frequency)
                         + ", expected at least 1 step");
    return remover.frequency;
}
inline double total_mass(Particles const& particles) {
    return std::accumulate(particles.masses.begin(), particles.masses.end(), 0.0);
}

template <HostBackend B, Precision P> struct Kernel<CMMotionRemover, B, P> {
    Kernel(CMMotionRemover const& remover, Engine<B, P>& engine, Registration)
        : frequency_(checked_frequency(remover)), total_mass_(total_mass(engine.host.particles)) {}

    /// Acts at step 0 of the Context and at multiples of the frequency.
    void before_step(Engine<B, P>& engine, ForceEvaluator) {
        if (engine.host.step_count % frequency_ != 0 || total_mass_ == 0) return;
        HostState& host = state_on_host(engine);
        auto const momentum = ordered_sum(host.threads, host.size(),
                                          [&](std::size_t i) { return host.velocities[i] * host.particles.masses[i]; });
        Vec3<> const drift = momentum / total_mass_;
        host.threads.for_each(host.size(), [&](std::size_t i) {
            if (host.particles.masses[i] != 0) host.velocities[i] -= drift;
        });
    }

private:
    int frequency_;
    double total_mass_ = 0;
};

}  // namespace trotter
