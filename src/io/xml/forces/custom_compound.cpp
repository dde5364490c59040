// Reads and writes CustomCompoundBondForce and CustomCentroidBondForce.
// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>
#include <vector>

#include <trotter/forces/custom_centroid_bond.hpp>
#include <trotter/forces/custom_compound_bond.hpp>
#include <trotter/io/forces.hpp>

#include "custom.hpp"
#include "tables.hpp"

namespace trotter {
namespace {

/// Returns attribute names p1, p2, … or g1, g2, …
std::vector<std::string> numbered(char letter, int count) {
    std::vector<std::string> result;
    for (int n = 1; n <= count; ++n) result.push_back(letter + std::to_string(n));
    return result;
}

/// Reads everything but bonds and groups; `size` is the attribute with the number of particles or groups per bond.
template <class F> void read_formula_and_names(XmlNode const& node, F& force, std::string_view size, int& size_value) {
    int const version = node.version(3);
    size_value = node.integer<int>(size, 1, 100'000);
    force.tabulated_functions = detail::read_tables(node);
    force.energy = detail::read_formula(node, "energy", geometric_functions(force.tabulated_functions));
    force.parameter_names = detail::read_parameter_names(node, "PerBondParameters");
    force.global_parameters = detail::read_global_parameters(node);
    detail::check_list(node, "EnergyParameterDerivatives", version, 3);
    force.energy_parameter_derivatives = detail::read_derivatives(node, force.global_parameters);
    force.periodic = boolean_since(2, version, node, "usesPeriodic");
}
template <class F> void write_formula_and_names(XmlWriter& xml, F const& force, std::string_view size, int size_value) {
    xml.attribute("version", 3)
        .attribute("energy", force.energy.formula())
        .attribute(size, size_value)
        .attribute("usesPeriodic", force.periodic);
    detail::write_parameter_names(xml, "PerBondParameters", force.parameter_names);
    detail::write_global_parameters(xml, force.global_parameters);
    detail::write_derivatives(xml, force.energy_parameter_derivatives);
}

/// Reads the members of each bond, indices below `count`, and its parameters.
template <class Bond> std::vector<Bond> read_bonds(XmlNode const& list, std::vector<int> Bond::*members, char letter,
                                                   int size, int count, std::size_t parameters) {
    std::vector<Bond> result;
    auto const names = numbered(letter, size);
    std::vector<std::string_view> const known(names.begin(), names.end());
    for (auto const element : list.items("Bond")) {
        auto& bond = result.emplace_back();
        bond.parameters = detail::read_row(element, parameters, known);
        for (auto const& name : names) (bond.*members).push_back(element.integer<int>(name, 0, count - 1));
    }
    return result;
}
template <class Bond>
void write_bonds(XmlWriter& xml, std::vector<Bond> const& bonds, std::vector<int> Bond::*members, char letter) {
    xml.open("Bonds");
    for (auto const& bond : bonds) {
        xml.open("Bond");
        auto const names = numbered(letter, static_cast<int>((bond.*members).size()));
        for (std::size_t n = 0; n < names.size(); ++n) xml.attribute(names[n], (bond.*members)[n]);
        detail::write_row(xml, bond.parameters);
        xml.close();
    }
    xml.close();
}

std::vector<CustomCentroidBondForce::Group> read_groups(XmlNode const& list, int particle_count) {
    std::vector<CustomCentroidBondForce::Group> result;
    for (auto const element : list.items("Group")) {
        auto& group = result.emplace_back();
        for (auto const particle : element.items("Particle")) {
            particle.only({"p", "weight"});
            group.particles.push_back(particle.integer<int>("p", 0, particle_count - 1));
            if (particle.has("weight")) group.weights.push_back(particle.number("weight"));
        }
        if (!group.weights.empty() && group.weights.size() != group.particles.size())
            element.fail(std::to_string(group.weights.size()) + " of " + std::to_string(group.particles.size())
                         + " particles have a weight, expected all or none");
    }
    return result;
}
void write_groups(XmlWriter& xml, std::vector<CustomCentroidBondForce::Group> const& groups) {
    xml.open("Groups");
    for (auto const& [particles, weights] : groups) {
        xml.open("Group");
        for (std::size_t n = 0; n < particles.size(); ++n) {
            xml.open("Particle").attribute("p", particles[n]);
            if (!weights.empty()) xml.attribute("weight", weights[n]);
            xml.close();
        }
        xml.close();
    }
    xml.close();
}

}  // namespace

void read(XmlNode const& node, CustomCompoundBondForce& force, int particle_count) {
    only_force(node, {"energy", "particles", "usesPeriodic"},
               {"PerBondParameters", "GlobalParameters", "EnergyParameterDerivatives", "Bonds", "Functions"});
    read_formula_and_names(node, force, "particles", force.particles_per_bond);
    force.bonds = read_bonds(node.child("Bonds"), &CustomCompoundBondForce::Bond::particles, 'p',
                             force.particles_per_bond, particle_count, force.parameter_names.size());
}
void write(XmlWriter& xml, CustomCompoundBondForce const& force) {
    write_formula_and_names(xml, force, "particles", force.particles_per_bond);
    write_bonds(xml, force.bonds, &CustomCompoundBondForce::Bond::particles, 'p');
    detail::write_tables(xml, force.tabulated_functions);
}

void read(XmlNode const& node, CustomCentroidBondForce& force, int particle_count) {
    only_force(node, {"energy", "groups", "usesPeriodic"},
               {"PerBondParameters", "GlobalParameters", "EnergyParameterDerivatives", "Groups", "Bonds", "Functions"});
    read_formula_and_names(node, force, "groups", force.groups_per_bond);
    force.groups = read_groups(node.child("Groups"), particle_count);
    force.bonds = read_bonds(node.child("Bonds"), &CustomCentroidBondForce::Bond::groups, 'g', force.groups_per_bond,
                             static_cast<int>(force.groups.size()), force.parameter_names.size());
}
void write(XmlWriter& xml, CustomCentroidBondForce const& force) {
    write_formula_and_names(xml, force, "groups", force.groups_per_bond);
    write_groups(xml, force.groups);
    write_bonds(xml, force.bonds, &CustomCentroidBondForce::Bond::groups, 'g');
    detail::write_tables(xml, force.tabulated_functions);
}

}  // namespace trotter
