// SPDX-License-Identifier: MIT
#include "prepare_recipe.hpp"

#include <utility>

#include <trotter/error.hpp>

#include "toml_table.hpp"

namespace trotter::program {
namespace {

/// The model that the names of the force field's files speak of.
std::string water_model(std::vector<std::string> const& force_fields) {
    for (auto const* model : {"tip3pfb", "tip4pfb", "tip4pew", "tip5p", "spce", "opc3", "opc"})
        for (auto const& name : force_fields)
            if (name.find(model) != name.npos) return model;
    return "tip3p";
}

void add_steps(PrepareFile& file) {
    auto const where = file.path + ": the recipe for [prepare] without steps";
    steps::AddSolvent solvent;
    solvent.model = water_model(file.force_fields);
    solvent.shape = "dodecahedron";
    solvent.padding = 1;
    solvent.ionic_strength = 0.15;
    file.steps = {{steps::Repair{}, where}, {steps::AddHydrogens{}, where}, {solvent, where}};
}

}  // namespace

std::vector<PreparationChoice> follow_recipe(PrepareFile& file) {
    auto const document = parse_toml_file(file.path);
    auto const& table = *document.get_as<toml::table>("prepare");
    bool const is_structure = file.input == StructureInput::structure;
    std::vector<PreparationChoice> choices;
    auto const note = [&](std::string what, std::string value, bool is_given) {
        choices.push_back({std::move(what), is_given ? "as the file says" : value, value, is_given ? "file" : "recipe"});
    };
    if (is_structure && file.force_fields.empty())
        throw InputError(file.path + ": [prepare] has no forcefield, expected a list of force-field files, such as "
                         + R"(["amber14-all.xml", "amber14/tip3p.xml"] (see `trotter forcefields`))");
    if (is_structure) {
        bool const says = table.contains("altloc");
        if (!says) file.alternate_location = app::AlternateLocation::occupancy;
        note("altloc", "occupancy", says);
        if (!table.contains("bonds")) file.all_bonds = true;
        note("bonds", "all", table.contains("bonds"));
        if (!table.contains("ends")) file.ends_of_polymers = true;
        note("ends", "polymer", table.contains("ends"));
        bool const has_steps = table.contains("step");
        if (!has_steps) add_steps(file);
        note("missing atoms", "are rebuilt; caps at gaps, no tails", has_steps);
        note("hydrogens", "pH 7", has_steps);
        note("solvent", water_model(file.force_fields) + ", dodecahedron, padding 1 nm, 0.15 mol/l NaCl", has_steps);
    }
    bool const has_system = file.makes_system;
    note("nonbonded_method", "PME in a box, else NoCutoff; cutoff 0.9 nm", has_system);
    note("constraints", "HBonds", has_system);
    if (has_system) return choices;
    file.makes_system = true;
    file.system.constraints = app::Constraints::h_bonds;
    file.mesh_cutoff = 0.9;
    return choices;
}

}  // namespace trotter::program
