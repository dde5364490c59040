// SPDX-License-Identifier: MIT
#include "app/report/page/run_facts.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <system_error>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/version.hpp>

namespace trotter::app::page {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_text = 1 << 20, largest_json = 64 << 20;

bool is_file(fs::path const& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

std::string name_in(RunFacts const& facts, fs::path const& path) { return path.lexically_relative(facts.folder).string(); }

std::optional<std::string> read_text(RunFacts& facts, fs::path const& path, std::uint64_t most) {
    if (!is_file(path)) return {};
    try {
        return read_file(path.string(), most, FileKind::regular);
    } catch (Error const&) {
        facts.warnings.push_back(name_in(facts, path) + " cannot be read, or is too large for this page");
        return {};
    }
}

Json read_json(RunFacts& facts, fs::path const& path) {
    auto const text = read_text(facts, path, largest_json);
    if (!text) return {};
    constexpr int deepest = 16;  // of what is read here; deeper parts are left out
    auto value = Json::parse(
        *text, [](int depth, Json::parse_event_t, Json const&) { return depth <= deepest; }, false);
    if (value.is_object()) return value;
    facts.warnings.push_back(name_in(facts, path) + " is damaged or cut: what it says is not shown");
    return {};
}

/// A folder that a manifest names must lie inside of that of the run.
fs::path folder_inside(fs::path const& folder, std::string const& name) {
    auto const path = fs::path(name).lexically_normal();
    bool const leads_out = path.is_absolute() || name.empty() || name.find('\0') != name.npos || *path.begin() == "..";
    return leads_out ? folder / "no-such-folder" : folder / path;
}

std::vector<Stage> stages_of(Json const& manifest, fs::path const& folder) {
    std::vector<Stage> stages;
    for (auto const& entry : manifest.value("stages", Json::array())) {
        if (!entry.is_object()) continue;
        Stage stage{text_of(entry, "name"),   folder_inside(folder, text_of(entry, "folder")),
                    text_of(entry, "kind"),   text_of(entry, "status"),
                    text_of(entry, "message"), number_of(entry, "steps"),
                    number_of(entry, "timestep"), number_of(entry, "time"),
                    number_of(entry, "temperature"), number_of(entry, "pressure")};
        stage.seconds = number_of(entry, "seconds");
        stages.push_back(std::move(stage));
    }
    return stages;
}

/// Without a manifest: the folders whose names begin with digits and a hyphen.
std::vector<Stage> stages_by_folders(fs::path const& folder) {
    std::vector<Stage> stages;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        auto const name = entry->path().filename().string();
        std::error_code ignored;
        if (name.size() < 4 || name[2] != '-' || !std::isdigit(static_cast<unsigned char>(name[0])) || !entry->is_directory(ignored))
            continue;
        bool const is_done = is_file(entry->path() / "final-state.xml.gz") || is_file(entry->path() / "state.xml.gz");
        stages.push_back({name.substr(3), entry->path(), is_file(entry->path() / "prepare.json") ? "prepare" : "simulate",
                          is_done ? "done" : "", "", {}, {}, {}, {}, {}});
    }
    std::sort(stages.begin(), stages.end(), [](auto const& a, auto const& b) { return a.folder < b.folder; });
    return stages;
}

Stage plain_run(fs::path const& folder) {
    bool const is_done = is_file(folder / "final-state.xml.gz");
    return {"run", folder, "simulate", is_done ? "done" : "not finished", "", {}, {}, {}, {}, {}};
}

void read_log_of(RunFacts& facts, Stage& stage) {
    auto const path = stage.folder / "log.csv";
    if (!is_file(path)) return;
    try {
        stage.log = read_log(path.string());
        if (stage.log->is_cut)
            facts.warnings.push_back(name_in(facts, path) + " has a line that is not complete: it was left out");
    } catch (Error const&) {
        facts.warnings.push_back(name_in(facts, path) + " cannot be read: it is empty, cut in its first line, or damaged");
    }
}

/// Logs of stages whose folders have none, from the joined log.
void read_joined_log(RunFacts& facts) {
    auto const path = facts.folder / "log.csv";
    bool const is_needed = std::none_of(facts.stages.begin(), facts.stages.end(), [](auto const& stage) { return stage.log; });
    if (!facts.is_staged || !is_needed || !is_file(path)) return;
    try {
        auto const joined = read_log(path.string());
        for (auto& stage : facts.stages)
            for (std::size_t row = 0; row < joined.stages.size(); ++row) {
                if (joined.stages[row] != stage.name && joined.stages[row] != stage.folder.filename()) continue;
                if (!stage.log) stage.log.emplace();
                ++stage.log->rows;
                for (auto const& [title, values] : joined.columns) stage.log->columns[title].push_back(values[row]);
            }
    } catch (Error const&) {
        facts.warnings.push_back("log.csv cannot be read: it is empty, cut in its first line, or damaged");
    }
}

void warn_of_stages(RunFacts& facts) {
    for (auto const& stage : facts.stages)
        if (stage.status == "failed")
            facts.warnings.insert(facts.warnings.begin(),
                                  "stage " + stage.name + " failed" + (stage.message.empty() ? "" : ": " + stage.message));
    auto const given = facts.preparation.is_object() ? facts.preparation.value("warnings", Json::array()) : Json::array();
    constexpr std::size_t most = 50;
    for (auto const& warning : given)
        if (warning.is_string() && facts.warnings.size() < most) facts.warnings.push_back(warning.get<std::string>());
}

}  // namespace

std::string text_of(Json const& object, char const* key) {
    if (!object.is_object()) return {};
    auto const found = object.find(key);
    if (found == object.end() || found->is_null()) return {};
    return found->is_string() ? found->get<std::string>() : found->dump();
}

std::optional<double> number_of(Json const& object, char const* key) {
    if (!object.is_object()) return {};
    auto const found = object.find(key);
    if (found == object.end() || !found->is_number()) return {};
    return found->get<double>();
}

Stage const* RunFacts::last_simulation() const {
    Stage const* last = nullptr;
    for (auto const& stage : stages)
        if (stage.kind == "simulate" && stage.log && stage.log->rows > 0) last = &stage;
    return last;
}

RunFacts read_run(fs::path const& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) throw InputError(folder.string() + " is no folder, expected that of a run");
    RunFacts facts;
    facts.folder = folder;
    auto const manifest = read_json(facts, folder / "stages.json");
    auto const by_folders = stages_by_folders(folder);
    facts.is_staged = is_file(folder / "stages.json") || !by_folders.empty();
    if (!facts.is_staged && !is_file(folder / "run.toml") && !is_file(folder / "log.csv"))
        throw InputError(folder.string() + ": has no run.toml, log.csv or stages.json, expected the folder of a run");
    facts.program = text_of(manifest, "program");
    facts.input = read_text(facts, folder / "run.toml", largest_text);
    if (!facts.is_staged)
        facts.stages = {plain_run(folder)};
    else
        facts.stages = manifest.is_object() ? stages_of(manifest, folder) : by_folders;
    for (auto const& name : {"00-prepared/prepare.json", "prepare.json"})
        if (facts.preparation.is_null()) facts.preparation = read_json(facts, folder / name);
    if (manifest.is_object()) facts.inputs = manifest.value("inputs", Json::array());
    if (facts.inputs.empty() && facts.preparation.is_object())
        facts.inputs = facts.preparation.value("inputs", Json::array());
    if (facts.program.empty()) facts.program = text_of(facts.preparation, "program");
    for (auto& stage : facts.stages) read_log_of(facts, stage);
    read_joined_log(facts);
    warn_of_stages(facts);
    return facts;
}

}  // namespace trotter::app::page
