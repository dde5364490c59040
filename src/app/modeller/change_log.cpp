// SPDX-License-Identifier: MIT
#include <trotter/app/modeller/change_log.hpp>

#include <utility>

namespace trotter::app {

Change Change::of(Topology const& topology, int residue_index) && {
    auto const& changed = topology.residues[static_cast<std::size_t>(residue_index)];
    object = topology.residue_name(residue_index);
    chain = topology.chains[static_cast<std::size_t>(changed.chain)].id;
    residue = changed.id;
    icode = changed.insertion_code;
    name = changed.name;
    return std::move(*this);
}

std::string ChangeLog::text() const {
    std::string lines;
    for (auto const& change : changes) {
        lines += change.step + ": " + change.object + " " + change.what;
        if (!change.why.empty()) lines += ": " + change.why;
        lines += "\n";
    }
    for (auto const& warning : warnings) lines += "warning: " + warning + "\n";
    return lines;
}

}  // namespace trotter::app
