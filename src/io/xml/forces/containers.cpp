// Reads and writes CustomCVForce and ATMForce, without their inner forces.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <trotter/io/containers.hpp>
#include <trotter/io/term_force.hpp>

#include "custom.hpp"
#include "tables.hpp"

namespace trotter::detail {
namespace {

constexpr std::array axes{"x", "y", "z"};
constexpr std::array<std::string_view, 4> end_attributes{"pj1", "pi1", "pj0", "pi0"};

std::array<int*, 4> ends(ParticleOffsetDisplacement& offset) {
    return {&offset.destination1, &offset.origin1, &offset.destination0, &offset.origin0};
}
std::string displacement_attribute(int state, std::size_t axis) { return "d" + std::to_string(state) + axes[axis]; }

std::vector<XmlNode> with_one_force(XmlNode const& list, std::string_view element_name,
                                    std::initializer_list<std::string_view> attributes) {
    std::vector<XmlNode> result;
    for (auto const element : list.items(element_name)) {
        element.only({attributes.begin(), attributes.size()}, std::array<std::string_view, 1>{"Force"});
        result.push_back(element);
    }
    return result;
}

Displacement read_displacement(XmlNode const& element, int particle_count) {
    element.only({"type", "d0x", "d0y", "d0z", "d1x", "d1y", "d1z", "pi0", "pi1", "pj0", "pj1"});
    auto const type = element.text_or("type", "fixed");
    if (type == "fixed") {
        FixedDisplacement result;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            result.in_state0[axis] = element.number(displacement_attribute(0, axis));
            result.in_state1[axis] = element.number(displacement_attribute(1, axis));
        }
        return result;
    }
    if (type != "offset") element.refuse("type", "\"fixed\" or \"offset\"");
    ParticleOffsetDisplacement result;
    auto const to = ends(result);
    for (std::size_t n = 0; n < to.size(); ++n)
        *to[n] = element.integer<int>(end_attributes[n], -1, particle_count - 1);
    return result;
}

}  // namespace

void read_formula(XmlNode const& node, RuntimeExpression& energy, std::vector<GlobalParameter>& parameters,
                  std::vector<std::string>& derivatives, std::vector<TabulatedFunction>* tables) {
    node.version(0, 0);
    if (tables) {
        only_force(node, {"energy"},
                   {"GlobalParameters", "EnergyParameterDerivatives", "CollectiveVariables", "Functions"});
        *tables = read_tables(node, TypeOfTables::stated);
        energy = read_formula(node, "energy", formula_functions(*tables));
    } else {
        only_force(node, {"energy"}, {"GlobalParameters", "EnergyParameterDerivatives", "Forces", "Particles"});
        energy = read_formula(node);
    }
    parameters = read_global_parameters(node);
    (void)node.child("EnergyParameterDerivatives");
    derivatives = read_derivatives(node, parameters);
}
void write_formula(XmlWriter& xml, RuntimeExpression const& energy, std::vector<GlobalParameter> const& parameters,
                   std::vector<std::string> const& derivatives) {
    xml.attribute("version", 0).attribute("energy", energy.formula());
    write_global_parameters(xml, parameters);
    write_derivatives(xml, derivatives);
}
void write_tabulated_functions(XmlWriter& xml, std::vector<TabulatedFunction> const& tables) {
    write_tables(xml, tables);
}

std::vector<XmlNode> collective_variables(XmlNode const& node) {
    return with_one_force(node.child("CollectiveVariables"), "CollectiveVariable", {"name"});
}
std::vector<XmlNode> inner_forces(XmlNode const& node) { return with_one_force(node.child("Forces"), "Force", {}); }

std::string new_variable_name(XmlNode const& element, std::vector<std::string> const& earlier) {
    std::string name(element.text("name"));
    if (std::find(earlier.begin(), earlier.end(), name) != earlier.end())
        element.refuse("name", "a name that no earlier collective variable has");
    return name;
}

std::vector<Displacement> read_displacements(XmlNode const& node, int particle_count) {
    std::vector<Displacement> result;
    for (auto const element : node.child("Particles").items("Particle"))
        result.push_back(read_displacement(element, particle_count));
    return result;
}

void write_displacements(XmlWriter& xml, std::vector<Displacement> const& displacements) {
    xml.open("Particles");
    for (auto const& displacement : displacements) {
        auto const* const fixed = std::get_if<FixedDisplacement>(&displacement);
        FixedDisplacement const by = fixed ? *fixed : FixedDisplacement{};
        ParticleOffsetDisplacement offset = fixed ? ParticleOffsetDisplacement{} : std::get<1>(displacement);
        xml.open("Particle").attribute("type", fixed ? "fixed" : "offset");
        for (std::size_t axis = 0; axis < 3; ++axis)
            xml.attribute(displacement_attribute(0, axis), by.in_state0[axis])
                .attribute(displacement_attribute(1, axis), by.in_state1[axis]);
        auto const from = ends(offset);
        for (std::size_t n = 0; n < from.size(); ++n) xml.attribute(end_attributes[n], *from[n]);
        xml.close();
    }
    xml.close();
}

}  // namespace trotter::detail
