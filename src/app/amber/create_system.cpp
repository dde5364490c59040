// SPDX-License-Identifier: MIT
#include <trotter/app/amber/create_system.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "../system_building/masses.hpp"
#include "../system_building/nonbonded_settings.hpp"
#include "parts.hpp"

namespace trotter::app {
namespace {

void refuse_unsupported(PrmtopValues const& values) {
    if (values.pointer(PrmtopPointer::ifcap) > 0)
        refuse(values.where("POINTERS"), "caps of water (IFCAP) are not supported");
    if (values.pointer(PrmtopPointer::ifpert) > 0)
        refuse(values.where("POINTERS"), "perturbed topologies (IFPERT) are not supported");
    for (auto const* name : {"HBOND_ACOEF", "HBOND_BCOEF"})
        if (values.has(name))
            for (double const coefficient : values.reals(name))
                if (coefficient != 0) refuse(values.where(name), "10-12 interactions are not supported");
}

}  // namespace

bool amber::Job::is_water(int atom) const {
    constexpr std::array<std::string_view, 5> names{"WAT", "HOH", "TP4", "TP5", "T4E"};
    auto const& topology = prmtop.topology;
    auto const residue = static_cast<std::size_t>(topology.atoms[static_cast<std::size_t>(atom)].residue);
    return std::find(names.begin(), names.end(), topology.residues[residue].original_name) != names.end();
}

StandardSystem create_system(Prmtop const& prmtop, SystemOptions const& options) {
    amber::Job const job{prmtop, PrmtopValues{prmtop}, options, options.rigid_water.value_or(true),
                         options.flexible_constraints.value_or(false)};
    refuse_unsupported(job.values);
    check_nonbonded_options(options, prmtop.box);
    StandardSystem system;
    for (double const mass : job.values.reals("MASS", prmtop.topology.atoms.size())) system.add_particle(mass);
    if (prmtop.box) system.box = *prmtop.box;
    amber::add_bonds(job, system);
    amber::add_angles(job, system);
    amber::add_torsions(job, system);
    amber::add_nonbonded(job, system);
    amber::add_extra_points(job, system);
    amber::add_implicit_solvent(job, system);
    finish_system(system, prmtop.topology, options, job.rigid_water);
    return system;
}

}  // namespace trotter::app
