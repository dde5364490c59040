// Reads and writes CustomIntegrator: versions 1 to 3. Values of per-DOF variables are in elements of the same name.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include <trotter/expression/runtime_expression.hpp>
#include <trotter/integrators/custom_language.hpp>

#include "integrator_content.hpp"
#include "integrator_parameters.hpp"
#include "io/xml/box.hpp"
#include "io/xml/forces/custom.hpp"
#include "io/xml/forces/tables.hpp"
#include "io/xml/located.hpp"

namespace trotter::detail {
namespace {

using Kind = CustomIntegrator::Kind;
using Computation = CustomIntegrator::Computation;

/// Throws InputError for a syntax error; names are resolved when a Context is created.
void check_formula(std::string const& text, bool of_particles, CustomIntegrator const& integrator) {
    using namespace custom_integrator;
    auto const functions = functions_of(integrator.tabulated_functions, of_particles);
    (void)RuntimeExpression(with_derivative_names(text), AnyName{}, functions);
}

void check_computation(Computation const& computation, CustomIntegrator const& integrator) {
    switch (computation.kind) {
    case Kind::compute_global: return check_formula(computation.expression, false, integrator);
    case Kind::compute_per_dof:
    case Kind::compute_sum: return check_formula(computation.expression, true, integrator);
    case Kind::if_block:
    case Kind::while_block: {
        custom_integrator::Condition const condition(computation.expression);
        check_formula(condition.left, false, integrator);
        return check_formula(condition.right, false, integrator);
    }
    default: return;
    }
}

/// Before version 3 each variable is an attribute.
void read_globals(XmlNode const& list, int version, CustomIntegrator& integrator) {
    if (version < 3) {
        auto names = list.attributes();
        list.only(names);
        std::ranges::sort(names);  // OpenMM's order
        for (auto const name : names) integrator.add_global(std::string(name), list.number(name, Allow::Any));
        return;
    }
    for (auto const element : list.items("Variable")) {
        element.only({"name", "value"});
        integrator.add_global(std::string(element.text("name")), element.number("value", Allow::Any));
    }
}

void read_per_dof(XmlNode const& list, CustomIntegrator& integrator) {
    for (auto const element : list.children()) {
        auto& variable = integrator.per_dof.emplace_back(CustomIntegrator::PerDof{std::string(element.name()), {}});
        for (auto const value : element.items("Value")) variable.values.push_back(read_vector(value, Allow::Any));
        if (variable.values.empty()) element.fail("expected a Value for all particles, or one for each");
    }
}

void read_computations(XmlNode const& list, CustomIntegrator& integrator) {
    for (auto const element : list.items("Computation")) {
        element.only({"computationType", "computationVariable", "computationExpression"});
        Computation const computation{element.choice("computationType", Kind::end_block),
                                      std::string(element.text_or("computationVariable", "")),
                                      std::string(element.text_or("computationExpression", ""))};
        located(element, [&] { check_computation(computation, integrator); });
        integrator.computations.push_back(computation);
    }
}

}  // namespace

void read_content(XmlNode const& node, int version, CustomIntegrator& integrator) {
    if (version >= 2) integrator.tabulated_functions = read_tables(node, TypeOfTables::stated);
    integrator.kinetic_energy = node.text("kineticEnergyExpression");
    located(node, [&] { check_formula(integrator.kinetic_energy, true, integrator); });
    read_globals(node.child("GlobalVariables"), version, integrator);
    read_per_dof(node.child("PerDofVariables"), integrator);
    read_computations(node.child("Computations"), integrator);
}

void write_content(XmlWriter& xml, CustomIntegrator const& integrator) {
    xml.attribute("kineticEnergyExpression", integrator.kinetic_energy);
    xml.open("GlobalVariables");
    for (auto const& [name, value] : integrator.globals)
        xml.open("Variable").attribute("name", name).attribute("value", value).close();
    xml.close().open("PerDofVariables");
    for (auto const& [name, values] : integrator.per_dof) {
        check_element_name(name);
        xml.open(name);
        for (auto const& value : values) write_vector(xml, "Value", value);
        xml.close();
    }
    xml.close().open("Computations");
    for (auto const& [kind, variable, expression] : integrator.computations)
        xml.open("Computation")
            .attribute("computationType", static_cast<int>(kind))
            .attribute("computationVariable", variable)
            .attribute("computationExpression", expression)
            .close();
    xml.close();
    write_tables(xml, integrator.tabulated_functions);
}

}  // namespace trotter::detail
