// Places virtual sites and distributes their forces on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include <trotter/core/particles.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/device/virtual_sites/site_arrays.hpp>

namespace trotter::device {

/// All sites of a System.
template <DeviceQueue Q> class VirtualSites {
public:
    explicit VirtualSites(Particles const& particles) : arrays_(particles) {}
    bool empty() const { return arrays_.items.empty(); }

    /// Places every site, after the sites that it depends on.
    void place(Engine<Q>& engine) {
        if (empty()) return;
        prepare(engine);
        auto const& positions = engine.state.moving_positions();
        for (std::size_t level = 0; level < arrays_.items.size(); ++level) launch_level(engine, place_, level, positions);
    }
    /// Adds the force on each site to its parents. The sites' own forces are kept.
    void distribute_forces(Engine<Q>& engine) {
        prepare(engine);
        for (std::size_t level = arrays_.items.size(); level-- > 0;) launch_level(engine, distribute_, level, engine.positions);
    }

private:
    using SiteKernel = TypedKernel<Q, ParameterList<site_parameters>>;

    void launch_level(Engine<Q>& engine, SiteKernel& kernel, std::size_t level, NumberArray<Q> const& positions) {
        std::int32_t const ranges = static_cast<std::int32_t>(level * arrays_.ranges_per_level),
                           items = arrays_.items[level];
        kernel.launch(engine.queue, grid_for(engine.queue.properties(), static_cast<std::size_t>(items)), positions,
                      engine.forces, engine.box, particles_, fields_, ranges_, ranges, items);
    }

    void prepare(Engine<Q>& engine) {
        if (empty() || is_prepared_) return;
        particles_ = Array<Q, std::int32_t>(engine.queue, arrays_.particles);
        ranges_ = Array<Q, std::int32_t>(engine.queue, arrays_.ranges);
        fields_ = NumberArray<Q>(engine.queue, arrays_.fields, engine.types.coordinate_is_double);
        auto program = engine.compile(arrays_.text);
        place_.take(program, "place_sites");
        distribute_.take(program, "distribute_forces");
        is_prepared_ = true;
    }

    SiteArrays arrays_;
    bool is_prepared_ = false;
    Array<Q, std::int32_t> particles_, ranges_;
    NumberArray<Q> fields_;
    SiteKernel place_, distribute_;
};

}  // namespace trotter::device
