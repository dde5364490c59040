// The scripts of known force fields, carried out without Python.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <trotter/app/system_options.hpp>

namespace trotter::app::force_field {

class Assembly;

/// Names of four atom types or classes.
using FourNames = std::array<std::string, 4>;

/// Of the 1-4 pairs of some torsions, Coulomb and Lennard-Jones interactions are scaled otherwise (GLYCAM, Lipid21). A
/// torsion counts only if its types stand in this direction, from the atom with the lower index.
struct OneFourScales {
    std::map<FourNames, double> coulomb, lennard_jones;  ///< divisors by the types of the torsion
    double usual_coulomb = 1, usual_lennard_jones = 1;   ///< divisors of a pair of which only the other one is listed
    void run(Assembly& assembly) const;
};

/// The impropers of CHARMM36 (2024), by names of atoms in residues and patches.
struct CharmmImpropers {
    /// Four atoms by the distance of their residue in the chain, and their names.
    using Improper = std::array<std::pair<int, std::string>, 4>;
    std::map<std::string, std::vector<Improper>> of_residues, of_patches, removed_by_patches;
    std::map<std::string, int> residue_order, patch_order;
    /// Parameters by the classes of the atoms; an empty name stands for any.
    std::map<FourNames, std::vector<double>> periodic_types, harmonic_types;
    void run(Assembly& assembly) const;
};

/// Implicit solvent by a model.
struct ImplicitSolventModel {
    ImplicitSolvent model = ImplicitSolvent::none;
    void run(Assembly& assembly) const;
};

/// What is done when all forces of a System are there.
using Script = std::variant<OneFourScales, CharmmImpropers, ImplicitSolventModel>;

/// A script that is run when the files have been read: the version of CHARMM36 that it belongs to.
struct CharmmVersion {
    std::string version;
};
/// The same: residues with a name of the file's residues get the template of that name.
struct MatchByName {};
using InitializationScript = std::variant<CharmmVersion, MatchByName>;

/// Recognizes a script by its text apart from its tables. `file` is its name in messages. Throws InputError for an
/// unknown one; nothing is executed.
Script recognize_script(std::string const& text, std::string const& file);
InitializationScript recognize_initialization(std::string const& text, std::string const& file);

}  // namespace trotter::app::force_field
