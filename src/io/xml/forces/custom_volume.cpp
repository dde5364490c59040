// Reads and writes CustomVolumeForce.
// SPDX-License-Identifier: MIT
#include <trotter/forces/custom_volume.hpp>
#include <trotter/io/forces.hpp>

#include "custom.hpp"

namespace trotter {

void read(XmlNode const& node, CustomVolumeForce& force) {
    node.version(0, 0);
    only_force(node, {"energy"}, {"GlobalParameters"});
    force.energy = detail::read_formula(node);
    force.global_parameters = detail::read_global_parameters(node);
}

void write(XmlWriter& xml, CustomVolumeForce const& force) {
    xml.attribute("version", 0).attribute("energy", force.energy.formula());
    detail::write_global_parameters(xml, force.global_parameters);
}

}  // namespace trotter
