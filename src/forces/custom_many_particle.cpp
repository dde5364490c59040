// Validates CustomManyParticleForce.
// SPDX-License-Identifier: MIT
#include <trotter/forces/custom_many_particle.hpp>

#include <string>
#include <vector>

#include <trotter/core/range_check.hpp>
#include <trotter/parts/pairs/pairs_check.hpp>
#include <trotter/parts/terms/point_formula.hpp>
#include <trotter/parts/terms/terms_check.hpp>

namespace trotter {

RuntimeFormula CustomManyParticleForce::set_formula() const {
    std::vector<std::string> fields;
    for (int n = 1; n <= particles_per_set; ++n)
        for (auto const& parameter : parameter_names) fields.push_back(parameter + std::to_string(n));
    return point_formula(*this, numbered_points("particle, p", particles_per_set), fields,
                         "a coordinate, a parameter of particles with the number of one behind it, a global parameter "
                         "of the force, or a function of particles");
}

void check(CustomManyParticleForce const& force, int particle_count, Box const& box) {
    constexpr int most = 12;  // 12! = 479 million permutations
    if (force.particles_per_set < 1 || force.particles_per_set > most)
        throw InputError("the number of particles in a set is " + std::to_string(force.particles_per_set)
                         + ", expected 1 to " + std::to_string(most));
    check_tables(force.tabulated_functions);
    (void)force.set_formula();
    check_particle_number(force.particles.size(), particle_count);
    for (std::size_t i = 0; i < force.particles.size(); ++i)
        detail::check_row(force.parameter_names, force.particles[i].parameters, {"particle", i});
    if (force.type_filters.size() > static_cast<std::size_t>(force.particles_per_set))
        throw InputError("there are " + std::to_string(force.type_filters.size()) + " type filters, expected at most "
                         + std::to_string(force.particles_per_set) + " as particles in a set");
    detail::check_exclusions(force.exclusions, particle_count);
    if (force.uses_cutoff()) check_cutoff(force.cutoff_distance, force.is_periodic(), box);
}

}  // namespace trotter
