// Wide gaps between particles, which pair lists close.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <vector>

#include <trotter/common/forces/near_positions.hpp>
#include <trotter/device/pairs/pair_interaction.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/vec3.hpp>

namespace trotter::device {

/// In non-periodic systems with a cutoff, particles are sorted and bounded as if gaps were closed. Gaps are recomputed
/// when a particle has moved so far that one across a gap may soon be in range.
template <DeviceQueue Q> class Gaps {
public:
    Gaps(PairRange const& range, Engine<Q>& engine)
        : cutoff_(range.cutoff),
          are_closed_(range.cutoff > 0 && !range.is_periodic),
          copies_(static_cast<std::size_t>(engine.host.copies)),
          moves_(engine.queue, {0, 0, 0, 0}, engine.types.coordinate_is_double) {}

    bool are_closed() const { return are_closed_; }
    /// First, whether there are any; then for each particle the subtracted and the added position.
    NumberArray<Q> const& moves() const { return moves_; }
    /// Positions for which the gaps were computed; empty if no gap is closed.
    std::vector<Vec3<>> const& positions() const { return positions_; }

    /// Returns whether the gaps have changed.
    bool choose(Engine<Q>& engine, std::vector<Vec3<>> const& positions) {
        bool hold = !positions_.empty();
        for (std::size_t i = 0; hold && i < positions.size(); ++i) {
            Vec3<> const d = positions[i] - positions_[i];
            hold = std::abs(d.x) < width / 4 && std::abs(d.y) < width / 4 && std::abs(d.z) < width / 4;
        }
        return !hold && set(engine, positions);
    }
    /// Computes the gaps of these positions, likewise.
    bool set(Engine<Q>& engine, std::vector<Vec3<>> const& positions) {
        std::vector<double> numbers{0, 0, 0, 0};
        auto const put = [&](Vec3<> const& v) { numbers.insert(numbers.end(), {v.x, v.y, v.z, 0}); };
        std::size_t const each = positions.size() / copies_;
        for (std::size_t copy = 0; copy < copies_ && each > 0; ++copy) {
            auto const first = positions.begin() + static_cast<std::ptrdiff_t>(copy * each);
            NearPositions near;
            near.close_gaps({first, first + static_cast<std::ptrdiff_t>(each)}, width + 2 * cutoff_);
            if (near.are_moved()) numbers[0] = 1;
            for (std::size_t n = 0; n < each; ++n) {
                put(near.are_moved() ? near.from()[n] : Vec3<>{});
                put(near.are_moved() ? near.to()[n] : Vec3<>{});
            }
        }
        bool const are_there = numbers[0] != 0;
        if (!are_there && positions_.empty()) return false;
        moves_.upload(engine.queue, numbers);
        positions_ = are_there ? positions : std::vector<Vec3<>>{};
        return true;
    }

private:
    static constexpr double width = 200;  // remaining width [nm]: far more than particles move between two sorts

    double cutoff_;
    bool are_closed_;
    std::size_t copies_;
    NumberArray<Q> moves_;
    std::vector<Vec3<>> positions_;
};

}  // namespace trotter::device
