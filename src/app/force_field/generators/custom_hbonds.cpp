// SPDX-License-Identifier: MIT
#include <set>

#include "custom.hpp"
#include "nonbonded.hpp"

namespace trotter::app::force_field {
namespace {

using Definition = CustomHbonds::Definition;
using Site = CustomHbondForce::Site;

std::vector<Definition> read_sites(XmlNode const& node, std::string_view element, int atoms_per_site,
                                   AtomTypes const& types, std::vector<std::string> const& names) {
    std::vector<Definition> result;
    for (auto const site : node.children(element)) {
        Definition definition;
        bool is_known = true;
        for (int i = 0; i < atoms_per_site; ++i) {
            auto const selector = types.selector(site, std::to_string(i + 1));
            is_known = is_known && selector;
            at(definition.selectors, i) = selector.value_or(TypeSelector{});
        }
        if (!is_known) continue;
        definition.values = read_values(site, names);
        result.push_back(std::move(definition));
    }
    return result;
}

// Each atom, bond or angle that a definition fits to is a site, once for each definition.
std::vector<Site> find_sites(Assembly const& assembly, std::vector<Definition> const& definitions, int atoms_per_site) {
    std::vector<Site> result;
    auto const fits = [&](Definition const& definition, std::initializer_list<int> atoms) {
        auto selector = definition.selectors.begin();
        for (int const atom : atoms)
            if (!assembly.types.contains(*selector++, assembly.type(atom))) return false;
        return true;
    };
    if (atoms_per_site == 1) {
        for (int atom = 0; atom < assembly.topology.atom_count(); ++atom)
            for (auto const& definition : definitions)
                if (fits(definition, {atom})) result.push_back({atom, -1, -1, definition.values});
    } else if (atoms_per_site == 2) {
        for (auto const& bond : assembly.bonds)
            for (auto const& definition : definitions) {
                if (fits(definition, {bond.atom1, bond.atom2}))
                    result.push_back({bond.atom1, bond.atom2, -1, definition.values});
                else if (fits(definition, {bond.atom2, bond.atom1}))
                    result.push_back({bond.atom2, bond.atom1, -1, definition.values});
            }
    } else {
        for (auto const& [atoms, is_constrained] : assembly.angles)
            for (auto const& definition : definitions)
                if (fits(definition, {atoms[0], atoms[1], atoms[2]})
                    || fits(definition, {atoms[2], atoms[1], atoms[0]}))
                    result.push_back({atoms[0], atoms[1], atoms[2], definition.values});
    }
    return result;
}

std::vector<int> atoms_of(Site const& site) {
    std::vector<int> result;
    for (int const atom : {site.particle1, site.particle2, site.particle3})
        if (atom >= 0) result.push_back(atom);
    return result;
}

// The atoms that at most `most_bonds` bonds separate from those of a site.
std::set<int> atoms_near(Assembly const& assembly, Site const& site, int most_bonds) {
    auto outer = atoms_of(site);
    std::set<int> found(outer.begin(), outer.end());
    for (int i = 0; i < most_bonds && !outer.empty(); ++i) {
        std::vector<int> next;
        for (int const atom : outer)
            for (int const other : at(assembly.neighbors, atom))
                if (found.insert(other).second) next.push_back(other);
        outer = std::move(next);
    }
    return found;
}

}  // namespace

void CustomHbonds::read(XmlNode const& node, AtomTypes const& types) {
    force.tabulated_functions = read_functions(node);
    force.energy = read_formula(node, "energy", std::string(node.text("energy")), [&](std::string text) {
        return CustomHbondForce::formula(std::move(text), force.tabulated_functions);
    });
    force.global_parameters = read_global_parameters(node);
    force.donor_parameter_names = read_names(node, "PerDonorParameter");
    force.acceptor_parameter_names = read_names(node, "PerAcceptorParameter");
    bond_cutoff = node.integer<int>("bondCutoff");
    atoms_per_donor = node.integer<int>("particlesPerDonor", 1, 3);
    atoms_per_acceptor = node.integer<int>("particlesPerAcceptor", 1, 3);
    donors = read_sites(node, "Donor", atoms_per_donor, types, force.donor_parameter_names);
    acceptors = read_sites(node, "Acceptor", atoms_per_acceptor, types, force.acceptor_parameter_names);
}

int CustomHbonds::create(Assembly& assembly) const {
    auto made = force;
    made.method = pair_method<CustomHbondForce::Method>(assembly.options->nonbonded_method);
    made.cutoff_distance = assembly.options.cutoff();
    made.donors = find_sites(assembly, donors, atoms_per_donor);
    made.acceptors = find_sites(assembly, acceptors, atoms_per_acceptor);
    for (int donor = 0; donor < count(made.donors); ++donor) {
        auto const near = atoms_near(assembly, at(made.donors, donor), bond_cutoff);
        for (int acceptor = 0; acceptor < count(made.acceptors); ++acceptor)
            for (int const atom : atoms_of(at(made.acceptors, acceptor)))
                if (near.contains(atom)) {
                    made.exclusions.push_back({donor, acceptor});
                    break;
                }
    }
    assembly.system.add(std::move(made));
    return count(assembly.system.forces<CustomHbondForce>()) - 1;
}

}  // namespace trotter::app::force_field
