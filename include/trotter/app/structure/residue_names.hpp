// Standard names of residues and atoms for those that programs write instead.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

namespace trotter::app {

/// Names of the Protein Data Bank for other names of residues (`HID` → `HIS`, `WAT` → `HOH`) and of their atoms
/// (`2HB` → `HB2`), by the table `pdbNames.xml` that OpenMM ships.
class ResidueNames {
public:
    /// Reads the first `pdbNames.xml` in the folders. Throws InputError if there is none or it is no such table.
    static ResidueNames load(std::vector<std::string> const& folders);

    /// Adds names that OpenMM's table lacks: HSE of CHARMM, and of waters what other programs call them.
    void add_more();

    /// Standard name of a residue; an unknown name itself.
    std::string residue(std::string const& name) const;
    /// Standard name of an atom in a residue of a standard name; an unknown name itself.
    std::string atom(std::string const& standard_residue, std::string const& name) const;

private:
    using Names = std::unordered_map<std::string, std::string>;
    Names residues_;
    std::unordered_map<std::string, Names> atoms_;  // by standard name of the residue
};

}  // namespace trotter::app
