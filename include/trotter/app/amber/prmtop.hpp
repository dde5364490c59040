// Parameter and topology files of AMBER.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/app/structure/residue_names.hpp>
#include <trotter/app/topology.hpp>
#include <trotter/box.hpp>

namespace trotter::app {

/// One `%FLAG` of a prmtop file: its values, cut at the columns that `%FORMAT` states.
struct PrmtopSection {
    int line = 0;                     ///< of its `%FLAG`, from 1
    std::vector<std::string> values;  ///< without blanks around them
};

/// A prmtop file (ambermd.org/prmtop.pdf), made by LEaP, chamber or ParmEd.
struct Prmtop {
    std::string path;                                            ///< in messages
    std::map<std::string, PrmtopSection, std::less<>> sections;  ///< by the name of their flag
    Topology topology;                                           ///< one chain; names by the Protein Data Bank
    std::optional<Box> box;  ///< that of BOX_DIMENSIONS; may be replaced by that of coordinates
};

/// Reads a prmtop file, plain or gzip. Throws InputError with file, line and what was expected.
Prmtop read_prmtop(std::string const& path, ResidueNames const& names);

}  // namespace trotter::app
