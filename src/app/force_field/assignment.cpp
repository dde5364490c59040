// SPDX-License-Identifier: MIT
#include <algorithm>
#include <unordered_map>

#include "at.hpp"
#include "bonds.hpp"
#include "data.hpp"
#include "matching.hpp"
#include "multi_residue_patches.hpp"
#include "refusal.hpp"

namespace trotter::app::force_field {

Template const* Assignment::template_of(int residue) const {
    int const index = at(matched_residue, residue);
    return index < 0 ? nullptr : at(residues, index).matched;
}

namespace {

class Assigner {
public:
    Assigner(ForceField::Data& data, Topology const& topology, SystemOptions const& options,
             bool ignore_extra_particles)
        : data_(data),
          topology_(topology),
          options_(options),
          ignore_extra_particles_(ignore_extra_particles),
          ignore_external_bonds_(options.ignore_external_bonds.value_or(false)),
          neighbors_(sorted_neighbors(topology)) {
        result_.atoms.resize(topology.atoms.size());
        result_.matched_residue.assign(topology.residues.size(), -1);
        found_.resize(topology.residues.size());
    }

    Assignment run() {
        match_single_residues();
        match_patched_residues();
        match_molecules_and_generated();
        refusal_.throw_if_any(data_.templates, topology_, neighbors_);
        finish();
        return std::move(result_);
    }

private:
    // The first template that matches; `ambiguous` lists all of them if they do not assign the same.
    struct Found {
        Template const* matched = nullptr;
        std::vector<int> template_atoms;
        std::vector<Template const*> ambiguous;
    };
    struct Residue {
        std::vector<int> residues, atoms;
        Graph graph;
    };
    using Cache = std::unordered_map<std::string, Found>;

    Residue residue(std::vector<int> residues) const {
        Residue result{std::move(residues), {}, {}};
        for (int const one : result.residues)
            for (int const atom : atoms_of(topology_, one)) result.atoms.push_back(atom);
        result.graph = graph_of(topology_, neighbors_, result.atoms);
        if (ignore_extra_particles_) result.graph = result.graph.without_extra_particles();
        return result;
    }

    std::optional<std::vector<int>> match_with(Residue const& residue, Template const& candidate) const {
        if (!ignore_extra_particles_) return match(residue.graph, candidate.graph, ignore_external_bonds_);
        return match(residue.graph, candidate.graph.without_extra_particles(), ignore_external_bonds_);
    }

    Found find_among(std::vector<Template const*> const& candidates, Residue const& residue) const {
        std::vector<Found> all;
        for (auto const* candidate : candidates)
            if (auto atoms = match_with(residue, *candidate)) all.push_back({candidate, std::move(*atoms), {}});
        if (all.empty()) return {};
        bool const are_alike = ignore_extra_particles_ || std::all_of(all.begin(), all.end(), [&](Found const& other) {
            return assign_the_same(*all[0].matched, all[0].template_atoms, *other.matched, other.template_atoms);
        });
        if (!are_alike)
            for (auto const& one : all) all[0].ambiguous.push_back(one.matched);
        return all[0];
    }

    Found find_cached(Cache& cache, std::vector<Template const*> const& candidates, Residue const& residue) const {
        auto const [place, is_new] = cache.try_emplace(fingerprint(residue.graph));
        if (is_new) place->second = find_among(candidates, residue);
        return place->second;
    }

    // By a matcher, or among the templates without patches.
    Found find(Residue const& residue) {
        if (residue.residues.size() == 1)
            if (auto found = find_by_matchers(residue); found.matched) return found;
        return find_cached(plain_, data_.templates.with_signature(signature(residue.graph)), residue);
    }

    Found find_by_matchers(Residue const& residue) const {
        int const index = residue.residues[0];
        auto const& name = at(topology_.residues, index).name;
        for (auto const& names : data_.matched_by_name)
            for (auto const* prefix : {"", "N", "C"}) {
                if (!names.contains(name)) break;
                auto const* candidate = names.contains(prefix + name) ? data_.templates.find(prefix + name) : nullptr;
                if (!candidate) continue;
                if (auto atoms = match_with(residue, *candidate)) return {candidate, std::move(*atoms), {}};
            }
        for (auto const& matcher : data_.matchers)
            if (auto const chosen = matcher(topology_, index))
                return chosen_template(residue, *chosen, "a matcher chose");
        return {};
    }

    Found chosen_template(Residue const& residue, std::string const& name, std::string const& who) const {
        auto const title = topology_.residue_name(residue.residues[0]);
        auto const* chosen = data_.templates.find(name);
        if (!chosen)
            throw InputError(who + " the template " + name + " for the residue " + title + ", but no file has it");
        auto atoms = match_with(residue, *chosen);
        if (!atoms)
            throw InputError(who + " the template " + name + " for the residue " + title + ", which it does not match");
        return {chosen, std::move(*atoms), {}};
    }

    void match_single_residues() {
        for (int i = 0; i < count(topology_.residues); ++i) {
            auto const one = residue({i});
            auto const named = options_.residue_templates.find(i);
            if (named == options_.residue_templates.end()) take_or_leave(one, find(one));
            else take(one, chosen_template(one, named->second, "residue_templates names"));
        }
    }

    void take_or_leave(Residue const& residue, Found const& found) {
        if (!found.ambiguous.empty()) refusal_.add_ambiguous(residue.residues, found.ambiguous);
        else if (found.matched) take(residue, found);
        else unmatched_.insert(unmatched_.end(), residue.residues.begin(), residue.residues.end());
    }

    void take(Residue const& residue, Found const& found) {
        record(residue, *found.matched, found.template_atoms);
        MatchedResidue const matched{residue.residues, found.matched, found.template_atoms};
        if (residue.residues.size() == 1) at(found_, residue.residues[0]) = matched;
        else for (int const one : residue.residues) at(found_, one).reset();
        order_.push_back(matched);
    }

    void record(Residue const& residue, Template const& matched, std::vector<int> const& template_atoms) {
        if (ignore_extra_particles_) return;
        std::vector<int> particle(matched.atoms.size());
        for (std::size_t i = 0; i < residue.atoms.size(); ++i) at(particle, template_atoms[i]) = residue.atoms[i];
        for (std::size_t i = 0; i < residue.atoms.size(); ++i)
            at(result_.atoms, residue.atoms[i]) = {&at(matched.atoms, template_atoms[i]), template_atoms[i]};
        auto const renumber = [&](int atom) { return at(particle, atom); };
        for (auto const& rule : matched.sites)
            result_.sites[renumber(rule.atom)] = {renumbered(rule.site, renumber), renumber(rule.exclude_with)};
    }

    void match_patched_residues() {
        if (unmatched_.empty() || data_.patches.empty()) return;
        Cache cache;
        for (int const i : std::exchange(unmatched_, {})) {
            auto const one = residue({i});
            auto const& candidates = data_.patches.for_one_residue(data_.templates, signature(one.graph));
            take_or_leave(one, find_cached(cache, candidates, one));
        }
        auto const patched = match_patches_over_residues(
            data_, topology_, neighbors_, unmatched_,
            [&](int i, Template const& candidate) { return match_with(residue({i}), candidate); });
        for (auto const& [i, matched, atoms] : patched) {
            record(residue({i}), *matched, atoms);
            result_.patched_names[i] = matched->name;
            std::erase(unmatched_, i);
        }
    }

    // All residues that are bonded to one, directly or through others; only itself if there are none.
    std::vector<int> molecule_of(int start) const {
        std::vector<int> found{start};
        std::vector<bool> is_found(topology_.residues.size(), false);
        at(is_found, start) = true;
        for (std::size_t i = 0; i < found.size(); ++i)
            for (int const atom : atoms_of(topology_, found[i]))
                for (int const other : at(neighbors_, atom)) {
                    int const neighbor = at(topology_.atoms, other).residue;
                    if (at(is_found, neighbor)) continue;
                    at(is_found, neighbor) = true;
                    found.push_back(neighbor);
                }
        std::sort(found.begin(), found.end());
        return found;
    }

    void match_molecules_and_generated() {
        while (!unmatched_.empty()) {
            auto const one = residue({unmatched_[0]}), molecule = residue(molecule_of(unmatched_[0]));
            if (!take_one_of(one, molecule) && !(generate(unmatched_[0]) && take_one_of(one, molecule))) {
                refusal_.add_unmatched(unmatched_[0]);
                unmatched_.erase(unmatched_.begin());
            }
        }
    }
    // A template for the residue, else one for the whole molecule.
    bool take_one_of(Residue const& one, Residue const& molecule) {
        for (auto const* candidate : {&one, &molecule}) {
            if (candidate == &molecule && molecule.residues.size() == 1) break;
            auto const found = find(*candidate);
            if (!found.ambiguous.empty()) refusal_.add_ambiguous(candidate->residues, found.ambiguous);
            else if (found.matched) take(*candidate, found);
            else continue;
            std::erase_if(unmatched_, [&](int i) {
                return std::binary_search(candidate->residues.begin(), candidate->residues.end(), i);
            });
            return true;
        }
        return false;
    }
    bool generate(int residue) {
        for (auto const& generator : data_.template_generators)
            if (auto const text = generator(topology_, residue)) {
                load(data_, {*text});
                plain_.clear();
                return true;
            }
        return false;
    }

    // Leaves out residues that became part of a molecule later.
    void finish() {
        for (auto& matched : order_) {
            if (matched.residues.size() == 1 && !at(found_, matched.residues[0])) continue;
            for (int const i : matched.residues) at(result_.matched_residue, i) = count(result_.residues);
            result_.residues.push_back(std::move(matched));
        }
    }

    ForceField::Data& data_;
    Topology const& topology_;
    SystemOptions const& options_;
    bool ignore_extra_particles_, ignore_external_bonds_;
    std::vector<std::vector<int>> neighbors_;
    Assignment result_;
    std::vector<MatchedResidue> order_;
    std::vector<std::optional<MatchedResidue>> found_;  // of each residue by itself
    std::vector<int> unmatched_;
    Cache plain_;
    Refusal refusal_;
};

}  // namespace

Assignment assign_templates(ForceField::Data& data, Topology const& topology, SystemOptions const& options,
                            bool ignore_extra_particles) {
    return Assigner(data, topology, options, ignore_extra_particles).run();
}

}  // namespace trotter::app::force_field
