// SPDX-License-Identifier: MIT
#include "masses.hpp"

#include <utility>

namespace trotter::app {

bool is_hydrogen(Atom const& atom) { return atom.element && atom.element->symbol() == "H"; }

bool is_water(Topology const& topology, int atom) {
    auto const residue = topology.atoms[static_cast<std::size_t>(atom)].residue;
    return topology.residues[static_cast<std::size_t>(residue)].name == "HOH";
}

namespace {

void repartition(Particles& particles, Topology const& topology, double hydrogen_mass, bool rigid_water) {
    auto const atom = [&](int index) -> Atom const& { return topology.atoms[static_cast<std::size_t>(index)]; };
    for (auto const& bond : topology.bonds) {
        int heavy = bond.atom1, hydrogen = bond.atom2;
        if (is_hydrogen(atom(heavy))) std::swap(heavy, hydrogen);
        if (rigid_water && is_water(topology, hydrogen)) continue;
        if (!is_hydrogen(atom(hydrogen)) || is_hydrogen(atom(heavy)) || !atom(heavy).element) continue;
        auto& mass = particles.masses[static_cast<std::size_t>(hydrogen)];
        particles.masses[static_cast<std::size_t>(heavy)] -= hydrogen_mass - mass;
        mass = hydrogen_mass;
    }
}

}  // namespace

void finish_system(StandardSystem& system, Topology const& topology, SystemOptions const& options, bool rigid_water) {
    if (options.hydrogen_mass) repartition(system.particles, topology, *options.hydrogen_mass, rigid_water);
    if (options.remove_cm_motion.value_or(true)) system.add(CMMotionRemover{});
}

}  // namespace trotter::app
