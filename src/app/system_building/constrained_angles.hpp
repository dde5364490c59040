// Angles held by constraints.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <utility>

#include <trotter/core/particles.hpp>

namespace trotter::app {

/// The distance between the ends of an angle [radian] with sides of these lengths.
double angle_span(double length1, double length2, double angle);

/// Lengths of the constraints that particles have when this is made, by pairs.
class ConstrainedLengths {
public:
    explicit ConstrainedLengths(Particles const& particles);

    /// Distance of particles 1 and 3 of an angle [radian] whose sides are constrained; nothing if one is not.
    std::optional<double> distance(int particle1, int particle2, int particle3, double angle) const;

private:
    std::map<std::pair<int, int>, double> lengths_;
};

}  // namespace trotter::app
