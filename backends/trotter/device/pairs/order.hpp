// The order of particles in slots: along a Hilbert curve, by a sort on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <trotter/device/array.hpp>
#include <trotter/device/launch.hpp>
#include <trotter/device/vectors.hpp>

namespace trotter::device {

/// Which particle stands in which slot; at first each in that of its own number.
template <DeviceQueue Q> class SlotOrder {
public:
    template <class Engine> explicit SlotOrder(Engine& engine) : count_(engine.padded) {
        std::vector<std::int32_t> numbers(count_);
        std::iota(numbers.begin(), numbers.end(), 0);
        atoms_ = Array<Q, std::int32_t>(engine.queue, numbers);
        slots_ = Array<Q, std::int32_t>(engine.queue, numbers);
    }

    Array<Q, std::int32_t> const& atoms() const { return atoms_; }    ///< the particle in each slot
    Array<Q, std::int32_t> const& slot_of() const { return slots_; }  ///< the slot of each particle
    std::vector<std::int32_t> download(Q& queue) { return atoms_.download(queue); }
    /// Takes over an order that was downloaded before.
    void upload(Q& queue, std::vector<std::int32_t> const& atoms) {
        std::vector<std::int32_t> slots(count_);
        for (std::size_t slot = 0; slot < count_; ++slot)
            slots[static_cast<std::size_t>(atoms[slot])] = static_cast<std::int32_t>(slot);
        atoms_.upload(queue, atoms);
        slots_.upload(queue, slots);
    }

    /// Arrays stay where they are: there is an even number of passes. `program` has the text of `sort`. What was built
    /// for the old order is out of date afterwards, which the first number of `built_box` says from then on.
    template <class Engine> void sort(Engine& engine, typename Q::Program& program,
                                      Array<Q, std::int32_t> const& extents, NumberArray<Q> const& built_box) {
        if (!is_ready_) prepare(engine, program);
        auto& queue = engine.queue;
        auto const n = static_cast<std::int32_t>(count_);
        Groups const tiles{(count_ + tile - 1) / tile, 64}, all = groups_for(queue.facts(), count_);
        launch(queue, make_keys_, all, engine.positions, engine.box, extents, keys_, atoms_);
        for (std::int32_t shift = 0; shift < key_bits; shift += 4) {
            launch(queue, count_bins_, tiles, keys_, sums_, shift, n);
            launch(queue, scan_, {1, 256}, sums_, static_cast<std::int32_t>(16 * tiles.count));
            launch(queue, scatter_, tiles, keys_, atoms_, sums_, other_keys_, other_atoms_, shift, n);
            std::swap(keys_, other_keys_);
            std::swap(atoms_, other_atoms_);
        }
        launch(queue, take_order_, all, atoms_, slots_, built_box);
    }

private:
    static constexpr std::size_t tile = 1024;
    static constexpr std::int32_t key_bits = 24;
    static_assert(key_bits % 8 == 0);

    template <class Engine> void prepare(Engine& engine, typename Q::Program& program) {
        make_keys_ = program.kernel("hilbert_keys");
        count_bins_ = program.kernel("sort_count");
        scan_ = program.kernel("sort_scan");
        scatter_ = program.kernel("sort_scatter");
        take_order_ = program.kernel("take_order");
        keys_ = Array<Q, std::uint32_t>(engine.queue, count_);
        other_keys_ = Array<Q, std::uint32_t>(engine.queue, count_);
        other_atoms_ = Array<Q, std::int32_t>(engine.queue, count_);
        sums_ = Array<Q, std::int32_t>(engine.queue, 16 * ((count_ + tile - 1) / tile));
        is_ready_ = true;
    }

    std::size_t count_;
    bool is_ready_ = false;
    Array<Q, std::int32_t> atoms_, other_atoms_, slots_, sums_;
    Array<Q, std::uint32_t> keys_, other_keys_;
    typename Q::Kernel make_keys_, count_bins_, scan_, scatter_, take_order_;
};

}  // namespace trotter::device
