// SPDX-License-Identifier: MIT
#include "stage_folders.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <system_error>

#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/number_text.hpp>

#include "program/output/run_folder.hpp"

namespace trotter::program {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> cells_of(std::string const& line) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    return cells;
}

}  // namespace

void remove_stage(fs::path const& folder) {
    RunFiles const run{folder};
    PreparedFiles const prepared{folder};
    StageFiles const stage{folder};
    std::vector<std::string> names{run.checkpoint(), run.previous_checkpoint()};
    for (auto const& name : run.names()) names.push_back(name);
    for (auto const& name : {prepared.report(), prepared.system(), prepared.state(), prepared.structure(),
                             prepared.pdb(), stage.state(), stage.integrator()})
        names.push_back(name);
    std::error_code error;
    for (auto const& name : names)
        if (fs::remove(name, error); error) throw OutputError(name + " cannot be removed: " + error.message());
    fs::remove(folder, error);  // fails where something else is
}

void join_logs(fs::path const& folder, std::vector<StageRecord> const& stages) {
    std::string joined;
    for (auto const& stage : stages) {
        auto const log = RunFiles{folder / stage.folder}.log();
        std::error_code error;
        if (stage.status == StageStatus::waiting || !fs::exists(log, error)) continue;
        std::istringstream lines(read_file(log));
        for (std::string line; std::getline(lines, line);) {
            bool const is_title = line.starts_with('#');
            if (is_title && joined.empty()) joined = "#\"Stage\"," + line.substr(1) + '\n';
            if (!is_title) joined += stage.name + ',' + line + '\n';
        }
    }
    if (!joined.empty()) write_file(RunFiles{folder}.log(), joined);
}

void read_stage_log(std::string const& path, StageLog& log) {
    std::istringstream lines(read_file(path));
    std::string line;
    std::getline(lines, line);
    auto const titles = cells_of(line);
    auto const column = [&](std::string const& title) {
        auto const found = std::find_if(titles.begin(), titles.end(), [&](auto const& cell) {
            return cell.find('"' + title + '"') != cell.npos;
        });
        if (found == titles.end()) throw InputError(path + " has no column " + title + ", expected the log of a run");
        return static_cast<std::size_t>(found - titles.begin());
    };
    auto const time = column("Time (ps)"), temperature = column("Temperature (K)"), density = column("Density (g/mL)");
    for (int number = 2; std::getline(lines, line); ++number) {
        auto const cells = cells_of(line);
        auto const value = [&](std::size_t n) { return n < cells.size() ? parse_number(cells[n], Allow::Any) : std::nullopt; };
        if (!value(time) || !value(temperature) || !value(density))
            throw InputError(path + ", line " + std::to_string(number) + " has no numbers, expected the log of a run");
        log.times.push_back(*value(time));
        log.temperatures.push_back(*value(temperature));
        log.densities.push_back(*value(density));
    }
}

}  // namespace trotter::program
