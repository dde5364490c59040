// Checks common to all forces with a cutoff.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include <trotter/core/range_check.hpp>
#include <trotter/error.hpp>

namespace trotter {

void check_particle_number(std::size_t number, int particle_count) {
    if (number != static_cast<std::size_t>(particle_count))
        throw InputError("there are parameters of " + std::to_string(number) + " particles, expected "
                         + std::to_string(particle_count) + " as in the System");
}

void check_cutoff(double cutoff, bool is_periodic, Box const& box) {
    if (!(std::isfinite(cutoff) && cutoff > 0))
        throw InputError("the cutoff is " + std::to_string(cutoff) + " nm, expected a positive number");
    if (is_periodic && 2 * cutoff > box.shortest_width())
        throw InputError("the cutoff is " + std::to_string(cutoff) + " nm, expected at most "
                         + std::to_string(box.shortest_width() / 2)
                         + " nm, half of the System's shortest periodic box width");
}

void check_switching_distance(double start, double cutoff) {
    if (!(start >= 0 && start < cutoff))
        throw InputError("the switching distance is " + std::to_string(start)
                         + " nm, expected a number from 0 to below the cutoff of " + std::to_string(cutoff) + " nm");
}

}  // namespace trotter
