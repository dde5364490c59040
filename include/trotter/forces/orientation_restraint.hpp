// A restraint on the orientation of a structure.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// E = 2 k sin²(theta/2), where theta is the angle of the rotation that best superposes the reference positions onto
/// the particles. Positions are not wrapped: the structure must be whole. Of several optimal rotations, as for
/// particles on a line, the one with the smallest angle is used.
struct OrientationRestraintForce {
    static constexpr std::string_view name = "OrientationRestraintForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member

    double k = 0;                             ///< [kJ/mol]
    std::vector<Vec3<>> reference_positions{};  ///< of all particles of the System [nm]
    std::vector<int> particles{};               ///< restrained particles; empty: all
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, OrientationRestraintForce& force, int particle_count);
void write(XmlWriter& xml, OrientationRestraintForce const& force);  ///< as an OpenMM Force element

}  // namespace trotter
