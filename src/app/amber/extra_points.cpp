// Virtual sites of water: geometry by the lengths of bonds.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "parts.hpp"

namespace trotter::app::amber {
namespace {

// Atoms of a water, and its distances [nm]; NaN if no bond states them.
struct Water {
    std::vector<int> oxygens, hydrogens, points;
    double oh = std::nan(""), hh = std::nan(""), op = std::nan("");
};

bool is_point(std::string_view name) { return name.starts_with("EP") || name.starts_with("LP"); }

Water water_of(Job const& job, Residue const& residue) {
    Water water;
    for (int i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
        std::string_view const name = job.values.texts("ATOM_NAME")[static_cast<std::size_t>(i)];
        if (name.starts_with('O')) water.oxygens.push_back(i);
        if (name.starts_with('H')) water.hydrogens.push_back(i);
        if (is_point(name)) water.points.push_back(i);
    }
    return water;
}

void note_length(Job const& job, BondTerm const& bond, Water& water) {
    auto const& names = job.values.texts("ATOM_NAME");
    std::string_view const name1 = names[static_cast<std::size_t>(bond.atom1)],
                           name2 = names[static_cast<std::size_t>(bond.atom2)];
    auto const has = [&](char letter) { return name1.starts_with(letter) || name2.starts_with(letter); };
    if (has('H')) {
        if (name1.starts_with('H') && name2.starts_with('H')) water.hh = bond.length;
        if (has('O')) water.oh = bond.length;
    } else if (has('O') && (is_point(name1) || is_point(name2))) {
        water.op = bond.length;
    }
}

void set_sites(Job const& job, Water const& water, StandardSystem& system) {
    int const o = water.oxygens[0], h1 = water.hydrogens[0], h2 = water.hydrogens[1];
    double const height = std::sqrt(water.oh * water.oh - water.hh * water.hh / 4);  // of the triangle over H-H
    if (!(height > 0) || !std::isfinite(water.op))
        refuse(job.values.where("BONDS_WITHOUT_HYDROGEN"),
               fmt::format("the water of atom {} lacks bonds that give the place of its extra point", o + 1));
    if (water.points.size() == 1) {
        double const weight = water.op / height;
        system.set_virtual_site(water.points[0],
                                ThreeParticleAverageSite{o, h1, h2, 1 - weight, weight / 2, weight / 2});
        return;
    }
    constexpr double out_of_plane = 54.735 * std::numbers::pi / 180;  // half a tetrahedron's angle
    double const weight = std::cos(out_of_plane) * water.op / height;
    double const area = water.oh * water.oh * std::sin(2 * std::asin(water.hh / 2 / water.oh));  // |OH × OH|
    double const cross = std::sin(out_of_plane) * water.op / area;
    system.set_virtual_site(water.points[0], OutOfPlaneSite{o, h1, h2, weight / 2, weight / 2, cross});
    system.set_virtual_site(water.points[1], OutOfPlaneSite{o, h1, h2, weight / 2, weight / 2, -cross});
}

void refuse_other_points(Job const& job, StandardSystem const& system) {
    for (int i = 0; i < system.particle_count(); ++i)
        if (job.is_extra_point(i) && system.particles.masses[static_cast<std::size_t>(i)] == 0
            && !system.particles.is_virtual(i))
            refuse(job.values.where("ATOM_NAME"),
                   fmt::format("atom {} ({}) is an extra point, but these are supported in water alone: one or two, "
                               "named EP or LP, with one "
                               "oxygen and two hydrogens",
                               i + 1, in_quotes(job.values.texts("ATOM_NAME")[static_cast<std::size_t>(i)])));
}

}  // namespace

void add_extra_points(Job const& job, StandardSystem& system) {
    auto const& topology = job.prmtop.topology;
    std::vector<Water> waters(topology.residues.size());
    for (std::size_t r = 0; r < waters.size(); ++r)
        if (job.is_water(topology.residues[r].first_atom)) waters[r] = water_of(job, topology.residues[r]);
    for (auto const& bonds : {bonds_with_hydrogen(job), bonds_without_hydrogen(job)})
        for (auto const& bond : bonds)
            note_length(job, bond,
                        waters[static_cast<std::size_t>(topology.atoms[static_cast<std::size_t>(bond.atom1)].residue)]);
    for (auto const& water : waters)
        if (water.oxygens.size() == 1 && water.hydrogens.size() == 2
            && (water.points.size() == 1 || water.points.size() == 2))
            set_sites(job, water, system);
    refuse_other_points(job, system);
}

}  // namespace trotter::app::amber
