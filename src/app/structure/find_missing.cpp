// SPDX-License-Identifier: MIT
#include <trotter/app/structure/find_missing.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>

#include "nonstandard_residues.hpp"

namespace trotter::app {
namespace {

/// Names of the residues of a chain by their numbers, with gaps where numbers are missing.
struct NumberedChain {
    int chain;
    std::vector<std::string const*> names;  ///< null in gaps
};

/// Nothing if a number is no integer, or if the numbers reach farther than `longest`: then no sequence fits.
std::optional<NumberedChain> number_chain(Topology const& topology, int index, std::size_t longest) {
    auto const& chain = topology.chains[static_cast<std::size_t>(index)];
    std::vector<std::int64_t> numbers;
    std::int64_t inserted = 0;  // residues with insertion codes so far, which shift what follows
    for (int i = chain.first_residue; i < chain.first_residue + chain.residue_count; ++i) {
        auto const& residue = topology.residues[static_cast<std::size_t>(i)];
        auto const number = parse_integer(residue.id);
        if (!number || *number < -1'000'000'000 || *number > 1'000'000'000) return {};
        if (!residue.insertion_code.empty()) ++inserted;
        numbers.push_back(*number + inserted);
    }
    if (numbers.empty()) return {};
    auto const [first, last] = std::minmax_element(numbers.begin(), numbers.end());
    if (static_cast<std::size_t>(*last - *first) >= longest) return {};
    NumberedChain result{index, std::vector<std::string const*>(static_cast<std::size_t>(*last - *first + 1))};
    for (std::size_t i = 0; i < numbers.size(); ++i)
        result.names[static_cast<std::size_t>(numbers[i] - *first)] =
            &topology.residues[static_cast<std::size_t>(chain.first_residue) + i].name;
    return result;
}

/// Where chains stand in the sequences.
class SequenceSearch {
public:
    /// The first place where the residues of the chain are those of the sequence.
    std::optional<std::size_t> find(std::vector<std::string> const& sequence, NumberedChain const& chain) {
        for (std::size_t offset = 0; offset + chain.names.size() <= sequence.size(); ++offset)
            if (fits(sequence, chain, offset)) return offset;
        return {};
    }

private:
    bool fits(std::vector<std::string> const& sequence, NumberedChain const& chain, std::size_t offset) {
        for (std::size_t i = 0; i < chain.names.size(); ++i) {
            if (++comparisons_ > most_comparisons)
                throw InputError(
                    "the sequences of the file have too many places where its chains could stand, expected sequences "
                    "of proteins or nucleic acids");
            if (chain.names[i] != nullptr && *chain.names[i] != sequence[offset + i]) return false;
        }
        return true;
    }

    static constexpr std::int64_t most_comparisons = 200'000'000;
    std::int64_t comparisons_ = 0;
};

/// Adds the residues of a sequence that the chain lacks.
void add_missing(std::vector<MissingResidues>& missing, NumberedChain const& chain,
                 std::vector<std::string> const& sequence, std::size_t offset) {
    int before = 0;
    bool in_gap = false;
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        bool const is_there = i >= offset && i < offset + chain.names.size() && chain.names[i - offset] != nullptr;
        if (is_there) {
            ++before;
        } else {
            if (!in_gap) missing.push_back({chain.chain, before, {}});
            auto const standard = standard_for(sequence[i]);
            missing.back().names.emplace_back(standard.empty() ? sequence[i] : standard);
        }
        in_gap = !is_there;
    }
}

bool is_before(MissingResidues const& a, MissingResidues const& b) {
    return std::pair(a.chain, a.before) < std::pair(b.chain, b.before);
}

std::vector<MissingResidues> missing_residues(Topology const& topology, std::vector<PolymerSequence> const& sequences) {
    std::size_t longest = 0;
    for (auto const& sequence : sequences) longest = std::max(longest, sequence.residues->size());
    std::map<std::string, std::vector<NumberedChain>> chains;  // not yet found in a sequence, by id
    for (int i = 0; i < static_cast<int>(topology.chains.size()); ++i)
        if (auto chain = number_chain(topology, i, longest))
            chains[topology.chains[static_cast<std::size_t>(i)].id].push_back(std::move(*chain));
    std::vector<MissingResidues> missing;
    SequenceSearch search;
    for (auto const& sequence : sequences) {
        auto& candidates = chains[sequence.chain];
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            auto const offset = search.find(*sequence.residues, candidates[i]);
            if (!offset) continue;
            add_missing(missing, candidates[i], *sequence.residues, *offset);
            candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(i));
            break;
        }
    }
    std::sort(missing.begin(), missing.end(), is_before);
    return missing;
}

/// Heavy atoms of a residue inside a chain; none for a residue that PDBFixer has no template of.
std::vector<std::string> template_atoms(std::string const& name, StandardBonds const& bonds) {
    if (!has_template(name)) return {};
    std::set<std::string> names;
    for (auto const& bond : bonds.of(name))
        for (auto const& atom : {bond.first, bond.second}) {
            bool const is_of_neighbor = atom.starts_with('-') || atom.starts_with('+'),
                       is_hydrogen = atom.starts_with('H');
            if (!is_of_neighbor && !is_hydrogen && atom != "OXT" && atom != "OP3") names.insert(atom);
        }
    return {names.begin(), names.end()};
}

/// Heavy atoms that the residues of a chain lack.
void add_missing_atoms(Missing& missing, Topology const& topology, int index, StandardBonds const& bonds) {
    auto const& chain = topology.chains[static_cast<std::size_t>(index)];
    auto const is_gap_at = [&](int place) {
        return std::binary_search(missing.residues.begin(), missing.residues.end(), MissingResidues{index, place, {}},
                                  is_before);
    };
    int const first = chain.first_residue, last = first + chain.residue_count - 1;
    auto const is_nucleic = [](Residue const& residue) { return is_nucleotide(residue.name); };
    bool const starts_without_phosphate =
        chain.residue_count > 0
        && std::any_of(topology.residues.begin() + first, topology.residues.begin() + last + 1, is_nucleic)
        && !is_gap_at(0);
    bool const ends_here = chain.residue_count > 0 && !is_gap_at(chain.residue_count);
    for (int i = first; i <= last; ++i) {
        auto const& residue = topology.residues[static_cast<std::size_t>(i)];
        auto const wanted = template_atoms(residue.name, bonds);
        if (wanted.empty()) continue;
        std::set<std::string_view> present;
        for (int atom = residue.first_atom; atom < residue.first_atom + residue.atom_count; ++atom)
            present.insert(topology.atoms[static_cast<std::size_t>(atom)].name);
        for (auto const& name : wanted) {
            bool const is_of_phosphate = name == "P" || name == "OP1" || name == "OP2";
            if (!present.contains(name) && !(i == first && starts_without_phosphate && is_of_phosphate))
                missing.atoms[i].push_back(name);
        }
        auto const has = [&](char const* name) {
            return std::find(wanted.begin(), wanted.end(), name) != wanted.end();
        };
        if (i == last && ends_here && !present.contains("OXT") && has("C") && has("O") && has("CA"))
            missing.terminals[i] = {"OXT"};
    }
}

std::map<int, std::string> nonstandard_residues(Topology const& topology,
                                                std::vector<ModifiedResidue> const& modified_residues) {
    std::map<std::array<std::string, 3>, std::string> declared;
    for (auto const& modified : modified_residues)
        if (auto const number = parse_integer(modified.id))
            declared[{modified.chain, std::to_string(*number), modified.name}] = modified.standard_name;
    std::map<int, std::string> result;
    for (int i = 0; i < static_cast<int>(topology.residues.size()); ++i) {
        auto const& residue = topology.residues[static_cast<std::size_t>(i)];
        if (auto const standard = standard_for(residue.name); !standard.empty()) result[i] = standard;
        auto const found =
            declared.find({topology.chains[static_cast<std::size_t>(residue.chain)].id, residue.id, residue.name});
        if (found == declared.end()) continue;
        auto const& replacement = found->second == "DU" ? "DT" : found->second;
        if (has_template(replacement)) result[i] = replacement;
    }
    return result;
}

}  // namespace

Missing find_missing(Topology const& topology, std::vector<PolymerSequence> const& sequences,
                     std::vector<ModifiedResidue> const& modified_residues, StandardBonds const& bonds) {
    Missing missing;
    missing.residues = missing_residues(topology, sequences);
    missing.nonstandard = nonstandard_residues(topology, modified_residues);
    for (int chain = 0; chain < static_cast<int>(topology.chains.size()); ++chain)
        add_missing_atoms(missing, topology, chain, bonds);
    return missing;
}

}  // namespace trotter::app
