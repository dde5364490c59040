// Removal of the centre-of-mass motion without the host.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <trotter/device/engine.hpp>
#include <trotter/host/cm_motion_remover.hpp>
#include <trotter/kernels/motion.hpp>

namespace trotter {

template <DeviceBackend B, Precision P> struct Kernel<CMMotionRemover, B, P> {
    using Queue = typename B::Queue;

    Kernel(CMMotionRemover const& remover, Engine<B, P>& engine)
        : frequency_(checked_frequency(remover)), total_mass_(total_mass(engine.host.particles)),
          sums_(engine.device.queue, 3 * groups, engine.device.types.coordinate_is_double),
          program_(engine.device.compile(kernels::motion)), add_up_(program_.kernel("sum_momentum")), subtract_(program_.kernel("stop_motion")) {}

    /// Counts the steps of the Context, beginning with step 0.
    void before_step(Engine<B, P>& engine, ForceEvaluator) {
        if (engine.host.step_count % frequency_ != 0 || total_mass_ == 0) return;
        auto& device = engine.device;
        device.take_state();
        device.host_is_out_of_date();
        auto work = [this, &device] {
            device::launch(device.queue, add_up_, {groups, 64}, device.velocities, sums_);
            if (device.types.coordinate_is_double)
                device::launch(device.queue, subtract_, device::groups_for(device.queue.facts(), device.padded), device.velocities, sums_, 1 / total_mass_);
            else
                device::launch(device.queue, subtract_, device::groups_for(device.queue.facts(), device.padded), device.velocities, sums_, static_cast<float>(1 / total_mass_));
        };
        if (frequency_ == 1)
            device.begin_step_with(work);
        else
            work();
    }

private:
    static constexpr std::size_t groups = 64;

    int frequency_;
    double total_mass_;
    device::NumberArray<Queue> sums_;
    typename Queue::Program program_;
    typename Queue::Kernel add_up_, subtract_;
};

}  // namespace trotter
