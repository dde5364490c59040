// The pairs of multipole sites, listed for each of the two.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/common/threads/threads.hpp>

#include "scales.hpp"

namespace trotter::amoeba {

/// A pair as seen by one of its sites.
struct SeenPair {
    Vec3<> r;    ///< from the other site, or its nearest image, to this one
    int other;   ///< the other site
    int scales;  ///< index in the scale table of this site, or -1
};

/// All pairs, or those within a cutoff. Each site sees its pairs in an order that does not depend on threads.
class PairList {
public:
    explicit PairList(ScaleTable const& scales) : scales_(scales) {}

    /// Finds the pairs at these positions, with nearest images if there is a cutoff.
    void build(std::vector<Vec3<>> const& positions, Box const& box, std::optional<double> cutoff, Threads& threads);

    /// Calls `visit(pair, number)` for each pair of site i, with numbers below `numbers()`.
    template <class Visit> void for_each(std::size_t i, Visit const& visit) const {
        if (is_listed_) {
            for (std::size_t n = first_[i]; n < first_[i + 1]; ++n) visit(pairs_[n], n);
            return;
        }
        auto const& special = scales_.of(i);
        std::size_t next = 0;
        auto const& positions = *positions_;
        for (std::size_t j = 0; j < positions.size(); ++j) {
            bool const is_special = next < special.size() && static_cast<std::size_t>(special[next].particle) == j;
            if (j != i)
                visit(SeenPair{positions[i] - positions[j], static_cast<int>(j),
                               is_special ? static_cast<int>(next) : -1},
                      i * positions.size() + j);
            next += is_special;
        }
    }
    bool is_listed() const { return is_listed_; }  ///< whether there is a cutoff
    std::size_t numbers() const { return is_listed_ ? pairs_.size() : positions_->size() * positions_->size(); }

private:
    void sort_into_cells(Box const& box, double cutoff);
    std::array<int, 3> cell_of(Vec3<> const& position, Box const& box) const;
    std::size_t number_of(std::array<int, 3> const& cell) const;
    template <class Visit> void for_each_near(std::size_t i, Box const& box, Visit const& visit) const;

    ScaleTable const& scales_;
    std::vector<Vec3<>> const* positions_ = nullptr;
    bool is_listed_ = false;
    std::vector<std::size_t> first_;  // of each site, and the end
    std::vector<SeenPair> pairs_;
    std::array<int, 3> cells_{};  // along each box vector
    std::vector<std::size_t> first_of_cell_;
    std::vector<int> sorted_;      // sites by cell
    std::vector<Vec3<>> wrapped_;  // positions in the box, by cell
};

}  // namespace trotter::amoeba
