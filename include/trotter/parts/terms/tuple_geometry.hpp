// Positions and differences of the particles of one term.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/box.hpp>

namespace trotter {

/// Geometry of a TermEvaluator: the particles of one term in a list of positions, with minimum images if periodic.
template <class Particles> struct TupleGeometry {
    Particles const& particles;  ///< particle indices of the term
    std::vector<Vec3<>> const& positions;  ///< of all particles [nm]
    Box const& box;  ///< box vectors [nm]
    bool is_periodic;  ///< use minimum images

    /// Position of the n-th particle of the term [nm].
    Vec3<> const& position(int n) const {
        return positions[static_cast<std::size_t>(particles[static_cast<std::size_t>(n)])];
    }
    /// The shortest periodic image of `d`.
    Vec3<> nearest_image(Vec3<> const& d) const { return box.minimum_image(d); }
    /// Position of particle i minus that of particle j of the term [nm].
    Vec3<> operator()(int i, int j) const {
        Vec3<> const d = position(i) - position(j);
        return is_periodic ? nearest_image(d) : d;
    }
};

}  // namespace trotter
