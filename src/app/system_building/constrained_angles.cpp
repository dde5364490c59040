// SPDX-License-Identifier: MIT
#include "constrained_angles.hpp"

#include <algorithm>
#include <cmath>

namespace trotter::app {

double angle_span(double length1, double length2, double angle) {
    return std::sqrt(length1 * length1 + length2 * length2 - 2 * length1 * length2 * std::cos(angle));
}

ConstrainedLengths::ConstrainedLengths(Particles const& particles) {
    for (auto const& [particle1, particle2, distance] : particles.constraints)
        lengths_[std::minmax({particle1, particle2})] = distance;
}

std::optional<double> ConstrainedLengths::distance(int particle1, int particle2, int particle3, double angle) const {
    auto const side1 = lengths_.find(std::minmax({particle1, particle2})),
               side2 = lengths_.find(std::minmax({particle2, particle3}));
    if (side1 == lengths_.end() || side2 == lengths_.end()) return {};
    return angle_span(side1->second, side2->second, angle);
}

}  // namespace trotter::app
