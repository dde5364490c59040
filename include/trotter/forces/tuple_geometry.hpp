// Where the particles of one term are.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/box.hpp>

namespace trotter {

/// The geometry of a TermEvaluator: particles, by their numbers in a list of positions. Differences are those to the
/// nearest images where asked for.
template <class Particles> struct TupleGeometry {
    Particles const& particles;
    std::vector<Vec3<>> const& positions;
    Box const& box;
    bool is_periodic;

    Vec3<> const& position(int n) const {
        return positions[static_cast<std::size_t>(particles[static_cast<std::size_t>(n)])];
    }
    Vec3<> nearest_image(Vec3<> const& d) const { return box.minimum_image(d); }
    Vec3<> operator()(int i, int j) const {
        Vec3<> const d = position(i) - position(j);
        return is_periodic ? nearest_image(d) : d;
    }
};

}  // namespace trotter
