// SPDX-License-Identifier: MIT
#include "stage_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <system_error>

#include <trotter/error.hpp>

namespace trotter::program {
namespace {

constexpr auto prepared_name = "prepared";

StageRecord record_of(StageUnit const& unit, app::StagePlan const& plan, Options const& options) {
    auto const& stage = unit.stage;
    bool const moves = stage.kind == app::StageKind::simulate;
    StageRecord record;
    record.name = unit.name();
    record.folder = unit.folder();
    record.kind = moves ? "simulate" : "minimize";
    record.steps = stage.steps();
    record.timestep = moves ? stage.timestep : 0;
    record.time = moves ? stage.time : 0;
    if (stage.temperature) record.temperature = stage.temperature->last();
    if (stage.pressure) record.pressure = stage.pressure->last();
    record.settings = settings_of(unit, plan, options);
    return record;
}

std::vector<InputRecord> hashed(std::vector<std::string> const& paths, StageManifest const& earlier) {
    std::vector<InputRecord> records;
    for (auto const& path : paths) {
        std::error_code error;
        auto const whole = std::filesystem::absolute(path).lexically_normal().string();
        auto const known = std::find_if(earlier.inputs.begin(), earlier.inputs.end(),
                                        [&](auto const& input) { return input.path == whole; });
        bool const is_gone = !std::filesystem::exists(path, error);
        records.push_back(is_gone && known != earlier.inputs.end() ? *known : input_record(path));
    }
    return records;
}

PlannedStage preparation(StagesFile const& file, std::vector<InputRecord> const& inputs) {
    PlannedStage stage;
    stage.record.name = prepared_name;
    stage.record.folder = "00-prepared";
    stage.record.kind = "prepare";
    for (auto const& input : inputs) stage.record.settings["input " + input.path] = input.sha256;
    if (auto const* table = file.document.get_as<toml::table>("prepare")) {
        auto settings = *table;  // the inputs are in the list, whatever they are called
        for (auto const* key : {"structure", "prmtop", "top", "psf", "coordinates", "parameters", "include"})
            settings.erase(key);
        std::ostringstream text;
        text << settings;
        stage.record.settings["[prepare]"] = text.str();
    }
    return stage;
}

void chain(StageTable& table) {
    std::string before;
    for (auto& stage : table.stages) {
        stage.record.chain_to(before);
        before = stage.record.inputs_sha256;
    }
}

/// The first difference of two sets of settings, in words.
std::string difference(std::map<std::string, std::string> const& was, std::map<std::string, std::string> const& is) {
    for (auto const& [key, value] : was) {
        auto const found = is.find(key);
        if (found != is.end() && found->second == value) continue;
        if (key.starts_with("input ")) return "its " + key + (found == is.end() ? " is not among them now" : " has changed");
        if (key == "[prepare]") return "the table [prepare] has changed";
        return "its " + key + " was " + value + ", and is " + (found == is.end() ? "not there" : found->second);
    }
    for (auto const& [key, value] : is)
        if (!was.contains(key)) return "its " + key + " was not there before";
    return "an earlier stage has changed";
}

/// Restraints that act, with their factors.
std::string restraints_text(StageRecord const& record) {
    std::string text;
    for (auto const& [key, value] : record.settings)
        if (key.starts_with("restraint "))
            text += (text.empty() ? "" : " ") + key.substr(10) + "=" + value.substr(value.rfind(' ') + 1);
    return text;
}

std::string row(PlannedStage const& planned) {
    auto const& record = planned.record;
    static constexpr std::array statuses{"waiting", "running", "done", "failed"};
    auto const number = [](std::optional<app::Ramp> const& ramp) { return ramp ? ramp->text() : "-"; };
    bool const moves = record.kind == "simulate";
    return fmt::format("{:<20} {:<9} {:>10} {:>9} {:>10} {:>14} {:>9}  {:<8} {}\n", record.folder, record.kind,
                       moves ? std::to_string(record.steps) : "-", moves ? fmt::format("{:g}", record.timestep) : "-",
                       moves ? fmt::format("{:g}", record.time) : "-",
                       moves ? number(planned.unit.stage.temperature) : "-",
                       moves ? number(planned.unit.stage.pressure) : "-",
                       statuses[static_cast<std::size_t>(record.status)], restraints_text(record));
}

}  // namespace

bool is_named(PlannedStage const& stage, std::string const& name) {
    return stage.record.name == name || stage.unit.stage.name == name;
}

StageManifest StageTable::manifest() const {
    StageManifest result{inputs, {}};
    for (auto const& stage : stages) result.stages.push_back(stage.record);
    return result;
}

std::string StageTable::text() const {
    auto text = fmt::format("{:<20} {:<9} {:>10} {:>9} {:>10} {:>14} {:>9}  {:<8} {}\n", "folder", "kind", "steps",
                            "step [ps]", "time [ps]", "T [K]", "p [bar]", "status", "restraints");
    for (auto const& stage : stages) text += row(stage);
    for (auto const& input : inputs) text += "reads " + input.path + '\n';
    return text;
}

bool StageTable::has(std::string const& name) const {
    return std::any_of(stages.begin(), stages.end(), [&](auto const& stage) { return is_named(stage, name); });
}

void StageTable::add_block(std::size_t behind, app::StagePlan const& plan, Options const& options) {
    auto unit = stages[behind].unit;
    ++unit.block;
    PlannedStage next{unit, record_of(unit, plan, options)};
    stages.insert(stages.begin() + static_cast<std::ptrdiff_t>(behind) + 1, std::move(next));
    chain(*this);
}

StageTable planned(StagesFile const& file, Options const& options, StageManifest const& earlier) {
    StageTable table;
    table.inputs = hashed(preparation_inputs(file, options), earlier);
    table.stages.push_back(preparation(file, table.inputs));
    for (int index = 0; auto const& stage : file.plan.stages) {
        StageUnit unit{stage, index++, 1};
        table.stages.push_back({unit, record_of(unit, file.plan, options)});
        while (stage.until_plateau) {
            ++unit.block;
            bool const is_known = std::any_of(earlier.stages.begin(), earlier.stages.end(), [&](auto const& known) {
                return known.folder == unit.folder();
            });
            if (!is_known) break;
            table.stages.push_back({unit, record_of(unit, file.plan, options)});
        }
    }
    chain(table);
    return table;
}

void take_over(StageTable& table, StageManifest const& earlier, std::string const& from) {
    bool begins_anew = false;
    auto const began = [](StageRecord const& record) { return record.status != StageStatus::waiting; };
    for (auto& stage : table.stages) {
        begins_anew = begins_anew || (!from.empty() && is_named(stage, from));
        if (begins_anew) continue;
        auto const found = std::find_if(earlier.stages.begin(), earlier.stages.end(), [&](auto const& known) {
            return known.folder == stage.record.folder && began(known);
        });
        if (found == earlier.stages.end()) continue;
        bool const is_same = found->inputs_sha256 == stage.record.inputs_sha256;
        if (!is_same && found->status == StageStatus::failed) continue;
        if (!is_same)
            throw InputError("stage " + stage.record.name + " has begun, but "
                             + difference(found->settings, stage.record.settings) + "; --from " + stage.record.name
                             + " begins anew there");
        stage.record = *found;
    }
    std::erase_if(table.stages, [&](auto const& stage) { return stage.unit.block > 1 && !began(stage.record); });
    chain(table);
    for (auto const& known : earlier.stages) {
        bool const is_there = std::any_of(table.stages.begin(), table.stages.end(), [&](auto const& stage) {
            return stage.record.folder == known.folder;
        });
        if (!is_there && began(known) && !begins_anew)
            throw InputError("stage " + known.name + " has begun in the folder " + known.folder
                             + ", but is no stage there now; --from NAME begins anew at another one");
    }
}

}  // namespace trotter::program
