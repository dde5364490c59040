// SPDX-License-Identifier: MIT
#include <trotter/app/modeller/repair.hpp>

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <trotter/app/structure/find_missing.hpp>
#include <trotter/error.hpp>

#include "app/modeller/gaps.hpp"
#include "app/modeller/ideal_residues.hpp"
#include "app/modeller/place_heavy_atoms.hpp"
#include "app/modeller/replace_residue.hpp"
#include "app/modeller/stereochemistry.hpp"
#include "app/structure/nonstandard_residues.hpp"

namespace trotter::app {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// Sequences in which standard residues stand in place of those that are replaced.
std::vector<PolymerSequence> standard_sequences(std::vector<PolymerSequence> sequences) {
    for (auto& sequence : sequences) {
        auto residues = std::make_shared<std::vector<std::string>>(*sequence.residues);
        for (auto& name : *residues)
            if (auto const standard = standard_for(name); !standard.empty()) name = standard;
        sequence.residues = std::move(residues);
    }
    return sequences;
}

class Repairer {
public:
    Repairer(Structure const& structure, StandardBonds const& bonds, RepairOptions const& options, ChangeLog& log)
        : structure_(structure), bonds_(bonds), sequences_(options.sequences), options_(options), log_(log) {}

    Structure repair() {
        if (options_.replaces_nonstandard) replace_nonstandard();
        auto const missing = find_missing(structure_.topology, sequences_, options_.modified_residues, bonds_);
        for (auto const& [residue, names] : missing.atoms) add(residue, names, "missing");
        treat_gaps(missing);
        for (auto const& [residue, names] : missing.terminals) end_at(residue, "the chain ends here");
        end_other_chains();
        auto const bonded = structure_.topology.bonded_atoms();
        for (auto& [residue, edit] : edits_) drop_hydrogens_at_added(edit, structure_, residue, bonds_, bonded);
        auto edited = edit_residues(structure_, edits_, bonds_);
        place_heavy_atoms(edited.structure, edited.is_new, log_.warnings);
        for (auto const& sentence : unusual_stereochemistry(edited.structure))
            log_.warnings.push_back("repair: " + sentence);
        return std::move(edited.structure);
    }

private:
    void log(int residue, Change change) {
        change.step = "repair";
        log_.changes.push_back(std::move(change).of(structure_.topology, residue));
    }

    void replace_nonstandard() {
        auto const found = find_missing(structure_.topology, {}, options_.modified_residues, bonds_).nonstandard;
        std::map<int, ResidueEdit> edits;
        for (auto const& [residue, standard] : found) {
            if (ideal_residue(standard) == nullptr) continue;
            edits.emplace(residue, replacement(structure_, residue, standard));
            log(residue, {.what = "became " + standard,
                          .why = "the standard residue in its place",
                          .kind = "mutated",
                          .from = structure_.topology.residues[index(residue)].name,
                          .to = standard});
        }
        structure_ = edit_residues(structure_, edits, bonds_).structure;
        sequences_ = standard_sequences(std::move(sequences_));
    }

    void add(int residue, std::vector<std::string> const& names, std::string why) {
        auto& added = edits_[residue].added;
        added.insert(added.end(), names.begin(), names.end());
        std::string listed;
        for (auto const& name : names) listed += ' ' + name;
        log(residue, {.what = "got" + listed, .why = std::move(why), .kind = "added", .atoms = names});
    }

    bool has_atom(int residue, std::string_view name) const {
        auto const& found = structure_.topology.residues[index(residue)];
        for (int atom = found.first_atom; atom < found.first_atom + found.atom_count; ++atom)
            if (structure_.topology.atoms[index(atom)].name == name) return true;
        auto const edit = edits_.find(residue);
        return edit != edits_.end()
               && std::find(edit->second.added.begin(), edit->second.added.end(), name) != edit->second.added.end();
    }

    bool is_standard_amino_acid(int residue) const {
        auto const* ideal = ideal_residue(structure_.topology.residues[index(residue)].name);
        return ideal != nullptr && ideal->find("CA") >= 0;
    }

    void end_at(int residue, std::string why) {
        if (is_standard_amino_acid(residue) && !has_atom(residue, "OXT")) add(residue, {"OXT"}, std::move(why));
    }

    std::string described(Gap const& gap) const {
        return fmt::format("between {} and {}, {:.2f} nm wide", structure_.topology.residue_name(gap.before),
                           structure_.topology.residue_name(gap.before + 1), gap.distance);
    }

    void treat_gaps(Missing const& missing) {
        auto const gaps = find_gaps(structure_);
        if (options_.gaps == Gaps::refuse && !gaps.empty()) {
            std::string listed;
            for (std::size_t i = 0; i < gaps.size() && i < 5; ++i) listed += (i ? "; " : "") + described(gaps[i]);
            throw InputError(fmt::format("repair: {} gap{} in the chains, expected none: {}", gaps.size(),
                                         gaps.size() == 1 ? "" : "s", listed));
        }
        for (auto const& gap : gaps) treat(gap);
        warn_of_closed_gaps(missing, gaps);
    }

    void treat(Gap const& gap) {
        std::string const why = "a gap " + described(gap);
        bool const has_end = has_atom(gap.before, "OXT");
        if (options_.gaps == Gaps::cap && gap.in_protein && !has_end) {
            edits_[gap.before].is_capped_behind = edits_[gap.before + 1].is_capped_before = true;
            log(gap.before, {.what = "got NME behind it", .why = why, .kind = "capped", .to = "NME"});
            log(gap.before + 1, {.what = "got ACE before it", .why = why, .kind = "capped", .to = "ACE"});
            return;
        }
        if (gap.in_protein) end_at(gap.before, why);
        edits_[gap.before].ends_chain = true;
        log(gap.before, {.what = "became the end of its chain", .why = why, .kind = "capped"});
        if (!gap.in_protein)
            log_.warnings.push_back("repair: " + why + " is in a nucleic acid: its chain was broken there");
    }

    /// Where the sequence has residues that the coordinates leave no room for.
    void warn_of_closed_gaps(Missing const& missing, std::vector<Gap> const& gaps) {
        for (auto const& residues : missing.residues) {
            auto const& chain = structure_.topology.chains[index(residues.chain)];
            if (residues.before == 0 || residues.before == chain.residue_count) continue;
            int const before = chain.first_residue + residues.before - 1;
            bool const is_open =
                std::any_of(gaps.begin(), gaps.end(), [&](Gap const& gap) { return gap.before == before; });
            if (!is_open)
                log_.warnings.push_back(
                    fmt::format("repair: the sequence has {} residues behind {}, where the coordinates have no gap",
                                residues.names.size(), structure_.topology.residue_name(before)));
        }
    }

    /// Ends where the sequence goes on, and those with something else behind in the chain.
    void end_other_chains() {
        std::vector<bool> has_link(structure_.topology.residues.size());
        for (auto const& bond : structure_.topology.bonds) {
            auto const &a = structure_.topology.atoms[index(bond.atom1)],
                       &b = structure_.topology.atoms[index(bond.atom2)];
            if (a.residue != b.residue && a.name == "C") has_link[index(a.residue)] = true;
            if (a.residue != b.residue && b.name == "C") has_link[index(b.residue)] = true;
        }
        for (auto const& chain : structure_.topology.chains) {
            int last = chain.first_residue + chain.residue_count - 1;
            while (last >= chain.first_residue && !is_standard_amino_acid(last)) --last;
            if (last < chain.first_residue || has_link[index(last)]) continue;
            if (!edits_.contains(last) || !edits_[last].is_capped_behind)
                end_at(last, "the protein ends here; what its sequence has behind is not built");
        }
    }

    Structure structure_;
    StandardBonds const& bonds_;
    std::vector<PolymerSequence> sequences_;
    RepairOptions const& options_;
    ChangeLog& log_;
    std::map<int, ResidueEdit> edits_;
};

}  // namespace

Structure repair(Structure const& structure, StandardBonds const& bonds, RepairOptions const& options, ChangeLog* log) {
    ChangeLog unused;
    return Repairer(structure, bonds, options, log ? *log : unused).repair();
}

}  // namespace trotter::app
