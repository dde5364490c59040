// Elements common to OpenMM's custom forces.
// SPDX-License-Identifier: MIT
#include "custom.hpp"

#include <algorithm>

#include <trotter/error.hpp>
#include <trotter/expression/runtime_expression.hpp>

#include "io/xml/located.hpp"

namespace trotter::detail {
namespace {

std::string_view new_name(XmlNode const& element, std::vector<std::string_view>& earlier) {
    auto const name = element.text("name");
    if (name.empty()) element.refuse("name", "a name that formulas can use");
    if (std::ranges::find(earlier, name) != earlier.end())
        element.refuse("name", "a name that no earlier element of the list has");
    earlier.push_back(name);
    return name;
}

std::string attribute_of_column(std::size_t column) { return "param" + std::to_string(column + 1); }

}  // namespace

RuntimeExpression read_formula(XmlNode const& node, std::string_view attribute,
                               std::vector<expression::CustomFunction> const& functions) {
    RuntimeExpression result;
    located(node, [&] {
        try {
            result = RuntimeExpression(std::string(node.text(attribute)), AnyName{}, functions);
        } catch (ExpressionError const& error) {
            throw InputError(std::string(attribute) + " cannot be read: " + error.what());
        }
    });
    return result;
}

std::vector<std::string> read_parameter_names(XmlNode const& force, std::string_view list) {
    std::vector<std::string> result;
    std::vector<std::string_view> earlier;
    for (auto const element : force.child(list).items("Parameter")) {
        element.only({"name"});
        result.emplace_back(new_name(element, earlier));
    }
    return result;
}

void write_parameter_names(XmlWriter& xml, std::string_view list, std::vector<std::string> const& names) {
    xml.open(list);
    for (auto const& name : names) xml.open("Parameter").attribute("name", name).close();
    xml.close();
}

std::vector<GlobalParameter> read_global_parameters(XmlNode const& force) {
    std::vector<GlobalParameter> result;
    std::vector<std::string_view> earlier;
    for (auto const element : force.child("GlobalParameters").items("Parameter")) {
        element.only({"name", "default"});
        result.push_back({std::string(new_name(element, earlier)), element.number("default")});
    }
    return result;
}

void write_global_parameters(XmlWriter& xml, std::vector<GlobalParameter> const& parameters) {
    xml.open("GlobalParameters");
    for (auto const& [name, value] : parameters)
        xml.open("Parameter").attribute("name", name).attribute("default", value).close();
    xml.close();
}

void check_list(XmlNode const& force, std::string_view list, int version, int first) {
    if (version >= first)
        (void)force.child(list);
    else if (auto const found = force.find(list); found && !found->children().empty())
        found->fail("expected version " + std::to_string(first) + " or newer of the force");
}

std::vector<std::string> read_derivatives(XmlNode const& force, std::vector<GlobalParameter> const& parameters) {
    std::vector<std::string> result;
    auto const node = force.find("EnergyParameterDerivatives");
    if (!node) return result;
    for (auto const element : node->items("Parameter")) {
        element.only({"name"});
        auto const name = element.text("name");
        if (std::ranges::find(parameters, name, &GlobalParameter::name) == parameters.end())
            element.refuse("name", "the name of one of the force's global parameters");
        if (std::ranges::find(result, name) == result.end()) result.emplace_back(name);
    }
    return result;
}

void write_derivatives(XmlWriter& xml, std::vector<std::string> const& names) {
    write_parameter_names(xml, "EnergyParameterDerivatives", names);
}

std::vector<double> read_row(XmlNode const& element, std::size_t count,
                             std::span<std::string_view const> others) {
    std::vector<std::string> columns;
    for (std::size_t n = 0; n < count; ++n) columns.push_back(attribute_of_column(n));
    std::vector<std::string_view> known(others.begin(), others.end());
    known.insert(known.end(), columns.begin(), columns.end());
    element.only(known);
    std::vector<double> row;
    for (auto const& column : columns) row.push_back(element.number(column));
    return row;
}

void write_row(XmlWriter& xml, std::vector<double> const& row) {
    for (std::size_t n = 0; n < row.size(); ++n) xml.attribute(attribute_of_column(n), row[n]);
}

std::vector<std::vector<double>> read_particles(XmlNode const& force, std::string_view force_name, std::size_t columns,
                                                int particle_count) {
    std::vector<std::vector<double>> result;
    auto const list = force.child("Particles");
    for (auto const element : list.items("Particle")) result.push_back(read_row(element, columns));
    check_particle_list(list, "a " + std::string(force_name), result.size(), particle_count);
    return result;
}

void write_particles(XmlWriter& xml, std::vector<std::vector<double>> const& particles) {
    xml.open("Particles");
    for (auto const& row : particles) {
        xml.open("Particle");
        write_row(xml, row);
        xml.close();
    }
    xml.close();
}

std::vector<PairSettings::Exclusion> read_exclusions(XmlNode const& list, int particle_count) {
    std::vector<PairSettings::Exclusion> result;
    for (auto const element : list.items("Exclusion")) {
        element.only({"p1", "p2"});
        result.push_back(
            {element.integer<int>("p1", 0, particle_count - 1), element.integer<int>("p2", 0, particle_count - 1)});
    }
    return result;
}

void write_exclusions(XmlWriter& xml, std::vector<PairSettings::Exclusion> const& exclusions) {
    xml.open("Exclusions");
    for (auto const& [i, j] : exclusions) xml.open("Exclusion").attribute("p1", i).attribute("p2", j).close();
    xml.close();
}

}  // namespace trotter::detail
