// Removal of the centre-of-mass motion.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <trotter/forces/cm_motion_remover.hpp>
#include <trotter/host/engine.hpp>
#include <trotter/host/sums.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

template <HostBackend B, Precision P> struct Kernel<CMMotionRemover, B, P> {
    Kernel(CMMotionRemover const& remover, Engine<B, P>& engine) : frequency_(remover.frequency) {
        if (frequency_ < 1)
            throw InputError("the frequency of CMMotionRemover is " + std::to_string(frequency_)
                             + ", expected at least 1 step");
        for (double mass : engine.host.particles.masses) total_mass_ += mass;
    }

    /// Counts the steps of the Context, beginning with step 0.
    void before_step(Engine<B, P>& engine, ForceEvaluator) {
        HostEngine& host = engine.host;
        if (host.step_count % frequency_ != 0 || total_mass_ == 0) return;
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
