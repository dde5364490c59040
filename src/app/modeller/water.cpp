// SPDX-License-Identifier: MIT
#include <trotter/app/modeller/water.hpp>

#include <trotter/error.hpp>
#include <vector>

#include "app/modeller/copier.hpp"

namespace trotter::app {

struct WaterModel::Row {
    std::string_view name, box_file;
    int site_count;
    double sigma;  // of oxygen [nm]
};

namespace {

// Sigmas as in OpenMM 8.6's Modeller. Models without a box of their own take that of the nearest with as many sites.
constexpr double tip3p_sigma = 0.31507524065751241, tip4pew_sigma = 0.315365;
constexpr WaterModel::Row rows[] = {
    {"tip3p", "tip3p.pdb", 3, tip3p_sigma},       {"spce", "spce.pdb", 3, 0.31657195050398818},
    {"tip4pew", "tip4pew.pdb", 4, tip4pew_sigma}, {"tip5p", "tip5p.pdb", 5, 0.312},
    {"tip3pfb", "tip3p.pdb", 3, tip3p_sigma},     {"opc3", "tip3p.pdb", 3, tip3p_sigma},
    {"tip4pfb", "tip4pew.pdb", 4, tip4pew_sigma}, {"opc", "tip4pew.pdb", 4, tip4pew_sigma}};

std::vector<int> atoms_of_element(Topology const& topology, Residue const& residue, std::string_view symbol) {
    std::vector<int> found;
    for (int atom = residue.first_atom; atom < residue.first_atom + residue.atom_count; ++atom) {
        auto const& element = topology.atoms[static_cast<std::size_t>(atom)].element;
        if (element && element->symbol() == symbol) found.push_back(atom);
    }
    return found;
}

// The sites of TIP4P-Ew and TIP5P, with the weights of OpenMM 8.6's Modeller.
void add_sites(Copier& copier, int count, Vec3<> const& oxygen, Vec3<> const& hydrogen1, Vec3<> const& hydrogen2) {
    if (count == 1) {
        copier.add_atom("M", {}, 0.786646558 * oxygen + 0.106676721 * hydrogen1 + 0.106676721 * hydrogen2);
    } else if (count == 2) {
        Vec3<> const bond1 = hydrogen1 - oxygen, bond2 = hydrogen2 - oxygen;
        Vec3<> const along = 0.34490826 * bond1 - 0.34490826 * bond2, across = 6.4437903 * cross(bond1, bond2);
        copier.add_atom("M1", {}, oxygen - (along - across));
        copier.add_atom("M2", {}, oxygen - (along + across));
    }
}

void convert(Copier& copier, Structure const& from, int index, int site_count) {
    auto const& topology = from.topology;
    auto const& residue = topology.residues[static_cast<std::size_t>(index)];
    auto const oxygens = atoms_of_element(topology, residue, "O"), hydrogens = atoms_of_element(topology, residue, "H");
    if (oxygens.size() != 1 || hydrogens.size() != 2)
        throw InputError("convert_water: " + topology.residue_name(index) + " has " + std::to_string(oxygens.size())
                         + " oxygens and " + std::to_string(hydrogens.size()) + " hydrogens where a water has 1 and 2");
    for (int const atom : {oxygens[0], hydrogens[0], hydrogens[1]}) copier.copy_atom(atom);
    auto position = [&](int atom) { return from.positions[static_cast<std::size_t>(atom)]; };
    add_sites(copier, site_count - 3, position(oxygens[0]), position(hydrogens[0]), position(hydrogens[1]));
}

}  // namespace

WaterModel WaterModel::named(std::string_view name) {
    std::string known;
    for (auto const& row : rows) {
        if (row.name == name) return WaterModel(row);
        known += (known.empty() ? "" : ", ") + std::string(row.name);
    }
    throw InputError("unknown water model " + std::string(name) + "; known are " + known);
}

std::string_view WaterModel::name() const { return row_->name; }
int WaterModel::site_count() const { return row_->site_count; }
std::string WaterModel::box_file() const { return std::string(row_->box_file); }
double WaterModel::radius() const { return row_->sigma * radius_by_sigma; }

Structure convert_water(Structure const& structure, WaterModel model, ChangeLog* log) {
    auto const& topology = structure.topology;
    Copier copier(structure);
    int waters = 0;
    for (int chain = 0; auto const& old : topology.chains) {
        copier.copy_chain(chain++);
        for (int residue = old.first_residue; residue < old.first_residue + old.residue_count; ++residue) {
            copier.copy_residue(residue);
            if (topology.residues[static_cast<std::size_t>(residue)].name != "HOH") {
                copier.copy_atoms(residue);
                continue;
            }
            convert(copier, structure, residue, model.site_count());
            ++waters;
        }
    }
    if (log)
        log->changes.push_back(
            {"convert_water", std::to_string(waters) + " waters", "became " + std::string(model.name()), "asked for"});
    copier.copy_bonds();
    return copier.finish();
}

}  // namespace trotter::app
