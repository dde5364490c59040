// Which hydrogens residues have.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

namespace trotter::app {

/// A hydrogen of a residue.
struct HydrogenDefinition {
    std::string name;                                             ///< of the hydrogen
    std::string parent;                                           ///< name of the atom that it is bonded to
    double maximum_ph = std::numeric_limits<double>::infinity();  ///< it is there up to this pH
    std::vector<std::string> variants;                            ///< variants that have it; empty: all
    std::string terminal;  ///< where in a chain it is: `N`, `C`, `-` (inside); empty: everywhere
};

/// The hydrogens of a residue, in the order in which they are added.
struct ResidueHydrogens {
    std::vector<std::string> variants;          ///< names of its variants, such as HID and HIE
    std::vector<HydrogenDefinition> hydrogens;  ///< of all variants
};

/// Hydrogens of residues by name, from OpenMM's XML files.
class HydrogenDefinitions {
public:
    /// Reads `hydrogens.xml`, then `files`, whose residues replace earlier ones of the same name. All are looked for in
    /// `folders`. Throws InputError, naming the file, for one that is missing or wrong.
    static HydrogenDefinitions load(std::vector<std::string> const& folders,
                                    std::vector<std::string> const& files = {});

    /// Adds the residues of a text; `name` is that of the file in messages.
    void add(std::string const& text, std::string const& name);

    /// Nothing for a residue that is not defined.
    ResidueHydrogens const* find(std::string const& residue) const;

private:
    std::unordered_map<std::string, ResidueHydrogens> residues_;
};

}  // namespace trotter::app
