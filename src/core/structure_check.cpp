// Validates particles and reference positions of structure forces (RMSD, orientation, radius of gyration).
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/core/structure_check.hpp>
#include <trotter/error.hpp>

namespace trotter {

void check_distinct_particles(std::vector<int> const& particles, int particle_count) {
    std::vector<bool> is_known(static_cast<std::size_t>(particle_count));
    for (std::size_t n = 0; n < particles.size(); ++n) {
        Numbered const where{"entry", n};
        check_particle(particles[n], particle_count, where);
        auto const particle = static_cast<std::size_t>(particles[n]);
        if (is_known[particle])
            throw InputError(where + ": particle " + std::to_string(particle)
                             + " is named twice, expected distinct particles");
        is_known[particle] = true;
    }
}

void check_reference_positions(std::vector<Vec3<>> const& positions, int particle_count) {
    if (positions.size() != static_cast<std::size_t>(particle_count))
        throw InputError("there are " + std::to_string(positions.size()) + " reference positions, expected "
                         + std::to_string(particle_count) + " as particles in the System");
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (!std::isfinite(positions[i].x + positions[i].y + positions[i].z))
            throw InputError("reference position " + std::to_string(i) + " is not of finite numbers");
}

std::vector<int> named_or_all(std::vector<int> const& particles, int particle_count) {
    if (!particles.empty()) return particles;
    std::vector<int> all;
    for (int i = 0; i < particle_count; ++i) all.push_back(i);
    return all;
}

}  // namespace trotter
