// ConstantPotentialForce in files.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <tuple>

#include <trotter/forces/constant_potential.hpp>
#include <trotter/io/forces.hpp>

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
constexpr auto field_components =
    std::tuple{Field{"x", "x", &Vec3<>::x}, Field{"y", "y", &Vec3<>::y}, Field{"z", "z", &Vec3<>::z}};
constexpr auto electrode_fields = std::tuple{
    Field{"potential", "potential", &Plates::Electrode::potential},
    Field{"gaussian_width", "gaussianWidth", &Plates::Electrode::gaussian_width, Valid::positive},
    Field{"thomas_fermi_scale", "thomasFermiScale", &Plates::Electrode::thomas_fermi_scale, Valid::not_negative}};

std::vector<int> read_electrode_particles(XmlNode const& list, int particle_count) {
    std::vector<int> result;
    list.only({}, {"Particle"});
    for (auto const element : list.children()) {
        element.only({"index"});
        result.push_back(element.integer<int>("index", 0, particle_count - 1));
    }
    std::sort(result.begin(), result.end());
    return result;
}
Plates::Electrode read_electrode(XmlNode const& element, int particle_count) {
    element.only({"potential", "gaussianWidth", "thomasFermiScale"}, {"Particles"});
    Plates::Electrode result;
    read_fields(element, result, electrode_fields);
    result.particles = read_electrode_particles(element.child("Particles"), particle_count);
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
    force.method = static_cast<Plates::Method>(node.integer<int>("constantPotentialMethod", 0, 1));
    auto const field = node.child("ExternalField");
    field.only({"x", "y", "z"});
    read_fields(field, force.external_field, field_components);
    auto const particles = node.child("Particles"), exceptions = node.child("Exceptions"),
               electrodes = node.child("Electrodes");
    particles.only({}, {"Particle"});
    for (auto const element : particles.children()) {
        element.only({"q"});
        force.charges.push_back(element.number("q"));
    }
    exceptions.only({}, {"Exception"});
    for (auto const element : exceptions.children()) {
        element.only({"p1", "p2", "q"});
        force.exceptions.push_back({element.integer<int>("p1", 0, particle_count - 1),
                                    element.integer<int>("p2", 0, particle_count - 1), element.number("q")});
    }
    electrodes.only({}, {"Electrode"});
    for (auto const element : electrodes.children())
        force.electrodes.push_back(read_electrode(element, particle_count));
}

void write(XmlWriter& xml, ConstantPotentialForce const& force) {
    xml.attribute("version", 1).attribute("constantPotentialMethod", static_cast<int>(force.method));
    write_fields(xml, force, force_fields);
    write_fields(xml, force.pme, mesh_fields);
    xml.open("ExternalField");
    write_fields(xml, force.external_field, field_components);
    xml.close().open("Particles");
    for (double const charge : force.charges) xml.open("Particle").attribute("q", charge).close();
    xml.close().open("Exceptions");
    for (auto const& [particle1, particle2, charge_product] : force.exceptions)
        xml.open("Exception")
            .attribute("p1", particle1)
            .attribute("p2", particle2)
            .attribute("q", charge_product)
            .close();
    xml.close().open("Electrodes");
    for (auto const& electrode : force.electrodes) {
        xml.open("Electrode");
        write_fields(xml, electrode, electrode_fields);
        xml.open("Particles");
        for (int const particle : electrode.particles) xml.open("Particle").attribute("index", particle).close();
        xml.close().close();
    }
    xml.close();
}

}  // namespace trotter
