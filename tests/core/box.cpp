// The periodic box: its reduced form, images, wrapping.
// SPDX-License-Identifier: MIT
#include <trotter/box.hpp>

#include <cmath>

#include "catch_compat.hpp"

using namespace trotter;

TEST_CASE("the periodic image in a triclinic box is the one that takes out c, then b, then a") {
    Box const box{{1, 0, 0}, {0.5, 1, 0}, {0.5, 0.5, 1}};
    // not the minimum image, whose length is 0.5149
    CHECK(norm(box.minimum_image({0.45, 0.45, 0.49})) == Approx(0.8032).epsilon(1e-4));
    CHECK(norm(box.minimum_image({0.1, 0.2, 0.3})) == Approx(std::sqrt(0.14)).epsilon(1e-15));
    Vec3<> const d{0.1, -0.2, 0.05};
    CHECK(norm(box.minimum_image(d + box.a * 3.0 - box.b * 2.0 + box.c) - d) < 1e-14);
}

TEST_CASE("exactly half of a vector's component is reduced, one bit more is not") {
    Box box{{1, 0, 0}, {0.5, 1, 0}, {-0.5, 0.5, 1}};
    CHECK_NOTHROW(box.check());
    box.b.x = std::nextafter(0.5, 1.0);
    CHECK_THROWS_WITH(box.check(), Catch::Contains("not in reduced form") && Catch::Contains("exceeds half of a.x"));
    box = Box{{1, 0, 0}, {0, 1, 0}, {0, std::nextafter(0.5, 1.0), 1}};
    CHECK_THROWS_WITH(box.check(), Catch::Contains("|c.y|"));
    box = Box{{1, 0.1, 0}, {0, 1, 0}, {0, 0, 1}};
    CHECK_THROWS_WITH(box.check(), Catch::Contains("along x"));
    box = Box{{1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
    CHECK_THROWS_WITH(box.check(), Catch::Contains("must be positive"));
    box = Box{{1, 0, 0}, {0, 1, 0.1}, {0, 0, 1}};
    CHECK_THROWS_WITH(box.check(), Catch::Contains("xy plane"));
    box = Box{{std::nan(""), 0, 0}, {0, 1, 0}, {0, 0, 1}};
    CHECK_THROWS_WITH(box.check(), Catch::Contains("not a finite number"));
}

TEST_CASE("wrapping brings a point into the brick of the box by whole box vectors") {
    Box const box{{2, 0, 0}, {0.7, 1.8, 0}, {-0.6, 0.8, 2.1}};
    for (Vec3<> point : {Vec3<>{5, -7, 3}, Vec3<>{-0.1, 0.1, 0.1}, Vec3<>{100, 100, -100}}) {
        Vec3<> const shift = box.wrapping_shift(point), wrapped = point + shift;
        CHECK((wrapped.x >= 0 && wrapped.x < box.a.x));
        CHECK((wrapped.y >= 0 && wrapped.y < box.b.y));
        CHECK((wrapped.z >= 0 && wrapped.z < box.c.z));
        Vec3<> const counts = box.fractions(shift);
        CHECK(norm(counts - Vec3<>{std::round(counts.x), std::round(counts.y), std::round(counts.z)}) < 1e-12);
    }
}
