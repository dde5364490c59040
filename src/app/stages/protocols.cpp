// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <trotter/app/stages/protocols.hpp>
#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>

namespace trotter::app {
namespace {

constexpr double amber_weight = 2 * 418.4;  // k [kJ/mol/nm²] of 1 kcal/mol/Å² in AMBER's w d²

class RoeBrooks {
public:
    explicit RoeBrooks(ProtocolOptions const& options) : options_(options) {}

    StagePlan plan() {
        constexpr auto heavy = "heavy and not solvent";
        restrain("heavy_input", heavy, "input");
        restrain("heavy_start", heavy, "start");
        restrain("heavy_npt", heavy, "start", "npt-1");
        restrain("backbone_npt",
                 "polymer and name H N CA HA C O P \"O5'\" \"C5'\" \"C4'\" \"C3'\" \"O3'\" or lipid and heavy", "start",
                 "npt-1");
        minimize("min-1", {{"heavy_input", 5.0}});
        simulate("nvt", 15, {{"heavy_start", 5.0}}).velocities = StageVelocities::drawn;
        minimize("min-2", {{"heavy_start", 2.0}}).needs_solute = true;
        minimize("min-3", {{"heavy_start", 0.1}}).needs_solute = true;
        minimize("min-4", {}).needs_solute = true;
        npt("npt-1", 5, {{"heavy_npt", 1.0}}).velocities = StageVelocities::drawn;
        npt("npt-2", 5, {{"heavy_npt", 0.5}});
        npt("npt-3", 10, {{"backbone_npt", 0.5}});
        auto& free = simulate("npt-4", 10, {}, 0.002);
        free.pressure = options_.pressure;
        auto& last = simulate("density", 1000, {}, 0.002);
        last.pressure = options_.pressure;
        last.friction = 1;
        last.until_plateau = true;
        last.most_blocks = options_.most_blocks;
        last.must_be_flat = options_.must_be_flat;
        return std::move(plan_);
    }

private:
    void restrain(char const* name, char const* atoms, char const* reference, char const* stage = "") {
        plan_.position_restraints.push_back({.name = name,
                                             .atoms = atoms,
                                             .force_constant = amber_weight,
                                             .reference = reference,
                                             .reference_stage = stage,
                                             .is_everywhere = false,
                                             .may_be_empty = true});
    }
    Stage& add(char const* name, std::map<std::string, Ramp> restraints) {
        plan_.stages.push_back({.name = name});
        plan_.stages.back().restraints = std::move(restraints);
        return plan_.stages.back();
    }
    Stage& minimize(char const* name, std::map<std::string, Ramp> restraints) {
        auto& stage = add(name, std::move(restraints));
        stage.kind = StageKind::minimize;
        stage.max_iterations = std::max(1, static_cast<int>(std::lround(1000 * options_.time_factor)));
        return stage;
    }
    Stage& simulate(char const* name, double time, std::map<std::string, Ramp> restraints, double timestep = 0.001) {
        auto& stage = add(name, std::move(restraints));
        stage.timestep = timestep;
        stage.time = time * options_.time_factor;
        stage.temperature = options_.temperature;
        stage.friction = 5;
        stage.barostat_interval = 100;
        stage.is_guarded = true;
        return stage;
    }
    Stage& npt(char const* name, double time, std::map<std::string, Ramp> restraints) {
        auto& stage = simulate(name, time, std::move(restraints));
        stage.pressure = options_.pressure;
        stage.needs_solute = true;
        return stage;
    }

    ProtocolOptions options_;
    StagePlan plan_;
};

}  // namespace

StagePlan roe_brooks(ProtocolOptions const& options) { return RoeBrooks(options).plan(); }

StagePlan simple_equilibration(ProtocolOptions const& options) {
    StagePlan plan;
    plan.stages.push_back({.name = "min", .kind = StageKind::minimize});
    plan.stages.push_back({.name = "nvt", .time = 100 * options.time_factor, .temperature = options.temperature});
    plan.stages.push_back({.name = "npt", .time = 1000 * options.time_factor, .temperature = options.temperature});
    plan.stages.back().pressure = options.pressure;
    plan.stages.back().needs_box = true;
    for (auto& stage : plan.stages) stage.is_guarded = stage.kind == StageKind::simulate;
    return plan;
}

StagePlan protocol(std::string_view name, ProtocolOptions const& options) {
    for (auto const& [what, value] : {std::pair{"temperature", options.temperature},
                                      {"time_factor", options.time_factor},
                                      {"blocks", static_cast<double>(options.most_blocks)}})
        if (!(std::isfinite(value) && value > 0))
            throw InputError(std::string(what) + " is " + format_number(value) + ", expected a number above 0");
    if (name == "roe-brooks") return roe_brooks(options);
    if (name == "simple") return simple_equilibration(options);
    throw InputError("protocol is " + in_quotes(name) + ", expected roe-brooks or simple");
}

}  // namespace trotter::app
