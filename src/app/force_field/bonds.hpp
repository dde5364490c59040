// The bonds of a topology in the forms that templates and forces need.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/app/topology.hpp>

#include "graph.hpp"

namespace trotter::app::force_field {

/// For each atom those bonded to it, ascending, each once.
std::vector<std::vector<int>> sorted_neighbors(Topology const& topology);

/// The graph of some atoms of a topology, given in ascending order.
Graph graph_of(Topology const& topology, std::vector<std::vector<int>> const& neighbors, std::vector<int> const& atoms);

/// The atoms of a residue.
std::vector<int> atoms_of(Topology const& topology, int residue);

/// Whether a residue is the first or last one of a chain of several.
bool is_end_of_chain(Topology const& topology, int residue);

}  // namespace trotter::app::force_field
