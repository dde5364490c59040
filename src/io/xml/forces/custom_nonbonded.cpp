// Reads and writes CustomNonbondedForce: versions 1 to 3.
// SPDX-License-Identifier: MIT
#include <trotter/forces/custom_nonbonded.hpp>
#include <trotter/io/forces.hpp>

#include "custom.hpp"
#include "io/xml/indices.hpp"
#include "tables.hpp"

namespace trotter {
namespace {

void read_settings(XmlNode const& node, PairSettings& settings) {
    settings.method = node.choice("method", PairSettings::Method::cutoff_periodic);
    settings.cutoff_distance = node.number("cutoff");
    settings.use_switching_function = node.boolean_or("useSwitchingFunction", false);
    settings.switching_distance = node.number_or("switchingDistance", -1);
    settings.use_long_range_correction = node.boolean_or("useLongRangeCorrection", false);
}

std::vector<CustomNonbondedForce::ComputedValue> read_computed_values(XmlNode const& list, std::vector<TabulatedFunction> const& tables) {
    std::vector<CustomNonbondedForce::ComputedValue> result;
    for (auto const element : list.items("Value")) {
        element.only({"name", "expression"});
        result.push_back({std::string(element.text("name")),
                          detail::read_formula(element, "expression", formula_functions(tables))});
    }
    return result;
}

std::set<int> read_set(XmlNode const& list, int particle_count) {
    auto const particles = detail::read_indices(list, particle_count - 1);
    return {particles.begin(), particles.end()};
}

std::vector<CustomNonbondedForce::InteractionGroup> read_groups(XmlNode const& list, int particle_count) {
    std::vector<CustomNonbondedForce::InteractionGroup> result;
    for (auto const element : list.items("InteractionGroup")) {
        element.only({}, {"Set1", "Set2"});
        result.push_back(
            {read_set(element.child("Set1"), particle_count), read_set(element.child("Set2"), particle_count)});
    }
    return result;
}

}  // namespace

void read(XmlNode const& node, CustomNonbondedForce& force, int particle_count) {
    int const version = node.version(3);
    only_force(node,
               {"energy", "method", "cutoff", "useSwitchingFunction", "switchingDistance", "useLongRangeCorrection"},
               {"PerParticleParameters", "GlobalParameters", "ComputedValues", "EnergyParameterDerivatives",
                "Particles", "Exclusions", "Functions", "InteractionGroups"});
    detail::check_list(node, "EnergyParameterDerivatives", version, 2);
    detail::check_list(node, "ComputedValues", version, 3);
    force.tabulated_functions = detail::read_tables(node);
    force.energy = detail::read_formula(node, "energy", formula_functions(force.tabulated_functions));
    read_settings(node, force.pairs);
    force.parameter_names = detail::read_parameter_names(node, "PerParticleParameters");
    force.global_parameters = detail::read_global_parameters(node);
    force.energy_parameter_derivatives = detail::read_derivatives(node, force.global_parameters);
    force.particles = detail::read_particles(node, CustomNonbondedForce::name, force.parameter_names.size(), particle_count);
    force.pairs.exclusions = detail::read_exclusions(node.child("Exclusions"), particle_count);
    if (auto const list = node.find("ComputedValues")) force.computed_values = read_computed_values(*list, force.tabulated_functions);
    if (auto const list = node.find("InteractionGroups"))
        force.interaction_groups = read_groups(*list, particle_count);
}

void write(XmlWriter& xml, CustomNonbondedForce const& force) {
    auto const& settings = force.pairs;
    xml.attribute("version", 3).attribute("energy", force.energy.formula());
    xml.attribute("method", static_cast<int>(settings.method)).attribute("cutoff", settings.cutoff_distance);
    xml.attribute("useSwitchingFunction", settings.use_switching_function)
        .attribute("switchingDistance", settings.switching_distance);
    xml.attribute("useLongRangeCorrection", settings.use_long_range_correction);
    detail::write_parameter_names(xml, "PerParticleParameters", force.parameter_names);
    detail::write_global_parameters(xml, force.global_parameters);
    xml.open("ComputedValues");
    for (auto const& [name, expression] : force.computed_values)
        xml.open("Value").attribute("name", name).attribute("expression", expression.formula()).close();
    xml.close();
    detail::write_derivatives(xml, force.energy_parameter_derivatives);
    detail::write_particles(xml, force.particles);
    detail::write_exclusions(xml, settings.exclusions);
    detail::write_tables(xml, force.tabulated_functions);
    xml.open("InteractionGroups");
    for (auto const& [set1, set2] : force.interaction_groups) {
        xml.open("InteractionGroup");
        detail::write_indices(xml, "Set1", set1);
        detail::write_indices(xml, "Set2", set2);
        xml.close();
    }
    xml.close();
}

}  // namespace trotter
