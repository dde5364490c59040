// `trotter select`: which atoms an expression selects, and how it was understood.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include <trotter/app/selection.hpp>
#include <trotter/error.hpp>

#include "commands.hpp"
#include "preparation.hpp"
#include "program/exit_status.hpp"
#include "program/input/options.hpp"
#include "program/input/structure_input.hpp"
#include "program/output/messages.hpp"
#include "program/output/report.hpp"

namespace trotter::program {
namespace {

/// How many different residues and chains the atoms belong to.
struct Counts {
    std::size_t residues = 0, chains = 0;

    Counts(app::Topology const& topology, std::vector<int> const& atoms) {
        std::set<int> residue_indices, chain_indices;
        for (int const atom : atoms) {
            auto const residue = topology.atoms[static_cast<std::size_t>(atom)].residue;
            residue_indices.insert(residue);
            chain_indices.insert(topology.residues[static_cast<std::size_t>(residue)].chain);
        }
        residues = residue_indices.size();
        chains = chain_indices.size();
    }
};

std::string table_of(app::Topology const& topology, std::vector<int> const& atoms) {
    constexpr std::size_t shown = 10;
    std::string text;
    if (!atoms.empty()) text += fmt::format("{:>9}  {:<6} {:<7} {}\n", "index", "name", "element", "residue");
    for (std::size_t i = 0; i < std::min(atoms.size(), shown); ++i) {
        auto const& atom = topology.atoms[static_cast<std::size_t>(atoms[i])];
        text += fmt::format("{:>9}  {:<6} {:<7} {}\n", atoms[i], presentable(atom.name), atom.element ? atom.element->symbol() : "-",
                            presentable(topology.residue_name(atom.residue)));
    }
    if (atoms.size() > shown) text += fmt::format("{:>9}  and {} more\n", "…", atoms.size() - shown);
    return text;
}

}  // namespace

int select(Options const& options, KnownForces const&) {
    if (options.input.empty() || options.expression.empty())
        throw InputError("a file and an expression are needed (see `trotter help select`)");
    auto const selection = app::Selection::parse(options.expression);
    auto const file = read_named_structure(options.input, {data_folders(options.force_field_folders), options.max_input});
    auto const& topology = file.structure.topology;
    auto const atoms = selection.atoms(file.structure);
    Counts const counts(topology, atoms);
    if (options.table_as_json) {
        Report().add("atoms", topology.atoms.size())
            .add("selected", atoms.size())
            .add("residues", counts.residues)
            .add("chains", counts.chains)
            .add("parsed", selection.tree())
            .add("indices", atoms)
            .write("-");
        return done;
    }
    print(fmt::format("{} of {} atoms, of {} residues in {} chains\nparsed as {}\n", atoms.size(), topology.atoms.size(),
                      counts.residues, counts.chains, presentable(selection.tree()))
          + table_of(topology, atoms));
    return done;
}

}  // namespace trotter::program
