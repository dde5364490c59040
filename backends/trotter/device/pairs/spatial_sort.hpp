// Sorts particles into slots along a Hilbert curve on the device.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/launch.hpp>
#include <trotter/device/runtime/vectors.hpp>
#include <trotter/error.hpp>
#include <trotter/kernels/sort.hpp>

namespace trotter::device {

/// Assigns particles to slots; initially in particle order. Each copy of a System has consecutive slots in whole groups
/// of 32: the last ones hold padding, whose particle numbers follow those of all particles.
template <DeviceQueue Q> class SpatialSort {
public:
    explicit SpatialSort(Engine<Q>& engine)
        : count_(engine.padded), copies_(static_cast<std::size_t>(engine.host.copies)) {
        upload(engine.queue, first_atoms(engine.host.size()));
    }

    Array<Q, std::int32_t> const& atoms() const { return atoms_; }    ///< the particle in each slot
    Array<Q, std::int32_t> const& slot_of() const { return slots_; }  ///< the slot of each particle
    std::vector<std::int32_t> download(Q& queue) { return atoms_.download(queue); }
    std::vector<std::int32_t> download_slots(Q& queue) { return slots_.download(queue); }
    /// Restores a downloaded order. Throws InputError if it is not a permutation of as many slots.
    void upload(Q& queue, std::vector<std::int32_t> const& atoms) {
        check(atoms);
        std::vector<std::int32_t> slots(count_);
        for (std::size_t slot = 0; slot < count_; ++slot)
            slots[static_cast<std::size_t>(atoms[slot])] = static_cast<std::int32_t>(slot);
        atoms_.upload(queue, atoms);
        slots_.upload(queue, slots);
    }

    /// Arrays keep their buffers, since the number of passes is even. `program` has the kernels of `sort`. Lists of the
    /// old order are marked out of date in the first number of `built_box`.
    void sort(Engine<Q>& engine, typename Q::Program& program, NumberArray<Q> const& gaps,
              Array<Q, std::int32_t> const& extents, NumberArray<Q> const& built_box) {
        if (!is_ready_) prepare(engine, program);
        auto& queue = engine.queue;
        auto const n = static_cast<std::int32_t>(count_);
        LaunchGrid const tiles{(count_ + tile - 1) / tile, 64}, all = grid_for(queue.properties(), count_);
        auto sort_by = [&](std::int32_t bits) {
            for (std::int32_t done = 0; done < bits; done += 4) {
                std::int32_t const shift = done;
                launch<"sort_count">(queue, kernels_, tiles, keys_, sums_, shift, n);
                launch<"sort_scan">(queue, kernels_, {1, 256}, sums_, static_cast<std::int32_t>(16 * tiles.count));
                launch<"sort_scatter">(queue, kernels_, tiles, keys_, atoms_, sums_, other_keys_, other_atoms_, shift,
                                       n);
                std::swap(keys_, other_keys_);
                std::swap(atoms_, other_atoms_);
            }
        };
        launch<"hilbert_keys">(queue, kernels_, all, engine.positions, gaps, engine.box, extents, keys_, atoms_);
        sort_by(key_bits);
        if (copies_ > 1) {
            launch<"copy_keys">(queue, kernels_, all, atoms_, keys_);
            sort_by(copies_ <= 256 ? 8 : copies_ <= 65536 ? 16 : 32);
        }
        launch<"take_order">(queue, kernels_, all, atoms_, slots_, built_box);
    }

private:
    void check(std::vector<std::int32_t> const& atoms) const {
        std::vector<bool> seen(count_);
        for (auto const atom : atoms)
            if (atom >= 0 && static_cast<std::size_t>(atom) < count_) seen[static_cast<std::size_t>(atom)] = true;
        if (atoms.size() != count_ || std::find(seen.begin(), seen.end(), false) != seen.end())
            throw InputError("the checkpoint has an order of particles of another System");
    }
    std::vector<std::int32_t> first_atoms(std::size_t particles) const {
        std::size_t const each = particles / copies_, slots = count_ / copies_;
        std::vector<std::int32_t> atoms;
        for (std::size_t copy = 0; copy < copies_; ++copy)
            for (std::size_t n = 0; n < slots; ++n)
                atoms.push_back(static_cast<std::int32_t>(n < each ? copy * each + n
                                                                   : particles + copy * (slots - each) + n - each));
        return atoms;
    }

    static constexpr std::size_t tile = 1024;
    static constexpr std::int32_t key_bits = 24;
    static_assert(key_bits % 8 == 0);

    void prepare(Engine<Q>& engine, typename Q::Program& program) {
        kernels_.take(program);
        keys_ = Array<Q, std::uint32_t>(engine.queue, count_);
        other_keys_ = Array<Q, std::uint32_t>(engine.queue, count_);
        other_atoms_ = Array<Q, std::int32_t>(engine.queue, count_);
        sums_ = Array<Q, std::int32_t>(engine.queue, 16 * ((count_ + tile - 1) / tile));
        is_ready_ = true;
    }

    std::size_t count_, copies_;
    bool is_ready_ = false;
    Array<Q, std::int32_t> atoms_, other_atoms_, slots_, sums_;
    Array<Q, std::uint32_t> keys_, other_keys_;
    SourceKernels<Q, kernels::sort> kernels_;
};

}  // namespace trotter::device
