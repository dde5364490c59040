// Bonds, angles and torsions of a prmtop file.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "../system_building/constrained_angles.hpp"
#include "parts.hpp"

namespace trotter::app::amber {
namespace {

constexpr double kcal = 4.184;  // [kJ]

// Lists of bonds have 3 times the index of an atom, those of CHARMM's terms the number from 1.
std::vector<BondTerm> bond_terms(Job const& job, std::string_view list, std::string_view constants,
                                 std::string_view lengths, bool times_3) {
    auto const& values = job.values;
    auto const k = values.reals(constants), length = values.reals(lengths);
    std::vector<BondTerm> result;
    for (auto const& row : values.rows({list}, 3)) {
        auto const index = [&](int entry) {
            return values.atom(entry < 0 ? -1 : times_3 ? entry / 3 : entry - 1, list);
        };
        result.push_back({index(row[0]), index(row[1]), values.at(k, row[2], list) * kcal * 100,
                          values.at(length, row[2], list) / 10});
    }
    return result;
}

void constrain(Job const& job, StandardSystem& system) {
    bool const hydrogens = job.options.constraints != Constraints::none;
    bool const all = hydrogens && job.options.constraints != Constraints::h_bonds;
    auto const add = [&](BondTerm const& bond) {
        if (!job.is_extra_point(bond.atom1) && !job.is_extra_point(bond.atom2))
            system.add_constraint(bond.atom1, bond.atom2, bond.length);
    };
    for (auto const& bond : bonds_with_hydrogen(job))
        if (hydrogens || (job.rigid_water && job.is_water(bond.atom1) && job.is_water(bond.atom2))) add(bond);
    if (all)
        for (auto const& bond : bonds_without_hydrogen(job)) add(bond);
}

// Whether an angle is held by a constraint: H-X-H, H-O-X.
bool is_constrained(Job const& job, std::vector<int> const& atoms) {
    if (job.options.constraints != Constraints::h_angles) return false;
    auto const number = [&](int atom) {
        auto const& element = job.prmtop.topology.atoms[static_cast<std::size_t>(atom)].element;
        return element ? element->atomic_number() : 0;
    };
    int const hydrogens = (number(atoms[0]) == 1) + (number(atoms[2]) == 1);
    return hydrogens == 2 || (hydrogens == 1 && number(atoms[1]) == 8);
}

void add_dihedrals(Job const& job, StandardSystem& system) {
    auto const& values = job.values;
    auto const k = values.reals("DIHEDRAL_FORCE_CONSTANT"), phase = values.reals("DIHEDRAL_PHASE"),
               periodicity = values.reals("DIHEDRAL_PERIODICITY");
    PeriodicTorsionForce force;
    for (std::string_view const list : {"DIHEDRALS_INC_HYDROGEN", "DIHEDRALS_WITHOUT_HYDROGEN"})
        for (auto const& row : values.rows({list}, 5)) {
            auto const index = [&](int entry) { return values.atom(entry < 0 ? -1 : entry / 3, list); };
            double const repeats = values.at(periodicity, row[4], list);
            if (!(std::abs(repeats) < 1000))
                refuse(values.where("DIHEDRAL_PERIODICITY"),
                       fmt::format("{} is no periodicity of a dihedral", repeats));
            force.torsions.push_back({index(row[0]), index(row[1]), index(std::abs(row[2])), index(std::abs(row[3])),
                                      static_cast<int>(0.5 + repeats), values.at(phase, row[4], list),
                                      values.at(k, row[4], list) * kcal});
        }
    system.add(std::move(force));
}

void add_charmm_impropers(Job const& job, StandardSystem& system) {
    auto const& values = job.values;
    constexpr std::string_view list = "CHARMM_IMPROPERS";
    if (!values.has(list)) return;
    auto const k = values.reals("CHARMM_IMPROPER_FORCE_CONSTANT"), phase = values.reals("CHARMM_IMPROPER_PHASE");
    CustomTorsionForce force;
    force.label = "ImproperTorsionForce";
    force.energy = fmt::format("k*min(turn, {:.17g} - turn)^2; turn = abs(theta - theta0)", 2 * std::numbers::pi);
    force.parameter_names = {"k", "theta0"};
    for (auto const& row : values.rows({list}, 5)) {
        auto const index = [&](int entry) { return values.atom(std::abs(entry) - 1, list); };
        force.torsions.push_back({index(row[0]),
                                  index(row[1]),
                                  index(row[2]),
                                  index(row[3]),
                                  {values.at(k, row[4], list) * kcal, values.at(phase, row[4], list)}});
    }
    if (!force.torsions.empty()) system.add(std::move(force));
}

// A map of the file begins at -180 degrees and has phi in rows; a System's begins at 0, and phi changes fastest.
CMAPTorsionForce::Map energy_map(Job const& job, std::string const& name, int size) {
    auto const& values = job.values;
    if (size < 2 || size > 1000)
        refuse(values.where(name), fmt::format("a map of {} points along each angle is not supported", size));
    auto const n = static_cast<std::size_t>(size);
    auto const energies = values.reals(name, n * n);
    CMAPTorsionForce::Map map{size, {}};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            map.energy.push_back(energies[n * ((j + n / 2) % n) + (i + n / 2) % n] * kcal);
    return map;
}

void add_maps(Job const& job, StandardSystem& system) {
    auto const& values = job.values;
    bool const is_chamber = values.has("CTITLE");
    std::string const prefix = values.has("CMAP_COUNT") || !is_chamber ? "" : "CHARMM_";
    if (!values.has(prefix + "CMAP_COUNT")) return;
    auto const counts = values.integers(prefix + "CMAP_COUNT");
    int const maps = values.at(counts, 2, prefix + "CMAP_COUNT");
    if (maps <= 0) return;
    auto const sizes = values.integers(prefix + "CMAP_RESOLUTION");
    CMAPTorsionForce force;
    for (int map = 1; map <= maps; ++map)
        force.maps.push_back(energy_map(job, fmt::format("{}CMAP_PARAMETER_{:02d}", prefix, map),
                                        values.at(sizes, map, prefix + "CMAP_RESOLUTION")));
    auto const list = prefix + "CMAP_INDEX";
    for (auto const& row : values.rows({list}, 6)) {
        auto const index = [&](int entry) { return values.atom(entry - 1, list); };
        int const a = index(row[0]), b = index(row[1]), c = index(row[2]), d = index(row[3]), e = index(row[4]);
        if (row[5] < 1 || row[5] > maps)
            refuse(values.where(list), fmt::format("a term has map {}, but there are {}", row[5], maps));
        force.torsions.push_back({row[5] - 1, a, b, c, d, b, c, d, e});
    }
    system.add(std::move(force));
}

}  // namespace

std::vector<BondTerm> bonds_with_hydrogen(Job const& job) {
    return bond_terms(job, "BONDS_INC_HYDROGEN", "BOND_FORCE_CONSTANT", "BOND_EQUIL_VALUE", true);
}
std::vector<BondTerm> bonds_without_hydrogen(Job const& job) {
    return bond_terms(job, "BONDS_WITHOUT_HYDROGEN", "BOND_FORCE_CONSTANT", "BOND_EQUIL_VALUE", true);
}

void add_bonds(Job const& job, StandardSystem& system) {
    constrain(job, system);
    auto const constraints = job.options.constraints;
    HarmonicBondForce force;
    auto const add = [](HarmonicBondForce& to, BondTerm const& bond) {
        to.bonds.push_back({bond.atom1, bond.atom2, bond.length, 2 * bond.k});
    };
    if (job.flexible || constraints == Constraints::none)
        for (auto const& bond : bonds_with_hydrogen(job))
            if (job.flexible || !(job.rigid_water && job.is_water(bond.atom1) && job.is_water(bond.atom2)))
                add(force, bond);
    if (job.flexible || constraints == Constraints::none || constraints == Constraints::h_bonds)
        for (auto const& bond : bonds_without_hydrogen(job)) add(force, bond);
    system.add(std::move(force));
    if (!job.values.has("CHARMM_UREY_BRADLEY")) return;
    HarmonicBondForce urey_bradley;
    urey_bradley.label = "UreyBradleyForce";
    for (auto const& bond : bond_terms(job, "CHARMM_UREY_BRADLEY", "CHARMM_UREY_BRADLEY_FORCE_CONSTANT",
                                       "CHARMM_UREY_BRADLEY_EQUIL_VALUE", false))
        add(urey_bradley, bond);
    if (!urey_bradley.bonds.empty()) system.add(std::move(urey_bradley));
}

void add_angles(Job const& job, StandardSystem& system) {
    auto const& values = job.values;
    auto const k = values.reals("ANGLE_FORCE_CONSTANT"), angle = values.reals("ANGLE_EQUIL_VALUE");
    ConstrainedLengths const lengths{system.particles};
    HarmonicAngleForce force;
    for (std::string_view const list : {"ANGLES_INC_HYDROGEN", "ANGLES_WITHOUT_HYDROGEN"})
        for (auto const& row : values.rows({list}, 4)) {
            auto const index = [&](int entry) { return values.atom(entry < 0 ? -1 : entry / 3, list); };
            std::vector<int> const atoms{index(row[0]), index(row[1]), index(row[2])};
            double const rest = values.at(angle, row[3], list);
            bool const constrained = is_constrained(job, atoms);
            if (constrained) {
                auto const distance = lengths.distance(atoms[0], atoms[1], atoms[2], rest);
                if (!distance)
                    refuse(values.where(list),
                           fmt::format("the angle of atoms {}, {}, {} cannot be constrained: its bonds are missing",
                                       atoms[0] + 1, atoms[1] + 1, atoms[2] + 1));
                system.add_constraint(atoms[0], atoms[2], *distance);
            }
            if (job.flexible || !constrained)
                force.angles.push_back({atoms[0], atoms[1], atoms[2], rest, 2 * values.at(k, row[3], list) * kcal});
        }
    system.add(std::move(force));
}

void add_torsions(Job const& job, StandardSystem& system) {
    add_dihedrals(job, system);
    add_charmm_impropers(job, system);
    add_maps(job, system);
}

}  // namespace trotter::app::amber
