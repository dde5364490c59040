// SPDX-License-Identifier: MIT
#include "stage_manifest.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/version.hpp>

#include "sha256.hpp"

namespace trotter::program {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> statuses{"waiting", "running", "done", "failed"};

Json number_or_null(std::optional<double> const& value) { return value ? Json(*value) : Json(nullptr); }

Json json_of(StageRecord const& stage) {
    return {{"name", stage.name},
            {"folder", stage.folder},
            {"kind", stage.kind},
            {"status", statuses[static_cast<std::size_t>(stage.status)]},
            {"steps", stage.steps},
            {"timestep", stage.timestep},
            {"time", stage.time},
            {"temperature", number_or_null(stage.temperature)},
            {"pressure", number_or_null(stage.pressure)},
            {"seconds", stage.seconds},
            {"message", stage.message},
            {"inputs_sha256", stage.inputs_sha256},
            {"settings", stage.settings}};
}

std::optional<double> optional_number(Json const& value) {
    return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

StageRecord stage_of(Json const& json) {
    StageRecord stage;
    stage.name = json.at("name").get<std::string>();
    stage.folder = json.at("folder").get<std::string>();
    stage.kind = json.at("kind").get<std::string>();
    auto const status = json.at("status").get<std::string>();
    stage.status = static_cast<StageStatus>(std::find(statuses.begin(), statuses.end(), status) - statuses.begin());
    if (stage.status > StageStatus::failed) throw InputError("the status of " + stage.name + " is none");
    stage.steps = json.at("steps").get<std::int64_t>();
    stage.timestep = json.at("timestep").get<double>();
    stage.time = json.at("time").get<double>();
    stage.temperature = optional_number(json.at("temperature"));
    stage.pressure = optional_number(json.at("pressure"));
    stage.seconds = json.at("seconds").get<double>();
    stage.message = json.at("message").get<std::string>();
    stage.inputs_sha256 = json.at("inputs_sha256").get<std::string>();
    stage.settings = json.at("settings").get<std::map<std::string, std::string>>();
    // the folder is removed when the stage begins anew
    if (std::filesystem::path(stage.folder).filename() != stage.folder || stage.folder.starts_with('.'))
        throw InputError("the folder of " + stage.name + " is no name of a folder");
    return stage;
}

}  // namespace

InputRecord input_record(std::string const& path) {
    auto const text = read_file(path);
    return {std::filesystem::absolute(path).lexically_normal().string(), sha256(text), text.size()};
}

void StageRecord::chain_to(std::string const& hash_before) {
    std::string text = hash_before;
    for (auto const& [key, value] : settings) text += '\n' + key + '=' + value;
    inputs_sha256 = sha256(text);
}

StageRecord* StageManifest::find(std::string const& name) {
    auto const found = std::find_if(stages.begin(), stages.end(), [&](auto const& stage) { return stage.name == name; });
    return found == stages.end() ? nullptr : &*found;
}

void StageManifest::write(std::filesystem::path const& folder) const {
    Json json{{"program", "trotter " + std::string(version)}, {"inputs", Json::array()}, {"stages", Json::array()}};
    for (auto const& input : inputs)
        json["inputs"].push_back({{"path", input.path}, {"sha256", input.sha256}, {"bytes", input.bytes}});
    for (auto const& stage : stages) json["stages"].push_back(json_of(stage));
    write_file((folder / "stages.json").string(), json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
}

std::optional<StageManifest> StageManifest::read(std::filesystem::path const& folder) {
    auto const path = (folder / "stages.json").string();
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return {};
    constexpr std::uint64_t largest_file = 64 << 20;
    StageManifest manifest;
    try {
        auto const json = Json::parse(read_file(path, largest_file));
        for (auto const& input : json.at("inputs"))
            manifest.inputs.push_back({input.at("path").get<std::string>(), input.at("sha256").get<std::string>(),
                                       input.at("bytes").get<std::uint64_t>()});
        for (auto const& stage : json.at("stages")) manifest.stages.push_back(stage_of(stage));
    } catch (Json::exception const& wrong) {
        throw InputError(path + " is no manifest of a staged run: " + wrong.what());
    } catch (InputError const& wrong) {
        throw InputError(path + " is no manifest of a staged run: " + wrong.what());
    }
    return manifest;
}

}  // namespace trotter::program
