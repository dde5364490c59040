// SPDX-License-Identifier: MIT
#include "refusal.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <trotter/error.hpp>

#include "at.hpp"
#include "bonds.hpp"
#include "data.hpp"

namespace trotter::app::force_field {
namespace {

// Residues of one name that have the same fault.
struct Group {
    std::string name, fault;
    std::vector<int> residues;
};

constexpr std::size_t most_residues = 12, most_groups = 40;  // of those written out

std::string number_of(Topology const& topology, int residue) {
    auto const& [name, id, insertion_code, original_name, chain, first_atom, atom_count] =
        at(topology.residues, residue);
    auto const text = fmt::format("{}:{}{}", at(topology.chains, chain).id, id, insertion_code);
    return insertion_code.empty() ? text
                                  : fmt::format("{} (number {} with insertion code {})", text, id, insertion_code);
}

void add(std::vector<Group>& groups, std::string const& name, std::string const& fault, int residue) {
    auto const same = [&](Group const& group) { return group.name == name && group.fault == fault; };
    auto found = std::find_if(groups.begin(), groups.end(), same);
    if (found == groups.end()) found = groups.insert(found, {name, fault, {}});
    found->residues.push_back(residue);
}

std::string text_of(Group const& group, Topology const& topology) {
    std::string numbers;
    for (std::size_t i = 0; i < std::min(group.residues.size(), most_residues); ++i)
        numbers += (i ? ", " : "") + number_of(topology, group.residues[i]);
    if (group.residues.size() > most_residues)
        numbers += fmt::format(" and {} more", group.residues.size() - most_residues);
    return fmt::format("{} {} {}", group.name, numbers, group.fault);
}

std::string text_of(std::vector<int> const& residues, std::vector<Template const*> const& matched,
                    Topology const& topology) {
    std::vector<std::string> who, which;
    for (std::size_t i = 0; i < std::min(residues.size(), most_residues); ++i)
        who.push_back(at(topology.residues, residues[i]).name + " " + number_of(topology, residues[i]));
    if (residues.size() > most_residues) who.push_back(fmt::format("{} more", residues.size() - most_residues));
    for (auto const* one : matched) which.push_back(one->name);
    return fmt::format("{}{} several templates that differ ({}): residue_templates chooses one", fmt::join(who, ", "),
                       residues.size() > 1 ? " together match" : " matches", fmt::join(which, ", "));
}

}  // namespace

void Refusal::throw_if_any(Templates const& templates, Topology const& topology,
                           std::vector<std::vector<int>> const& neighbors) const {
    if (unmatched_.empty() && ambiguous_.empty()) return;
    auto unmatched = unmatched_;
    std::sort(unmatched.begin(), unmatched.end());
    std::vector<Group> groups;
    std::map<std::string, std::string> faults;  // of residues that are alike
    for (int const residue : unmatched) {
        auto const& name = at(topology.residues, residue).name;
        auto const kind = name + (is_end_of_chain(topology, residue) ? "|" : "-")
                          + fingerprint(graph_of(topology, neighbors, atoms_of(topology, residue)));
        auto const [fault, is_new] = faults.try_emplace(kind);
        if (is_new) fault->second = difference_from_templates(templates, topology, residue, neighbors);
        add(groups, name, fault->second, residue);
    }
    std::vector<std::string> parts;
    for (auto const& group : groups) parts.push_back(text_of(group, topology));
    for (auto const& [residues, matched] : ambiguous_) parts.push_back(text_of(residues, matched, topology));
    if (parts.size() > most_groups) {
        auto const more = parts.size() - most_groups;
        parts.resize(most_groups);
        parts.push_back(fmt::format("and {} more kinds of fault", more));
    }
    auto number = unmatched.size();
    for (auto const& [residues, matched] : ambiguous_) number += residues.size();
    throw InputError(fmt::format("no template can be chosen for {} of {} residues: {}",
                                 number, topology.residues.size(), fmt::join(parts, "; ")));
}

}  // namespace trotter::app::force_field
