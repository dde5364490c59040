// Reads and writes ConstantPotentialForce.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include <trotter/forces/constant_potential.hpp>
#include <trotter/io/forces.hpp>

#include "io/xml/box.hpp"
#include "io/xml/indices.hpp"

namespace trotter {
namespace {

using Plates = ConstantPotentialForce;

constexpr auto force_fields =
    std::tuple{Field{"cutoff", "cutoff", &Plates::cutoff_distance},
               Field{"tolerance", "ewaldTolerance", &Plates::ewald_error_tolerance},
               Field{"exceptions_use_periodic", "exceptionsUsePeriodic", &Plates::exceptions_use_periodic},
               Field{"gradient_tolerance", "cgTolerance", &Plates::gradient_tolerance},
               Field{"use_preconditioner", "usePreconditioner", &Plates::use_preconditioner},
               Field{"use_charge_constraint", "useChargeConstraint", &Plates::use_charge_constraint},
               Field{"total_charge", "chargeConstraintTarget", &Plates::total_charge}};
constexpr auto mesh_fields =
    std::tuple{Field{"alpha", "alpha", &MeshSettings::alpha}, Field{"nx", "nx", &MeshSettings::nx},
               Field{"ny", "ny", &MeshSettings::ny}, Field{"nz", "nz", &MeshSettings::nz}};
constexpr auto exception_particles = std::tuple{&Plates::Exception::particle1, &Plates::Exception::particle2};
constexpr auto exception_fields = std::tuple{Field{"charge_product", "q", &Plates::Exception::charge_product}};
constexpr auto electrode_fields = std::tuple{
    Field{"potential", "potential", &Plates::Electrode::potential},
    Field{"gaussian_width", "gaussianWidth", &Plates::Electrode::gaussian_width, Valid::positive},
    Field{"thomas_fermi_scale", "thomasFermiScale", &Plates::Electrode::thomas_fermi_scale, Valid::not_negative}};

Plates::Electrode read_electrode(XmlNode const& element, int particle_count) {
    element.only({"potential", "gaussianWidth", "thomasFermiScale"}, {"Particles"});
    Plates::Electrode result;
    read_fields(element, result, electrode_fields);
    result.particles = detail::read_indices(element.child("Particles"), particle_count - 1);
    std::sort(result.particles.begin(), result.particles.end());
    return result;
}

}  // namespace

void read(XmlNode const& node, ConstantPotentialForce& force, int particle_count) {
    node.version(1);
    only_force(node,
               {"cutoff", "ewaldTolerance", "exceptionsUsePeriodic", "cgTolerance", "usePreconditioner",
                "useChargeConstraint", "chargeConstraintTarget", "constantPotentialMethod", "alpha", "nx", "ny", "nz"},
               {"ExternalField", "Particles", "Exceptions", "Electrodes"});
    read_fields(node, force, force_fields);
    force.pme = {node.number_or("alpha", 0), node.integer_or<int>("nx", 0), node.integer_or<int>("ny", 0),
                 node.integer_or<int>("nz", 0)};
    force.method = node.choice("constantPotentialMethod", Plates::Method::matrix);
    force.external_field = detail::read_vector(node.child("ExternalField"));
    auto const particles = node.child("Particles"), exceptions = node.child("Exceptions"),
               electrodes = node.child("Electrodes");
    for (auto const element : particles.items("Particle")) {
        element.only({"q"});
        force.charges.push_back(element.number("q"));
    }
    detail::read_rows(exceptions, "Exception", force.exceptions, exception_particles, exception_fields, particle_count);
    for (auto const element : electrodes.items("Electrode"))
        force.electrodes.push_back(read_electrode(element, particle_count));
}

void write(XmlWriter& xml, ConstantPotentialForce const& force) {
    xml.attribute("version", 1).attribute("constantPotentialMethod", static_cast<int>(force.method));
    write_fields(xml, force, force_fields);
    write_fields(xml, force.pme, mesh_fields);
    detail::write_vector(xml, "ExternalField", force.external_field);
    xml.open("Particles");
    for (double const charge : force.charges) xml.open("Particle").attribute("q", charge).close();
    xml.close();
    detail::write_rows(xml, "Exceptions", "Exception", force.exceptions, exception_particles, exception_fields);
    xml.open("Electrodes");
    for (auto const& electrode : force.electrodes) {
        xml.open("Electrode");
        write_fields(xml, electrode, electrode_fields);
        detail::write_indices(xml, "Particles", electrode.particles);
        xml.close();
    }
    xml.close();
}

}  // namespace trotter
