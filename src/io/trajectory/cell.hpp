// Unit cells by lengths and angles, as trajectories store them.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <numbers>

#include <trotter/box.hpp>

namespace trotter::detail {

/// Exactly 0 for a right angle.
inline double cosine_of_degrees(double angle) { return angle == 90 ? 0 : std::cos(angle * std::numbers::pi / 180); }

/// The box with a along x and b in the plane of x and y; NaN or zero components if there is none.
inline Box box_from(double a, double cos_gamma, double b, double cos_beta, double cos_alpha, double c) {
    Box box;
    box.a = {a, 0, 0};
    box.b = {b * cos_gamma, b * std::sqrt(1 - cos_gamma * cos_gamma), 0};
    box.c.x = c * cos_beta;
    box.c.y = (b * c * cos_alpha - box.b.x * box.c.x) / box.b.y;
    box.c.z = std::sqrt(c * c - box.c.x * box.c.x - box.c.y * box.c.y);
    return box;
}

/// Whether box_from found one.
inline bool is_box(Box const& box) {
    return box.a.x > 0 && box.b.y > 0 && box.c.z > 0 && std::isfinite(box.volume());
}

inline double cosine_between(Vec3<> const& u, Vec3<> const& v) { return dot(u, v) / (norm(u) * norm(v)); }

}  // namespace trotter::detail
