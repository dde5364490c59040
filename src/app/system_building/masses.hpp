// Masses of hydrogens, and what a System gets at the end.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/app/system_options.hpp>
#include <trotter/app/topology.hpp>
#include <trotter/standard_system.hpp>

namespace trotter::app {

/// Whether an atom is a hydrogen; deuterium is another element.
bool is_hydrogen(Atom const& atom);
/// Whether an atom belongs to a water: a residue named HOH.
bool is_water(Topology const& topology, int atom);

/// Gives each hydrogen the mass that the options ask for, if they do, taken from the heavy atom that it is bonded to;
/// hydrogens of rigid water keep theirs. Then adds a remover of center-of-mass motion, unless the options forbid it.
void finish_system(StandardSystem& system, Topology const& topology, SystemOptions const& options, bool rigid_water);

}  // namespace trotter::app
