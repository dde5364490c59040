// Reads and writes thermostat, barostats and centre-of-mass remover.
// SPDX-License-Identifier: MIT
#include <concepts>

#include <trotter/forces/andersen_thermostat.hpp>
#include <trotter/forces/cm_motion_remover.hpp>
#include <trotter/forces/monte_carlo_barostats.hpp>
#include <trotter/io/forces.hpp>

#include "io/xml/seed.hpp"

namespace trotter {
namespace {

/// Attributes that need no special treatment.
template <class F>
constexpr auto of_barostat = std::tuple{Field{"temperature", &F::temperature, Valid::not_negative},
                                        Field{"frequency", &F::frequency, Valid::not_negative}};
template <class F>
constexpr auto fields = std::tuple_cat(of_barostat<F>, std::tuple{Field{"pressure", &F::pressure}});
template <>
constexpr auto fields<CMMotionRemover> =
    std::tuple{Field{"frequency", &CMMotionRemover::frequency, Valid::at_least_one}};
template <>
constexpr auto fields<AndersenThermostat> = std::tuple{
    Field{"temperature", &AndersenThermostat::temperature, Valid::not_negative},
    Field{"collision_frequency", "frequency", &AndersenThermostat::collision_frequency, Valid::not_negative}};
template <>
constexpr auto fields<MonteCarloMembraneBarostat> = std::tuple_cat(
    of_barostat<MonteCarloMembraneBarostat>,
    std::tuple{Field{"pressure", &MonteCarloMembraneBarostat::pressure},
               Field{"surface_tension", "surfaceTension", &MonteCarloMembraneBarostat::surface_tension}});
template <>
constexpr auto fields<MonteCarloAnisotropicBarostat> =
    std::tuple_cat(of_barostat<MonteCarloAnisotropicBarostat>,
                   std::tuple{Field{"scale_x", "scalex", &MonteCarloAnisotropicBarostat::scale_x},
                              Field{"scale_y", "scaley", &MonteCarloAnisotropicBarostat::scale_y},
                              Field{"scale_z", "scalez", &MonteCarloAnisotropicBarostat::scale_z}});

constexpr std::array<std::string_view, 3> pressure_names{"pressurex", "pressurey", "pressurez"};

template <class F> void write_row(XmlWriter& xml, F const& force) {
    xml.attribute("version", 1);
    write_fields(xml, force, fields<F>);
    if constexpr (requires { force.seed; }) detail::write_seed(xml, force.seed);
    if constexpr (requires { force.scale_molecules_as_rigid; })
        xml.attribute("rigidScaling", force.scale_molecules_as_rigid);
}

template <class F>
void read_row(XmlNode const& node, F& force, std::initializer_list<std::string_view> attributes) {
    node.version(1);
    only_force(node, attributes);
    read_fields(node, force, fields<F>);
    if constexpr (requires { force.seed; }) force.seed = detail::read_seed(node);
    if constexpr (requires { force.scale_molecules_as_rigid; })
        force.scale_molecules_as_rigid = std::same_as<F, MonteCarloFlexibleBarostat>
                                             ? node.boolean("rigidScaling")  // present in all versions of this force
                                             : node.boolean_or("rigidScaling", true);
}

}  // namespace

void read(XmlNode const& node, CMMotionRemover& force) { read_row(node, force, {"frequency"}); }
void write(XmlWriter& xml, CMMotionRemover const& force) { write_row(xml, force); }

void read(XmlNode const& node, AndersenThermostat& force) {
    read_row(node, force, {"temperature", "frequency", "randomSeed"});
}
void write(XmlWriter& xml, AndersenThermostat const& force) { write_row(xml, force); }

void read(XmlNode const& node, MonteCarloBarostat& force) {
    read_row(node, force, {"pressure", "temperature", "frequency", "randomSeed", "rigidScaling"});
}
void write(XmlWriter& xml, MonteCarloBarostat const& force) { write_row(xml, force); }

void read(XmlNode const& node, MonteCarloFlexibleBarostat& force) {
    read_row(node, force, {"pressure", "temperature", "frequency", "randomSeed", "rigidScaling"});
}
void write(XmlWriter& xml, MonteCarloFlexibleBarostat const& force) { write_row(xml, force); }

void read(XmlNode const& node, MonteCarloMembraneBarostat& force) {
    read_row(node, force,
             {"pressure", "surfaceTension", "temperature", "frequency", "randomSeed", "rigidScaling", "xymode", "zmode"});
    force.xy_mode = node.choice("xymode", MonteCarloMembraneBarostat::XYMode::anisotropic);
    force.z_mode = node.choice("zmode", MonteCarloMembraneBarostat::ZMode::constant_volume);
}
void write(XmlWriter& xml, MonteCarloMembraneBarostat const& force) {
    write_row(xml, force);
    xml.attribute("xymode", static_cast<int>(force.xy_mode)).attribute("zmode", static_cast<int>(force.z_mode));
}

void read(XmlNode const& node, MonteCarloAnisotropicBarostat& force) {
    read_row(node, force,
             {"pressurex", "pressurey", "pressurez", "scalex", "scaley", "scalez", "temperature", "frequency", "randomSeed",
              "rigidScaling"});
    for (std::size_t axis = 0; axis < 3; ++axis) force.pressure[axis] = node.number(pressure_names[axis]);
}
void write(XmlWriter& xml, MonteCarloAnisotropicBarostat const& force) {
    write_row(xml, force);
    for (std::size_t axis = 0; axis < 3; ++axis) xml.attribute(pressure_names[axis], force.pressure[axis]);
}

}  // namespace trotter
