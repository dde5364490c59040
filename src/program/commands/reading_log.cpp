// SPDX-License-Identifier: MIT
#include "reading_log.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

namespace trotter::program {
namespace {

using app::Change;

void log_alternates(app::ChangeLog& log, int atoms, app::AlternateLocation which) {
    if (atoms == 0) return;
    bool const is_first = which == app::AlternateLocation::first;
    auto const count = std::to_string(atoms) + " atoms";
    log.changes.push_back(
        {.step = "read_structure",
         .object = count,
         .what = std::string("took the ") + (is_first ? "first" : "most occupied") + " of their alternate locations",
         .why = std::string("altloc is ") + (is_first ? "first" : "occupancy"),
         .kind = "altloc"});
    if (is_first)
        log.warnings.push_back(count
                               + " have alternate locations, of which the first in the file was taken; altloc = "
                                 "\"occupancy\" takes those that are occupied most");
}

void log_names(app::ChangeLog& log, app::Topology const& topology) {
    int waters = 0;
    for (int index = 0; index < static_cast<int>(topology.residues.size()); ++index) {
        auto const& residue = topology.residues[static_cast<std::size_t>(index)];
        if (residue.original_name.empty() || residue.original_name == residue.name) continue;
        if (residue.name == "HOH") {
            ++waters;
            continue;
        }
        Change change{.step = "read_structure",
                      .what = "was called " + residue.original_name,
                      .why = "names are made standard",
                      .kind = "renamed",
                      .from = residue.original_name,
                      .to = residue.name};
        log.changes.push_back(std::move(change).of(topology, index));
    }
    if (waters > 0)
        log.changes.push_back({.step = "read_structure",
                               .object = std::to_string(waters) + " waters",
                               .what = "were called otherwise",
                               .why = "names are made standard",
                               .kind = "renamed",
                               .name = "HOH",
                               .to = "HOH"});
}

void log_disulfides(app::ChangeLog& log, app::Structure const& structure) {
    auto const& topology = structure.topology;
    for (auto const& bond : topology.bonds) {
        auto const &a = topology.atoms[static_cast<std::size_t>(bond.atom1)],
                   &b = topology.atoms[static_cast<std::size_t>(bond.atom2)];
        if (a.name != "SG" || b.name != "SG") continue;
        double const distance = norm(structure.positions[static_cast<std::size_t>(bond.atom1)]
                                     - structure.positions[static_cast<std::size_t>(bond.atom2)]);
        Change change{.step = "read_structure",
                      .what = "is bonded to " + topology.residue_name(b.residue),
                      .why = fmt::format("the sulfurs are {:.3f} nm apart", distance),
                      .kind = "bonded",
                      .atoms = {"SG", "SG"},
                      .to = topology.residue_name(b.residue)};
        log.changes.push_back(std::move(change).of(topology, a.residue));
    }
}

}  // namespace

void log_reading(app::ChangeLog& log, app::StructureFile const& file, app::Structure const& structure,
                 app::AlternateLocation alternate_location) {
    log.warnings.insert(log.warnings.end(), file.warnings.begin(), file.warnings.end());
    log_alternates(log, file.atoms_with_alternates, alternate_location);
    log_names(log, structure.topology);
    log_disulfides(log, structure);
}

}  // namespace trotter::program
