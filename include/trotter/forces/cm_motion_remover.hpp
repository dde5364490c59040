// Removal of the centre-of-mass motion.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

#include <trotter/field.hpp>

namespace trotter {

/// Sets the velocity of the centre of mass to zero at every step whose number is a multiple of `frequency`.
struct CMMotionRemover {
    static constexpr std::string_view name = "CMMotionRemover";
    static constexpr bool is_all_members = true;
    static constexpr bool removes_motion = true;

    int frequency = 1;  ///< [steps]
    int force_group = 0;
    std::string label{name};
};

void read(XmlNode const& node, CMMotionRemover& force);
void write(XmlWriter& xml, CMMotionRemover const& force);

}  // namespace trotter
