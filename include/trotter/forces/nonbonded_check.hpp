// Whether the numbers of a NonbondedForce make sense.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/box.hpp>
#include <trotter/forces/nonbonded.hpp>

namespace trotter {

/// Throws InputError unless the force has as many particles as the System.
void check_particle_number(std::size_t number, int particle_count);

/// Throws InputError unless the cutoff is positive and, where periodic, at most half of the box (equality is accepted).
void check_cutoff(double cutoff, bool is_periodic, Box const& box);

/// Throws InputError for the first number of a particle, an exception or an offset that makes no sense.
void check_numbers(NonbondedForce const& force);

/// Throws InputError for the first number of the force that makes no sense in a System of `particle_count` particles
/// and this box.
void check(NonbondedForce const& force, int particle_count, Box const& box);

/// Throws InputError unless `changed` differs from `force` in the numbers of particles, exceptions and offsets alone.
void check_same_shape(NonbondedForce const& force, NonbondedForce const& changed);

}  // namespace trotter
