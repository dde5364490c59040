// SPDX-License-Identifier: MIT
#include <trotter/app/charmm/create_system.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <trotter/app/implicit_solvent.hpp>

#include "../system_building/nonbonded_settings.hpp"
#include "parts.hpp"
#include "water.hpp"

namespace trotter::app {
namespace charmm {
namespace {

AtomType const& find_type(CharmmParameterTables const& tables, Psf const& psf, std::size_t atom) {
    auto name = psf.atoms[atom].type;
    int number = 0;
    if (parse(name, number)) {
        auto const found = tables.type_names.find(number);
        if (found != tables.type_names.end()) name = found->second;
    }
    auto const found = tables.atom_types.find(name);
    if (found == tables.atom_types.end())
        refuse({psf.path}, fmt::format("atom {} has the type {}, which the parameters do not have", atom + 1,
                                       in_quotes(psf.atoms[atom].type)));
    return found->second;
}

void repartition_masses(Job const& job, StandardSystem& system) {
    double const hydrogen_mass = *job.options.hydrogen_mass;
    for (auto const& bond : job.psf.topology.bonds) {
        if (job.is_hydrogen(bond.atom1) == job.is_hydrogen(bond.atom2)) continue;
        if (job.rigid_water && job.is_bond_of_water(bond)) continue;
        int const hydrogen = job.is_hydrogen(bond.atom1) ? bond.atom1 : bond.atom2,
                  heavy = bond.atom1 + bond.atom2 - hydrogen;
        auto& masses = system.particles.masses;
        masses[static_cast<std::size_t>(heavy)] -=
            hydrogen_mass - job.psf.atoms[static_cast<std::size_t>(hydrogen)].mass;
        masses[static_cast<std::size_t>(hydrogen)] = hydrogen_mass;
    }
}

}  // namespace

Job::Job(Psf const& from, CharmmParameterTables const& with, SystemOptions const& by)
    : psf(from),
      tables(with),
      options(by),
      rigid_water(by.rigid_water.value_or(true)),
      flexible(by.flexible_constraints.value_or(true)) {
    for (std::size_t i = 0; i < psf.atoms.size(); ++i) types.push_back(&find_type(tables, psf, i));
    for (auto const& bond : psf.topology.bonds) {
        auto const found = tables.bonds.find(key_of({type(bond.atom1).name, type(bond.atom2).name}));
        if (found == tables.bonds.end()) refuse_term("bond", {bond.atom1, bond.atom2});
        bonds.push_back(&found->second);
    }
}

bool Job::is_bond_of_water(Bond const& bond) const {
    int const number1 = type(bond.atom1).atomic_number, number2 = type(bond.atom2).atomic_number;
    return is_water(psf.topology, bond.atom1) && ((number1 == 1 && number2 == 8) || (number1 == 8 && number2 == 1));
}

void Job::refuse_term(std::string_view kind, std::vector<int> const& atoms) const {
    std::string names, numbers;
    for (int const atom : atoms) {
        names += (names.empty() ? "" : " ") + type(atom).name;
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(atom + 1);
    }
    refuse({psf.path}, fmt::format("the {} of atoms {} has no parameters for the types {}", kind, numbers, names));
}

void add_implicit_solvent(Job const& job, StandardSystem& system) {
    if (job.options.implicit_solvent == ImplicitSolvent::none) return;
    auto settings = implicit_solvent_settings(job.options, SurfaceArea::none);
    // With a box but no cutoff, OpenMM shifts the energies of pairs as for a cutoff of 0.97 of half the shortest edge.
    bool const is_only_shifted = job.psf.box && settings.method == NonbondedMethod::no_cutoff;
    if (is_only_shifted) {
        auto const& box = *job.psf.box;
        settings.method = NonbondedMethod::cutoff_non_periodic;
        settings.cutoff = 0.97 * std::min({norm(box.a), norm(box.b), norm(box.c)}) / 2;
    }
    app::add_implicit_solvent(system, job.psf.topology, settings);
    auto& force = system.forces<CustomGBForce>().back();
    force.force_group = nonbonded_group;
    if (is_only_shifted) force.pairs.method = PairSettings::Method::no_cutoff;
}

}  // namespace charmm

StandardSystem create_system(Psf const& psf, CharmmParameters const& parameters, SystemOptions const& options) {
    charmm::Job const job{psf, *parameters.tables, options};
    check_nonbonded_options(options, psf.box);
    StandardSystem system;
    for (auto const& atom : psf.atoms) system.add_particle(atom.mass);
    if (psf.box) system.box = *psf.box;
    charmm::add_bonds(job, system);
    charmm::add_lone_pairs(job, system);
    charmm::add_angles(job, system);
    charmm::add_torsions(job, system);
    charmm::add_nonbonded(job, system);
    charmm::add_implicit_solvent(job, system);
    if (options.hydrogen_mass) charmm::repartition_masses(job, system);
    if (options.remove_cm_motion.value_or(true)) system.add(CMMotionRemover{});
    return system;
}

}  // namespace trotter::app
