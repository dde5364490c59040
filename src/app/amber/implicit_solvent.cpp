// Generalized Born models on the charges, radii and screening of a prmtop file.
// SPDX-License-Identifier: MIT
#include <trotter/app/implicit_solvent.hpp>

#include "../implicit_solvent/lcpo.hpp"
#include "parts.hpp"

namespace trotter::app::amber {
namespace {

using enum LcpoType;

// Types of LCPO as sander chooses them: by AMBER's types of atoms where those tell.
LcpoType lcpo_type(int number, std::string_view type, int total, int heavy) {
    switch (number) {
        case 6:
            return total == 4 ? lcpo_series(c_sp3_1, heavy, 1, 4) : lcpo_series(c_sp2_2, heavy, 2, 3);
        case 7:
            return lcpo_series(type == "N3" ? n_sp3_1 : n_sp2_1, heavy, 1, 3);
        case 8:
            return type == "O" ? o_sp2_1 : type == "O2" ? o_carboxylate : lcpo_series(o_sp3_1, heavy, 1, 2);
        case 15:
            return lcpo_series(p_3, heavy, 3, 4);
        case 16:
            return type == "SH" ? s_1 : s_2;
        default:
            break;
    }
    if (type.starts_with('Z') || number <= 1) return none;
    if (type == "MG") return magnesium;
    if (type == "F") return fluorine;
    return number == 17 ? chlorine : unknown;
}

LCPOForce lcpo_surface(Job const& job, bool periodic) {
    auto const& topology = job.prmtop.topology;
    auto const& types = job.values.texts("AMBER_ATOM_TYPE");
    if (types.size() != topology.atoms.size())
        refuse(job.values.where("AMBER_ATOM_TYPE"), "%FLAG AMBER_ATOM_TYPE must have a type for each atom");
    std::vector<int> heavy(types.size()), total(types.size());
    auto const count = [](std::vector<BondTerm> const& bonds, std::vector<int>& counts) {
        for (auto const& bond : bonds)
            ++counts[static_cast<std::size_t>(bond.atom1)], ++counts[static_cast<std::size_t>(bond.atom2)];
    };
    count(bonds_without_hydrogen(job), heavy);
    total = heavy;
    count(bonds_with_hydrogen(job), total);
    std::vector<LcpoType> found;
    for (std::size_t i = 0; i < types.size(); ++i) {
        int const number = lcpo_atomic_number(topology.atoms[i]);
        found.push_back(lcpo_type(number, types[i], total[i], heavy[i]));
        if (found.back() == unknown) refuse_lcpo(static_cast<int>(i), number, total[i], heavy[i]);
    }
    return lcpo_force(found, periodic);
}

// Radii of the file; its screening, too, but for GBn and GBn2, which have their own.
std::vector<GBAtom> gb_atoms(Job const& job, ImplicitSolvent model) {
    auto atoms = standard_gb_atoms(job.prmtop.topology, model);
    auto const radii = job.values.reals("RADII", atoms.size());
    for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].radius = radii[i] / 10;
    if (model == ImplicitSolvent::gbn || model == ImplicitSolvent::gbn2) return atoms;
    auto const screening = job.values.reals("SCREEN", atoms.size());
    for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].screening = screening[i];
    return atoms;
}

// OBC2 without salt has a force of its own.
GBSAOBCForce obc2(ImplicitSolventSettings const& settings, std::vector<double> const& charges,
                  std::vector<GBAtom> const& atoms) {
    GBSAOBCForce force;
    for (std::size_t i = 0; i < atoms.size(); ++i)
        force.particles.push_back({charges[i], atoms[i].radius, atoms[i].screening});
    force.solute_dielectric = settings.solute_dielectric;
    force.solvent_dielectric = settings.solvent_dielectric;
    if (settings.surface_area != SurfaceArea::ace) force.surface_area_energy = 0;
    using Method = GBSAOBCForce::Method;
    force.method = settings.method == NonbondedMethod::no_cutoff         ? Method::no_cutoff
                   : settings.method == NonbondedMethod::cutoff_periodic ? Method::cutoff_periodic
                                                                         : Method::cutoff_non_periodic;
    force.cutoff_distance = settings.cutoff;
    return force;
}

}  // namespace

void add_implicit_solvent(Job const& job, StandardSystem& system) {
    if (job.options.implicit_solvent == ImplicitSolvent::none) return;
    auto const settings = implicit_solvent_settings(job.options);
    auto const atoms = gb_atoms(job, settings.model);
    auto& nonbonded = system.forces<NonbondedForce>().front();
    nonbonded.reaction_field_dielectric = 1;
    std::vector<double> charges;
    for (auto const& particle : nonbonded.particles) charges.push_back(particle.charge);
    if (settings.model == ImplicitSolvent::obc2 && settings.kappa == 0)
        system.add(obc2(settings, charges, atoms));
    else
        system.add(generalized_born(settings, charges, atoms));
    if (settings.surface_area == SurfaceArea::lcpo)
        system.add(lcpo_surface(job, settings.method == NonbondedMethod::cutoff_periodic));
}

}  // namespace trotter::app::amber
