// Reads and writes RMSDForce, RGForce and OrientationRestraintForce.
// SPDX-License-Identifier: MIT
#include <trotter/forces/orientation_restraint.hpp>
#include <trotter/forces/rg.hpp>
#include <trotter/forces/rmsd.hpp>
#include <trotter/io/forces.hpp>

#include "io/xml/box.hpp"
#include "io/xml/indices.hpp"

namespace trotter {
namespace {

// versions are numbered from 0
constexpr int newest_version = 0;

std::vector<Vec3<>> read_positions(XmlNode const& force) {
    std::vector<Vec3<>> result;
    for (auto const element : force.child("ReferencePositions").items("Position"))
        result.push_back(detail::read_vector(element));
    return result;
}
void write_positions(XmlWriter& xml, std::vector<Vec3<>> const& positions) {
    xml.open("ReferencePositions");
    for (auto const& position : positions) detail::write_vector(xml, "Position", position);
    xml.close();
}

}  // namespace

void read(XmlNode const& node, RMSDForce& force, int particle_count) {
    node.version(newest_version, 0);
    only_force(node, {}, {"ReferencePositions", "Particles"});
    force.reference_positions = read_positions(node);
    force.particles = detail::read_indices(node.child("Particles"), particle_count - 1);
}
void read(XmlNode const& node, RGForce& force, int particle_count) {
    node.version(newest_version, 0);
    only_force(node, {}, {"Particles"});
    force.particles = detail::read_indices(node.child("Particles"), particle_count - 1);
}
void read(XmlNode const& node, OrientationRestraintForce& force, int particle_count) {
    node.version(newest_version, 0);
    only_force(node, {"k"}, {"ReferencePositions", "Particles"});
    force.k = node.number("k");
    force.reference_positions = read_positions(node);
    force.particles = detail::read_indices(node.child("Particles"), particle_count - 1);
}

void write(XmlWriter& xml, RMSDForce const& force) {
    xml.attribute("version", newest_version);
    write_positions(xml, force.reference_positions);
    detail::write_indices(xml, "Particles", force.particles);
}
void write(XmlWriter& xml, RGForce const& force) {
    xml.attribute("version", newest_version);
    detail::write_indices(xml, "Particles", force.particles);
}
void write(XmlWriter& xml, OrientationRestraintForce const& force) {
    xml.attribute("version", newest_version).attribute("k", force.k);
    write_positions(xml, force.reference_positions);
    detail::write_indices(xml, "Particles", force.particles);
}

}  // namespace trotter
