// A structure: what its atoms are, and where they are.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <vector>

#include <trotter/app/topology.hpp>
#include <trotter/box.hpp>
#include <trotter/vec3.hpp>

namespace trotter::app {

/// A topology with the positions of its atoms.
struct Structure {
    Topology topology;               ///< what the atoms are
    std::vector<Vec3<>> positions;   ///< [nm], one for each atom
    std::vector<Vec3<>> velocities;  ///< [nm/ps], one for each atom, or none
    std::optional<Box> box;          ///< in reduced form; nothing if it is not periodic
};

}  // namespace trotter::app
