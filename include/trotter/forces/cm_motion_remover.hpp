// Removal of the centre-of-mass motion.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

namespace trotter {

/// Sets the velocity of the centre of mass to zero at every step whose number is a multiple of `frequency`.
struct CMMotionRemover {
    static constexpr std::string_view name = "CMMotionRemover";
    static constexpr bool removes_motion = true;

    int frequency = 1;  ///< [steps]
    int force_group = 0;
    std::string label{name};
};

}  // namespace trotter
