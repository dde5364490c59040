// Adds the hydrogens that a structure lacks.
// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <trotter/app/modeller/change_log.hpp>
#include <trotter/app/modeller/hydrogen_definitions.hpp>
#include <trotter/app/structure.hpp>

namespace trotter::app {

/// Options of add_hydrogens.
struct AddHydrogensOptions {
    double ph = 7;  ///< what is protonated at this pH
    /// Beyond OpenMM: whether ends are those of polymers, where no bond leads on, and not those of chains, in which a
    /// water may come first.
    bool ends_of_polymers = false;
    std::map<int, std::string> variants{};  ///< index of a residue → its variant, such as ASH or HIE
    /// Improves the places of the new hydrogens, whose entry in `is_new` is true, for example by the energy of a force
    /// field; called with all hydrogens in place, also if none is new. Nothing: they stay where geometry puts them.
    std::function<void(Structure& structure, std::vector<bool> const& is_new)> improve{};
};

/// The structure with the hydrogens that its residues lack, each directly behind its heavy atom in the order of the
/// definitions. Which ones, follows OpenMM's Modeller: the variant asked for, or else the common one at the pH; CYX for
/// a cysteine with a disulfide; HIP for a histidine up to pH 6.5, HIE if only NE2 can make a hydrogen bond, else HID.
/// Present atoms keep their places; hydrogens are removed only where a variant is asked for.
///
/// The new hydrogens are placed by geometry (staggered, planar, or turned to where they find hydrogen bonds), the same
/// from run to run. Throws InputError for a variant that the residue does not have, and for a histidine without ND1 or
/// NE2.
Structure add_hydrogens(Structure const& structure, HydrogenDefinitions const& definitions,
                        AddHydrogensOptions const& options = {}, ChangeLog* log = nullptr);

}  // namespace trotter::app
