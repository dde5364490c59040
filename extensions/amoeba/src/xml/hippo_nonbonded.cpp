// Reads and writes HippoNonbondedForce.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <trotter/amoeba/hippo_nonbonded.hpp>
#include <trotter/core/repeated_pair.hpp>
#include <trotter/io/forces.hpp>

#include "moments.hpp"

namespace trotter {
namespace {

using Force = HippoNonbondedForce;
using Particle = Force::Particle;
using Exception = Force::Exception;

constexpr auto force_fields = std::tuple{Field{"cutoff", "cutoffDistance", &Force::cutoff_distance},
                                         Field{"switching distance", "switchingDistance", &Force::switching_distance},
                                         Field{"tolerance", "ewaldErrorTolerance", &Force::ewald_error_tolerance}};
constexpr std::array<std::string_view, 14> particle_names{
    "charge", "coreCharge", "alpha",          "epsilon",  "damping", "c6",    "pauliK",
    "pauliQ", "pauliAlpha", "polarizability", "axisType", "atomZ",   "atomX", "atomY"};
constexpr std::array<std::string_view, 2> moment_names{"Dipole", "Quadrupole"};
constexpr std::array<std::string_view, 8> exception_names{"p1",      "p2",        "mmScale",  "dmScale",
                                                          "ddScale", "dispScale", "repScale", "ctScale"};

MeshSettings read_mesh(XmlNode const& node, std::string const& prefix) {
    return {node.number(prefix + "Alpha"), node.integer<int>(prefix + "GridX"), node.integer<int>(prefix + "GridY"),
            node.integer<int>(prefix + "GridZ")};
}
void write_mesh(XmlWriter& xml, MeshSettings const& mesh, std::string const& prefix) {
    xml.attribute(prefix + "Alpha", mesh.alpha).attribute(prefix + "GridX", mesh.nx);
    xml.attribute(prefix + "GridY", mesh.ny).attribute(prefix + "GridZ", mesh.nz);
}

Particle read_particle(XmlNode const& node, int particle_count) {
    node.only(particle_names, moment_names);
    Particle result;
    read_fields(node, result, Force::fields);
    result.axis_type = node.choice("axisType", Force::AxisType::none);
    result.axis_z = node.integer<int>("atomZ", -1, particle_count - 1);
    result.axis_x = node.integer<int>("atomX", -1, particle_count - 1);
    result.axis_y = node.integer<int>("atomY", -1, particle_count - 1);
    amoeba::read_moments(node, result);
    return result;
}
void write_particle(XmlWriter& xml, Particle const& particle) {
    xml.open("Particle");
    write_fields(xml, particle, Force::fields);
    xml.attribute("axisType", static_cast<int>(particle.axis_type)).attribute("atomZ", particle.axis_z);
    xml.attribute("atomX", particle.axis_x).attribute("atomY", particle.axis_y);
    amoeba::write_moments(xml, particle);
    xml.close();
}

std::vector<Exception> read_exceptions(XmlNode const& list, int particle_count) {
    std::vector<Exception> result;
    std::vector<std::pair<int, int>> pairs;
    for (auto const node : list.items("Exception")) {
        node.only(exception_names);
        auto& exception = result.emplace_back();
        exception.particle1 = node.integer<int>("p1", 0, particle_count - 1);
        exception.particle2 = node.integer<int>("p2", 0, particle_count - 1);
        read_fields(node, exception, Force::exception_fields);
        pairs.emplace_back(exception.particle1, exception.particle2);
    }
    if (auto const repeated = repeated_pair(pairs))
        list.fail("exception " + std::to_string(repeated->second) + " repeats the pair of exception "
                  + std::to_string(repeated->first));
    return result;
}
void write_exceptions(XmlWriter& xml, std::vector<Exception> const& exceptions) {
    xml.open("Exceptions");
    for (auto const& exception : exceptions) {
        xml.open("Exception").attribute("p1", exception.particle1).attribute("p2", exception.particle2);
        write_fields(xml, exception, Force::exception_fields);
        xml.close();
    }
    xml.close();
}

}  // namespace

void read(XmlNode const& node, HippoNonbondedForce& force, int particle_count) {
    node.version(0, 0);
    only_force(node,
               {"nonbondedMethod", "cutoffDistance", "switchingDistance", "ewaldErrorTolerance", "pmeAlpha", "pmeGridX",
                "pmeGridY", "pmeGridZ", "dpmeAlpha", "dpmeGridX", "dpmeGridY", "dpmeGridZ"},
               {"ExtrapolationCoefficients", "Particles", "Exceptions"});
    force.method = node.choice("nonbondedMethod", Force::Method::pme);
    read_fields(node, force, force_fields);
    force.pme = read_mesh(node, "pme");
    force.dispersion_pme = read_mesh(node, "dpme");
    force.extrapolation_coefficients = amoeba::read_coefficients(node);
    auto const particles = node.child("Particles");
    force.particles.clear();
    for (auto const particle : particles.items("Particle"))
        force.particles.push_back(read_particle(particle, particle_count));
    detail::check_particle_list(particles, "a HippoNonbondedForce", force.particles.size(), particle_count);
    force.exceptions = read_exceptions(node.child("Exceptions"), particle_count);
}

void write(XmlWriter& xml, HippoNonbondedForce const& force) {
    xml.attribute("version", 0).attribute("nonbondedMethod", static_cast<int>(force.method));
    write_fields(xml, force, force_fields);
    write_mesh(xml, force.pme, "pme");
    write_mesh(xml, force.dispersion_pme, "dpme");
    amoeba::write_coefficients(xml, force.extrapolation_coefficients);
    xml.open("Particles");
    for (auto const& particle : force.particles) write_particle(xml, particle);
    xml.close();
    write_exceptions(xml, force.exceptions);
}

}  // namespace trotter
