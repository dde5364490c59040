// `trotter forcefields`: which files of force fields are found, and what they hold.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <trotter/app/data_files.hpp>
#include <trotter/app/force_field/summary.hpp>
#include <trotter/error.hpp>

#include "commands.hpp"
#include "preparation.hpp"
#include "program/exit_status.hpp"
#include "program/input/options.hpp"
#include "program/output/messages.hpp"
#include "program/output/report.hpp"

namespace trotter::program {
namespace {

/// A file by the name that asks for it. One that cannot be read has its message for a description.
struct NamedSummary {
    std::string name;
    app::ForceFieldSummary summary;
};

std::vector<NamedSummary> summaries_in(app::ForceFieldFolder const& folder) {
    std::vector<NamedSummary> found;
    for (auto const& name : folder.files) {
        NamedSummary file{name, {}};
        file.summary.path = folder.path + "/" + name;
        if (folder.origin == "GROMACS") {
            file.summary.family = "GROMACS";
            file.summary.description = "included by files for `top`";
        } else {
            try {
                auto const read = app::summarize_force_field(app::find_data_file(name, {folder.path}));
                if (!read) continue;  // definitions of hydrogens and the like
                file.summary = *read;
            } catch (InputError const& error) {
                file.summary.description = std::string("cannot be read: ") + error.what();
            }
        }
        found.push_back(std::move(file));
    }
    return found;
}

Report report_of(NamedSummary const& file) {
    auto const& summary = file.summary;
    return Report()
        .add("name", file.name)
        .add("path", summary.path)
        .add("family", summary.family)
        .add("atom_types", summary.atom_types)
        .add("residues", summary.residues.size())
        .add("patches", summary.patches)
        .add("includes", summary.includes)
        .add("description", summary.description);
}

std::string text_of(app::ForceFieldFolder const& folder, std::vector<NamedSummary> const& files) {
    std::size_t width = 4;
    for (auto const& file : files) width = std::max(width, file.name.size());
    auto text = fmt::format("{} ({})\n", presentable(folder.path), folder.origin);
    text += fmt::format("  {:<{}}  {:<16}  {:>5} {:>8} {:>7}\n", "file", width, "family", "types", "residues", "patches");
    for (auto const& [name, summary] : files) {
        std::string includes;
        for (auto const& included : summary.includes) includes += (includes.empty() ? "includes " : ", ") + included;
        auto const& description = summary.description.empty() ? includes : summary.description;
        text += fmt::format("  {:<{}}  {:<16}  {:>5} {:>8} {:>7}  {}\n", presentable(name), width, summary.family,
                            summary.atom_types, summary.residues.size(), summary.patches, presentable(description));
    }
    return text;
}

void list_files(Options const& options) {
    data_folders(options.force_field_folders);  // refuses a name that is no folder
    std::vector<Report> folders;
    std::string text;
    for (auto const& folder : app::list_force_field_folders(options.force_field_folders)) {
        auto const files = summaries_in(folder);
        std::vector<Report> reports;
        std::transform(files.begin(), files.end(), std::back_inserter(reports), report_of);
        folders.push_back(Report().add("path", folder.path).add("origin", folder.origin).add("files", reports));
        if (!files.empty()) text += (text.empty() ? "" : "\n") + text_of(folder, files);
    }
    if (options.table_as_json)
        Report().add("folders", folders).write("-");
    else
        print(text.empty() ? "no force fields were found; --forcefields names a folder\n" : text);
}

/// The file and those that it includes, each once.
std::vector<app::ForceFieldSummary> with_included(std::string const& name, std::vector<std::string> const& folders) {
    constexpr std::size_t most_files = 1000;
    std::vector<std::string> paths{app::find_data_file(name, folders)};
    std::vector<app::ForceFieldSummary> found;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        auto const summary = app::summarize_force_field(paths[i]);
        if (!summary) throw InputError(paths[i] + ": is no force field, expected the root element <ForceField>");
        auto near = folders;
        near.insert(near.begin(), paths[i].substr(0, paths[i].find_last_of('/') + 1) + ".");
        for (auto const& included : summary->includes) {
            auto path = app::find_data_file(included, near);
            if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(std::move(path));
        }
        if (paths.size() > most_files) throw InputError(paths[0] + ": includes more than 1000 files");
        found.push_back(*summary);
    }
    return found;
}

void list_residues(Options const& options) {
    auto const files = with_included(options.input, data_folders(options.force_field_folders));
    std::vector<Report> reports;
    std::string text;
    for (auto const& file : files) {
        std::vector<Report> residues;
        text += fmt::format("{}{}\n  {:<12} {:>5} {:>9} {:>14} {:>13}\n", text.empty() ? "" : "\n", presentable(file.path),
                            "residue", "atoms", "charge", "external bonds", "virtual sites");
        for (auto const& residue : file.residues) {
            Report one;
            one.add("name", residue.name).add("atoms", residue.atoms);
            if (residue.charge) one.add("charge", *residue.charge);
            residues.push_back(one.add("external_bonds", residue.external_bonds).add("virtual_sites", residue.virtual_sites));
            // sums of decimal numbers are not exact: no -0.0000
            auto const charge = residue.charge ? fmt::format("{:.4f}", *residue.charge + 1e-9) : "";
            text += fmt::format("  {:<12} {:>5} {:>9} {:>14} {:>13}\n", presentable(residue.name), residue.atoms, charge,
                                residue.external_bonds, residue.virtual_sites);
        }
        reports.push_back(Report().add("path", file.path).add("residues", residues));
    }
    if (options.table_as_json)
        Report().add("files", reports).write("-");
    else
        print(text);
}

}  // namespace

int force_fields(Options const& options, KnownForces const&) {
    if (options.input.empty())
        list_files(options);
    else
        list_residues(options);
    return done;
}

}  // namespace trotter::program
