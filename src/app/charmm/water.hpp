// Waters of CHARMM by their names.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/app/topology.hpp>

namespace trotter::app::charmm {

/// Whether an atom belongs to a residue whose name is one of water's.
bool is_water(Topology const& topology, int atom);

}  // namespace trotter::app::charmm
