// Whether the numbers of a GayBerneForce make sense.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <trotter/forces/gay_berne.hpp>
#include <trotter/forces/range_check.hpp>
#include <trotter/repeated_pair.hpp>

namespace trotter {

namespace detail {

inline void check_axes(GayBerneForce::Particle const& particle, int index, int particle_count) {
    Numbered const where{"particle", static_cast<std::size_t>(index)};
    if (particle.x_particle != -1) check_particle(particle.x_particle, particle_count, where + ", its x axis");
    if (particle.y_particle != -1) check_particle(particle.y_particle, particle_count, where + ", its y axis");
    if (particle.x_particle == index || particle.y_particle == index)
        throw InputError(where + ": an axis points from the particle to itself");
    if (particle.y_particle != -1 && particle.x_particle == -1)
        throw InputError(where + ": there is no x particle, but y particle " + std::to_string(particle.y_particle));
    if (particle.y_particle != -1 && particle.x_particle == particle.y_particle)
        throw InputError(where + ": x and y axis point from the same particle " + std::to_string(particle.x_particle));
    auto const [x, y, z] = std::tuple{particle.size_x, particle.size_y, particle.size_z};
    auto const [ex, ey, ez] = std::tuple{particle.scale_x, particle.scale_y, particle.scale_z};
    if (particle.y_particle == -1 && (y != z || ey != ez))
        throw InputError(where + ": sizes and scales along y and z are " + std::to_string(y) + ", " + std::to_string(z)
                         + " and " + std::to_string(ey) + ", " + std::to_string(ez)
                         + ", expected equal ones without a y particle");
    if (particle.x_particle == -1 && (x != y || ex != ey))
        throw InputError(where + ": sizes and scales along x and y are " + std::to_string(x) + ", " + std::to_string(y)
                         + " and " + std::to_string(ex) + ", " + std::to_string(ey)
                         + ", expected equal ones without an x particle");
}

inline void check_exceptions(GayBerneForce const& force, int particle_count) {
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t n = 0; n < force.exceptions.size(); ++n) {
        auto const& exception = force.exceptions[n];
        Numbered const where{"exception", n};
        for (int const particle : {exception.particle1, exception.particle2})
            check_particle(particle, particle_count, where);
        if (exception.particle1 == exception.particle2)
            throw InputError(where + " pairs particle " + std::to_string(exception.particle1) + " with itself");
        std::apply([&](auto const&... field) { (check_field(field, exception, where), ...); },
                   GayBerneForce::exception_fields);
        pairs.emplace_back(exception.particle1, exception.particle2);
    }
    if (auto const repeated = repeated_pair(pairs)) {
        auto const [i, j] = pairs[repeated->second];
        throw InputError(Numbered{"exception", repeated->second} + " repeats the pair of particles " + std::to_string(i)
                         + " and " + std::to_string(j) + " of exception " + std::to_string(repeated->first));
    }
}

}  // namespace detail

/// Throws InputError for the first number of the force that makes no sense in a System of `particle_count` particles
/// and this box.
inline void check(GayBerneForce const& force, int particle_count, Box const& box) {
    check_particle_number(force.particles.size(), particle_count);
    for (std::size_t i = 0; i < force.particles.size(); ++i) {
        Numbered const where{"particle", i};
        std::apply([&](auto const&... field) { (check_field(field, force.particles[i], where), ...); },
                   GayBerneForce::fields);
        detail::check_axes(force.particles[i], static_cast<int>(i), particle_count);
    }
    detail::check_exceptions(force, particle_count);
    if (force.uses_cutoff()) check_cutoff(force.cutoff_distance, force.is_periodic(), box);
    double const start = force.switching_distance;
    if (force.use_switching_function && !(start >= 0 && start < force.cutoff_distance))
        throw InputError("the switching distance is " + std::to_string(start)
                         + " nm, expected a number from 0 to below the cutoff of "
                         + std::to_string(force.cutoff_distance) + " nm");
}

}  // namespace trotter
