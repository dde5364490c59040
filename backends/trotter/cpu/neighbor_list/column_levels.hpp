// Finds the clusters of a column between two heights.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <trotter/common/threads/threads.hpp>
#include <trotter/cpu/neighbor_list/pair_list.hpp>

namespace trotter::cpu {

/// Cuts the cell into levels of equal height, about as many as a column has clusters. The first and the last include
/// everything beyond. `Arch` only keeps symbols of different instruction sets apart.
template <class Arch> class ColumnLevels {
public:
    struct Heights {
        double bottom, top;
    };

    int of(double z) const {
        double const height = (z - heights_.bottom) / (heights_.top - heights_.bottom) * count_;
        return static_cast<int>(std::clamp(height, 0.0, static_cast<double>(count_)));
    }
    /// The clusters of a column that can have particles in levels low … high.
    ClusterRange range(std::size_t column, int low, int high) const {
        return {first_above_[entry(column, low)], first_over_[entry(column, high)]};
    }

    /// Clusters of a column begin at its `column_start` and end at the next; `lower` and `upper` are their bounds.
    void find(Heights const& heights, std::vector<int> const& column_start, std::vector<float> const& lower,
              std::vector<float> const& upper, Threads& threads) {
        std::size_t const columns = column_start.size() - 1;
        heights_ = heights;
        count_ = static_cast<int>(
            std::clamp(static_cast<double>(column_start.back()) / static_cast<double>(columns), 1.0, 1e6));
        first_above_.resize(entry(columns, 0));
        first_over_.resize(entry(columns, 0));
        auto const find_column = [&](std::size_t column) {
            int const last = column_start[column + 1];
            int above = column_start[column], over = above;
            for (int n = 0; n <= count_; ++n) {
                while (n > 0 && above < last && of(upper[static_cast<std::size_t>(above)]) < n) ++above;
                while (over < last && of(lower[static_cast<std::size_t>(over)]) <= n) ++over;
                first_above_[entry(column, n)] = above;
                first_over_[entry(column, n)] = over;
            }
        };
        threads.for_ranges(
            columns,
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t column = begin; column < end; ++column) find_column(column);
            },
            8);
    }

private:
    std::size_t entry(std::size_t column, int level) const {
        return column * static_cast<std::size_t>(count_ + 1) + static_cast<std::size_t>(level);
    }

    Heights heights_{0, 1};
    int count_ = 1;
    /// For each column and level: the first cluster that reaches above the level's bottom, and the first that lies
    /// above its top.
    std::vector<std::int32_t> first_above_, first_over_;
};

}  // namespace trotter::cpu
