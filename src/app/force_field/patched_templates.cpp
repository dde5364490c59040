// SPDX-License-Identifier: MIT
#include "patched_templates.hpp"

#include <algorithm>

#include <trotter/error.hpp>

#include "at.hpp"
#include "mixed.hpp"

namespace trotter::app::force_field {
namespace {

// All combinations of patches for one residue, of which no two touch the same atom: patch after patch, first alone,
// then what follows without it, then what follows with it. Templates are made only where the signature is the wanted
// one.
class Combinations {
public:
    Combinations(Template const& base, std::vector<Patch const*> patches, Patch const* last, int residue_of_last,
                 std::uint64_t wanted)
        : base_(base), patches_(std::move(patches)), last_(last), residue_of_last_(residue_of_last), wanted_(wanted) {
        for (auto const* patch : patches_) {
            changes_.push_back(patch->signature_change(base, 0));
            auto& row = shares_atoms_.emplace_back();
            for (auto const* other : patches_) row.push_back(share_atoms(*patch, *other));
        }
        if (last_) change_of_last_ = last_->signature_change(base, residue_of_last);
    }

    /// A template, and how many combinations come before its own.
    struct Made {
        std::unique_ptr<Template const> made;
        std::uint64_t place;
    };
    std::vector<Made> run() {
        if (last_) take({}, signature(base_.graph));
        visit(0, {}, signature(base_.graph));
        return std::move(found_);
    }

private:
    void visit(std::size_t first, std::vector<std::size_t> const& chosen, std::uint64_t sum) {
        for (std::size_t i = first; i < patches_.size(); ++i) {
            if (++visited_ > 10'000'000)
                throw InputError("the patches of the template " + base_.name + " have too many combinations");
            if (!fits(i, chosen)) continue;
            take(extended(chosen, i), sum + changes_[i]);
        }
        // What follows without the patches before comes first, hence the last patch first.
        for (std::size_t i = patches_.size(); i-- > first;)
            if (fits(i, chosen)) visit(i + 1, extended(chosen, i), sum + changes_[i]);
    }
    static std::vector<std::size_t> extended(std::vector<std::size_t> list, std::size_t i) {
        list.push_back(i);
        return list;
    }
    bool fits(std::size_t i, std::vector<std::size_t> const& chosen) const {
        return std::none_of(chosen.begin(), chosen.end(), [&](std::size_t other) { return shares_atoms_[i][other]; });
    }
    static bool share_atoms(Patch const& a, Patch const& b) {
        return std::any_of(a.touched_atoms.begin(), a.touched_atoms.end(),
                           [&](auto const& atom) { return b.touched_atoms.contains(atom); });
    }

    // Makes the template of a combination if its signature is the wanted one.
    void take(std::vector<std::size_t> const& chosen, std::uint64_t sum) {
        if (!last_ ? sum != wanted_ : !overlaps_last(chosen) && sum + change_of_last_ != wanted_) return;
        std::optional<Template> result;
        auto const apply = [&](Patch const& patch, int residue) {
            result = patch.applied_to(result ? *result : base_, residue);
            return result.has_value();
        };
        for (auto const i : chosen)
            if (!apply(*patches_[i], 0)) return;
        if (last_ && !apply(*last_, residue_of_last_)) return;
        if (signature(result->graph) == wanted_)
            found_.push_back({std::make_unique<Template const>(*std::move(result)), visited_});
    }
    bool overlaps_last(std::vector<std::size_t> const& chosen) const {
        return std::any_of(chosen.begin(), chosen.end(), [&](std::size_t i) {
            auto const& atoms = patches_[i]->touched_atoms;
            return std::any_of(atoms.begin(), atoms.end(),
                               [&](auto const& atom) { return last_->touches(atom, residue_of_last_); });
        });
    }

    Template const& base_;
    std::vector<Patch const*> patches_;
    Patch const* last_;  // for several residues, after all others; or null
    int residue_of_last_;
    std::uint64_t wanted_, change_of_last_ = 0;
    std::vector<std::uint64_t> changes_;
    std::vector<std::vector<bool>> shares_atoms_;  // of each patch with each
    std::vector<Made> found_;
    std::uint64_t visited_ = 0;
};

}  // namespace

void Patches::add(Patch patch) {
    auto const [place, is_new] = index_.try_emplace(patch.name, count(patches_));
    if (is_new) patches_.emplace_back();
    at(patches_, place->second) = std::make_unique<Patch const>(std::move(patch));
}

void Patches::allow(std::string const& template_name, std::string const& patch_name, int residue) {
    auto const [place, is_new] = allowance_of_.try_emplace(template_name, allowances_.size());
    if (is_new) allowances_.push_back({template_name, {}});
    auto& patches = allowances_[place->second].patches;
    std::pair const entry{patch_name, residue};
    if (std::find(patches.begin(), patches.end(), entry) == patches.end()) patches.push_back(entry);
}

void Patches::check() const {
    for (auto const& [template_name, patches] : allowances_)
        for (auto const& [name, residue] : patches) {
            int const index = index_of(name);
            if (index < 0)
                throw InputError("the template " + template_name + " allows the patch " + name + ", which no file has");
            if (residue < 0 || residue >= at(patches_, index)->residue_count)
                throw InputError("the template " + template_name + " allows the patch " + name + " for residue "
                                 + std::to_string(residue + 1) + ", but it changes "
                                 + std::to_string(at(patches_, index)->residue_count));
        }
}

std::vector<Patch const*> Patches::for_several_residues() const {
    std::vector<Patch const*> result;
    for (auto const& patch : patches_)
        if (patch->residue_count > 1) result.push_back(patch.get());
    return result;
}

int Patches::index_of(std::string const& name) const {
    auto const found = index_.find(name);
    return found == index_.end() ? -1 : found->second;
}

std::vector<Patch const*> Patches::allowed_for_one(Allowance const& allowance) const {
    std::vector<int> indices;
    for (auto const& [name, residue] : allowance.patches) indices.push_back(index_of(name));
    std::sort(indices.begin(), indices.end());
    std::vector<Patch const*> result;
    for (int const index : indices)
        if (at(patches_, index)->residue_count == 1) result.push_back(at(patches_, index).get());
    return result;
}

std::size_t Patches::HashOfKey::operator()(Key const& key) const {
    return mixed(key.signature + mixed(reinterpret_cast<std::uintptr_t>(key.patch))
                 + static_cast<std::uint64_t>(key.residue));
}

void Patches::collect(Template const& base, std::size_t allowance, Key const& key, List& list) {
    auto patches = allowed_for_one(allowances_[allowance]);
    for (auto& [made, place] : Combinations(base, std::move(patches), key.patch, key.residue, key.signature).run()) {
        ranks_[made.get()] = (std::uint64_t{allowance} << 32) + place;
        list.push_back(templates_.emplace_back(std::move(made)).get());
    }
}

std::vector<Template const*> const& Patches::for_one_residue(Templates const& templates, std::uint64_t signature) {
    Key const key{nullptr, 0, signature};
    auto const [made, is_new] = made_.try_emplace(key);
    if (is_new)
        for (auto const& base : templates.all())
            if (auto const found = allowance_of_.find(base->name); found != allowance_of_.end())
                collect(*base, found->second, key, made->second);
    return made->second;
}

std::vector<Template const*> const& Patches::for_residue_of(Patch const& patch, int residue, Templates const& templates,
                                                            std::uint64_t signature) {
    Key const key{&patch, residue, signature};
    auto const [made, is_new] = made_.try_emplace(key);
    if (!is_new) return made->second;
    std::pair const wanted{patch.name, residue};
    for (std::size_t i = 0; i < allowances_.size(); ++i) {
        auto const& [template_name, patches] = allowances_[i];
        if (std::find(patches.begin(), patches.end(), wanted) == patches.end()) continue;
        if (auto const* base = templates.find(template_name)) collect(*base, i, key, made->second);
    }
    return made->second;
}

}  // namespace trotter::app::force_field
