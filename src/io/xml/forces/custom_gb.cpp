// Reads and writes CustomGBForce: versions 1 and 2.
// SPDX-License-Identifier: MIT
#include <trotter/forces/custom_gb.hpp>
#include <trotter/io/forces.hpp>

#include "custom.hpp"
#include "tables.hpp"

namespace trotter {
namespace {

CustomGBForce::Kind read_kind(XmlNode const& element) {
    return element.choice("type", CustomGBForce::Kind::particle_pair_no_exclusions);
}
void write_formula(XmlWriter& xml, RuntimeExpression const& expression, CustomGBForce::Kind kind) {
    xml.attribute("expression", expression.formula()).attribute("type", static_cast<int>(kind)).close();
}

}  // namespace

void read(XmlNode const& node, CustomGBForce& force, int particle_count) {
    int const version = node.version(2);
    only_force(node, {"method", "cutoff"},
               {"PerParticleParameters", "GlobalParameters", "EnergyParameterDerivatives", "ComputedValues",
                "EnergyTerms", "Particles", "Exclusions", "Functions"});
    detail::check_list(node, "EnergyParameterDerivatives", version, 2);
    force.tabulated_functions = detail::read_tables(node);
    auto const functions = formula_functions(force.tabulated_functions);
    force.pairs.method = node.choice("method", PairSettings::Method::cutoff_periodic);
    force.pairs.cutoff_distance = node.number("cutoff");
    force.parameter_names = detail::read_parameter_names(node, "PerParticleParameters");
    force.global_parameters = detail::read_global_parameters(node);
    force.energy_parameter_derivatives = detail::read_derivatives(node, force.global_parameters);
    for (auto const element : node.child("ComputedValues").items("Value")) {
        element.only({"name", "expression", "type"});
        force.computed_values.push_back({std::string(element.text("name")),
                                         detail::read_formula(element, "expression", functions), read_kind(element)});
    }
    for (auto const element : node.child("EnergyTerms").items("Term")) {
        element.only({"expression", "type"});
        force.energy_terms.push_back({detail::read_formula(element, "expression", functions), read_kind(element)});
    }
    force.particles = detail::read_particles(node, CustomGBForce::name, force.parameter_names.size(), particle_count);
    force.pairs.exclusions = detail::read_exclusions(node.child("Exclusions"), particle_count);
}

void write(XmlWriter& xml, CustomGBForce const& force) {
    xml.attribute("version", 2).attribute("method", static_cast<int>(force.pairs.method));
    xml.attribute("cutoff", force.pairs.cutoff_distance);
    detail::write_parameter_names(xml, "PerParticleParameters", force.parameter_names);
    detail::write_global_parameters(xml, force.global_parameters);
    detail::write_derivatives(xml, force.energy_parameter_derivatives);
    xml.open("ComputedValues");
    for (auto const& [name, expression, kind] : force.computed_values)
        write_formula(xml.open("Value").attribute("name", name), expression, kind);
    xml.close().open("EnergyTerms");
    for (auto const& [expression, kind] : force.energy_terms) write_formula(xml.open("Term"), expression, kind);
    xml.close();
    detail::write_particles(xml, force.particles);
    detail::write_exclusions(xml, force.pairs.exclusions);
    detail::write_tables(xml, force.tabulated_functions);
}

}  // namespace trotter
