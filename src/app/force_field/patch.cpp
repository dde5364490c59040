// SPDX-License-Identifier: MIT
#include "patch.hpp"

#include <algorithm>

#include "at.hpp"

namespace trotter::app::force_field {
namespace {

bool has_atom(std::vector<TemplateAtom> const& atoms, std::string const& name) {
    return std::any_of(atoms.begin(), atoms.end(), [&](auto const& atom) { return atom.name == name; });
}

// Makes the template of one residue after a patch; each step returns whether the patch fits.
class Application {
public:
    Application(Patch const& patch, Template const& old, int residue) : patch_(patch), old_(old), residue_(residue) {
        result_.name = old.name + "-" + patch.name;
    }

    std::optional<Template> run() {
        if (!add_atoms() || !copy_sites() || !add_bonds() || !add_external_bonds() || !add_sites()) return {};
        for (auto const& [atom1, atom2, distance] : old_.constraints)
            if (at(kept_, atom1) >= 0 && at(kept_, atom2) >= 0)
                result_.constraints.push_back({at(kept_, atom1), at(kept_, atom2), distance});
        return std::move(result_);
    }

private:
    bool is_listed(std::vector<Patch::AtomName> const& list, std::string const& name) const {
        return std::find(list.begin(), list.end(), Patch::AtomName{residue_, name}) != list.end();
    }
    bool is_removed(std::string const& atom1, std::string const& atom2) const {
        Patch::AtomName const a{residue_, atom1}, b{residue_, atom2};
        for (auto const& bond : patch_.removed_bonds)
            if (bond == std::pair(a, b) || bond == std::pair(b, a)) return true;
        return false;
    }

    bool add_atoms() {
        std::vector<TemplateAtom> atoms;
        for (auto const& atom : old_.atoms) {
            bool const is_kept = !is_listed(patch_.removed_atoms, atom.name);
            kept_.push_back(is_kept ? count(atoms) : -1);
            if (is_kept) atoms.push_back(atom);
        }
        for (auto const& atom : at(patch_.added_atoms, residue_)) {
            if (has_atom(atoms, atom.name)) return false;
            atoms.push_back(atom);
        }
        for (auto const& atom : at(patch_.changed_atoms, residue_)) {
            auto const same = [&](TemplateAtom const& other) { return other.name == atom.name; };
            auto const found = std::find_if(atoms.begin(), atoms.end(), same);
            if (found == atoms.end()) return false;
            *found = atom;
        }
        for (auto& atom : atoms) result_.add_atom(std::move(atom));
        return true;
    }
    bool copy_sites() {
        for (auto const& rule : old_.sites) {
            auto const particles = parents(rule.site);
            auto const stays = [&](int atom) { return at(kept_, atom) >= 0; };
            if (!stays(rule.atom) || !std::all_of(particles.begin(), particles.end(), stays)) continue;
            if (!stays(rule.exclude_with)) return false;
            auto const renumber = [&](int atom) { return at(kept_, atom); };
            result_.sites.push_back(
                {renumber(rule.atom), renumbered(rule.site, renumber), renumber(rule.exclude_with)});
        }
        return true;
    }
    bool add_bonds() {
        for (auto const& [atom1, atom2] : old_.bonds)
            if (at(kept_, atom1) >= 0 && at(kept_, atom2) >= 0
                && !is_removed(at(old_.atoms, atom1).name, at(old_.atoms, atom2).name))
                result_.add_bond(at(kept_, atom1), at(kept_, atom2));
        return true;
    }
    bool add_external_bonds() {
        for (int const atom : old_.external_bonds) {
            if (is_listed(patch_.removed_external_bonds, at(old_.atoms, atom).name)) continue;
            if (at(kept_, atom) < 0) return false;
            result_.add_external_bond(at(kept_, atom));
        }
        for (auto const& [a, b] : patch_.added_bonds) {
            auto const atom1 = result_.find_atom(a.name), atom2 = result_.find_atom(b.name);
            bool const has_a = a.residue == residue_, has_b = b.residue == residue_;
            if ((has_a && !atom1) || (has_b && !atom2)) return false;
            if (has_a && has_b) result_.add_bond(*atom1, *atom2);
            else if (has_a) result_.add_external_bond(*atom1);
            else if (has_b) result_.add_external_bond(*atom2);
        }
        for (auto const& external : patch_.added_external_bonds) {
            auto const atom = result_.find_atom(external.name);
            if (!atom) return false;
            result_.add_external_bond(*atom);
        }
        return true;
    }
    bool add_sites() {
        if (residue_ != 0) return true;
        auto listed = patch_.added_atoms[0];
        listed.insert(listed.end(), patch_.changed_atoms[0].begin(), patch_.changed_atoms[0].end());
        auto const renumber = [&](int atom) { return *result_.find_atom(at(listed, atom).name); };
        for (auto const& rule : patch_.sites) {
            int const atom = renumber(rule.atom);
            std::erase_if(result_.sites, [&](SiteRule const& other) { return other.atom == atom; });
            result_.sites.push_back({atom, renumbered(rule.site, renumber), renumber(rule.exclude_with)});
        }
        return true;
    }

    Patch const& patch_;
    Template const& old_;
    int residue_;
    Template result_;
    std::vector<int> kept_;  // new index of each old atom, or -1
};

}  // namespace

std::optional<Template> Patch::applied_to(Template const& old, int residue) const {
    return Application(*this, old, residue).run();
}

std::uint64_t Patch::signature_change(Template const& old, int residue) const {
    auto const signature_of = [&](std::string const& atom_name) -> std::uint64_t {
        auto const atom = old.find_atom(atom_name);
        return atom ? signature(at(old.graph.atoms, *atom).element) : 0;
    };
    std::uint64_t change = 0;
    for (auto const& atom : removed_atoms)
        if (atom.residue == residue) change -= signature_of(atom.name);
    for (auto const& atom : at(added_atoms, residue)) change += signature(element_number(atom.element));
    for (auto const& atom : at(changed_atoms, residue))
        change += signature(element_number(atom.element)) - signature_of(atom.name);
    return change;
}

bool Patch::touches(std::string const& atom, int residue) const {
    return has_atom(at(added_atoms, residue), atom) || has_atom(at(changed_atoms, residue), atom)
           || std::find(removed_atoms.begin(), removed_atoms.end(), AtomName{residue, atom}) != removed_atoms.end();
}

}  // namespace trotter::app::force_field
