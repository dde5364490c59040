// SPDX-License-Identifier: MIT
#include <trotter/app/unit_cell.hpp>

#include <cmath>
#include <numbers>

#include "system_building/unit_cell.hpp"

namespace trotter::app {
namespace {

constexpr double degree = std::numbers::pi / 180.0;

}  // namespace

std::optional<Box> box_from_cell(UnitCell const& cell) {
    auto const box =
        box_of_cell(cell.lengths[0], cell.lengths[1], cell.lengths[2], cell.angles[0], cell.angles[1], cell.angles[2]);
    if (!(box.a.x > 0 && box.b.y > 0 && box.c.z > 0)) return {};  // NaN too
    for (double const component : {box.a.x, box.b.x, box.b.y, box.c.x, box.c.y, box.c.z})
        if (!std::isfinite(component)) return {};
    return box;
}

UnitCell cell_of(Box const& box) {
    auto const length = [](Vec3<> const& v) { return std::sqrt(dot(v, v)); };
    double const a = length(box.a), b = length(box.b), c = length(box.c);
    auto const angle = [](Vec3<> const& u, Vec3<> const& v, double product) {
        return std::acos(dot(u, v) / product) / degree;
    };
    return {{a, b, c}, {angle(box.b, box.c, b * c), angle(box.c, box.a, c * a), angle(box.a, box.b, a * b)}};
}

}  // namespace trotter::app
