// SPDX-License-Identifier: MIT
#include "stages_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include <trotter/app/selection.hpp>
#include <trotter/app/stages/protocols.hpp>
#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>

#include "toml_table.hpp"

namespace trotter::program {
namespace {

using namespace app;

std::map<std::string_view, double> const times{{"fs", 1e-3}, {"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"µs", 1e6}};
std::map<std::string_view, double> const force_constants{
    {"kJ/mol/nm^2", 1}, {"kcal/mol/nm^2", 4.184}, {"kJ/mol/A^2", 100}, {"kcal/mol/A^2", 418.4}};

void check_positive(TomlTable const& table, std::string_view key, double value, bool may_be_zero = false) {
    if (!(value > 0 || (may_be_zero && value == 0)))
        table.fail(key, std::string("is wrong, expected a number ") + (may_be_zero ? "from 0 on" : "above 0"));
}

/// The name of a stage or a restraint: its folder or its parameter is called after it.
std::string read_name(TomlTable& table, std::string_view more_letters) {
    auto const name = table.text("name");
    if (!name) table.fail("name", "is missing, expected a name");
    bool const is_possible =
        !name->empty() && name->size() <= 64 && name->front() != '.' && std::all_of(name->begin(), name->end(), [&](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
                   || more_letters.find(c) != more_letters.npos;
        });
    if (!is_possible)
        table.fail("name", "is " + in_quotes(*name) + ", expected up to 64 letters, digits and any of "
                               + std::string(more_letters));
    return *name;
}

void check_selection(TomlTable const& table, std::string_view key, std::string const& text) {
    try {
        Selection::parse(text);
    } catch (InputError const& error) {
        table.fail(key, std::string("is no selection: ") + error.what());
    }
}

void read_lengths(TomlTable& table, Stage& stage) {
    if (auto const time = table.quantity("time", times)) stage.time = *time;
    if (auto const step = table.quantity("timestep", times)) stage.timestep = *step;
    if (stage.kind == StageKind::minimize) {
        for (auto const* key : {"time", "timestep", "temperature", "pressure", "velocities", "until"})
            if (table.has(key)) table.fail(key, "does not go with minimize, expected it in a stage of its own");
        return;
    }
    if (!table.has("time")) table.fail("time", "is missing, expected minimize = true or a time such as \"10 ns\"");
    check_positive(table, "timestep", stage.timestep);
    try {
        (void)stage.steps();
    } catch (InputError const& error) {
        table.fail("time", std::string("is wrong: ") + error.what());
    }
}

void read_ensemble(TomlTable& table, Stage& stage) {
    using enum StageIntegrator;
    if (auto const which = table.choice("integrator", {"langevin-middle", "nose-hoover", "verlet"}))
        stage.integrator = std::array{langevin_middle, nose_hoover, verlet}[*which];
    set_if_given(stage.friction, table.number("friction"));
    check_positive(table, "friction", stage.friction, true);
    stage.temperature = table.ramp("temperature");
    stage.pressure = table.ramp("pressure");
    if (auto const which = table.choice("barostat", {"none", "isotropic", "membrane"}))
        stage.barostat =
            std::array{StageBarostat::none, StageBarostat::isotropic, StageBarostat::membrane}[*which];
    set_if_given(stage.barostat_interval, table.integer("barostat_interval", 1));
    if (auto const which = table.choice("velocities", {"new", "keep"}))
        stage.velocities = *which == 0 ? StageVelocities::drawn : StageVelocities::kept;
    if (stage.kind == StageKind::minimize) return;
    if (stage.integrator != verlet && !stage.temperature)
        table.fail("temperature", "is missing, expected a number [K] or a ramp");
    if (stage.temperature) check_positive(table, "temperature", stage.temperature->smallest(), !stage.pressure);
    if (stage.integrator == nose_hoover && !stage.temperature->is_constant())
        table.fail("temperature", "is a ramp, expected a number for nose-hoover");
    if (stage.pressure && !stage.temperature) table.fail("temperature", "is missing, expected it beside pressure");
}

void read_outputs(TomlTable& table, Stage& stage) {
    for (auto const& [key, target] : {std::pair{"log_interval", &stage.log_interval},
                                      {"trajectory_interval", &stage.trajectory_interval},
                                      {"checkpoint_interval", &stage.checkpoint_interval}})
        *target = table.integer(key, 0);
    set_if_given(stage.save, table.text("save"));
    if (!stage.save.empty()) check_selection(table, "save", stage.save);
}

Stage read_stage(TomlTable table) {
    Stage stage{.name = read_name(table, "-_.")};
    if (table.boolean("minimize").value_or(false)) stage.kind = StageKind::minimize;
    set_if_given(stage.max_iterations, table.integer("max_iterations", 0));
    set_if_given(stage.tolerance, table.number("tolerance"));
    check_positive(table, "tolerance", stage.tolerance);
    read_lengths(table, stage);
    read_ensemble(table, stage);
    stage.restraints = table.ramps("restraints");
    set_if_given(stage.restraint_scale, table.ramp("restraint_scale"));
    if (table.choice("until", {"plateau"})) stage.until_plateau = true;
    if (stage.until_plateau && !stage.pressure) table.fail("until", "needs a pressure: it waits for the density");
    set_if_given(stage.most_blocks, table.integer("blocks", 1));
    set_if_given(stage.must_be_flat, table.boolean("must_be_flat"));
    read_outputs(table, stage);
    table.refuse_unknown_keys();
    return stage;
}

void read_restraint(TomlTable table, std::filesystem::path const& folder, StagePlan& plan) {
    auto const name = read_name(table, "_");
    if (name == "scale") table.fail("name", "is \"scale\", expected another: restraint_scale scales all restraints");
    auto const k = table.quantity("k", force_constants);
    if (!k) table.fail("k", "is missing, expected a number [kJ/mol/nm^2] or a text such as \"2 kcal/mol/A^2\"");
    check_positive(table, "k", *k, true);
    auto const between = table.texts("between");
    if (table.has("between")) {
        auto const distance = table.number("distance");
        if (between.size() != 2) table.fail("between", "is wrong, expected a list of two selections");
        if (!distance) table.fail("distance", "is missing, expected a number [nm]");
        check_positive(table, "distance", *distance, true);
        for (auto const& text : between) check_selection(table, "between", text);
        plan.distance_restraints.push_back({name, between[0], between[1], *k, *distance});
    } else {
        auto const atoms = table.text("atoms");
        if (!atoms) table.fail("atoms", "is missing, expected a selection, or two of them in between");
        check_selection(table, "atoms", *atoms);
        auto reference = table.text("reference").value_or("input");
        if (reference != "input" && reference != "start") reference = (folder / reference).string();
        plan.position_restraints.push_back(
            {.name = name, .atoms = *atoms, .force_constant = *k, .reference = reference});
    }
    table.refuse_unknown_keys();
}

StagePlan read_equilibrate(TomlTable table) {
    ProtocolOptions options;
    auto const name = table.text("protocol").value_or("roe-brooks");
    set_if_given(options.temperature, table.number("temperature"));
    set_if_given(options.pressure, table.number("pressure"));
    set_if_given(options.time_factor, table.number("time_factor"));
    set_if_given(options.most_blocks, table.integer("blocks", 1));
    set_if_given(options.must_be_flat, table.boolean("must_be_flat"));
    table.refuse_unknown_keys();
    try {
        return protocol(name, options);
    } catch (InputError const& error) {
        throw InputError(table.where() + ' ' + error.what());
    }
}

/// Names of restraints must be known, and all names different.
void check_names(StagesFile const& file) {
    std::set<std::string> restraints, stages{"prepared"};
    auto const add = [&](std::set<std::string>& names, std::string const& what, std::string const& name) {
        if (!names.insert(name).second)
            throw InputError(file.path + ": there are two " + what + " of the name " + in_quotes(name) + ", expected one");
    };
    for (auto const& restraint : file.plan.position_restraints) add(restraints, "restraints", restraint.name);
    for (auto const& restraint : file.plan.distance_restraints) add(restraints, "restraints", restraint.name);
    for (auto const& stage : file.plan.stages) {
        add(stages, "stages", stage.name);
        for (auto const& [name, factor] : stage.restraints)
            if (!restraints.contains(name))
                throw InputError(file.path + ": [stage " + stage.name + "] restraints names " + in_quotes(name)
                                 + ", expected the name of a table [[restraint]]");
    }
}

}  // namespace

StagesFile read_stages_file(std::string const& path) {
    StagesFile file{.path = path, .document = parse_toml_file(path), .plan = {}};
    file.prepares = file.document.contains("prepare");
    TomlTable document(file.document, file.path, "");
    auto const name_in = [](std::string const& kind, toml::table const& table) {
        return kind + " " + table["name"].value_or(std::string());
    };
    if (auto const* table = document.table("equilibrate"))
        file.plan = read_equilibrate(TomlTable(*table, file.path, "equilibrate"));
    for (auto const* table : document.tables("restraint"))
        read_restraint(TomlTable(*table, file.path, name_in("restraint", *table)),
                       std::filesystem::absolute(path).parent_path(), file.plan);
    for (auto const* table : document.tables("stage"))
        file.plan.stages.push_back(read_stage(TomlTable(*table, file.path, name_in("stage", *table))));
    check_names(file);
    return file;
}

}  // namespace trotter::program
