// The state on a device that a rejected trial returns to.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/box.hpp>
#include <trotter/device/queue_engine.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/kernels/step.hpp>

namespace trotter::device {

/// Positions and box before a trial, as `trotter::SavedState`; positions stay on the device.
template <DeviceQueue Q> class SavedState {
public:
    explicit SavedState(Engine<Q>& engine)
        : positions_(engine.queue, 4 * engine.padded, engine.types.coordinate_is_double) {
        kernels_.take(engine.compile(kernels::copied_positions));
    }

    void save_positions(Engine<Q>& engine) {
        box_ = engine.host.box;
        copy(engine, engine.positions, positions_);
    }
    void restore(Engine<Q>& engine) {
        engine.state.set_box(box_);
        copy(engine, positions_, engine.state.moving_positions());
        engine.forces.clear();  // forces of the trial may have left a failure mark
    }

private:
    void copy(Engine<Q>& engine, NumberArray<Q> const& from, NumberArray<Q> const& to) {
        launch<"copy_positions">(engine.queue, kernels_, grid_for(engine.queue.properties(), engine.padded), from, to);
    }

    Box box_{};
    NumberArray<Q> positions_;
    SourceKernels<Q, kernels::copied_positions> kernels_;
};

}  // namespace trotter::device
