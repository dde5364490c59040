// Tree of an integrator's variables in a State, as a flat map from paths to values.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>

#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>

namespace trotter::detail {

/// Keys are `IntegratorParameters[0]/Element[index]/attribute` and so on; one that ends in `/` denotes a possibly empty
/// element. Only a CompoundIntegrator, which has `currentIntegrator`, has more than the first element.
std::map<std::string, double> read_integrator_parameters(XmlNode const& node);
void write_integrator_parameters(XmlWriter& xml, std::map<std::string, double> const& parameters);

/// Throws InputError unless the name of a per-DOF variable is a valid element name.
void check_element_name(std::string_view name);

}  // namespace trotter::detail
