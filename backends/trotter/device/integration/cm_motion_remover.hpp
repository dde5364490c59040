// Removes center-of-mass motion on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>

#include <trotter/common/integration/cm_motion_remover.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/device/runtime/changing_number.hpp>
#include <trotter/kernels/motion.hpp>
#include <trotter/registration.hpp>

namespace trotter {

template <DeviceBackend B, Precision P> struct Kernel<CMMotionRemover, B, P> {
    using Queue = typename B::Queue;

    Kernel(CMMotionRemover const& remover, Engine<B, P>& engine, Registration)
        : frequency_(checked_frequency(remover)),
          copies_(static_cast<std::size_t>(engine.host.copies)),
          parts_(std::clamp<std::size_t>(engine.host.size() / copies_ / 256, 1, 512)),
          mass_(mass_of_copy(engine.host)),
          inverse_mass_(engine.device.queue.version(), engine.device.types.coordinate_is_double, 1 / mass_),
          sums_(engine.device.queue, 3 * parts_ * copies_, engine.device.types.coordinate_is_double) {
        kernels_.take(
            engine.device.compile(kernels::motion, "#define MOMENTUM_PARTS " + std::to_string(parts_) + '\n'));
    }

    /// Acts in step 0 of the Context and every `frequency_` steps.
    void before_step(Engine<B, P>& engine, ForceEvaluator) {
        if (engine.host.step_count % frequency_ != 0 || mass_ == 0) return;
        auto& device = engine.device;
        auto work = [this, &device, &velocities = device.state.changing_velocities()] {
            auto const& properties = device.queue.properties();
            auto wide = device::grid_for(properties, device.padded / copies_);
            wide.count *= copies_;
            device::launch<"sum_momentum">(device.queue, kernels_, {parts_ * copies_, 64}, velocities, sums_);
            device::launch<"stop_motion">(device.queue, kernels_, wide, velocities, sums_, inverse_mass_);
        };
        if (frequency_ == 1)
            device.step_begin.add(work);
        else
            device.step_begin.add_once(work);
    }

private:
    static double mass_of_copy(HostState const& host) {
        auto copy = host.particles;
        copy.masses.resize(host.size() / static_cast<std::size_t>(host.copies));
        return total_mass(copy);
    }

    int frequency_;
    std::size_t copies_;
    std::size_t parts_;  // partial sums of a copy's momentum; independent of the device
    double mass_;
    device::ChangingReal inverse_mass_;
    device::NumberArray<Queue> sums_;
    device::SourceKernels<Queue, kernels::motion> kernels_;
};

}  // namespace trotter
