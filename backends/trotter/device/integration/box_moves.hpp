// Periodic box changes that move the particles, on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <trotter/common/barostats/box_change.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/device/saved_state.hpp>
#include <trotter/kernels/box_moves.hpp>

namespace trotter {

namespace device {

/// Device version of `trotter::BoxChange`; positions stay on the device.
template <DeviceQueue Q> class BoxMoves {
public:
    BoxMoves(bool molecules_are_rigid, Engine<Q>& engine)
        : rigid_(molecules_are_rigid),
          engine_(&engine),
          map_(engine.queue, 12, engine.types.coordinate_is_double),
          saved_(engine) {
        std::vector<std::int32_t> particles, starts{0};
        for (auto const& molecule : engine.host.molecules) {
            particles.insert(particles.end(), molecule.begin(), molecule.end());
            starts.push_back(static_cast<std::int32_t>(particles.size()));
        }
        particles_ = Array<Q, std::int32_t>(engine.queue, particles);
        starts_ = Array<Q, std::int32_t>(engine.queue, starts);
        kernels_.take(engine.compile(kernels::box_moves));
    }
    template <DeviceBackend B, Precision P> BoxMoves(bool molecules_are_rigid, trotter::Engine<B, P>& engine)
        : BoxMoves(molecules_are_rigid, engine.device) {}

    template <DeviceBackend B, Precision P> HostState& hold(trotter::Engine<B, P>& engine) const {
        engine.device.state.take();
        return engine.host;
    }

    void apply(HostState& host, Box const& box) { apply(host, reduced(box), BoxMap(host.box, box)); }
    void apply(HostState&, Box const& box, BoxMap const& map) {
        saved_.save_positions(*engine_);
        engine_->state.set_box(box);
        std::vector<double> columns;
        for (auto const& unit : {Vec3<>{1, 0, 0}, Vec3<>{0, 1, 0}, Vec3<>{0, 0, 1}}) {
            Vec3<> const image = map(unit);
            columns.insert(columns.end(), {image.x, image.y, image.z, 0});
        }
        map_.upload(engine_->queue, columns);
        auto const molecules = starts_.size() - 1;
        if (rigid_)
            launch<"move_molecules">(engine_->queue, kernels_, grid_for(engine_->queue.properties(), 64 * molecules),
                                     engine_->state.moving_positions(), particles_, starts_, map_,
                                     static_cast<std::int32_t>(molecules));
        else {
            launch<"move_particles">(engine_->queue, kernels_, grid_for(engine_->queue.properties(), engine_->padded),
                                     engine_->state.moving_positions(), map_);
            engine_->sites.place(*engine_);
        }
    }
    void undo(HostState&) { saved_.restore(*engine_); }

private:
    bool rigid_;
    Engine<Q>* engine_;
    NumberArray<Q> map_;
    SavedState<Q> saved_;
    Array<Q, std::int32_t> particles_, starts_;
    SourceKernels<Q, kernels::box_moves> kernels_;
};

}  // namespace device

template <DeviceBackend B, Precision P> struct BoxChangeOf<Engine<B, P>> {
    using Type = device::BoxMoves<typename B::Queue>;
};

}  // namespace trotter
