// `trotter analyze`: a table and a plot of what a trajectory or a log shows.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <trotter/app/analysis/run_files.hpp>
#include <trotter/app/structure/read_structure.hpp>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>

#include "analyses.hpp"
#include "commands.hpp"
#include "preparation.hpp"
#include "program/exit_status.hpp"
#include "program/output/messages.hpp"
#include "program/output/report.hpp"

namespace trotter::program {
namespace {

/// An analysis, and how many selections it takes.
struct Kind {
    std::string_view name;
    std::size_t fewest, most;
    Analysis (*of_frames)(AnalysisInput const&) = nullptr;  // none: of a log
};

constexpr std::array kinds{Kind{"rmsd", 0, 1, &analyze_rmsd},
                           Kind{"rmsf", 0, 1, &analyze_rmsf},
                           Kind{"rg", 0, 1, &analyze_radius_of_gyration},
                           Kind{"com", 1, 1, &analyze_center},
                           Kind{"distance", 2, 2, &analyze_distance},
                           Kind{"angle", 3, 3, &analyze_angle},
                           Kind{"dihedral", 4, 4, &analyze_dihedral},
                           Kind{"rdf", 1, 2, &analyze_radial_distribution},
                           Kind{"hbonds", 0, 1, &analyze_hydrogen_bonds},
                           Kind{"msd", 0, 1, &analyze_displacement},
                           Kind{"density", 0, 0},
                           Kind{"volume", 0, 0},
                           Kind{"temperature", 0, 0},
                           Kind{"potential", 0, 0},
                           Kind{"kinetic", 0, 0},
                           Kind{"total", 0, 0}};

Kind const& kind_named(std::string const& name) {
    std::string names;
    for (auto const& kind : kinds) {
        if (kind.name == name) return kind;
        names += (names.empty() ? "" : ", ") + std::string(kind.name);
    }
    throw InputError("there is no analysis '" + name + "', expected one of " + names);
}

/// The words of the command line, told apart.
struct Request {
    std::string folder;  ///< empty with --trajectory
    Kind const& kind;
    std::vector<std::string> selections;
};

Request request_of(AnalyzeOptions const& options) {
    std::size_t const before = options.trajectory.empty() ? 1 : 0;
    if (options.words.size() <= before)
        throw InputError("the folder of a run (or --trajectory) and the name of an analysis are missing (see `trotter help "
                         "analyze`)");
    Request request{before == 1 ? options.words[0] : "", kind_named(options.words[before]),
                    {options.words.begin() + static_cast<std::ptrdiff_t>(before) + 1, options.words.end()}};
    auto const count = request.selections.size();
    if (count < request.kind.fewest || count > request.kind.most)
        throw InputError(fmt::format("{} has {} selections, expected {}{}", request.kind.name, count, request.kind.fewest,
                                     request.kind.fewest == request.kind.most ? ""
                                                                             : fmt::format(" to {}", request.kind.most)));
    if (!request.folder.empty() && !std::filesystem::is_directory(request.folder))
        throw InputError(request.folder + " is no folder, expected that of a run");
    return request;
}

std::string needed(std::string const& given, std::optional<std::string> const& found, Request const& request,
                   std::string const& what) {
    if (!given.empty()) return given;
    if (found) return *found;
    throw InputError((request.folder.empty() ? std::string("there is") : request.folder + ": has") + " no " + what);
}

Analysis analyze_frames(Request const& request, app::RunFolderFiles const& files, Options const& options) {
    auto const& given = options.analyze;
    auto const trajectory =
        needed(given.trajectory, files.trajectory, request, "trajectory.dcd or trajectory.xtc, expected one, or --trajectory");
    auto const topology =
        needed(given.topology, files.topology, request,
               "topology.cif or topology.pdb, and not one other .cif or .pdb file alone; --topology names one");
    PrepareFile beside;
    beside.folder = std::filesystem::path(topology).parent_path().string();
    auto const folders = data_folders(beside, options.force_field_folders);
    auto structure = app::read_structure(topology, {.data_folders = folders});
    app::Frames frames(trajectory, structure.topology, {given.from, given.to, given.every});
    return request.kind.of_frames({std::move(frames), std::move(structure), request.selections, options, folders});
}

void write(Analysis const& analysis, Options const& options) {
    std::vector<OutputFile> files;
    auto const add = [&](std::string const& path, std::string_view text) {
        if (path.empty() || path == "-") return;
        files.emplace_back(path);
        files.back().write(text);
    };
    Report facts;
    std::string told;
    for (auto const& [name, value, unit] : analysis.facts) {
        facts.add(name + (unit.empty() ? "" : " (" + unit + ")"), value);
        told += fmt::format("{}: {:.6g}{}\n", name, value, unit.empty() ? "" : ' ' + unit);
    }
    add(options.analyze.output, analysis.table);
    add(options.analyze.svg, app::to_svg(analysis.plot));
    add(options.json, facts.text() + '\n');
    for (auto& file : files) file.commit();
    if (options.analyze.output.empty() || options.analyze.output == "-") print(analysis.table);
    if (options.json.empty()) tell(told);
    if (options.json == "-") facts.write("-");
}

}  // namespace

int analyze(Options const& options, KnownForces const&) {
    auto const request = request_of(options.analyze);
    auto const files = request.folder.empty() ? app::RunFolderFiles{} : app::find_run_files(request.folder);
    if (request.kind.of_frames != nullptr) {
        write(analyze_frames(request, files, options), options);
        return done;
    }
    auto const log = needed("", files.log, request, "log.csv, which this analysis reads");
    write(analyze_log(request.kind.name, log, options.analyze), options);
    return done;
}

}  // namespace trotter::program
