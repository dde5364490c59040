// SPDX-License-Identifier: MIT
#include "assembly.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <trotter/error.hpp>

#include "bonds.hpp"

namespace trotter::app::force_field {

Assembly::Assembly(AtomTypes const& all_types, Topology const& of_system, Assignment const& templates,
                   SystemOptions const& all)
    : types(all_types),
      topology(of_system),
      assignment(templates),
      options(all),
      neighbors(sorted_neighbors(of_system)) {
    list_bonds();
    list_angles();
    list_torsions();
    find_rigid_residues();
    add_particles();
    if (all.hydrogen_mass) transfer_hydrogen_masses();
    constrain_bonds();
    constrain_angles();
}

void Assembly::list_bonds() {
    bonds_of_atom.resize(topology.atoms.size());
    for (auto const& bond : topology.bonds) {
        for (int const atom : {bond.atom1, bond.atom2}) at(bonds_of_atom, atom).push_back(count(bonds));
        bonds.push_back({bond.atom1, bond.atom2});
    }
}

void Assembly::list_angles() {
    std::vector<std::array<int, 3>> found;
    for (int center = 0; center < topology.atom_count(); ++center) {
        auto const& outer = at(neighbors, center);
        for (std::size_t i = 0; i < outer.size(); ++i)
            for (std::size_t j = i + 1; j < outer.size(); ++j) found.push_back({outer[i], center, outer[j]});
    }
    std::sort(found.begin(), found.end());
    for (auto const& atoms : found) angles.push_back({atoms});
}

void Assembly::list_torsions() {
    for (auto const& bond : bonds)
        for (int const i : at(neighbors, bond.atom1))
            for (int const l : at(neighbors, bond.atom2)) {
                if (i == bond.atom2 || l == bond.atom1 || i == l) continue;
                if (i < l) propers.push_back({i, bond.atom1, bond.atom2, l});
                else propers.push_back({l, bond.atom2, bond.atom1, i});
            }
    std::sort(propers.begin(), propers.end());
    propers.erase(std::unique(propers.begin(), propers.end()), propers.end());
    for (int center = 0; center < topology.atom_count(); ++center) {
        auto const& outer = at(neighbors, center);
        for (std::size_t i = 0; i < outer.size(); ++i)
            for (std::size_t j = i + 1; j < outer.size(); ++j)
                for (std::size_t k = j + 1; k < outer.size(); ++k)
                    impropers.push_back({center, outer[i], outer[j], outer[k]});
    }
}

void Assembly::find_rigid_residues() {
    is_rigid_.assign(topology.residues.size(), false);
    for (auto const& [residues, matched, template_atoms] : assignment.residues)
        if (residues.size() == 1 && at(topology.residues, residues[0]).name == "HOH")
            at(is_rigid_, residues[0]) = options->rigid_water.value_or(matched->rigid_water);
}

void Assembly::add_particles() {
    for (int atom = 0; atom < topology.atom_count(); ++atom) system.add_particle(types.mass(type(atom)));
    for (auto const& [atom, site] : assignment.sites) system.set_virtual_site(atom, site.site);
}

bool Assembly::is_hydrogen(int atom) const {
    static auto const hydrogen = Element::from_symbol("H");
    return at(topology.atoms, atom).element == hydrogen;
}

void Assembly::transfer_hydrogen_masses() {
    double const mass = *options->hydrogen_mass;
    auto& masses = system.particles.masses;
    for (auto [heavy, hydrogen, is_constrained, length] : bonds) {
        if (is_hydrogen(heavy)) std::swap(heavy, hydrogen);
        if (!is_hydrogen(hydrogen) || is_hydrogen(heavy) || !at(topology.atoms, heavy).element || is_rigid(hydrogen))
            continue;
        double const transferred = mass - at(masses, hydrogen);
        at(masses, hydrogen) = mass;
        at(masses, heavy) -= transferred;
    }
}

void Assembly::constrain_bonds() {
    for (auto& bond : bonds) {
        bool const has_hydrogen = is_hydrogen(bond.atom1) || is_hydrogen(bond.atom2);
        bond.is_constrained = options->constraints == Constraints::all_bonds
                              || options->constraints == Constraints::h_angles
                              || (options->constraints == Constraints::h_bonds && has_hydrogen)
                              || (is_rigid(bond.atom1) && is_rigid(bond.atom2));
        auto const* matched = assignment.template_of(at(topology.atoms, bond.atom1).residue);
        if (!matched || bond.is_constrained) continue;
        auto const in_template =
            std::minmax(at(assignment.atoms, bond.atom1).index, at(assignment.atoms, bond.atom2).index);
        for (auto const& [atom1, atom2, distance] : matched->constraints)
            if (std::minmax(atom1, atom2) == in_template) bond.is_constrained = true;
    }
}

void Assembly::constrain_angles() {
    static auto const oxygen = Element::from_symbol("O");
    for (auto& [atoms, is_constrained] : angles) {
        auto const [a, center, b] = atoms;
        int const hydrogens = (is_hydrogen(a) ? 1 : 0) + (is_hydrogen(b) ? 1 : 0);
        is_constrained = (options->constraints == Constraints::h_angles
                          && (hydrogens == 2 || (hydrogens == 1 && at(topology.atoms, center).element == oxygen)))
                         || (is_rigid(a) && is_rigid(center) && is_rigid(b));
    }
}

void Assembly::add_constraint(int atom1, int atom2, double distance) {
    auto const [found, is_new] = constraints_.try_emplace(std::minmax(atom1, atom2), distance);
    if (is_new) system.add_constraint(atom1, atom2, distance);
    else if (found->second != distance)
        throw InputError(fmt::format("the atoms {} and {} ({}) are constrained to two distances, {} and {} nm", atom1,
                                     atom2, topology.residue_name(at(topology.atoms, atom1).residue), found->second,
                                     distance));
}

void Assembly::add_template_constraints() {
    auto& constraints = system.particles.constraints;
    std::map<std::pair<int, int>, std::size_t> index;
    for (std::size_t i = 0; i < constraints.size(); ++i)
        index[std::minmax(constraints[i].particle1, constraints[i].particle2)] = i;
    for (auto const& [residues, matched, template_atoms] : assignment.residues) {
        if (matched->constraints.empty()) continue;
        std::vector<int> particle(matched->atoms.size());
        std::size_t next = 0;
        for (int const residue : residues)
            for (int const atom : atoms_of(topology, residue)) at(particle, template_atoms[next++]) = atom;
        for (auto const& [atom1, atom2, distance] : matched->constraints) {
            Constraint const constraint{at(particle, atom1), at(particle, atom2), distance};
            auto const [place, is_new] =
                index.try_emplace(std::minmax(constraint.particle1, constraint.particle2), constraints.size());
            if (is_new) constraints.push_back(constraint);
            else constraints[place->second] = constraint;
        }
    }
}

std::vector<std::pair<int, int>> Assembly::exclusion_bonds() const {
    std::map<int, std::vector<int>> sharing;  // extra particles by the atom whose exclusions they share
    for (auto const& [site, rule] : assignment.sites) sharing[rule.exclude_with].push_back(site);
    std::vector<std::pair<int, int>> result;
    for (auto const& bond : bonds) result.emplace_back(bond.atom1, bond.atom2);
    if (sharing.empty()) return result;
    auto const sharers = [&](int atom) {
        auto const found = sharing.find(atom);
        return found == sharing.end() ? std::vector<int>{} : found->second;
    };
    std::set<std::pair<int, int>> known(result.begin(), result.end());
    auto const add = [&](int a, int b) {
        if (known.emplace(a, b).second) result.emplace_back(a, b);
    };
    for (std::size_t i = 0; i < result.size(); ++i) {  // which grows: sites may share exclusions of sites
        auto const [a, b] = result[i];
        for (int const site_a : sharers(a)) {
            add(site_a, b);
            for (int const site_b : sharers(b)) add(site_a, site_b);
        }
        for (int const site_b : sharers(b)) add(a, site_b);
    }
    for (auto const& [atom, sites] : sharing)
        for (int const site : sites) add(site, atom);
    return result;
}

}  // namespace trotter::app::force_field
