// SPDX-License-Identifier: MIT
#include "app/modeller/edit_residues.hpp"

#include <algorithm>
#include <optional>
#include <trotter/io/number_text.hpp>
#include <tuple>
#include <utility>

#include "app/modeller/copier.hpp"

namespace trotter::app {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// Elements of heavy atoms of standard residues are the first letters of their names.
std::optional<Element> element_of(std::string const& name) { return Element::from_symbol(name.substr(0, 1)); }

/// Numbers of residues that are in use, by chain.
class ResidueNumbers {
public:
    explicit ResidueNumbers(Topology const& topology) {
        for (auto const& residue : topology.residues)
            used_.insert({topology.chains[index(residue.chain)].id, residue.id, residue.insertion_code});
    }

    /// Number and insertion code of a cap beside a residue: its number and `step`, or else its own with a letter.
    std::pair<std::string, std::string> take(std::string const& chain, Residue const& beside, int step) {
        auto const number = parse_integer(beside.id);
        if (number && *number > -999'999 && *number < 999'999)
            if (auto const next = std::to_string(*number + step); used_.insert({chain, next, ""}).second)
                return {next, ""};
        for (char letter = 'A'; letter <= 'Z'; ++letter)
            if (used_.insert({chain, beside.id, std::string(1, letter)}).second)
                return {beside.id, std::string(1, letter)};
        return {beside.id, beside.insertion_code};
    }

private:
    std::set<std::tuple<std::string, std::string, std::string>> used_;
};

/// Copies a structure with changed residues.
class ResidueEditor {
public:
    ResidueEditor(Structure const& from, std::map<int, ResidueEdit> const& edits)
        : from_(from), edits_(edits), copier_(from), numbers_(from.topology) {}

    EditedStructure edit(StandardBonds const& bonds) {
        auto const& old = from_.topology;
        for (int chain = 0; chain < static_cast<int>(old.chains.size()); ++chain) {
            auto const& range = old.chains[index(chain)];
            copier_.copy_chain(chain);
            for (int residue = range.first_residue; residue < range.first_residue + range.residue_count; ++residue)
                copy(residue, residue + 1 == range.first_residue + range.residue_count);
        }
        copier_.copy_bonds();
        remove_bonds();
        bonds.add_to(copier_.structure().topology);
        return {copier_.finish(), std::move(is_new_)};
    }

private:
    Topology& topology() { return copier_.structure().topology; }

    void copy(int residue, bool is_last) {
        auto const found = edits_.find(residue);
        ResidueEdit const none, &edit = found == edits_.end() ? none : found->second;
        if (edit.is_capped_before) add_cap("ACE", residue, -1);
        copier_.copy_residue(residue);
        if (!edit.name.empty()) {
            topology().residues.back().name = topology().residues.back().original_name = edit.name;
            renamed_.insert(static_cast<int>(topology().residues.size()) - 1);
        }
        copy_atoms(residue, edit);
        for (auto const& name : edit.added) add(name, {});
        if (edit.is_capped_behind || edit.ends_chain) cut_.insert(residue);
        if (edit.is_capped_behind) add_cap("NME", residue, 1);
        if (edit.ends_chain && !is_last) copier_.copy_chain(from_.topology.residues[index(residue)].chain);
    }

    void copy_atoms(int residue, ResidueEdit const& edit) {
        auto const& old = from_.topology.residues[index(residue)];
        for (int atom = old.first_atom; atom < old.first_atom + old.atom_count; ++atom) {
            if (edit.dropped.contains(atom)) continue;
            copier_.copy_atom(atom);
            is_new_.push_back(false);
            auto const renamed = edit.renamed.find(atom);
            if (renamed == edit.renamed.end()) continue;
            topology().atoms.back().name = renamed->second;
            topology().atoms.back().element = element_of(renamed->second);
        }
    }

    void add(std::string const& name, Vec3<> const& place) {
        copier_.add_atom(name, element_of(name), place);
        is_new_.push_back(true);
    }

    void add_cap(std::string const& name, int beside, int step) {
        auto const& residue = from_.topology.residues[index(beside)];
        auto const [number, code] = numbers_.take(from_.topology.chains[index(residue.chain)].id, residue, step);
        topology().add_residue(name, number, code);
        topology().residues.back().original_name = name;
        auto const atoms = name == "ACE" ? std::vector{"CH3", "C", "O"} : std::vector{"N", "C"};
        for (auto const* atom : atoms) add(atom, {});
    }

    /// Bonds inside residues of another name, which get the standard ones, and over gaps.
    void remove_bonds() {
        std::vector<int> old_residues(topology().atoms.size(), -1);
        for (int atom = 0; atom < from_.topology.atom_count(); ++atom)
            if (copier_.new_index(atom) >= 0)
                old_residues[index(copier_.new_index(atom))] = from_.topology.atoms[index(atom)].residue;
        std::erase_if(topology().bonds, [&](Bond const& bond) {
            auto const *a = &topology().atoms[index(bond.atom1)], *b = &topology().atoms[index(bond.atom2)];
            if (a->residue == b->residue) return renamed_.contains(a->residue);
            auto const [low, high] = std::minmax(old_residues[index(bond.atom1)], old_residues[index(bond.atom2)]);
            if (a->residue > b->residue) std::swap(a, b);
            bool const is_link = (a->name == "C" && b->name == "N") || (a->name == "O3'" && b->name == "P");
            return is_link && high == low + 1 && cut_.contains(low);
        });
    }

    Structure const& from_;
    std::map<int, ResidueEdit> const& edits_;
    Copier copier_;
    ResidueNumbers numbers_;
    std::vector<bool> is_new_;
    std::set<int> renamed_;  // indices of new residues
    std::set<int> cut_;      // indices of old residues that are not bonded to the next any more
};

}  // namespace

EditedStructure edit_residues(Structure const& structure, std::map<int, ResidueEdit> const& edits,
                              StandardBonds const& bonds) {
    return ResidueEditor(structure, edits).edit(bonds);
}

void drop_hydrogens_at_added(ResidueEdit& edit, Structure const& structure, int residue, StandardBonds const& bonds,
                             std::vector<std::vector<int>> const& bonded) {
    auto const& topology = structure.topology;
    auto const& old = topology.residues[index(residue)];
    auto const is_added = [&](std::string const& name) {
        return std::find(edit.added.begin(), edit.added.end(), name) != edit.added.end();
    };
    std::set<std::string> parents;
    for (auto const& [name1, name2] : bonds.of(edit.name.empty() ? old.name : edit.name)) {
        if (is_added(name1)) parents.insert(name2);
        if (is_added(name2)) parents.insert(name1);
    }
    if (edit.is_capped_before) parents.insert("N");
    for (int atom = old.first_atom; atom < old.first_atom + old.atom_count; ++atom) {
        if (!parents.contains(topology.atoms[index(atom)].name)) continue;
        for (int const other : bonded[index(atom)]) {
            auto const& element = topology.atoms[index(other)].element;
            if (element && element->symbol() == "H") edit.dropped.insert(other);
        }
    }
}

}  // namespace trotter::app
