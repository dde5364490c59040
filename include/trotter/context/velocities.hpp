// Velocities at a temperature.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <trotter/base/random.hpp>
#include <trotter/units.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// Draws each velocity [nm/ps] from the Maxwell-Boltzmann distribution at `temperature` [K]; `inverse_masses` are in
/// 1/amu.
inline void draw_velocities(std::vector<Vec3<>>& velocities, std::vector<double> const& inverse_masses, double temperature,
                            RandomStream const& stream) {
    double const kT = constants::gas_constant * temperature;
    for (std::size_t i = 0; i < velocities.size(); ++i)
        velocities[i] = stream.normals(0, static_cast<std::uint32_t>(i)) * std::sqrt(kT * inverse_masses[i]);
}

}  // namespace trotter
