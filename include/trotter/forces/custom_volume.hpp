// An energy of the periodic box, with a formula given at run time.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/expression/runtime_statement.hpp>

namespace trotter {

/// The energy is a formula of the box's volume v [nm³], of the components of its vectors (ax, ay, az, bx, … cz) [nm],
/// of which ay, az and bz are always 0, and of Context parameters. It acts through barostats alone. A Context throws
/// InputError for an unknown name in the formula.
struct CustomVolumeForce {
    static constexpr std::string_view name = "CustomVolumeForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member

    RuntimeExpression energy{};  ///< [kJ/mol]
    /// Context parameters that the formula may name, with their defaults.
    std::vector<GlobalParameter> global_parameters{};
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Names in the formula.
    static constexpr std::array<std::string_view, 10> variables{"v",  "ax", "ay", "az", "bx",
                                                                "by", "bz", "cx", "cy", "cz"};
    /// Always true.
    bool is_periodic() const { return true; }
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, CustomVolumeForce& force);
void write(XmlWriter& xml, CustomVolumeForce const& force);  ///< as an OpenMM Force element

}  // namespace trotter
