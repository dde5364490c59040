// Kinetic energy when velocities and positions are at different times, for a state on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include <trotter/common/integration/common.hpp>
#include <trotter/device/constraints/clusters.hpp>
#include <trotter/device/constraints/constraints.hpp>
#include <trotter/device/queue_engine.hpp>
#include <trotter/device/runtime/changing_number.hpp>
#include <trotter/kernels/motion.hpp>

namespace trotter::device {

/// Advances velocities with the present forces and projects them onto the constraints, like
/// `trotter::shifted_kinetic_energy`.
template <DeviceQueue Q> class ShiftedKineticEnergy {
public:
    /// Kinetic energy [kJ/mol] for an offset in ps; waits for the device. `evaluate` computes forces if they are
    /// unknown.
    double sum(Engine<Q>& engine, ForceEvaluator const& evaluate, double offset, double tolerance) {
        if (offset == 0) return engine.stored_kinetic_energy();
        if (!engine.state.is_on_device()) return trotter::shifted_kinetic_energy(engine.host, evaluate, offset, tolerance);
        evaluate({engine.host.integration_groups, false});
        engine.catch_up();
        if (!constraints_) prepare(engine);
        ChangingReal const by(engine.queue.version(), engine.types.coordinate_is_double, offset);
        launch<"shift_velocities">(engine.queue, kernels_, grid_for(engine.queue.properties(), engine.host.size()),
                                   engine.velocities, engine.forces, by, shifted_);
        if (!constraints_->empty()) constraints_->constrain_velocities(engine, shifted_, tolerance);
        return engine.kinetic.sum(engine, shifted_);
    }

private:
    void prepare(Engine<Q>& engine) {
        shifted_ = NumberArray<Q>(engine.queue, 4 * engine.padded, engine.types.mixed_is_double);
        kernels_.take(engine.compile(kernels::shifted_velocities));
        constraints_.emplace(Clusters(engine.host.particles), engine);
    }

    NumberArray<Q> shifted_;
    SourceKernels<Q, kernels::shifted_velocities> kernels_;
    std::optional<Constraints<Q>> constraints_;
};

}  // namespace trotter::device
