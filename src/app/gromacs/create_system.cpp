// SPDX-License-Identifier: MIT
#include <trotter/app/gromacs/create_system.hpp>

#include "../system_building/masses.hpp"
#include "../system_building/nonbonded_settings.hpp"
#include "parts.hpp"

namespace trotter::app {
namespace {

using BondedTypes = std::map<gromacs::MoleculeType const*, std::vector<std::string>>;

BondedTypes bonded_types_of(GromacsTopContents const& contents) {
    BondedTypes result;
    for (auto const& [type, count] : contents.molecules) {
        auto& types = result[type];
        types.clear();
        for (auto const& line : type->atoms) {
            auto const& found = contents.type_of(line);
            types.push_back(found.bonded.empty() ? found.name : found.bonded);
        }
    }
    return result;
}

std::vector<gromacs::Molecule> molecules_of(GromacsTopContents const& contents, BondedTypes const& bonded) {
    std::vector<gromacs::Molecule> result;
    int first = 0;
    for (auto const& [type, count] : contents.molecules)
        for (int i = 0; i < count; ++i) {
            result.push_back({*type, first, bonded.at(type)});
            first += static_cast<int>(type->atoms.size());
        }
    return result;
}

}  // namespace

StandardSystem create_system(GromacsTop const& top, SystemOptions const& options) {
    gromacs::Job const job{top, *top.contents, options, options.rigid_water.value_or(true)};
    check_nonbonded_options(options, top.box);
    StandardSystem system;
    if (top.box) system.box = *top.box;
    auto const types = bonded_types_of(job.contents);
    auto const molecules = molecules_of(job.contents, types);
    gromacs::BondedForces bonded;
    for (auto const& molecule : molecules) {
        for (auto const& line : molecule.type.atoms)
            system.add_particle(line.words.size() >= 8 ? line.real(7, "the mass of an atom")
                                                       : job.contents.type_of(line).mass());
        bonded.add(job, molecule, system);
        gromacs::add_sites_and_constraints(molecule, system);
    }
    bonded.move_to(system);
    gromacs::add_nonbonded(job, molecules, system);
    finish_system(system, top.topology, options, job.rigid_water);
    return system;
}

}  // namespace trotter::app
