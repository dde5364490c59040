// Validates the particles and reference positions of forces that compare structures.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/vec3.hpp>

namespace trotter {

/// Throws InputError for a particle that does not exist or is listed twice.
void check_distinct_particles(std::vector<int> const& particles, int particle_count);

/// Throws InputError unless there is one finite position for each particle of the System.
void check_reference_positions(std::vector<Vec3<>> const& positions, int particle_count);

/// `particles`, or all particles if the list is empty.
std::vector<int> named_or_all(std::vector<int> const& particles, int particle_count);

}  // namespace trotter
