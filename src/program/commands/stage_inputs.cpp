// SPDX-License-Identifier: MIT
#include "stage_inputs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <system_error>

#include <trotter/app/coordinates.hpp>
#include <trotter/app/stages/stage_system.hpp>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/integrator.hpp>
#include <trotter/io/number_text.hpp>
#include <trotter/io/state.hpp>
#include <trotter/io/system.hpp>

namespace trotter::program {
namespace {

using namespace app;

/// In later blocks ramps have come to their end.
Ramp in_block(Ramp const& ramp, int block) { return block > 1 ? Ramp(ramp.last()) : ramp; }

AnyIntegrator integrator_of(Stage const& stage) {
    if (stage.kind == StageKind::minimize) return VerletIntegrator{.step_size = 0.001};
    double const temperature = stage.temperature ? stage.temperature->first() : 0;
    switch (stage.integrator) {
        case StageIntegrator::langevin_middle:
            return LangevinMiddleIntegrator{
                .temperature = temperature, .friction = stage.friction, .step_size = stage.timestep};
        case StageIntegrator::nose_hoover:
            return NoseHooverIntegrator{
                .chains = {{.temperature = temperature, .collision_frequency = stage.friction}},
                .step_size = stage.timestep};
        default:
            return VerletIntegrator{.step_size = stage.timestep};
    }
}

/// Positions that a restraint refers to.
std::vector<Vec3<>> reference_of(PositionRestraint const& restraint, StageUnit const& unit, Prepared const& prepared,
                                 State const& start_state, StageStart const& start) {
    if (restraint.reference == "input") return prepared.state.positions;
    if (restraint.reference == "start") {
        auto stage = restraint.reference_stage;
        if (stage.empty() && unit.block > 1) stage = StageUnit{unit.stage, unit.index, 1}.name();
        return stage.empty() || stage == unit.name() ? start_state.positions
                                                     : read_state(start.start_of(stage)).positions;
    }
    auto text = read_file(restraint.reference);
    if (text.starts_with('<')) return parse_state(std::move(text), restraint.reference).positions;
    return read_coordinates(restraint.reference, prepared.data_folders).positions;
}

std::vector<int> atoms_of(Prepared const& prepared, std::string const& restraint, std::string const& selection,
                          bool may_be_empty) {
    if (may_be_empty && !prepared.structure) return {};
    auto atoms = prepared.atoms(selection, "restraint " + restraint);
    if (atoms.empty() && !may_be_empty)
        throw InputError("restraint " + restraint + ": the selection '" + selection
                         + "' selects no atom, expected one or more");
    return atoms;
}

/// Adds what acts in a stage; returns the ramps of factors.
std::vector<NamedRamp> add_restraints(StandardSystem& system, StageUnit const& unit, StagePlan const& plan,
                                      Prepared const& prepared, State const& state, StageStart const& start) {
    std::vector<NamedRamp> ramps;
    auto const& stage = unit.stage;
    double const scale = in_block(stage.restraint_scale, unit.block).first();
    bool has_any = false;
    auto const add_ramp = [&](std::string const& name, Ramp const& factor) {
        has_any = true;
        if (!factor.is_constant()) ramps.push_back({restraint_parameter(name), factor});
    };
    for (auto const& restraint : plan.position_restraints)
        if (auto const given = factor_in(stage, restraint)) {
            auto const factor = in_block(*given, unit.block);
            auto const atoms = atoms_of(prepared, restraint.name, restraint.atoms, restraint.may_be_empty);
            if (atoms.empty()) continue;
            add_restraint(system, restraint, atoms, reference_of(restraint, unit, prepared, state, start), scale,
                          factor.first());
            add_ramp(restraint.name, factor);
        }
    for (auto const& restraint : plan.distance_restraints)
        if (auto const given = factor_in(stage, restraint)) {
            auto const factor = in_block(*given, unit.block);
            add_restraint(system, restraint, atoms_of(prepared, restraint.name, restraint.first, false),
                          atoms_of(prepared, restraint.name, restraint.second, false), scale, factor.first());
            add_ramp(restraint.name, factor);
        }
    auto const scales = in_block(stage.restraint_scale, unit.block);
    if (has_any && !scales.is_constant()) ramps.push_back({std::string(restraint_scale_parameter), scales});
    return ramps;
}

/// The State at the beginning: that of the stage before, without what belongs to its forces; blocks go on in time.
State start_state(StageUnit const& unit, StageStart const& start) {
    auto state = read_state(start.state);
    state.parameters = {};
    state.integrator_parameters = {};
    state.forces.clear();
    if (unit.block > 1) return state;
    state.time = 0;
    state.step_count = 0;
    auto const& stage = unit.stage;
    if (stage.velocities == StageVelocities::kept && !start.has_velocities)
        throw InputError("stage " + stage.name
                         + ": velocities is \"keep\", but nothing has moved before it, expected \"new\"");
    bool const draws = stage.velocities == StageVelocities::drawn
                       || (stage.velocities == StageVelocities::automatic && !start.has_velocities);
    if (stage.kind == StageKind::minimize || draws) state.velocities.clear();
    if (stage.kind == StageKind::simulate && draws && !stage.temperature)
        throw InputError("stage " + stage.name + ": has no temperature, expected one to draw velocities at");
    return state;
}

/// Of a seed for the whole run: stages that begin at step 0 must not draw the same random numbers.
std::uint64_t seed_of(StageUnit const& unit, std::uint64_t seed) {
    auto const number = static_cast<std::uint64_t>(unit.index) * 100'000 + static_cast<std::uint64_t>(unit.block);
    auto mixed = (seed + number) * 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    return (mixed >> 32) | 1;
}

Options options_of(StageUnit const& unit, Options const& options, std::filesystem::path const& output) {
    auto const& stage = unit.stage;
    StageFiles const files{output / unit.folder()};
    Options run = options;
    run.input.clear();
    run.is_staged = run.resume = false;
    run.overwrite = true;
    run.system = files.system();
    run.state = files.state();
    run.integrator = files.integrator();
    run.output = files.folder.string();
    run.seed = seed_of(unit, options.seed.value_or(1));
    run.steps = stage.steps();
    run.log_interval = stage.log_interval.value_or(options.log_interval);
    run.trajectory_interval = stage.trajectory_interval.value_or(options.trajectory_interval);
    run.checkpoint_interval = stage.checkpoint_interval.value_or(options.checkpoint_interval);
    PreparedFiles const prepared{output / "00-prepared"};
    std::error_code error;
    run.topology.clear();
    run.save = stage.save;
    for (auto const& path : {prepared.structure(), prepared.pdb()})
        if (std::filesystem::exists(path, error)) run.topology = path;
    if (stage.kind == StageKind::minimize) {
        run.minimize = true;
        run.tune = false;
        run.tolerance = stage.tolerance;
        run.max_iterations = stage.max_iterations;
        run.trajectory = "none";
        run.topology.clear();
        run.save.clear();
    } else if (stage.temperature) {
        run.temperature = in_block(*stage.temperature, unit.block).first();
    }
    return run;
}

std::string text_of(Stage const& stage) {
    return fmt::format("{} {} {} {} {}", static_cast<int>(stage.kind), static_cast<int>(stage.integrator),
                       static_cast<int>(stage.barostat), static_cast<int>(stage.velocities), stage.until_plateau);
}

}  // namespace

std::string StageUnit::name() const {
    return stage.until_plateau ? fmt::format("{}.{}", stage.name, block) : stage.name;
}

std::string StageUnit::folder() const { return fmt::format("{:02}-{}", index + 1, name()); }

std::map<std::string, std::string> settings_of(StageUnit const& unit, StagePlan const& plan, Options const& options) {
    auto const& stage = unit.stage;
    auto const number = [](double value) { return format_number(value); };
    auto const ramp = [](std::optional<Ramp> const& value) { return value ? value->text() : "none"; };
    auto const interval = [](std::optional<std::int64_t> const& own, std::int64_t common) {
        return std::to_string(own.value_or(common));
    };
    std::map<std::string, std::string> settings{
        {"kind, integrator, barostat, velocities, until", text_of(stage)},
        {"max_iterations", std::to_string(stage.max_iterations)},
        {"tolerance", number(stage.tolerance)},
        {"time", number(stage.time)},
        {"timestep", number(stage.timestep)},
        {"friction", number(stage.friction)},
        {"temperature", ramp(stage.temperature)},
        {"pressure", ramp(stage.pressure)},
        {"barostat_interval", std::to_string(stage.barostat_interval)},
        {"restraint_scale", stage.restraint_scale.text()},
        {"save", stage.save},
        {"log_interval", interval(stage.log_interval, options.log_interval)},
        {"trajectory_interval", interval(stage.trajectory_interval, options.trajectory_interval)},
        {"checkpoint_interval", interval(stage.checkpoint_interval, options.checkpoint_interval)},
        {"trajectory", options.trajectory},
        {"seed", std::to_string(options.seed.value_or(1))}};
    for (auto const& [name, value] : options.assignments) settings["set " + name] = number(value);
    for (auto const& restraint : plan.position_restraints)
        if (auto const factor = factor_in(stage, restraint)) {
            if (restraint.reference != "input" && restraint.reference != "start")
                settings["reference of restraint " + restraint.name] = input_record(restraint.reference).sha256;
            settings["restraint " + restraint.name] =
                fmt::format("{} of {} at {} {}, factor {}", number(restraint.force_constant), restraint.atoms,
                            restraint.reference, restraint.reference_stage, factor->text());
        }
    for (auto const& restraint : plan.distance_restraints)
        if (auto const factor = factor_in(stage, restraint))
            settings["restraint " + restraint.name] =
                fmt::format("{} at {} between {} and {}, factor {}", number(restraint.force_constant),
                            number(restraint.distance), restraint.first, restraint.second, factor->text());
    return settings;
}

Options write_stage_inputs(StageUnit const& unit, StagePlan const& plan, Prepared const& prepared,
                           StageStart const& start, Options const& options, std::filesystem::path const& output) {
    auto const& stage = unit.stage;
    StageFiles const files{output / unit.folder()};
    auto const state = start_state(unit, start);
    auto system = without_barostats(prepared.system);
    auto run = options_of(unit, options, output);
    run.ramps = add_restraints(system, unit, plan, prepared, state, start);
    auto at_block = stage;
    if (stage.temperature) at_block.temperature = in_block(*stage.temperature, unit.block);
    if (stage.pressure) at_block.pressure = in_block(*stage.pressure, unit.block);
    if (stage.kind == StageKind::simulate) add_barostat(system, at_block);
    for (auto const& [name, value] : {std::pair{"temperature", &at_block.temperature}, {"pressure", &at_block.pressure}})
        if (*value && !(*value)->is_constant()) run.ramps.push_back({name, **value});
    write_system(files.system(), system);
    write_state(files.state(), state);
    write_integrator(files.integrator(), integrator_of(at_block));
    return run;
}

}  // namespace trotter::program
