// Nearest periodic images, fast where they need no shift.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <trotter/box.hpp>

namespace trotter::amoeba {

/// The same as `Box::minimum_image`, which divides and rounds only for differences of more than half a box.
class NearestImages {
public:
    explicit NearestImages(Box const& box) : box_(box), half_{box.a.x / 2, box.b.y / 2, box.c.z / 2} {}

    /// The nearest image of a difference vector.
    Vec3<> operator()(Vec3<> const& d) const {
        if (std::abs(d.x) < half_.x && std::abs(d.y) < half_.y && std::abs(d.z) < half_.z) return d;
        return box_.minimum_image(d);
    }

private:
    Box box_;
    Vec3<> half_;
};

}  // namespace trotter::amoeba
