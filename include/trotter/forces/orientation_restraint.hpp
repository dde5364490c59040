// A restraint that keeps a structure from turning.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// E = 2 k sin²(theta/2), where theta is the angle of the rotation that brings the reference positions closest to the
/// particles. Positions are taken as they are: the structure must be whole. Where several rotations are equally good,
/// as for particles on a line, it is the one by the least angle.
struct OrientationRestraintForce {
    static constexpr std::string_view name = "OrientationRestraintForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member

    double k = 0;                             ///< [kJ/mol]
    std::vector<Vec3<>> reference_positions{};  ///< of all particles of the System [nm]
    std::vector<int> particles{};               ///< whose orientation counts; empty: all
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, OrientationRestraintForce& force, int particle_count);
void write(XmlWriter& xml, OrientationRestraintForce const& force);  ///< as an OpenMM Force element

}  // namespace trotter
