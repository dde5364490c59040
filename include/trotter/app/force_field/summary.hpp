// What files of force fields hold, for lists of them.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace trotter::app {

/// A residue of a force-field file.
struct ResidueSummary {
    std::string name;                     ///< of the template
    std::size_t atoms = 0;                ///< extra particles included
    std::size_t external_bonds = 0;       ///< bonds to other residues
    std::size_t virtual_sites = 0;        ///< extra particles placed by a rule
    std::optional<double> charge;         ///< of its atoms together [e]; nothing if types of other files have them
};

/// What is in a force-field file, read but not checked as ForceField does.
struct ForceFieldSummary {
    std::string path;         ///< of the file
    std::string description;  ///< what the file says of its origin, or its first comment; may be empty
    /// By the scaling of interactions over three bonds and the kinds of its forces: `AMBER`, `CHARMM`, `OPLS`,
    /// `AMOEBA`, `Drude`, `implicit solvent`; empty if nothing tells.
    std::string family;
    std::size_t atom_types = 0;             ///< types of atoms
    std::size_t patches = 0;                ///< patches of residues
    std::vector<ResidueSummary> residues;   ///< in the order of the file
    std::vector<std::string> includes;      ///< names of other files that belong to it
};

/// Reads a file, plain or gzip. Nothing if it is XML of another kind, such as definitions of hydrogens. Throws
/// InputError for a file that cannot be read or is no XML.
std::optional<ForceFieldSummary> summarize_force_field(std::string const& path);

/// A folder with force fields.
struct ForceFieldFolder {
    std::string path;    ///< of the folder
    std::string origin;  ///< `given`, `Trotter`, or the name of the program or package that has it
    /// Names of the XML files, relative to the folder, by which a force field is asked for; without `.gz`. For GROMACS
    /// those of the folders `NAME.ff`, which only its own files include.
    std::vector<std::string> files;
};

/// The folders given, those of own_data_folders(), and those that other programs on this machine have: the
/// Python packages `openmm` and `openmmforcefields`, beside the Pythons of PATH, VIRTUAL_ENV, CONDA_PREFIX, PYTHONPATH and the
/// user's; GROMACS by GMXDATA, GMXLIB and in /usr/share. Nothing is executed. Files deeper than four folders are not
/// listed.
std::vector<ForceFieldFolder> list_force_field_folders(std::vector<std::string> const& given);

}  // namespace trotter::app
