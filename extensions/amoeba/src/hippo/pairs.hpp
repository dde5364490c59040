// The pairs of HIPPO: within the cutoff, or all.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <trotter/amoeba/hippo_nonbonded.hpp>
#include <trotter/amoeba/vdw/neighbor_list.hpp>
#include <trotter/box.hpp>
#include <trotter/parts/least_distance.hpp>
#include <trotter/vec3.hpp>

#include "pair_interaction.hpp"

namespace trotter::amoeba::hippo {

/// Visits the neighbors of a particle in ascending order, with the scales of their exceptions.
class Pairs {
public:
    explicit Pairs(HippoNonbondedForce const& force);
    /// Copies the scales of exceptions.
    void set_exceptions(HippoNonbondedForce const& force);

    /// Finds neighbors.
    void update(std::vector<Vec3<>> const& positions, Box const& box, Threads& threads) {
        neighbors_.update(positions, box, threads);
    }

    /// Calls `visit(j, d, r2, scales)` for each neighbor j of i; d is the vector from j or its nearest image to i.
    template <class Visit>
    void for_each(std::size_t i, std::vector<Vec3<>> const& positions, Box const& box, Visit const& visit) const {
        auto next = exceptions_[i].begin();
        auto const end = exceptions_[i].end();
        neighbors_.for_each(i, [&](std::size_t j) {
            Vec3<> const difference = positions[i] - positions[j],
                         d = is_periodic_ ? box.minimum_image(difference) : difference;
            double const square = dot(d, d);
            if (!(square <= most_square_)) return;  // or not a number
            while (next != end && next->first < j) ++next;
            visit(j, d, square + least_square<double>(), next != end && next->first == j ? next->second : unscaled_);
        });
    }

private:
    bool is_periodic_;
    double most_square_;
    NeighborList neighbors_;
    Scales unscaled_{};
    std::vector<std::vector<std::pair<std::size_t, Scales>>> exceptions_;  // of each particle, ascending
};

}  // namespace trotter::amoeba::hippo
