// Reads and writes forces that contain other forces, of any list.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/forces/atm.hpp>
#include <trotter/forces/custom_cv.hpp>
#include <trotter/io/xml.hpp>
#include <trotter/io/xml_writer.hpp>
#include <trotter/system.hpp>

namespace trotter {

namespace detail {

/// Reads a `<Force>` into any list of forces; defined with the reader of Systems.
template <class... Fs> void read_force_into(XmlNode const& node, System<ForceList<Fs...>>& system, int particle_count);
template <class List> void write_force_of(XmlWriter& xml, System<List> const& system, int index);

/// Reads everything except the inner forces, their names and displacements.
void read_formula(XmlNode const& node, RuntimeExpression& energy, std::vector<GlobalParameter>& parameters,
                  std::vector<std::string>& derivatives, std::vector<TabulatedFunction>* tables);
void write_formula(XmlWriter& xml, RuntimeExpression const& energy, std::vector<GlobalParameter> const& parameters,
                   std::vector<std::string> const& derivatives);
void write_tabulated_functions(XmlWriter& xml, std::vector<TabulatedFunction> const& tables);

/// Returns the elements with inner forces: each has one child, the `<Force>`.
std::vector<XmlNode> collective_variables(XmlNode const& node);
std::vector<XmlNode> inner_forces(XmlNode const& node);
std::string new_variable_name(XmlNode const& element, std::vector<std::string> const& earlier);

std::vector<Displacement> read_displacements(XmlNode const& node, int particle_count);
void write_displacements(XmlWriter& xml, std::vector<Displacement> const& displacements);

}  // namespace detail

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
template <class Inner> void read(XmlNode const& node, BasicCustomCVForce<Inner>& force, int particle_count) {
    detail::read_formula(node, force.energy, force.global_parameters, force.energy_parameter_derivatives,
                         &force.tabulated_functions);
    for (auto const element : detail::collective_variables(node)) {
        force.variable_names.push_back(detail::new_variable_name(element, force.variable_names));
        detail::read_force_into(element.child("Force"), *force.variables, particle_count);
    }
}
/// Writes an OpenMM Force element.
template <class Inner> void write(XmlWriter& xml, BasicCustomCVForce<Inner> const& force) {
    detail::write_formula(xml, force.energy, force.global_parameters, force.energy_parameter_derivatives);
    xml.open("CollectiveVariables");
    for (std::size_t n = 0; n < force.variable_names.size(); ++n) {
        xml.open("CollectiveVariable").attribute("name", force.variable_names[n]);
        detail::write_force_of(xml, *force.variables, static_cast<int>(n));
        xml.close();
    }
    xml.close();
    detail::write_tabulated_functions(xml, force.tabulated_functions);
}

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
template <class Inner> void read(XmlNode const& node, BasicATMForce<Inner>& force, int particle_count) {
    detail::read_formula(node, force.energy, force.global_parameters, force.energy_parameter_derivatives, nullptr);
    for (auto const element : detail::inner_forces(node))
        detail::read_force_into(element.child("Force"), *force.forces, particle_count);
    force.particles = detail::read_displacements(node, particle_count);
}
/// Writes an OpenMM Force element.
template <class Inner> void write(XmlWriter& xml, BasicATMForce<Inner> const& force) {
    detail::write_formula(xml, force.energy, force.global_parameters, force.energy_parameter_derivatives);
    xml.open("Forces");
    for (int n = 0; n < force.forces->force_count(); ++n) {
        xml.open("Force");
        detail::write_force_of(xml, *force.forces, n);
        xml.close();
    }
    xml.close();
    detail::write_displacements(xml, force.particles);
}

}  // namespace trotter
