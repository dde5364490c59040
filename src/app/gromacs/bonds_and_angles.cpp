// Bonds and angles of a top file, and their constraints.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "../system_building/constrained_angles.hpp"
#include "../system_building/masses.hpp"
#include "parts.hpp"

namespace trotter::app::gromacs {
namespace {

Key types_of(Molecule const& molecule, std::span<int const> atoms) {
    Key key;
    for (int const atom : atoms) key.push_back(molecule.bonded[static_cast<std::size_t>(atom)]);
    return key;
}

// The line of a type list for these types in either direction, with a suffix that both have.
Line const* find(std::map<Key, Line> const& types, Key key, Key const& suffix) {
    for (int direction = 0; direction < 2; ++direction) {
        auto whole = key;
        whole.insert(whole.end(), suffix.begin(), suffix.end());
        if (auto const found = types.find(whole); found != types.end()) return &found->second;
        std::reverse(key.begin(), key.end());
    }
    return nullptr;
}

std::string listed(Line const& line, std::size_t count) {
    return fmt::format("{}",
                       fmt::join(line.words.begin(), line.words.begin() + static_cast<std::ptrdiff_t>(count), ", "));
}

// Whether the options hold a bond at its length.
bool is_constrained_bond(Job const& job, int atom1, int atom2) {
    if (job.rigid_water && is_water(job.top.topology, atom1)) return true;
    if (job.options.constraints == Constraints::h_bonds)
        return is_hydrogen(job.atom(atom1)) || is_hydrogen(job.atom(atom2));
    return job.options.constraints != Constraints::none;
}

bool is_constrained_angle(Job const& job, int atom1, int atom2, int atom3) {
    if (job.rigid_water && is_water(job.top.topology, atom1)) return true;
    if (job.options.constraints != Constraints::h_angles) return false;
    auto const& middle = job.atom(atom2).element;
    int const hydrogens = is_hydrogen(job.atom(atom1)) + is_hydrogen(job.atom(atom3));
    return hydrogens == 2 || (hydrogens == 1 && middle && middle->symbol() == "O");
}

std::vector<double> reals(Line const& line, std::size_t first, std::size_t count) {
    std::vector<double> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(line.real(first + i, "a parameter"));
    return result;
}

}  // namespace

BondedForces::BondedForces() {
    gromos_bonds_.energy = "k/4*(r^2 - r0^2)^2";
    gromos_bonds_.parameter_names = {"r0", "k"};
    gromos_bonds_.label = "GROMOSBondForce";
    gromos_angles_.energy = "k/2*(cos(theta) - cos(theta0))^2";
    gromos_angles_.parameter_names = {"theta0", "k"};
    gromos_angles_.label = "GROMOSAngleForce";
    // The difference of two angles, both between -pi and pi.
    harmonic_.energy = fmt::format(
        "k/2*(difference - turn*step(difference - turn/2) + turn*step(-difference - turn/2))^2;"
        " difference = theta - theta0; turn = {:.17g}",
        2 * std::numbers::pi);
    harmonic_.parameter_names = {"theta0", "k"};
    harmonic_.label = "HarmonicTorsionForce";
}

void BondedForces::add(Job const& job, Molecule const& molecule, StandardSystem& system) {
    lengths_.clear();
    add_bonds(job, molecule, system);
    add_angles(job, molecule, system);
    add_dihedrals(job, molecule);
    add_maps(job, molecule);
}

void BondedForces::add_bonds(Job const& job, Molecule const& molecule, StandardSystem& system) {
    for (auto const& line : molecule.type.bonds) {
        auto const atoms = molecule.type.atoms_of<2>(line);
        auto const& function = line.words[2];
        Line const* const type =
            line.words.size() >= 5 ? &line : find(job.contents.bond_types, types_of(molecule, atoms), {function});
        if (!type)
            refuse(line.where,
                   fmt::format("the bond of atoms {} has no parameters, here or in [ bondtypes ]", listed(line, 2)));
        double const length = type->real(3, "the length of a bond"), k = type->real(4, "the force constant of a bond");
        int const i = molecule.first + atoms[0], j = molecule.first + atoms[1];
        lengths_[std::minmax({atoms[0], atoms[1]})] = length;
        if (is_constrained_bond(job, i, j))
            system.add_constraint(i, j, length);
        else if (function == "1")
            bonds_.bonds.push_back({i, j, length, k});
        else
            gromos_bonds_.bonds.push_back({i, j, {length, k}});
    }
}

void BondedForces::add_angles(Job const& job, Molecule const& molecule, StandardSystem& system) {
    for (auto const& line : molecule.type.angles) {
        auto const atoms = molecule.type.atoms_of<3>(line);
        Line const* const type =
            line.words.size() >= 6 ? &line : find(job.contents.angle_types, types_of(molecule, atoms), {});
        if (!type)
            refuse(line.where,
                   fmt::format("the angle of atoms {} has no parameters, here or in [ angletypes ]", listed(line, 3)));
        int const i = molecule.first + atoms[0], j = molecule.first + atoms[1], k = molecule.first + atoms[2];
        if (!is_constrained_angle(job, i, j, k)) {
            add_angle(molecule, line, reals(*type, 4, line.words[3] == "5" ? 4 : 2));
            continue;
        }
        auto const side1 = lengths_.find(std::minmax({atoms[0], atoms[1]})),
                   side2 = lengths_.find(std::minmax({atoms[1], atoms[2]}));
        if (side1 != lengths_.end() && side2 != lengths_.end())
            system.add_constraint(i, k, angle_span(side1->second, side2->second, type->real(4, "an angle") * degree));
    }
}

void BondedForces::add_angle(Molecule const& molecule, Line const& line, std::span<double const> parameters) {
    auto const atoms = molecule.type.atoms_of<3>(line);
    int const i = molecule.first + atoms[0], j = molecule.first + atoms[1], k = molecule.first + atoms[2];
    if (line.words[3] == "2") {
        gromos_angles_.angles.push_back({i, j, k, {parameters[0] * degree, parameters[1]}});
        return;
    }
    angles_.angles.push_back({i, j, k, parameters[0] * degree, parameters[1]});
    bool const is_urey_bradley = line.words[3] == "5";
    if (is_urey_bradley && parameters[3] != 0) bonds_.bonds.push_back({i, k, parameters[2], parameters[3]});
}

void BondedForces::move_to(StandardSystem& system) {
    auto const move = [&](auto& force, auto const& terms) {
        if (!terms.empty()) system.add(std::move(force));
    };
    move(bonds_, bonds_.bonds);
    move(gromos_bonds_, gromos_bonds_.bonds);
    move(angles_, angles_.angles);
    move(gromos_angles_, gromos_angles_.angles);
    move(periodic_, periodic_.torsions);
    move(harmonic_, harmonic_.torsions);
    move(ryckaert_bellemans_, ryckaert_bellemans_.torsions);
    move(maps_, maps_.torsions);
}

}  // namespace trotter::app::gromacs
