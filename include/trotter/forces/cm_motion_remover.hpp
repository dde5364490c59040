// Removal of the centre-of-mass motion.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

#include <trotter/base/field.hpp>

namespace trotter {

/// Sets the velocity of the centre of mass to zero at every step whose number is a multiple of `frequency`.
struct CMMotionRemover {
    static constexpr std::string_view name = "CMMotionRemover";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member
    static constexpr bool removes_motion = true;  ///< three degrees of freedom less

    int frequency = 1;  ///< [steps]
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, CMMotionRemover& force);
void write(XmlWriter& xml, CMMotionRemover const& force);  ///< as an OpenMM Force element

}  // namespace trotter
