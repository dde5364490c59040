// Which waters of an equilibrated box stand around a solute.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/box.hpp>
#include <trotter/vec3.hpp>
#include <vector>

#include "app/modeller/water_box.hpp"

namespace trotter::app {

/// A water to add.
struct PlacedWater {
    int residue;      ///< of the water box
    Vec3<> position;  ///< of its oxygen [nm]
};

/// The place that is to be filled, and what is there.
struct SolventPlace {
    Box box;
    Vec3<> center;                         ///< of the solute's bounding box [nm]
    std::vector<Vec3<>> const& solute;     ///< positions of its atoms [nm]
    std::vector<double> const& distances;  ///< for each of them, the shortest distance of an oxygen [nm]
    double water_radius;                   ///< the shortest distance of oxygens through a side of the box [nm]

    /// Size of the brick that has the box's volume: the waters are cut to it.
    Vec3<> size() const { return {box.a.x, box.b.y, box.c.z}; }
    Vec3<> lower() const { return center - size() / 2.; }
    Vec3<> upper() const { return center + size() / 2.; }
};

/// The waters of copies of the water box that are inside and not too close to the solute: for each molecule of the
/// water box all copies, the last axis fastest.
std::vector<PlacedWater> fill_with_water(SolventPlace const& place, WaterBox const& water);

/// Without those at an upper side that are too close to the image of one at a lower side.
std::vector<PlacedWater> without_clashes_at_sides(std::vector<PlacedWater> const& waters, SolventPlace const& place);

/// The `count` waters farthest from the sides, farthest first.
std::vector<PlacedWater> farthest_from_sides(std::vector<PlacedWater> const& waters, SolventPlace const& place,
                                             int count);

}  // namespace trotter::app
