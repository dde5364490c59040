// Kinetic energy of velocities on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <numeric>

#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/kernels/motion.hpp>

namespace trotter::device {

/// Σ m v²/2 in partial sums whose number depends only on the particle count, for reproducible bits.
template <DeviceQueue Q> class KineticEnergy {
public:
    /// Kinetic energy [kJ/mol] of `engine.velocities` or a similar array; waits for the device.
    double sum(Engine<Q>& engine, NumberArray<Q> const& velocities) {
        if (sums_.size() == 0) {
            kernels_.take(engine.compile(kernels::kinetic_energy));
            sums_ = NumberArray<Q>(engine.queue, static_cast<std::size_t>(parts_of(engine.host.size())),
                                   engine.types.coordinate_is_double);
        }
        launch<"sum_kinetic_energy">(engine.queue, kernels_, {sums_.size(), 64}, velocities, sums_);
        auto const parts = sums_.download(engine.queue);
        return std::accumulate(parts.begin(), parts.end(), 0.0);
    }

private:
    NumberArray<Q> sums_;
    SourceKernels<Q, kernels::kinetic_energy> kernels_;
};

}  // namespace trotter::device
