// The three precisions: what numbers are computed in, and what they are kept in.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace trotter {

/// Float everywhere on devices; on CPUs the same as `Mixed`.
struct Single {
    static constexpr std::string_view name = "single";
    using Real = float;    ///< what forces are computed in
    using Master = float;  ///< what positions and velocities are kept in (double on CPUs)
};

/// Forces in float; positions, velocities and integration in double. The default.
struct Mixed {
    static constexpr std::string_view name = "mixed";
    using Real = float;
    using Master = double;
};

/// Double everywhere.
struct Double {
    static constexpr std::string_view name = "double";
    using Real = double;
    using Master = double;
};

}  // namespace trotter
