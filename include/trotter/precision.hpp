// The three precisions: number types of forces and of positions.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace trotter {

/// Float everywhere on devices; on CPUs the same as `Mixed`.
struct Single {
    static constexpr std::string_view name = "single";  ///< as on the command line
    using Real = float;    ///< number type of forces
    using Master = float;  ///< number type of positions and velocities (double on CPUs)
};

/// Forces in float; positions, velocities and integration in double. The default.
struct Mixed {
    static constexpr std::string_view name = "mixed";  ///< as on the command line
    using Real = float;  ///< number type of forces
    using Master = double;  ///< number type of positions and velocities
};

/// Double everywhere.
struct Double {
    static constexpr std::string_view name = "double";  ///< as on the command line
    using Real = double;  ///< number type of forces
    using Master = double;  ///< number type of positions and velocities
};

}  // namespace trotter
