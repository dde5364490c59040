// The distance of a structure from a reference, after the best superposition.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// The energy [kJ/mol] is the root-mean-square distance [nm] of particles from their reference positions, when the
/// reference is shifted and rotated such that it is least. Positions are taken as they are: the structure must be
/// whole. Of use in formulas of collective variables.
struct RMSDForce {
    static constexpr std::string_view name = "RMSDForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member

    std::vector<Vec3<>> reference_positions{};  ///< of all particles of the System [nm]
    std::vector<int> particles{};               ///< whose distance counts; empty: all
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, RMSDForce& force, int particle_count);
void write(XmlWriter& xml, RMSDForce const& force);  ///< as an OpenMM Force element

}  // namespace trotter
