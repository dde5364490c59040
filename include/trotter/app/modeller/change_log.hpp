// What was changed in a structure, and why.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <trotter/app/topology.hpp>

namespace trotter::app {

/// One change of a structure by a step of preparation.
struct Change {
    std::string step{};    ///< the function that made it: `add_hydrogens`
    std::string object{};  ///< what was changed: `HIS A:57`, `214 waters`
    std::string what{};    ///< what was done: `became HIE`
    std::string why{};     ///< the reason: `only NE2 can make a hydrogen bond`; may be empty

    std::string kind{};  ///< altloc, dropped, renamed, added, mutated, capped, protonated, bonded, guessed or solvated
    std::string chain{}, residue{}, icode{}, name{};  ///< of the residue that was changed, if it was one
    std::vector<std::string> atoms{};                 ///< names of the atoms that were added, dropped or bonded
    std::string from{}, to{};                         ///< what it was and what it is now, where something was replaced

    /// With chain, number, insertion code and name of a residue, which is the object.
    Change of(Topology const& topology, int residue_index) &&;
};

/// Changes and warnings of the steps of a preparation, in their order.
struct ChangeLog {
    std::vector<Change> changes;        ///< first those of the first step
    std::vector<std::string> warnings;  ///< one sentence each

    /// One line for each change and each warning.
    std::string text() const;
};

}  // namespace trotter::app
