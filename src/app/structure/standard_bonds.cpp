// SPDX-License-Identifier: MIT
#include <trotter/app/structure/standard_bonds.hpp>

#include <string_view>

#include <trotter/app/data_files.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/xml.hpp>

#include "bond_set.hpp"

namespace trotter::app {
namespace {

/// Atoms of a chain by residue and name; the last one of equal names.
class ChainAtoms {
public:
    ChainAtoms(Topology const& topology, Chain const& chain) : count_(chain.residue_count) {
        atoms_.resize(static_cast<std::size_t>(count_));
        for (int i = 0; i < count_; ++i) {
            auto const& residue = topology.residues[static_cast<std::size_t>(chain.first_residue + i)];
            auto& names = atoms_[static_cast<std::size_t>(i)];
            for (int atom = residue.first_atom; atom < residue.first_atom + residue.atom_count; ++atom)
                names[topology.atoms[static_cast<std::size_t>(atom)].name] = atom;
        }
    }

    /// The atom that a name means in a residue; nothing if it is not there.
    std::optional<int> find(int residue, std::string_view name) const {
        if (name.starts_with('-') && residue > 0) {
            --residue;
            name.remove_prefix(1);
        } else if (name.starts_with('+') && residue + 1 < count_) {
            ++residue;
            name.remove_prefix(1);
        }
        auto const& names = atoms_[static_cast<std::size_t>(residue)];
        auto const found = names.find(name);
        return found == names.end() ? std::nullopt : std::optional(found->second);
    }

private:
    int count_;
    std::vector<std::unordered_map<std::string_view, int>> atoms_;
};

}  // namespace

StandardBonds StandardBonds::load(std::vector<std::string> const& folders) {
    auto const path = find_data_file("residues.xml", folders);
    auto const document = parse_xml(read_file(path, default_max_input, FileKind::xml), path);
    StandardBonds result;
    for (auto const residue : document.root("Residues").children("Residue")) {
        auto& bonds = result.bonds_[std::string(residue.text("name"))];
        bonds.clear();  // the last definition of a name holds
        for (auto const bond : residue.children("Bond")) bonds.emplace_back(bond.text("from"), bond.text("to"));
    }
    return result;
}

std::vector<StandardBonds::Names> const& StandardBonds::of(std::string const& residue) const {
    static std::vector<Names> const none;
    auto const found = bonds_.find(residue);
    return found == bonds_.end() ? none : found->second;
}

void StandardBonds::add_to(Topology& topology) const {
    BondSet bonds(topology);
    for (auto const& chain : topology.chains) {
        ChainAtoms const atoms(topology, chain);
        for (int i = 0; i < chain.residue_count; ++i)
            for (auto const& [from, to] :
                 of(topology.residues[static_cast<std::size_t>(chain.first_residue + i)].name)) {
                auto const atom1 = atoms.find(i, from), atom2 = atoms.find(i, to);
                if (atom1 && atom2) bonds.add(*atom1, *atom2);
            }
    }
}

}  // namespace trotter::app
