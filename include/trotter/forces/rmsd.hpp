// Root-mean-square deviation from a reference structure after optimal superposition.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// The energy [kJ/mol] is the root-mean-square distance [nm] of particles from their reference positions, after optimal
/// superposition. Positions are not wrapped: the structure must be whole. Useful as a collective variable.
struct RMSDForce {
    static constexpr std::string_view name = "RMSDForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member

    std::vector<Vec3<>> reference_positions{};  ///< of all particles of the System [nm]
    std::vector<int> particles{};               ///< compared particles; empty: all
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, RMSDForce& force, int particle_count);
void write(XmlWriter& xml, RMSDForce const& force);  ///< as an OpenMM Force element

}  // namespace trotter
