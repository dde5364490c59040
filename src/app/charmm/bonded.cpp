// Bonds, angles and torsions of a PSF.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "../system_building/constrained_angles.hpp"
#include "parts.hpp"
#include "water.hpp"

namespace trotter::app::charmm {
namespace {

constexpr double degree = std::numbers::pi / 180;

// Whether the options hold a bond at its length.
bool is_constrained(Job const& job, Bond const& bond) {
    switch (job.options.constraints) {
        case Constraints::all_bonds:
        case Constraints::h_angles:
            return true;
        case Constraints::h_bonds:
            return job.is_hydrogen(bond.atom1) || job.is_hydrogen(bond.atom2);
        case Constraints::none:
            break;
    }
    return job.rigid_water && job.is_bond_of_water(bond);
}

bool is_constrained(Job const& job, std::array<int, 3> const& angle) {
    int const hydrogens = job.is_hydrogen(angle[0]) + job.is_hydrogen(angle[2]);
    bool const on_oxygen = job.type(angle[1]).atomic_number == 8;
    if (job.options.constraints == Constraints::h_angles) return hydrogens == 2 || (hydrogens == 1 && on_oxygen);
    return job.rigid_water && hydrogens == 2 && on_oxygen && is_water(job.psf.topology, angle[0]);
}

void constrain(Job const& job, std::array<int, 3> const& angle, AngleType const& type,
               ConstrainedLengths const& lengths, StandardSystem& system) {
    auto const distance = lengths.distance(angle[0], angle[1], angle[2], type.angle * degree);
    if (!distance)
        refuse({job.psf.path}, fmt::format("the angle of atoms {}, {}, {} is to be constrained, but has no bonds",
                                           angle[0] + 1, angle[1] + 1, angle[2] + 1));
    system.add_constraint(angle[0], angle[2], *distance);
}

void add_dihedrals(Job const& job, StandardSystem& system) {
    PeriodicTorsionForce force;
    force.force_group = dihedral_group;
    for (auto const& atoms : job.psf.dihedrals) {
        auto const* const types = find_with_wildcards(job.tables.dihedrals, job.names_of(atoms));
        if (!types) job.refuse_term("dihedral", {atoms.begin(), atoms.end()});
        for (auto const& type : *types)
            force.torsions.push_back(
                {atoms[0], atoms[1], atoms[2], atoms[3], type.periodicity, type.phase * degree, type.k * kcal});
    }
    system.add(std::move(force));
}

void add_impropers(Job const& job, StandardSystem& system) {
    CustomTorsionForce force;
    force.force_group = improper_group;
    // Half a turn has six decimals in OpenMM, whose energies these are.
    force.energy = "k*min(turn, 2*3.141593 - turn)^2; turn = abs(theta - theta0)";
    force.parameter_names = {"k", "theta0"};
    for (auto const& atoms : job.psf.impropers) {
        auto const* const type = find_with_wildcards(job.tables.impropers, job.names_of(atoms));
        if (!type) job.refuse_term("improper dihedral", {atoms.begin(), atoms.end()});
        force.torsions.push_back({atoms[0], atoms[1], atoms[2], atoms[3], {type->k * kcal, type->angle * degree}});
    }
    system.add(std::move(force));
}

// From -180 degrees with the second angle fastest, to 0 with the first.
CMAPTorsionForce::Map energy_map(MapType const& type) {
    auto const n = static_cast<std::size_t>(type.size);
    CMAPTorsionForce::Map map{type.size, {}};
    for (std::size_t second = 0; second < n; ++second)
        for (std::size_t first = 0; first < n; ++first)
            map.energy.push_back(type.energies[n * ((first + n / 2) % n) + (second + n / 2) % n] * kcal);
    return map;
}

void add_maps(Job const& job, StandardSystem& system) {
    CMAPTorsionForce force;
    force.force_group = map_group;
    std::map<MapType const*, int> indices;
    for (auto const& atoms : job.psf.cross_terms) {
        auto const found = job.tables.maps.find(map_key_of(job.names_of(atoms)));
        if (found == job.tables.maps.end()) job.refuse_term("cross term", {atoms.begin(), atoms.end()});
        auto const [index, is_new] = indices.try_emplace(&found->second, static_cast<int>(force.maps.size()));
        if (is_new) force.maps.push_back(energy_map(found->second));
        force.torsions.push_back(
            {index->second, atoms[0], atoms[1], atoms[2], atoms[3], atoms[4], atoms[5], atoms[6], atoms[7]});
    }
    if (!force.torsions.empty()) system.add(std::move(force));
}

}  // namespace

void add_bonds(Job const& job, StandardSystem& system) {
    HarmonicBondForce force;
    force.force_group = bond_group;
    auto const& bonds = job.psf.topology.bonds;
    for (std::size_t i = 0; i < bonds.size(); ++i) {
        auto const& type = *job.bonds[i];
        bool const constrained = is_constrained(job, bonds[i]);
        if (constrained) system.add_constraint(bonds[i].atom1, bonds[i].atom2, type.length / 10);
        if (job.flexible || !constrained)
            force.bonds.push_back({bonds[i].atom1, bonds[i].atom2, type.length / 10, 2 * type.k * kcal * 100});
    }
    system.add(std::move(force));
}

void add_angles(Job const& job, StandardSystem& system) {
    HarmonicAngleForce force;
    force.force_group = angle_group;
    HarmonicBondForce urey_bradley;
    urey_bradley.force_group = urey_bradley_group;
    ConstrainedLengths const lengths{system.particles};
    for (auto const& atoms : job.psf.angles) {
        auto const found = job.tables.angles.find(key_of(job.names_of(atoms)));
        if (found == job.tables.angles.end()) job.refuse_term("angle", {atoms.begin(), atoms.end()});
        auto const& type = found->second;
        bool const constrained = is_constrained(job, atoms);
        if (constrained) constrain(job, atoms, type, lengths, system);
        if (job.flexible || !constrained)
            force.angles.push_back({atoms[0], atoms[1], atoms[2], type.angle * degree, 2 * type.k * kcal});
        if (type.urey_bradley)
            urey_bradley.bonds.push_back(
                {atoms[0], atoms[2], type.urey_bradley->length / 10, 2 * type.urey_bradley->k * kcal * 100});
    }
    system.add(std::move(force));
    system.add(std::move(urey_bradley));
}

void add_torsions(Job const& job, StandardSystem& system) {
    add_dihedrals(job, system);
    add_impropers(job, system);
    add_maps(job, system);
}

}  // namespace trotter::app::charmm
