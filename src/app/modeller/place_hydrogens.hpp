// Where hydrogens stand.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/app/structure.hpp>
#include <vector>

namespace trotter::app {

/// Moves the new hydrogens, each bonded to one heavy atom, to places by geometry: on tetrahedra or in planes; those
/// that can be turned about a bond, and waters, to where they are far from other atoms and near acceptors of hydrogen
/// bonds. The same atoms give the same places.
void place_hydrogens(Structure& structure, std::vector<bool> const& is_new);

}  // namespace trotter::app
