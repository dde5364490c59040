// SPDX-License-Identifier: MIT
#include <trotter/app/modeller/add_hydrogens.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>

#include "app/modeller/copier.hpp"
#include "app/modeller/place_hydrogens.hpp"
#include "app/modeller/protonation.hpp"

namespace trotter::app {
namespace {

using Hydrogens = std::vector<HydrogenDefinition const*>;

bool contains(std::vector<std::string> const& names, std::string const& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_hydrogen(Atom const& atom) { return atom.element && atom.element->symbol() == "H"; }

/// Copies a structure and puts the missing hydrogens in.
class HydrogenAdder {
public:
    HydrogenAdder(Structure const& from, HydrogenDefinitions const& definitions, AddHydrogensOptions const& options,
                  ChangeLog& log)
        : from_(from), definitions_(definitions), options_(options), log_(log), copier_(from) {}

    Structure add() {
        for (int chain = 0; auto const& old : from_.topology.chains) {
            copier_.copy_chain(chain++);
            for (int residue = old.first_residue; residue < old.first_residue + old.residue_count; ++residue) {
                copier_.copy_residue(residue);
                if (auto const* known = definitions_.find(residue_at(residue).name))
                    copy_with_hydrogens(residue, *known);
                else
                    copy_unknown(residue);
            }
        }
        copier_.copy_bonds();
        return copier_.finish();
    }

    /// For each atom of the new structure.
    std::vector<bool> is_new;

private:
    Residue const& residue_at(int residue) const { return from_.topology.residues[static_cast<std::size_t>(residue)]; }
    Atom const& atom_at(int atom) const { return from_.topology.atoms[static_cast<std::size_t>(atom)]; }

    std::optional<std::string> asked_for(int residue) const {
        auto const found = options_.variants.find(residue);
        return found == options_.variants.end() ? std::nullopt : std::optional(found->second);
    }

    void log_lost(int residue, std::string const& atom, std::string const& variant) {
        Change change{.step = "add_hydrogens",
                      .object = {},
                      .what = "lost " + atom,
                      .why = "its variant " + variant + " has none",
                      .kind = "dropped",
                      .atoms = {atom}};
        log_.changes.push_back(std::move(change).of(from_.topology, residue));
    }

    void copy(int atom) {
        copier_.copy_atom(atom);
        is_new.push_back(false);
    }

    void copy_unknown(int residue) {
        auto const name = from_.topology.residue_name(residue);
        if (asked_for(residue))
            throw InputError("add_hydrogens: there are no variants of " + name + ", as its hydrogens are not defined");
        auto const& old = residue_at(residue);
        bool has_hydrogens = old.atom_count == 1;  // an ion needs none
        for (int atom = old.first_atom; atom < old.first_atom + old.atom_count; ++atom) {
            copy(atom);
            has_hydrogens = has_hydrogens || is_hydrogen(atom_at(atom));
        }
        if (!has_hydrogens)
            log_.warnings.push_back("add_hydrogens: " + name + " got none, as its hydrogens are not defined");
    }

    std::optional<std::string> choose_variant(int residue, ResidueHydrogens const& known) {
        auto variant = asked_for(residue);
        std::string why = "asked for";
        if (!variant)
            if (auto chosen = protonation_.variant(residue, options_.ph)) {
                variant = chosen->name;
                why = chosen->why;
            }
        if (!variant) return {};
        if (!contains(known.variants, *variant)) {
            std::string names;
            for (auto const& name : known.variants) names += (names.empty() ? "" : ", ") + name;
            throw InputError("add_hydrogens: illegal variant " + *variant + " of "
                             + from_.topology.residue_name(residue)
                             + (names.empty() ? "; it has none" : "; known are " + names));
        }
        Change change{.step = "add_hydrogens",
                      .object = {},
                      .what = "became " + *variant,
                      .why = why,
                      .kind = "protonated",
                      .from = residue_at(residue).name,
                      .to = *variant};
        log_.changes.push_back(std::move(change).of(from_.topology, residue));
        return variant;
    }

    bool is_there(HydrogenDefinition const& hydrogen, std::optional<std::string> const& variant, int residue) const {
        bool const is_below = options_.ph <= hydrogen.maximum_ph;
        bool const fits = variant && !hydrogen.variants.empty() ? contains(hydrogen.variants, *variant) : is_below;
        if (!fits) return false;
        if (hydrogen.terminal.empty()) return true;
        auto const& chain = from_.topology.chains[static_cast<std::size_t>(residue_at(residue).chain)];
        bool const by_bonds = options_.ends_of_polymers;
        bool const is_first = by_bonds ? !leads_on(residue, {"N", "P"}) : residue == chain.first_residue;
        bool const is_last =
            by_bonds ? !leads_on(residue, {"C", "O3'"}) : residue == chain.first_residue + chain.residue_count - 1;
        auto const names = [&](char end) { return hydrogen.terminal.find(end) != std::string::npos; };
        return (is_first && names('N')) || (is_last && names('C')) || (!is_first && !is_last && names('-'));
    }

    /// Whether an atom with one of these names is bonded to another residue.
    bool leads_on(int residue, std::array<std::string_view, 2> names) const {
        auto const& old = residue_at(residue);
        for (int atom = old.first_atom; atom < old.first_atom + old.atom_count; ++atom)
            if (atom_at(atom).name == names[0] || atom_at(atom).name == names[1])
                for (int const other : bonded_[static_cast<std::size_t>(atom)])
                    if (atom_at(other).residue != residue) return true;
        return false;
    }

    void copy_with_hydrogens(int residue, ResidueHydrogens const& known) {
        auto const variant = choose_variant(residue, known);
        Hydrogens hydrogens;
        for (auto const& hydrogen : known.hydrogens)
            if (is_there(hydrogen, variant, residue)) hydrogens.push_back(&hydrogen);
        auto const& old = residue_at(residue);
        for (int atom = old.first_atom; atom < old.first_atom + old.atom_count; ++atom) {
            if (is_hydrogen(atom_at(atom))) {
                bool const is_wanted =
                    !asked_for(residue) || std::any_of(hydrogens.begin(), hydrogens.end(), [&](auto* h) {
                        return h->name == atom_at(atom).name && has_parent(residue, *h);
                    });
                if (is_wanted)
                    copy(atom);
                else
                    log_lost(residue, atom_at(atom).name, *variant);
                continue;
            }
            int const parent = copier_.copy_atom(atom);
            is_new.push_back(false);
            for (auto const* hydrogen : missing_at(atom, hydrogens)) {
                int const added = copier_.add_atom(hydrogen->name, Element::from_symbol("H"),
                                                   from_.positions[static_cast<std::size_t>(atom)]);
                copier_.structure().topology.add_bond(parent, added);
                is_new.push_back(true);
            }
        }
    }

    bool has_parent(int residue, HydrogenDefinition const& hydrogen) const {
        auto const& old = residue_at(residue);
        for (int atom = old.first_atom; atom < old.first_atom + old.atom_count; ++atom)
            if (!is_hydrogen(atom_at(atom)) && atom_at(atom).name == hydrogen.parent) return true;
        return false;
    }

    /// The hydrogens that an atom lacks: those without one of their name, less one for each with an unknown name.
    Hydrogens missing_at(int atom, Hydrogens const& hydrogens) const {
        Hydrogens missing;
        for (auto const* hydrogen : hydrogens)
            if (hydrogen->parent == atom_at(atom).name) missing.push_back(hydrogen);
        std::vector<int> present;
        for (int const other : bonded_[static_cast<std::size_t>(atom)])
            if (is_hydrogen(atom_at(other))) present.push_back(other);
        if (present.size() >= missing.size()) return {};
        std::size_t unknown = 0;
        for (int const other : present) {
            auto const same = std::find_if(missing.begin(), missing.end(),
                                           [&](auto* hydrogen) { return hydrogen->name == atom_at(other).name; });
            if (same == missing.end())
                ++unknown;
            else
                missing.erase(same);
        }
        missing.resize(missing.size() - unknown);
        return missing;
    }

    Structure const& from_;
    HydrogenDefinitions const& definitions_;
    AddHydrogensOptions const& options_;
    ChangeLog& log_;
    Copier copier_;
    std::vector<std::vector<int>> bonded_ = from_.topology.bonded_atoms();
    Protonation protonation_{from_, bonded_};
};

}  // namespace

Structure add_hydrogens(Structure const& structure, HydrogenDefinitions const& definitions,
                        AddHydrogensOptions const& options, ChangeLog* log) {
    int const count = static_cast<int>(structure.topology.residues.size());
    for (auto const& [residue, variant] : options.variants)
        if (residue < 0 || residue >= count)
            throw InputError("add_hydrogens: the variant " + variant + " is for residue " + std::to_string(residue)
                             + ", but the structure has " + std::to_string(count) + ", counted from 0");
    ChangeLog unused;
    auto& changes = log ? *log : unused;
    HydrogenAdder adder(structure, definitions, options, changes);
    Structure result = adder.add();
    auto const added = std::count(adder.is_new.begin(), adder.is_new.end(), true);
    changes.changes.push_back({"add_hydrogens", std::to_string(added) + " hydrogens", "were added",
                               "missing at pH " + format_number(options.ph), "added"});
    place_hydrogens(result, adder.is_new);
    if (options.improve) options.improve(result, adder.is_new);
    return result;
}

}  // namespace trotter::app
