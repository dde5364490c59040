// SPDX-License-Identifier: MIT
#include "multi_residue_patches.hpp"

#include <algorithm>
#include <set>

#include "at.hpp"
#include "bonds.hpp"

namespace trotter::app::force_field {
namespace {

using Cluster = std::vector<int>;  // residues, ascending

class PatchMatcher {
public:
    PatchMatcher(ForceField::Data& data, Topology const& topology, std::vector<std::vector<int>> const& neighbors,
                 std::vector<int> const& unmatched, MatchResidue const& match)
        : data_(data),
          topology_(topology),
          neighbors_(neighbors),
          unmatched_(unmatched.begin(), unmatched.end()),
          match_(match) {}

    std::vector<PatchedResidue> run() {
        auto const patches = data_.patches.for_several_residues();
        int largest = 0;
        for (auto const* patch : patches) largest = std::max(largest, patch->residue_count);
        std::set<Cluster> clusters;
        for (int const residue : unmatched_) clusters.insert({residue});
        for (int size = 2; size <= largest && !clusters.empty(); ++size) {
            clusters = extended(clusters);
            for (auto const* patch : patches)
                if (patch->residue_count == size)
                    for (auto const& cluster : clusters) try_patch(*patch, cluster);
        }
        return std::move(result_);
    }

private:
    struct Candidate {
        Template const* made;
        std::vector<int> template_atoms;
    };
    using Candidates = std::vector<std::vector<Candidate>>;  // for each residue of a patch
    // The candidates chosen for residues in the order of the patch.
    struct Choice {
        std::vector<int> residues;
        std::vector<Candidate> candidates;
        std::vector<std::uint64_t> ranks;
    };

    // The clusters with one more bonded residue each.
    std::set<Cluster> extended(std::set<Cluster> const& clusters) const {
        std::set<Cluster> result;
        for (auto const& cluster : clusters)
            for (int const residue : cluster)
                for (int const atom : atoms_of(topology_, residue))
                    for (int const other : at(neighbors_, atom)) {
                        int const added = at(topology_.atoms, other).residue;
                        if (!unmatched_.contains(added) || std::binary_search(cluster.begin(), cluster.end(), added))
                            continue;
                        auto larger = cluster;
                        larger.insert(std::upper_bound(larger.begin(), larger.end(), added), added);
                        result.insert(larger);
                    }
        return result;
    }

    void try_patch(Patch const& patch, Cluster const& cluster) {
        if (!std::all_of(cluster.begin(), cluster.end(), [&](int residue) { return unmatched_.contains(residue); }))
            return;
        std::optional<Choice> best;
        auto residues = cluster;
        do {
            auto const choice = first_choice(patch, residues);
            if (choice && (!best || choice->ranks < best->ranks)) best = choice;
        } while (std::next_permutation(residues.begin(), residues.end()));
        if (!best) return;
        for (std::size_t i = 0; i < best->residues.size(); ++i) {
            result_.push_back({best->residues[i], best->candidates[i].made, best->candidates[i].template_atoms});
            unmatched_.erase(best->residues[i]);
        }
    }

    // The first combination of templates that match these residues and have the patch's bonds between them.
    std::optional<Choice> first_choice(Patch const& patch, std::vector<int> const& residues) const {
        Candidates candidates;
        for (int i = 0; i < count(residues); ++i) {
            candidates.push_back(candidates_for(patch, i, at(residues, i)));
            if (candidates.back().empty()) return {};
        }
        Choice choice{residues, {}, {}};
        return complete(patch, candidates, choice) ? std::optional(choice) : std::nullopt;
    }
    bool complete(Patch const& patch, Candidates const& candidates, Choice& choice) const {
        auto const next = choice.candidates.size();
        if (next == candidates.size()) return has_bonds(patch, choice);
        for (auto const& candidate : candidates[next]) {
            choice.candidates.push_back(candidate);
            choice.ranks.push_back(data_.patches.rank(candidate.made));
            if (complete(patch, candidates, choice)) return true;
            choice.candidates.pop_back(), choice.ranks.pop_back();
        }
        return false;
    }
    std::vector<Candidate> candidates_for(Patch const& patch, int place, int residue) const {
        auto const graph = graph_of(topology_, neighbors_, atoms_of(topology_, residue));
        std::vector<Candidate> result;
        for (auto const* made : data_.patches.for_residue_of(patch, place, data_.templates, signature(graph)))
            if (auto atoms = match_(residue, *made)) result.push_back({made, std::move(*atoms)});
        return result;
    }

    bool has_bonds(Patch const& patch, Choice const& choice) const {
        return std::all_of(patch.added_bonds.begin(), patch.added_bonds.end(), [&](auto const& bond) {
            auto const& [a, b] = bond;
            if (a.residue == b.residue) return true;
            auto const atom1 = find_atom(choice, a), atom2 = find_atom(choice, b);
            return atom1 && atom2
                   && std::binary_search(at(neighbors_, *atom1).begin(), at(neighbors_, *atom1).end(), *atom2);
        });
    }
    std::optional<int> find_atom(Choice const& choice, Patch::AtomName const& name) const {
        auto const& [made, template_atoms] = at(choice.candidates, name.residue);
        auto const wanted = made->find_atom(name.name);
        if (!wanted) return {};
        auto const found = std::find(template_atoms.begin(), template_atoms.end(), *wanted);
        if (found == template_atoms.end()) return {};
        auto const atoms = atoms_of(topology_, at(choice.residues, name.residue));
        return atoms[static_cast<std::size_t>(found - template_atoms.begin())];
    }

    ForceField::Data& data_;
    Topology const& topology_;
    std::vector<std::vector<int>> const& neighbors_;
    std::set<int> unmatched_;
    MatchResidue const& match_;
    std::vector<PatchedResidue> result_;
};

}  // namespace

std::vector<PatchedResidue> match_patches_over_residues(ForceField::Data& data, Topology const& topology,
                                                        std::vector<std::vector<int>> const& neighbors,
                                                        std::vector<int> const& unmatched, MatchResidue const& match) {
    return PatchMatcher(data, topology, neighbors, unmatched, match).run();
}

}  // namespace trotter::app::force_field
