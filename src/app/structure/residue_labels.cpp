// SPDX-License-Identifier: MIT
#include <trotter/app/structure/residue_labels.hpp>

#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>

namespace trotter::app {
namespace {

/// Without the blanks that stand for a missing letter.
std::string without_blank_chain(std::string const& label) {
    return label.substr(std::min(label.find_first_not_of(' '), label.size()));
}

}  // namespace

std::string residue_label(Topology const& topology, int residue) {
    auto const& found = topology.residues[static_cast<std::size_t>(residue)];
    return topology.chains[static_cast<std::size_t>(found.chain)].id + ':' + found.id + found.insertion_code;
}

ResidueLabels::ResidueLabels(Topology const& topology) : count_(static_cast<int>(topology.residues.size())) {
    for (int i = 0; i < count_; ++i) {
        auto& found = residues_[without_blank_chain(residue_label(topology, i))];
        if (found.count++ == 0) found.residue = i;
    }
}

int ResidueLabels::find(std::string const& label) const {
    if (label.starts_with('#')) {
        auto const index = parse_integer(label.substr(1));
        if (!index || *index < 0 || *index >= count_)
            throw InputError("there is no residue " + in_quotes(label) + ", expected #0 to #"
                             + std::to_string(count_ - 1));
        return static_cast<int>(*index);
    }
    auto const found = residues_.find(without_blank_chain(label));
    if (found == residues_.end())
        throw InputError("there is no residue " + in_quotes(label) + ", expected CHAIN:NUMBER or #INDEX");
    if (found->second.count > 1)
        throw InputError(std::to_string(found->second.count) + " residues are called " + in_quotes(label)
                         + ", the first of them #" + std::to_string(found->second.residue)
                         + ": expected one, or #INDEX");
    return found->second.residue;
}

}  // namespace trotter::app
