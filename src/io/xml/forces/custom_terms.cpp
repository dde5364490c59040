// Reads and writes CustomBondForce, CustomAngleForce, CustomTorsionForce and CustomExternalForce.
// SPDX-License-Identifier: MIT
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include <trotter/forces/custom_angle.hpp>
#include <trotter/forces/custom_bond.hpp>
#include <trotter/forces/custom_external.hpp>
#include <trotter/forces/custom_torsion.hpp>
#include <trotter/io/forces.hpp>

#include "custom.hpp"

namespace trotter {
namespace {

/// Names in files.
struct Spelling {
    std::string_view parameters;
    int newest_version;
    std::array<std::string_view, 4> particles{"p1", "p2", "p3", "p4"};
};
constexpr Spelling bond{"PerBondParameters", 3}, angle{"PerAngleParameters", 3}, torsion{"PerTorsionParameters", 3},
    external{"PerParticleParameters", 1, {"index"}};

template <class F> constexpr bool has_images = requires(F& force) { force.periodic; };

template <class F> std::vector<expression::CustomFunction> functions_of() {
    if constexpr (requires { F::functions(); })
        return F::functions();
    else
        return {};
}

template <class F> void read_custom(XmlNode const& node, F& force, int particle_count, Spelling const& spelling) {
    int const version = node.version(spelling.newest_version);
    only_force(node, {"energy", has_images<F> ? "usesPeriodic" : "energy"},
               {spelling.parameters, "GlobalParameters", "EnergyParameterDerivatives", F::terms_name});
    force.energy = detail::read_formula(node, "energy", functions_of<F>());
    force.parameter_names = detail::read_parameter_names(node, spelling.parameters);
    force.global_parameters = detail::read_global_parameters(node);
    force.energy_parameter_derivatives = detail::read_derivatives(node, force.global_parameters);
    if constexpr (has_images<F>) {
        detail::check_list(node, "EnergyParameterDerivatives", version, 3);
        force.periodic = boolean_since(2, version, node, "usesPeriodic");
    }
    for (auto const element : node.child(F::terms_name).items(F::term_name)) {
        auto& term = (force.*F::terms).emplace_back();
        detail::read_particles(element, term, F::particles, particle_count, spelling.particles);
        auto const attributes = std::span(spelling.particles).first(F::particles.size());
        term.parameters = detail::read_row(element, force.parameter_names.size(), attributes);
    }
}

template <class F> void write_custom(XmlWriter& xml, F const& force, Spelling const& spelling) {
    xml.attribute("version", spelling.newest_version).attribute("energy", force.energy.formula());
    if constexpr (has_images<F>) xml.attribute("usesPeriodic", force.periodic);
    detail::write_parameter_names(xml, spelling.parameters, force.parameter_names);
    detail::write_global_parameters(xml, force.global_parameters);
    // OpenMM's CustomExternalForce has no such list.
    if (has_images<F> || !force.energy_parameter_derivatives.empty())
        detail::write_derivatives(xml, force.energy_parameter_derivatives);
    xml.open(F::terms_name);
    for (auto const& term : force.*F::terms) {
        xml.open(F::term_name);
        detail::write_particles(xml, term, F::particles, spelling.particles);
        detail::write_row(xml, term.parameters);
        xml.close();
    }
    xml.close();
}

}  // namespace

void read(XmlNode const& node, CustomBondForce& force, int count) { read_custom(node, force, count, bond); }
void read(XmlNode const& node, CustomAngleForce& force, int count) { read_custom(node, force, count, angle); }
void read(XmlNode const& node, CustomTorsionForce& force, int count) { read_custom(node, force, count, torsion); }
void read(XmlNode const& node, CustomExternalForce& force, int count) { read_custom(node, force, count, external); }

void write(XmlWriter& xml, CustomBondForce const& force) { write_custom(xml, force, bond); }
void write(XmlWriter& xml, CustomAngleForce const& force) { write_custom(xml, force, angle); }
void write(XmlWriter& xml, CustomTorsionForce const& force) { write_custom(xml, force, torsion); }
void write(XmlWriter& xml, CustomExternalForce const& force) { write_custom(xml, force, external); }

}  // namespace trotter
