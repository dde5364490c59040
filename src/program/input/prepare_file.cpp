// SPDX-License-Identifier: MIT
#include "prepare_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>

#include "toml_table.hpp"

namespace trotter::program {
namespace {

constexpr std::array<std::pair<std::string_view, StructureInput>, 4> inputs{{{"structure", StructureInput::structure},
                                                                             {"prmtop", StructureInput::prmtop},
                                                                             {"top", StructureInput::top},
                                                                             {"psf", StructureInput::psf}}};

std::string name_of(StructureInput input) {
    return std::string(
        std::find_if(inputs.begin(), inputs.end(), [&](auto const& known) { return known.second == input; })->first);
}

/// Throws if a key is there that another input than the file's has.
void only_for(TomlTable const& table, std::string_view key, StructureInput input,
              std::vector<StructureInput> const& allowed) {
    if (!table.has(key) || std::find(allowed.begin(), allowed.end(), input) != allowed.end()) return;
    std::string listed;
    for (auto const known : allowed) listed += (listed.empty() ? "" : ", ") + name_of(known);
    table.fail(key, "does not go with " + name_of(input) + ", expected it only with " + listed);
}

steps::AddSolvent read_add_solvent(TomlTable& table) {
    steps::AddSolvent step;
    set_if_given(step.model, table.text("model"));
    set_if_given(step.shape, table.text("shape"));
    set_if_given(step.positive_ion, table.text("positive_ion"));
    set_if_given(step.negative_ion, table.text("negative_ion"));
    step.padding = table.number("padding");
    step.box = table.box("box");
    step.count = table.integer("count", 0);
    set_if_given(step.ionic_strength, table.number("ionic_strength"));
    set_if_given(step.neutralize, table.boolean("neutralize"));
    if (auto const seed = table.integer("seed", 0)) step.seed = static_cast<std::uint64_t>(*seed);
    if (table.has("padding") + table.has("box") + table.has("count") > 1)
        table.fail(table.has("padding") ? "padding" : "box", "is not alone, expected one of padding, box and count");
    return step;
}

steps::Select read_select(TomlTable& table, bool is_kept) {
    auto const expression = table.text("select");
    if (!expression) table.fail("select", "is missing, expected a selection such as \"protein or water\"");
    return {*expression, is_kept};
}

steps::Repair read_repair(TomlTable& table) {
    steps::Repair step;
    if (auto const gaps = table.choice("gaps", {"cap", "break", "refuse"}))
        step.gaps = std::array{app::Gaps::cap, app::Gaps::break_chain, app::Gaps::refuse}[*gaps];
    if (auto const nonstandard = table.choice("nonstandard", {"keep", "replace"}))
        step.replaces_nonstandard = *nonstandard == 1;
    return step;
}

steps::Mutate read_mutate(TomlTable& table) {
    if (!table.has("changes")) table.fail("changes", "is missing, expected a list of changes such as \"A:48:LYS>ALA\"");
    return {table.texts("changes")};
}

PrepareStep read_step(TomlTable table) {
    PrepareStep step{{}, table.where()};
    auto const what =
        table.choice("do", {"delete_water", "delete", "convert_water", "add_hydrogens", "add_extra_particles",
                            "add_solvent", "find_missing", "keep", "remove", "repair", "mutate"});
    if (!what) table.fail("do", "is missing, expected the name of a step");
    switch (*what) {
        case 0:
            step.what = steps::DeleteWater{};
            break;
        case 1:
            if (!table.has("residues"))
                table.fail("residues", "is missing, expected a list of residues such as \"A:57\"");
            step.what = steps::Delete{table.texts("residues")};
            break;
        case 2: {
            auto const model = table.text("model");
            if (!model) table.fail("model", "is missing, expected the name of a water model");
            step.what = steps::ConvertWater{*model};
            break;
        }
        case 3: {
            steps::AddHydrogens add;
            set_if_given(add.ph, table.number("ph"));
            add.variants = table.text_map("variants");
            step.what = add;
            break;
        }
        case 4:
            step.what = steps::AddExtraParticles{};
            break;
        case 5:
            step.what = read_add_solvent(table);
            break;
        case 6:
            step.what = steps::FindMissing{};
            break;
        case 7:
        case 8:
            step.what = read_select(table, *what == 7);
            break;
        case 9:
            step.what = read_repair(table);
            break;
        default:
            step.what = read_mutate(table);
            break;
    }
    table.refuse_unknown_keys();
    return step;
}

void read_implicit_solvent(TomlTable& table, StructureInput input, app::SystemOptions& options) {
    using app::ImplicitSolvent;
    using app::SurfaceArea;
    for (auto const* key : {"implicit_solvent", "implicit_solvent_salt", "temperature"})
        only_for(table, key, input, {StructureInput::prmtop, StructureInput::psf});
    if (auto const model = table.choice("implicit_solvent", {"HCT", "OBC1", "OBC2", "GBn", "GBn2"}))
        options.implicit_solvent = std::array{ImplicitSolvent::hct, ImplicitSolvent::obc1, ImplicitSolvent::obc2,
                                              ImplicitSolvent::gbn, ImplicitSolvent::gbn2}[*model];
    options.implicit_solvent_kappa = table.number("implicit_solvent_kappa");
    options.implicit_solvent_salt = table.number("implicit_solvent_salt");
    options.temperature = table.number("temperature");
    options.solute_dielectric = table.number("solute_dielectric");
    options.solvent_dielectric = table.number("solvent_dielectric");
    if (auto const surface = table.choice("sasa", {"ACE", "LCPO", "none"}))
        options.surface_area = std::array{SurfaceArea::ace, SurfaceArea::lcpo, SurfaceArea::none}[*surface];
}

void read_system(TomlTable table, PrepareFile& file) {
    using app::Constraints;
    using app::NonbondedMethod;
    auto& options = file.system;
    only_for(table, "dispersion_correction", file.input, {StructureInput::structure, StructureInput::top});
    only_for(table, "flexible_constraints", file.input,
             {StructureInput::structure, StructureInput::prmtop, StructureInput::psf});
    only_for(table, "ignore_external_bonds", file.input, {StructureInput::structure});
    only_for(table, "residue_templates", file.input, {StructureInput::structure});
    if (auto const method = table.choice("nonbonded_method",
                                         {"NoCutoff", "CutoffNonPeriodic", "CutoffPeriodic", "Ewald", "PME", "LJPME"}))
        options.nonbonded_method = std::array{NonbondedMethod::no_cutoff,
                                              NonbondedMethod::cutoff_non_periodic,
                                              NonbondedMethod::cutoff_periodic,
                                              NonbondedMethod::ewald,
                                              NonbondedMethod::pme,
                                              NonbondedMethod::ljpme}[*method];
    if (auto const constraints = table.choice("constraints", {"None", "HBonds", "AllBonds", "HAngles"}))
        options.constraints = std::array{Constraints::none, Constraints::h_bonds, Constraints::all_bonds,
                                         Constraints::h_angles}[*constraints];
    options.cutoff = table.number("cutoff");
    options.switch_distance = table.number("switch_distance");
    options.rigid_water = table.boolean("rigid_water");
    options.flexible_constraints = table.boolean("flexible_constraints");
    options.hydrogen_mass = table.number("hydrogen_mass");
    options.remove_cm_motion = table.boolean("remove_cm_motion");
    options.ewald_error_tolerance = table.number("ewald_error_tolerance");
    options.dispersion_correction = table.boolean("dispersion_correction");
    options.ignore_external_bonds = table.boolean("ignore_external_bonds");
    file.residue_templates = table.text_map("residue_templates");
    read_implicit_solvent(table, file.input, options);
    table.refuse_unknown_keys();
}

void read_input(TomlTable& table, PrepareFile& file, auto const& resolve) {
    int given = 0;
    for (auto const& [key, input] : inputs)
        if (auto const path = table.text(key)) {
            ++given;
            file.input = input;
            file.input_path = resolve(*path);
        }
    if (given != 1)
        throw InputError(table.where() + " names " + std::to_string(given)
                         + " inputs, expected one of structure, prmtop, top and psf");
    using enum StructureInput;
    only_for(table, "coordinates", file.input, {prmtop, top, psf});
    only_for(table, "parameters", file.input, {psf});
    for (auto const* key : {"include", "defines"}) only_for(table, key, file.input, {top});
    only_for(table, "pairs", file.input, {top});
    for (auto const* key : {"altloc", "bonds", "ends", "model", "forcefield"})
        only_for(table, key, file.input, {structure});
    if (auto const path = table.text("coordinates")) file.coordinates = resolve(*path);
    for (auto const& path : table.texts("parameters")) file.parameters.push_back(resolve(path));
    for (auto const& path : table.texts("include")) file.include_folders.push_back(resolve(path));
    file.defines = table.texts("defines");
    if (auto const which = table.choice("altloc", {"first", "occupancy"}))
        file.alternate_location = *which == 0 ? app::AlternateLocation::first : app::AlternateLocation::occupancy;
    file.all_bonds = table.choice("bonds", {"openmm", "all"}) == std::size_t{1};
    file.more_names = table.choice("names", {"openmm", "all"}) == std::size_t{1};
    file.ends_of_polymers = table.choice("ends", {"chain", "polymer"}) == std::size_t{1};
    file.system.listed_pairs_only = table.choice("pairs", {"openmm", "listed"}) == std::size_t{1};
    set_if_given(file.model, table.integer("model", 1));
    file.box = table.box("box");
    file.force_fields = table.texts("forcefield");
    file.hydrogen_definitions = table.texts("hydrogen_definitions");
}

}  // namespace

PrepareFile read_prepare_file(std::string const& path) {
    auto const document = parse_toml_file(path);
    PrepareFile file;
    file.path = path;
    file.folder = std::filesystem::path(path).parent_path().string();
    if (file.folder.empty()) file.folder = ".";
    auto const resolve = [&](std::string const& name) { return (std::filesystem::path(file.folder) / name).string(); };
    auto const* found = document.get_as<toml::table>("prepare");
    if (found == nullptr) throw InputError(path + ": has no table [prepare]");
    TomlTable table(*found, path, "prepare");
    read_input(table, file, resolve);
    for (auto const* step : table.tables("step"))
        file.steps.push_back(read_step(TomlTable(*step, path, "prepare.step")));
    if (auto const* system = table.table("system")) {
        file.makes_system = true;
        read_system(TomlTable(*system, path, "prepare.system"), file);
    }
    table.refuse_unknown_keys();
    return file;
}

}  // namespace trotter::program
