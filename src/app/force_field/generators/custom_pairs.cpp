// Custom forces of all particles.
// SPDX-License-Identifier: MIT
#include <trotter/io/number_text.hpp>

#include "app/force_field/exclusions.hpp"
#include "custom.hpp"
#include "nonbonded.hpp"

namespace trotter::app::force_field {
namespace {

// Names of parameters and functions, which formulas need, and the parameters of types.
template <class Force>
void read_head(XmlNode const& node, AtomTypes const& types, Force& force, ParticleParameters& parameters) {
    force.global_parameters = read_global_parameters(node);
    force.parameter_names = read_names(node, "PerParticleParameter");
    force.tabulated_functions = read_functions(node);
    parameters = ParticleParameters(std::string(node.name()), force.parameter_names);
    parameters.read(node, types);
}

template <class Force>
RuntimeExpression formula(XmlNode const& node, std::string_view what, std::string text, Force const& force) {
    return read_formula(node, what, std::move(text),
                        [&](std::string given) { return Force::formula(std::move(given), force.tabulated_functions); });
}

CustomGBForce::Kind read_kind(XmlNode const& node) {
    auto const type = node.text("type");
    if (type == "SingleParticle") return CustomGBForce::Kind::single_particle;
    if (type == "ParticlePair") return CustomGBForce::Kind::particle_pair;
    if (type == "ParticlePairNoExclusions") return CustomGBForce::Kind::particle_pair_no_exclusions;
    node.refuse("type", "SingleParticle, ParticlePair or ParticlePairNoExclusions");
}

}  // namespace

void CustomNonbonded::read(XmlNode const& node, AtomTypes const& types) {
    read_head(node, types, force, parameters);
    force.energy = formula(node, "energy", std::string(node.text("energy")), force);
    bond_cutoff = node.integer<int>("bondCutoff");
    for (auto const value : node.children("ComputedValue"))
        force.computed_values.push_back({std::string(value.text("name")),
                                         formula(value, "expression", std::string(value.text("expression")), force)});
}

int CustomNonbonded::create(Assembly& assembly) const {
    auto made = force;
    for (int atom = 0; atom < assembly.topology.atom_count(); ++atom)
        made.particles.push_back(parameters.of_atom(assembly, atom));
    made.pairs.method = pair_method<PairSettings::Method>(assembly.options->nonbonded_method);
    made.pairs.cutoff_distance = assembly.options.cutoff();
    assembly.system.add(std::move(made));
    return count(assembly.system.forces<CustomNonbondedForce>()) - 1;
}

void CustomNonbonded::finish(Assembly& assembly, int number) const {
    auto& exclusions = at(assembly.system.forces<CustomNonbondedForce>(), number).pairs.exclusions;
    for (auto const& [i, j, bonds] :
         separated_pairs(assembly.exclusion_bonds(), assembly.topology.atom_count(), bond_cutoff))
        exclusions.push_back({i, j});
}

void CustomGB::read(XmlNode const& node, AtomTypes const& types) {
    read_head(node, types, force, parameters);
    for (auto const value : node.children("ComputedValue"))
        force.computed_values.push_back({std::string(value.text("name")),
                                         formula(value, "computed value", value.content(), force), read_kind(value)});
    for (auto const term : node.children("EnergyTerm"))
        force.energy_terms.push_back({formula(term, "energy term", term.content(), force), read_kind(term)});
}

int CustomGB::create(Assembly& assembly) const {
    auto made = force;
    for (int atom = 0; atom < assembly.topology.atom_count(); ++atom)
        made.particles.push_back(parameters.of_atom(assembly, atom));
    made.pairs.method = pair_method<PairSettings::Method>(assembly.options->nonbonded_method);
    made.pairs.cutoff_distance = assembly.options.cutoff();
    assembly.system.add(std::move(made));
    return count(assembly.system.forces<CustomGBForce>()) - 1;
}

namespace {

std::set<int> read_types(XmlNode const& node) {
    std::set<int> result;
    std::string_view text = node.text("types");
    for (auto end = text.size(); !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
        end = std::min(text.find(','), text.size());
        auto const number = parse_integer(text.substr(0, end));
        if (!number || *number < 0 || *number > 1'000'000) node.refuse("types", "numbers separated by commas");
        result.insert(static_cast<int>(*number));
    }
    return result;
}

}  // namespace

void CustomManyParticle::read(XmlNode const& node, AtomTypes const& types) {
    read_head(node, types, force, parameters);
    force.particles_per_set = node.integer<int>("particlesPerSet", 1, 12);
    force.energy = formula(node, "energy", std::string(node.text("energy")), force);
    auto const mode = node.text("permutationMode");
    if (mode == "UniqueCentralParticle") force.permutations = CustomManyParticleForce::Permutations::unique_central;
    else if (mode != "SinglePermutation") node.refuse("permutationMode", "SinglePermutation or UniqueCentralParticle");
    bond_cutoff = node.integer<int>("bondCutoff");
    force.type_filters.resize(static_cast<std::size_t>(force.particles_per_set));
    for (auto const filter : node.children("TypeFilter"))
        at(force.type_filters, filter.integer<int>("index", 0, force.particles_per_set - 1)) = read_types(filter);
}

int CustomManyParticle::create(Assembly& assembly) const {
    auto made = force;
    for (int atom = 0; atom < assembly.topology.atom_count(); ++atom) {
        auto const type = parameters.extra(assembly.types, assembly.type(atom), "filterType");
        if (!type)
            throw InputError("CustomManyParticleForce: atoms of the type " + assembly.types.name(assembly.type(atom))
                             + " have no filterType");
        made.particles.push_back({parameters.of_atom(assembly, atom), static_cast<int>(*type)});
    }
    made.method = pair_method<CustomManyParticleForce::Method>(assembly.options->nonbonded_method);
    made.cutoff_distance = assembly.options.cutoff();
    assembly.system.add(std::move(made));
    return count(assembly.system.forces<CustomManyParticleForce>()) - 1;
}

void CustomManyParticle::finish(Assembly& assembly, int number) const {
    auto& exclusions = at(assembly.system.forces<CustomManyParticleForce>(), number).exclusions;
    for (auto const& [i, j, bonds] :
         separated_pairs(assembly.exclusion_bonds(), assembly.topology.atom_count(), bond_cutoff))
        exclusions.push_back({i, j});
}

}  // namespace trotter::app::force_field
