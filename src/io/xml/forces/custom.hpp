// Elements common to OpenMM's custom forces: formulas, parameter names, rows of values.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <trotter/io/pair_force.hpp>
#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>

namespace trotter::detail {

/// Reads a formula from an attribute. Throws InputError with the column of a syntax error.
RuntimeExpression read_formula(XmlNode const& node, std::string_view attribute = "energy",
                               std::vector<expression::CustomFunction> const& functions = {});

/// Reads parameter names: `list` is PerParticleParameters, PerBondParameters, …
std::vector<std::string> read_parameter_names(XmlNode const& force, std::string_view list);
void write_parameter_names(XmlWriter& xml, std::string_view list, std::vector<std::string> const& names);

std::vector<GlobalParameter> read_global_parameters(XmlNode const& force);

/// Checks a list introduced in version `first` of the force. Throws InputError if it is missing since then, or not
/// empty before.
void check_list(XmlNode const& force, std::string_view list, int version, int first);

/// Reads the names of parameter derivatives; none if the list is missing, as in early versions.
std::vector<std::string> read_derivatives(XmlNode const& force, std::vector<GlobalParameter> const& parameters);
void write_derivatives(XmlWriter& xml, std::vector<std::string> const& names);

/// Reads the attributes param1, param2, … of an element. Rejects everything but these and `others`.
std::vector<double> read_row(XmlNode const& element, std::size_t count,
                             std::span<std::string_view const> others = {});
void write_row(XmlWriter& xml, std::vector<double> const& row);

/// Reads the list `Particles` of a pair force: a row for each particle of the System.
std::vector<std::vector<double>> read_particles(XmlNode const& force, std::string_view force_name, std::size_t columns,
                                                int particle_count);
void write_particles(XmlWriter& xml, std::vector<std::vector<double>> const& particles);

}  // namespace trotter::detail
