// RMSDForce, RGForce and OrientationRestraintForce in files.
// SPDX-License-Identifier: MIT
#include <trotter/forces/rmsd.hpp>
#include <trotter/forces/rg.hpp>
#include <trotter/forces/orientation_restraint.hpp>
#include <trotter/io/forces.hpp>

namespace trotter {
namespace {

// Their versions are numbered from 0.
constexpr int newest_version = 0;

std::vector<Vec3<>> read_positions(XmlNode const& force) {
    auto const list = force.child("ReferencePositions");
    list.only({}, {"Position"});
    std::vector<Vec3<>> result;
    for (auto const element : list.children()) {
        element.only({"x", "y", "z"});
        result.push_back({element.number("x"), element.number("y"), element.number("z")});
    }
    return result;
}
void write_positions(XmlWriter& xml, std::vector<Vec3<>> const& positions) {
    xml.open("ReferencePositions");
    for (auto const& p : positions)
        xml.open("Position").attribute("x", p.x).attribute("y", p.y).attribute("z", p.z).close();
    xml.close();
}

std::vector<int> read_indices(XmlNode const& force, int particle_count) {
    auto const list = force.child("Particles");
    list.only({}, {"Particle"});
    std::vector<int> result;
    for (auto const element : list.children()) {
        element.only({"index"});
        result.push_back(element.integer<int>("index", 0, particle_count - 1));
    }
    return result;
}
void write_indices(XmlWriter& xml, std::vector<int> const& particles) {
    xml.open("Particles");
    for (int const particle : particles) xml.open("Particle").attribute("index", particle).close();
    xml.close();
}

}  // namespace

void read(XmlNode const& node, RMSDForce& force, int particle_count) {
    node.version(newest_version, 0);
    only_force(node, {}, {"ReferencePositions", "Particles"});
    force.reference_positions = read_positions(node);
    force.particles = read_indices(node, particle_count);
}
void read(XmlNode const& node, RGForce& force, int particle_count) {
    node.version(newest_version, 0);
    only_force(node, {}, {"Particles"});
    force.particles = read_indices(node, particle_count);
}
void read(XmlNode const& node, OrientationRestraintForce& force, int particle_count) {
    node.version(newest_version, 0);
    only_force(node, {"k"}, {"ReferencePositions", "Particles"});
    force.k = node.number("k");
    force.reference_positions = read_positions(node);
    force.particles = read_indices(node, particle_count);
}

void write(XmlWriter& xml, RMSDForce const& force) {
    xml.attribute("version", newest_version);
    write_positions(xml, force.reference_positions);
    write_indices(xml, force.particles);
}
void write(XmlWriter& xml, RGForce const& force) {
    xml.attribute("version", newest_version);
    write_indices(xml, force.particles);
}
void write(XmlWriter& xml, OrientationRestraintForce const& force) {
    xml.attribute("version", newest_version).attribute("k", force.k);
    write_positions(xml, force.reference_positions);
    write_indices(xml, force.particles);
}

}  // namespace trotter
