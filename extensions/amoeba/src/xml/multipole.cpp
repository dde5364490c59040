// Reads and writes AmoebaMultipoleForce. Versions below 2 have no polarization type, and below 3 no coefficients.
// SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <vector>

#include <trotter/amoeba/multipole.hpp>
#include <trotter/io/forces.hpp>

#include "moments.hpp"

namespace trotter {
namespace {

using MultipoleForce = AmoebaMultipoleForce;
using Multipole = MultipoleForce::Multipole;

constexpr auto force_fields =
    std::tuple{Field{"max_iterations", "mutualInducedMaxIterations", &MultipoleForce::mutual_max_iterations},
               Field{"cutoff", "cutoffDistance", &MultipoleForce::cutoff_distance},
               Field{"target_epsilon", "mutualInducedTargetEpsilon", &MultipoleForce::mutual_target_epsilon},
               Field{"ewald_error_tolerance", "ewaldErrorTolerance", &MultipoleForce::ewald_error_tolerance}};
constexpr auto site_fields = std::array{
    Field{"charge", "charge", &Multipole::charge}, Field{"thole", "thole", &Multipole::thole},
    Field{"damping", "damp", &Multipole::damping}, Field{"polarizability", "polarity", &Multipole::polarizability}};
constexpr auto axis_particles = std::array{Field{"z", "multipoleAtomZ", &Multipole::z_particle},
                                           Field{"x", "multipoleAtomX", &Multipole::x_particle},
                                           Field{"y", "multipoleAtomY", &Multipole::y_particle}};
constexpr std::array<std::string_view, 8> covalent_names{"Covalent12",
                                                         "Covalent13",
                                                         "Covalent14",
                                                         "Covalent15",
                                                         "PolarizationCovalent11",
                                                         "PolarizationCovalent12",
                                                         "PolarizationCovalent13",
                                                         "PolarizationCovalent14"};

void read_mesh(XmlNode const& node, MeshSettings& mesh) {
    mesh.alpha = node.number("aEwald");
    auto const sizes = node.child("MultipoleParticleGridDimension");
    sizes.only({"d0", "d1", "d2"});
    mesh.nx = sizes.integer<int>("d0"), mesh.ny = sizes.integer<int>("d1"), mesh.nz = sizes.integer<int>("d2");
}

void read_covalent(XmlNode const& node, std::vector<int>& list, int particle_count) {
    node.only(std::array<std::string_view, 0>{}, std::array<std::string_view, 1>{"Cv"});
    for (auto const item : node.items("Cv")) {
        item.only({"v"});
        list.push_back(item.integer<int>("v", 0, particle_count - 1));
    }
}

void read_multipole(XmlNode const& node, Multipole& multipole, int particle_count) {
    node.only({"axisType", "charge", "damp", "multipoleAtomX", "multipoleAtomY", "multipoleAtomZ", "polarity", "thole"},
              {"Dipole", "Quadrupole", covalent_names[0], covalent_names[1], covalent_names[2], covalent_names[3],
               covalent_names[4], covalent_names[5], covalent_names[6], covalent_names[7]});
    multipole.axis = node.choice("axisType", MultipoleForce::Axis::none);
    for (auto const& field : axis_particles)
        multipole.*field.member = node.integer<int>(field.file_name, -1, particle_count - 1);
    read_fields(node, multipole, site_fields);
    amoeba::read_moments(node, multipole);
    for (std::size_t n = 0; n < covalent_names.size(); ++n)
        read_covalent(node.child(covalent_names[n]), multipole.covalent[n], particle_count);
}

void write_multipole(XmlWriter& xml, Multipole const& multipole) {
    xml.open("Particle").attribute("axisType", static_cast<int>(multipole.axis));
    for (auto const& field : axis_particles) xml.attribute(field.file_name, multipole.*field.member);
    write_fields(xml, multipole, site_fields);
    amoeba::write_moments(xml, multipole);
    for (std::size_t n = 0; n < covalent_names.size(); ++n) {
        xml.open(covalent_names[n]);
        for (int const particle : multipole.covalent[n]) xml.open("Cv").attribute("v", particle).close();
        xml.close();
    }
    xml.close();
}

}  // namespace

void read(XmlNode const& node, MultipoleForce& force, int particle_count) {
    int const version = node.version(4, 0);
    only_force(node,
               {"nonbondedMethod", "polarizationType", "mutualInducedMaxIterations", "cutoffDistance", "aEwald",
                "mutualInducedTargetEpsilon", "ewaldErrorTolerance"},
               {"MultipoleParticleGridDimension", "ExtrapolationCoefficients", "MultipoleParticles"});
    force.method = node.choice("nonbondedMethod", MultipoleForce::Method::pme);
    if (version >= 2)
        force.polarization = node.choice("polarizationType", MultipoleForce::Polarization::extrapolated);
    else
        refuse_early(node, "polarizationType", version, node.has("polarizationType"));
    read_fields(node, force, force_fields);
    read_mesh(node, force.pme);
    if (version >= 3) force.extrapolation_coefficients = amoeba::read_coefficients(node);
    auto const list = node.child("MultipoleParticles");
    for (auto const element : list.items("Particle"))
        read_multipole(element, force.multipoles.emplace_back(), particle_count);
    detail::check_particle_list(list, "an AmoebaMultipoleForce", force.multipoles.size(), particle_count);
}

void write(XmlWriter& xml, MultipoleForce const& force) {
    xml.attribute("version", 4)
        .attribute("nonbondedMethod", static_cast<int>(force.method))
        .attribute("polarizationType", static_cast<int>(force.polarization));
    write_fields(xml, force, force_fields);
    xml.attribute("aEwald", force.pme.alpha);
    xml.open("MultipoleParticleGridDimension");
    xml.attribute("d0", force.pme.nx).attribute("d1", force.pme.ny).attribute("d2", force.pme.nz).close();
    amoeba::write_coefficients(xml, force.extrapolation_coefficients);
    xml.open("MultipoleParticles");
    for (auto const& multipole : force.multipoles) write_multipole(xml, multipole);
    xml.close();
}

}  // namespace trotter
