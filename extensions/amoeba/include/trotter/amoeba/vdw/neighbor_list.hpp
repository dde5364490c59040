// All neighbors of each particle within a cutoff, kept while particles move little.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <trotter/amoeba/vdw/nearest_images.hpp>
#include <trotter/box.hpp>
#include <trotter/common/threads/threads.hpp>
#include <trotter/vec3.hpp>

namespace trotter::amoeba {

/// Lists of neighbors between nearest images, both ways, in ascending order: sums over them do not depend on when a
/// list was made. Without cutoff, or with too many neighbors to list, all particles are neighbors.
class NeighborList {
public:
    NeighborList() = default;
    /// `excluded[i]` are the ascending indices of particles that are not neighbors of `i`, itself included.
    /// At most about `most` neighbors of all particles are listed.
    NeighborList(std::optional<double> cutoff, std::vector<std::vector<int>> excluded, std::size_t most = 1u << 28)
        : cutoff_(cutoff),
          most_(most),
          excluded_(std::move(excluded)),
          rows_(excluded_.size()),
          is_listed_(excluded_.size()) {}

    /// Makes new lists if particles have moved far or the box has changed.
    void update(std::vector<Vec3<>> const& positions, Box const& box, Threads& threads);

    /// Calls `visit(j)` for all particles within the cutoff of `i`, and some beyond.
    template <class Visit> void for_each(std::size_t i, Visit const& visit) const {
        if (is_listed_[i])
            for (int const j : rows_[i]) visit(static_cast<std::size_t>(j));
        else
            for_all(excluded_[i], visit);
    }

private:
    struct Member {
        Vec3<> place;
        int particle;
    };

    template <class Visit> void for_all(std::vector<int> const& excluded, Visit const& visit) const {
        auto next = excluded.begin();
        for (std::size_t j = 0; j < excluded_.size(); ++j)
            if (next != excluded.end() && static_cast<std::size_t>(*next) == j) ++next;
            else visit(j);
    }

    bool is_valid(std::vector<Vec3<>> const& positions, Box const& box) const;
    void choose_cells(Box const& box, std::size_t particles);
    void fill_cells(std::vector<Vec3<>> const& positions, Box const& box);
    void find(std::size_t i, Vec3<> const& place, NearestImages const& nearest);
    std::size_t cell_of(std::array<int, 3> const& cell) const {
        auto number = [](int n) { return static_cast<std::size_t>(n); };
        return (number(cell[0]) * number(count_[1]) + number(cell[1])) * number(count_[2]) + number(cell[2]);
    }

    std::optional<double> cutoff_;
    std::size_t most_ = 0;
    double range_ = 0;  // of the lists, which is more than the cutoff [nm]
    std::vector<std::vector<int>> excluded_;
    std::vector<std::vector<int>> rows_;
    std::vector<char> is_listed_;  // whether a row is complete; bytes, which threads may write
    std::vector<Vec3<>> listed_;  // positions of the lists
    Box listed_box_;
    std::array<int, 3> count_{1, 1, 1};  // cells along each box vector, about half as wide as the listed range
    std::vector<std::array<int, 3>> cells_;  // of each particle
    std::vector<std::size_t> begins_;  // of each cell in `members_`
    std::vector<Member> members_;
};

}  // namespace trotter::amoeba
