// Validates the parameters of a virtual site.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <initializer_list>
#include <span>
#include <string>

#include <trotter/core/virtual_sites.hpp>
#include <trotter/error.hpp>

namespace trotter {

// Files may store weights with as few as seven digits.
inline constexpr double site_weight_tolerance = 1e-6;

[[gnu::cold]] inline void check_weight_sum(std::span<double const> weights, double expected, std::string const& what) {
    double sum = 0;
    for (double weight : weights) sum += weight;
    if (!(std::abs(sum - expected) <= site_weight_tolerance))
        throw InputError(what + " add up to " + std::to_string(sum) + ", expected "
                         + std::to_string(static_cast<int>(expected)));
}

[[gnu::cold]] inline void check_finite(std::initializer_list<double> values, std::string const& where) {
    for (double value : values)
        if (!std::isfinite(value))
            throw InputError(where + " has the value " + std::to_string(value) + ", expected a finite number");
}

[[gnu::cold]] inline void check_site_numbers(TwoParticleAverageSite const& s, std::string const& where) {
    check_finite({s.weight1, s.weight2}, where);
}
[[gnu::cold]] inline void check_site_numbers(ThreeParticleAverageSite const& s, std::string const& where) {
    check_finite({s.weight1, s.weight2, s.weight3}, where);
}
[[gnu::cold]] inline void check_site_numbers(OutOfPlaneSite const& s, std::string const& where) {
    check_finite({s.weight12, s.weight13, s.weight_cross}, where);
}
[[gnu::cold]] inline void check_site_numbers(LocalCoordinatesSite const& s, std::string const& where) {
    std::size_t const size = s.particles.size();
    if (size < 2) throw InputError(where + " depends on " + std::to_string(size) + " particles, expected two or more");
    if (s.origin_weights.size() != size || s.x_weights.size() != size || s.y_weights.size() != size)
        throw InputError(where + " depends on " + std::to_string(size) + " particles but has "
                         + std::to_string(s.origin_weights.size()) + " origin weights, "
                         + std::to_string(s.x_weights.size()) + " x weights and " + std::to_string(s.y_weights.size())
                         + " y weights, expected one of each for every particle");
    check_weight_sum(s.origin_weights, 1, "the origin weights of " + where);
    check_weight_sum(s.x_weights, 0, "the x weights of " + where);
    check_weight_sum(s.y_weights, 0, "the y weights of " + where);
    check_finite({s.local_position.x, s.local_position.y, s.local_position.z}, where);
}
[[gnu::cold]] inline void check_site_numbers(SymmetrySite const& s, std::string const& where) {
    check_finite({s.offset.x, s.offset.y, s.offset.z}, where);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = i; j < 3; ++j)
            if (double const product = dot(s.rotation[i], s.rotation[j]);
                !(std::abs(product - (i == j)) <= site_weight_tolerance))
                throw InputError("the rotation of " + where + " is not orthogonal: the product of its rows "
                                 + std::to_string(i + 1) + " and " + std::to_string(j + 1) + " is "
                                 + std::to_string(product) + ", expected " + std::to_string(i == j));
}

}  // namespace trotter
