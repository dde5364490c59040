// Kicks and the hard wall of Drude oscillators on a device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <trotter/base/random.hpp>
#include <trotter/device/queue_engine.hpp>
#include <trotter/device/runtime/uploaded_numbers.hpp>
#include <trotter/drude/bath.hpp>
#include <trotter/drude/langevin_text.hpp>
#include <trotter/drude/motions.hpp>
#include <trotter/kernels/noise.hpp>

namespace trotter::drude {

/// The parts of a DrudeLangevinIntegrator's step that couple a Drude particle and its parent.
template <device::DeviceQueue Q> class DeviceOscillators {
public:
    DeviceOscillators(Motions const& motions, std::vector<Pair> const& pairs, RandomStream const& stream,
                      device::Engine<Q>& engine)
        : DeviceOscillators(members_of(motions), moving_of(pairs, engine.host), stream, engine) {}

    /// Before a step, which may be recorded.
    void set_baths(Bath const& system, Bath const& drude, Q& queue) {
        baths_.set(queue, {system.decay, system.time, system.spread, drude.decay, drude.time, drude.spread});
    }
    void kick(device::Engine<Q>& engine) {
        if (motions_ == 0) return;
        device::launch<"kick_motions">(engine.queue, kernels_, grid(engine, motions_), engine.velocities, engine.forces,
                                       members_, motions_, baths_, engine.step_counter, stream_.seed, stream_.stream);
    }
    /// After a step; see `drude::reflect`.
    void reflect(double distance, double kT, double dt, device::Engine<Q>& engine) {
        if (pairs_ == 0) return;
        wall_.set(engine.queue, {distance, kT, dt});
        auto const& positions = engine.state.moving_positions();
        device::launch<"reflect_pairs">(engine.queue, kernels_, grid(engine, pairs_), positions, engine.velocities,
                                        moving_, pairs_, wall_, engine.failures);
        engine.sites.place(engine);
    }

private:
    using Indices = std::vector<std::int32_t>;
    static constexpr std::int32_t single = -1, tethered = -2;

    DeviceOscillators(Indices const& members, Indices const& moving, RandomStream const& stream,
                      device::Engine<Q>& engine)
        : stream_(stream),
          motions_(static_cast<std::int32_t>(members.size() / 2)),
          pairs_(static_cast<std::int32_t>(moving.size() / 2)),
          members_(engine.queue, not_empty(members)),
          moving_(engine.queue, not_empty(moving)),
          baths_(engine.queue, 6, engine.types.coordinate_is_double),
          wall_(engine.queue, 3, engine.types.coordinate_is_double) {
        kernels_.take(engine.compile(std::string(kernels::noise) + langevin_text,
                                     "#define TETHERED " + std::to_string(tethered) + '\n'));
    }

    static void add(Indices& list, std::size_t i, std::int32_t other) {
        list.push_back(static_cast<std::int32_t>(i));
        list.push_back(other);
    }
    static Indices members_of(Motions const& motions) {
        Indices members;
        for (std::size_t const i : motions.single()) add(members, i, single);
        for (std::size_t const i : motions.tethered()) add(members, i, tethered);
        for (auto const& pair : motions.pairs()) add(members, pair.drude, static_cast<std::int32_t>(pair.parent));
        return members;
    }
    static Indices moving_of(std::vector<Pair> const& pairs, HostState const& host) {
        Indices moving;
        for (auto const& [drude, parent] : pairs)
            if (auto const i = static_cast<std::size_t>(drude); host.inverse_masses[i] != 0) add(moving, i, parent);
        return moving;
    }
    /// An array on a device has at least one element.
    static Indices not_empty(Indices list) {
        if (list.empty()) list.push_back(0);
        return list;
    }
    static auto grid(device::Engine<Q>& engine, std::int32_t count) {
        return device::grid_for(engine.queue.properties(), static_cast<std::size_t>(count));
    }

    RandomStream const stream_;
    std::int32_t const motions_, pairs_;
    device::Array<Q, std::int32_t> members_, moving_;
    device::UploadedNumbers<Q> baths_, wall_;
    device::SourceKernels<Q, langevin_text> kernels_;
};

}  // namespace trotter::drude
