// Lowers CustomCentroidBondForce to bonds between points, and the particles and weights of the points.
// SPDX-License-Identifier: MIT
#include <trotter/forces/custom_centroid_bond.hpp>

#include <cmath>
#include <numeric>

#include <trotter/error.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/parts/terms/point_formula.hpp>

namespace trotter {

CustomCompoundBondForce CustomCentroidBondForce::between_centroids() const {
    if (groups_per_bond < 1)
        throw InputError("the number of groups of each bond is " + std::to_string(groups_per_bond)
                         + ", expected at least 1");
    auto const text = with_point_functions(energy.formula(), numbered_points("group, g", groups_per_bond),
                                           formula_functions(tabulated_functions));
    CustomCompoundBondForce result{.particles_per_bond = groups_per_bond,
                                   .energy = formula(text, tabulated_functions),
                                   .parameter_names = parameter_names,
                                   .tabulated_functions = tabulated_functions,
                                   .global_parameters = global_parameters,
                                   .energy_parameter_derivatives = energy_parameter_derivatives,
                                   .force_group = force_group,
                                   .periodic = periodic,
                                   .label = label};
    for (std::size_t n = 0; n < bonds.size(); ++n) {
        Numbered const where{"Bond", n};
        if (bonds[n].groups.size() != static_cast<std::size_t>(groups_per_bond))
            throw InputError(where + " has " + std::to_string(bonds[n].groups.size()) + " groups, expected "
                             + std::to_string(groups_per_bond));
        for (int const group : bonds[n].groups)
            if (group < 0 || group >= static_cast<int>(groups.size()))
                throw InputError(where + ": there is no group " + std::to_string(group) + "; the force has "
                                 + std::to_string(groups.size()));
        result.bonds.push_back({bonds[n].groups, bonds[n].parameters});
    }
    return result;
}

Centroids::Centroids(std::vector<CustomCentroidBondForce::Group> const& groups, std::vector<double> const& masses)
    : begins_{0} {
    for (std::size_t n = 0; n < groups.size(); ++n) {
        auto const& [particles, own_weights] = groups[n];
        Numbered const where{"group", n};
        if (!own_weights.empty() && own_weights.size() != particles.size())
            throw InputError(where + " has " + std::to_string(own_weights.size()) + " weights for "
                             + std::to_string(particles.size()) + " particles");
        auto weights = own_weights;
        for (int const particle : particles) {
            check_particle(particle, static_cast<int>(masses.size()), where);
            if (own_weights.empty()) weights.push_back(masses[static_cast<std::size_t>(particle)]);
        }
        double const total = std::accumulate(weights.begin(), weights.end(), 0.0);
        if (!std::isfinite(total) || total == 0)
            throw InputError("the weights of " + (where + " add up to ") + std::to_string(total)
                             + ", expected a finite number other than 0");
        particles_.insert(particles_.end(), particles.begin(), particles.end());
        for (double const weight : weights) weights_.push_back(weight / total);
        begins_.push_back(static_cast<int>(particles_.size()));
    }
}

void check_same_groups(CustomCentroidBondForce const& force, CustomCentroidBondForce const& changed) {
    if (force.groups != changed.groups)
        throw InputError("the groups have changed; only the numbers of bonds and tables can be updated");
}

}  // namespace trotter
