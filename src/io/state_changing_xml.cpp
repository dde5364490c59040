// Thermostat, barostats and centre-of-mass remover in files.
// SPDX-License-Identifier: MIT
#include <concepts>

#include <trotter/forces/monte_carlo_barostats.hpp>
#include <trotter/forces/cm_motion_remover.hpp>
#include <trotter/forces/andersen_thermostat.hpp>
#include <trotter/io/forces.hpp>

#include "seed_xml.hpp"

namespace trotter {
namespace {

/// Rows of attributes that are read and written alike.
template <class F> struct Row;

template <> struct Row<CMMotionRemover> {
    static constexpr auto fields =
        std::tuple{Field{"frequency", "frequency", &CMMotionRemover::frequency, Valid::at_least_one}};
};
template <> struct Row<AndersenThermostat> {
    static constexpr auto fields = std::tuple{
        Field{"temperature", "temperature", &AndersenThermostat::temperature, Valid::not_negative},
        Field{"collision_frequency", "frequency", &AndersenThermostat::collision_frequency, Valid::not_negative}};
};
template <class F> constexpr auto barostat_fields =
    std::tuple{Field{"temperature", "temperature", &F::temperature, Valid::not_negative},
               Field{"frequency", "frequency", &F::frequency, Valid::not_negative}};
template <> struct Row<MonteCarloBarostat> {
    static constexpr auto fields = std::tuple_cat(
        barostat_fields<MonteCarloBarostat>, std::tuple{Field{"pressure", "pressure", &MonteCarloBarostat::pressure}});
};
template <> struct Row<MonteCarloFlexibleBarostat> {
    static constexpr auto fields =
        std::tuple_cat(barostat_fields<MonteCarloFlexibleBarostat>,
                       std::tuple{Field{"pressure", "pressure", &MonteCarloFlexibleBarostat::pressure}});
};
template <> struct Row<MonteCarloMembraneBarostat> {
    static constexpr auto fields = std::tuple_cat(
        barostat_fields<MonteCarloMembraneBarostat>,
        std::tuple{Field{"pressure", "pressure", &MonteCarloMembraneBarostat::pressure},
                   Field{"surface_tension", "surfaceTension", &MonteCarloMembraneBarostat::surface_tension}});
};
template <> struct Row<MonteCarloAnisotropicBarostat> {
    using Barostat = MonteCarloAnisotropicBarostat;
    static constexpr auto fields =
        std::tuple_cat(barostat_fields<Barostat>, std::tuple{Field{"scale_x", "scalex", &Barostat::scale_x},
                                                             Field{"scale_y", "scaley", &Barostat::scale_y},
                                                             Field{"scale_z", "scalez", &Barostat::scale_z}});
};

constexpr std::array<std::string_view, 3> pressure_names{"pressurex", "pressurey", "pressurez"};

template <class F> void write_row(XmlWriter& xml, F const& force) {
    xml.attribute("version", 1);
    write_fields(xml, force, Row<F>::fields);
    if constexpr (requires { force.seed; }) detail::write_seed(xml, force.seed);
    if constexpr (requires { force.scale_molecules_as_rigid; })
        xml.attribute("rigidScaling", force.scale_molecules_as_rigid);
}

template <class F> void read_row(XmlNode const& node, F& force) {
    read_fields(node, force, Row<F>::fields);
    if constexpr (requires { force.seed; }) force.seed = detail::read_seed(node);
    if constexpr (requires { force.scale_molecules_as_rigid; })
        force.scale_molecules_as_rigid = std::same_as<F, MonteCarloFlexibleBarostat>
                                             ? node.boolean("rigidScaling")  // it had it from the beginning
                                             : node.boolean_or("rigidScaling", true);
}

}  // namespace

void read(XmlNode const& node, CMMotionRemover& force) {
    node.version(1);
    only_force(node, {"frequency"});
    read_row(node, force);
}
void write(XmlWriter& xml, CMMotionRemover const& force) { write_row(xml, force); }

void read(XmlNode const& node, AndersenThermostat& force) {
    node.version(1);
    only_force(node, {"temperature", "frequency", "randomSeed"});
    read_row(node, force);
}
void write(XmlWriter& xml, AndersenThermostat const& force) { write_row(xml, force); }

void read(XmlNode const& node, MonteCarloBarostat& force) {
    node.version(1);
    only_force(node, {"pressure", "temperature", "frequency", "randomSeed", "rigidScaling"});
    read_row(node, force);
}
void write(XmlWriter& xml, MonteCarloBarostat const& force) { write_row(xml, force); }

void read(XmlNode const& node, MonteCarloFlexibleBarostat& force) {
    node.version(1);
    only_force(node, {"pressure", "temperature", "frequency", "randomSeed", "rigidScaling"});
    read_row(node, force);
}
void write(XmlWriter& xml, MonteCarloFlexibleBarostat const& force) { write_row(xml, force); }

void read(XmlNode const& node, MonteCarloMembraneBarostat& force) {
    using Barostat = MonteCarloMembraneBarostat;
    node.version(1);
    only_force(node, {"pressure", "surfaceTension", "temperature", "frequency", "randomSeed", "rigidScaling", "xymode",
                      "zmode"});
    read_row(node, force);
    force.xy_mode =
        static_cast<Barostat::XYMode>(node.integer<int>("xymode", 0, static_cast<int>(Barostat::XYMode::anisotropic)));
    force.z_mode =
        static_cast<Barostat::ZMode>(node.integer<int>("zmode", 0, static_cast<int>(Barostat::ZMode::constant_volume)));
}
void write(XmlWriter& xml, MonteCarloMembraneBarostat const& force) {
    write_row(xml, force);
    xml.attribute("xymode", static_cast<int>(force.xy_mode)).attribute("zmode", static_cast<int>(force.z_mode));
}

void read(XmlNode const& node, MonteCarloAnisotropicBarostat& force) {
    node.version(1);
    only_force(node, {"pressurex", "pressurey", "pressurez", "scalex", "scaley", "scalez", "temperature", "frequency",
                      "randomSeed", "rigidScaling"});
    read_row(node, force);
    for (std::size_t axis = 0; axis < 3; ++axis) force.pressure[axis] = node.number(pressure_names[axis]);
}
void write(XmlWriter& xml, MonteCarloAnisotropicBarostat const& force) {
    write_row(xml, force);
    for (std::size_t axis = 0; axis < 3; ++axis) xml.attribute(pressure_names[axis], force.pressure[axis]);
}

}  // namespace trotter
