// The table [prepare] of a TOML file: what is to be made of which structure.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <trotter/app/modeller/repair.hpp>
#include <trotter/app/structure/read_structure.hpp>
#include <trotter/app/system_options.hpp>
#include <trotter/box.hpp>

namespace trotter::program {

/// Where the structure comes from.
enum class StructureInput { structure, prmtop, top, psf };

/// Steps on a structure, `do = "delete_water"` and so on. Residues are named as users do, `A:57` or `#3`.
namespace steps {

struct DeleteWater {};
struct Delete {
    std::vector<std::string> residues;
};
struct Select {
    std::string expression;
    bool is_kept = true;  ///< whether what is selected is kept, or else removed
};
struct Repair {
    app::Gaps gaps = app::Gaps::cap;
    bool replaces_nonstandard = false;
};
struct Mutate {
    std::vector<std::string> changes;  ///< `A:48:LYS>ALA`
};
struct ConvertWater {
    std::string model;
};
struct AddHydrogens {
    double ph = 7;
    std::map<std::string, std::string> variants;  ///< residue → variant
};
struct AddExtraParticles {};
struct AddSolvent {
    std::string model = "tip3p", shape = "cube", positive_ion = "Na+", negative_ion = "Cl-";
    std::optional<double> padding;  ///< [nm]
    std::optional<Box> box;
    std::optional<int> count;
    double ionic_strength = 0;  ///< [mol/l]
    bool neutralize = true;
    std::uint64_t seed = 0;
};
struct FindMissing {};

}  // namespace steps

/// A step and where it stands, for messages.
struct PrepareStep {
    std::variant<steps::DeleteWater, steps::Delete, steps::ConvertWater, steps::AddHydrogens, steps::AddExtraParticles,
                 steps::AddSolvent, steps::FindMissing, steps::Select, steps::Repair, steps::Mutate>
        what;
    std::string where;
};

/// What [prepare] asks for. Names of files are relative to the folder of the TOML file, and resolved here.
struct PrepareFile {
    std::string path;    ///< of the TOML file
    std::string folder;  ///< of it

    StructureInput input = StructureInput::structure;
    std::string input_path;
    std::string coordinates;                            ///< empty if not given
    std::vector<std::string> parameters;                ///< of CHARMM
    std::vector<std::string> include_folders, defines;  ///< of GROMACS
    app::AlternateLocation alternate_location = app::AlternateLocation::first;
    bool all_bonds = false, more_names = false, ends_of_polymers = false;
    int model = 1;
    std::optional<Box> box;
    std::vector<std::string> force_fields, hydrogen_definitions;  ///< names, to be looked for in the data folders
    std::vector<PrepareStep> steps;

    bool makes_system = false;  ///< whether [prepare.system] is there
    app::SystemOptions system;
    std::optional<double> mesh_cutoff;  ///< PME with this cutoff [nm] if there is a box in the end, whatever `system` says
    std::map<std::string, std::string> residue_templates;  ///< residue → template
};

/// Reads the table. Throws InputError with file and line for keys that are unknown, missing, do not go together or
/// have wrong values.
PrepareFile read_prepare_file(std::string const& path);

}  // namespace trotter::program
