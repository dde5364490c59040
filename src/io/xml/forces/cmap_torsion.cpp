// Reads and writes CMAPTorsionForce: its maps, and the two dihedral angles of a torsion as a1…a4, b1…b4.
// SPDX-License-Identifier: MIT
#include <trotter/forces/cmap_torsion.hpp>
#include <trotter/io/forces.hpp>

namespace trotter {
namespace {

constexpr std::array<std::string_view, 8> particle_names{"a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4"};

CMAPTorsionForce::Map read_map(XmlNode const& node) {
    node.only({"size"}, {"Energy"});
    CMAPTorsionForce::Map map{node.integer<int>("size", 2), {}};
    for (auto const element : node.children()) {
        element.only({"e"});
        map.energy.push_back(element.number("e"));
    }
    auto const expected = std::uint64_t(map.size) * std::uint64_t(map.size);
    if (map.energy.size() != expected)
        node.fail("a map of size " + std::to_string(map.size) + " has " + std::to_string(map.energy.size())
                  + " energies, expected " + std::to_string(expected));
    return map;
}

CMAPTorsionForce::Torsion read_torsion(XmlNode const& node, int maps, int particle_count) {
    node.only({"map", "a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4"});
    CMAPTorsionForce::Torsion torsion;
    torsion.map = node.integer<int>("map", 0, maps - 1);
    detail::read_particles(node, torsion, CMAPTorsionForce::particles, particle_count, particle_names);
    return torsion;
}

}  // namespace

void read(XmlNode const& node, CMAPTorsionForce& force, int particle_count) {
    int const version = node.version(2);
    only_force(node, {"usesPeriodic"}, {"Maps", "Torsions"});
    force.periodic = boolean_since(2, version, node, "usesPeriodic");
    auto const maps = node.child("Maps").items("Map"), torsions = node.child("Torsions").items("Torsion");
    for (auto const element : maps) force.maps.push_back(read_map(element));
    for (auto const element : torsions)
        force.torsions.push_back(read_torsion(element, static_cast<int>(force.maps.size()), particle_count));
}

void write(XmlWriter& xml, CMAPTorsionForce const& force) {
    xml.attribute("version", 2).attribute("usesPeriodic", force.periodic);
    xml.open("Maps");
    for (auto const& map : force.maps) {
        xml.open("Map").attribute("size", map.size);
        for (double energy : map.energy) xml.open("Energy").attribute("e", energy).close();
        xml.close();
    }
    xml.close().open("Torsions");
    for (auto const& torsion : force.torsions) {
        xml.open("Torsion").attribute("map", torsion.map);
        detail::write_particles(xml, torsion, CMAPTorsionForce::particles, particle_names);
        xml.close();
    }
    xml.close();
}

}  // namespace trotter
