// Validates forces between particles within a cutoff.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <trotter/box.hpp>

namespace trotter {

/// Throws InputError unless the force has as many particles as the System.
void check_particle_number(std::size_t number, int particle_count);

/// Throws InputError unless the cutoff is positive and, where periodic, at most half of the box (equality is accepted).
void check_cutoff(double cutoff, bool is_periodic, Box const& box);

/// Throws InputError unless `start` is from 0 to below the cutoff.
void check_switching_distance(double start, double cutoff);

}  // namespace trotter
