// SPDX-License-Identifier: MIT
#include "app/modeller/gaps.hpp"

#include <optional>
#include <string_view>

#include "app/structure/nonstandard_residues.hpp"

namespace trotter::app {
namespace {

constexpr double longest_bond = 0.25;              // nm
constexpr double longest_of_alpha_carbons = 0.45;  // of residues that are bonded, 0.38 as a rule [nm]

int find(Topology const& topology, int residue, std::string_view name) {
    auto const& found = topology.residues[static_cast<std::size_t>(residue)];
    for (int atom = found.first_atom; atom < found.first_atom + found.atom_count; ++atom)
        if (topology.atoms[static_cast<std::size_t>(atom)].name == name) return atom;
    return -1;
}

std::optional<double> distance(Structure const& structure, int residue, std::string_view name, std::string_view next) {
    int const a = find(structure.topology, residue, name), b = find(structure.topology, residue + 1, next);
    if (a < 0 || b < 0) return {};
    return norm(structure.positions[static_cast<std::size_t>(a)] - structure.positions[static_cast<std::size_t>(b)]);
}

std::optional<Gap> gap_behind(Structure const& structure, int residue) {
    auto const& topology = structure.topology;
    if (is_amino_acid(topology, residue) && is_amino_acid(topology, residue + 1)) {
        if (auto const bond = distance(structure, residue, "C", "N"))
            return *bond > longest_bond ? std::optional(Gap{residue, *bond, true}) : std::nullopt;
        auto const far = distance(structure, residue, "CA", "CA");
        return far && *far > longest_of_alpha_carbons ? std::optional(Gap{residue, *far, true}) : std::nullopt;
    }
    auto const is_nucleic = [&](int i) { return is_nucleotide(topology.residues[static_cast<std::size_t>(i)].name); };
    if (!is_nucleic(residue) || !is_nucleic(residue + 1)) return {};
    auto const bond = distance(structure, residue, "O3'", "P");
    return bond && *bond > longest_bond ? std::optional(Gap{residue, *bond, false}) : std::nullopt;
}

}  // namespace

bool is_amino_acid(Topology const& topology, int residue) {
    auto const& name = topology.residues[static_cast<std::size_t>(residue)].name;
    if (name == "ACE" || name == "NME" || is_nucleotide(name)) return false;
    if (has_template(name) || !standard_for(name).empty()) return true;
    for (auto const* atom : {"N", "CA", "C", "O"})
        if (find(topology, residue, atom) < 0) return false;
    return true;
}

std::vector<Gap> find_gaps(Structure const& structure) {
    std::vector<Gap> gaps;
    for (auto const& chain : structure.topology.chains)
        for (int residue = chain.first_residue; residue + 1 < chain.first_residue + chain.residue_count; ++residue)
            if (auto const gap = gap_behind(structure, residue)) gaps.push_back(*gap);
    return gaps;
}

}  // namespace trotter::app
