// SPDX-License-Identifier: MIT
#include "app/modeller/place_waters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/cell_grid.hpp"

namespace trotter::app {
namespace {

bool any_greater(Vec3<> const& a, Vec3<> const& b) { return a.x > b.x || a.y > b.y || a.z > b.z; }
bool all_less(Vec3<> const& a, Vec3<> const& b) { return a.x < b.x && a.y < b.y && a.z < b.z; }
double least(Vec3<> const& v) { return std::min({v.x, v.y, v.z}); }

}  // namespace

std::vector<PlacedWater> fill_with_water(SolventPlace const& place, WaterBox const& water) {
    auto const& distances = place.distances;
    double const longest = std::accumulate(distances.begin(), distances.end(), place.water_radius,
                                           [](double a, double b) { return std::max(a, b); });
    CellGrid const grid(place.solute, longest, place.box);
    auto const clashes = [&](Vec3<> const& oxygen) {
        return grid.any_near(
            oxygen, [&](int atom) { return grid.distance(oxygen, atom) < distances[static_cast<std::size_t>(atom)]; });
    };
    Vec3<> const size = place.size(), shift = place.lower();
    std::array<int, 3> copies;
    for (std::size_t axis = 0; axis < 3; ++axis)
        copies[axis] = static_cast<int>(std::ceil(size[axis] / water.size[axis]));
    std::vector<PlacedWater> waters;
    for (int residue = 0; int const oxygen : water.oxygens) {
        Vec3<> const inside = water.structure.positions[static_cast<std::size_t>(oxygen)];
        for (int x = 0; x < copies[0]; ++x)
            for (int y = 0; y < copies[1]; ++y)
                for (int z = 0; z < copies[2]; ++z) {
                    Vec3<> const copy = inside + Vec3<>{x * water.size.x, y * water.size.y, z * water.size.z};
                    if (any_greater(copy, size)) continue;
                    if (!clashes(copy + shift)) waters.push_back({residue, copy + shift});
                }
        ++residue;
    }
    return waters;
}

std::vector<PlacedWater> without_clashes_at_sides(std::vector<PlacedWater> const& waters, SolventPlace const& place) {
    double const radius = place.water_radius;
    Vec3<> const skin{radius, radius, radius}, upper = place.upper() - skin, lower = place.lower() + skin;
    std::vector<Vec3<>> at_lower_sides;
    for (auto const& water : waters)
        if (any_greater(lower, water.position)) at_lower_sides.push_back(water.position);
    CellGrid const grid(at_lower_sides, radius, place.box);
    std::vector<PlacedWater> kept;
    for (auto const& water : waters) {
        bool const clashes = !all_less(water.position, upper) && grid.any_near(water.position, [&](int other) {
            return grid.distance(water.position, other) < radius
                   && norm(at_lower_sides[static_cast<std::size_t>(other)] - water.position) > radius;
        });
        if (!clashes) kept.push_back(water);
    }
    return kept;
}

std::vector<PlacedWater> farthest_from_sides(std::vector<PlacedWater> const& waters, SolventPlace const& place,
                                             int count) {
    Vec3<> const lower = place.lower(), upper = place.upper();
    std::vector<double> depth;
    for (auto const& water : waters)
        depth.push_back(std::min(least(water.position - lower), least(upper - water.position)));
    std::vector<std::size_t> order(waters.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return depth[a] > depth[b]; });
    order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
    std::vector<PlacedWater> kept;
    for (auto const water : order) kept.push_back(waters[water]);
    return kept;
}

}  // namespace trotter::app
