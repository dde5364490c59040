// Combining rules of AmoebaVdwForce.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <trotter/amoeba/vdw/pair_parameters.hpp>

namespace trotter::amoeba {
namespace {

using SigmaRule = AmoebaVdwForce::SigmaRule;
using EpsilonRule = AmoebaVdwForce::EpsilonRule;

double combined_sigma(SigmaRule rule, double a, double b) {
    switch (rule) {
        case SigmaRule::arithmetic: return a + b;
        case SigmaRule::geometric: return 2 * std::sqrt(a * b);
        default: return 2 * (a * a * a + b * b * b) / (a * a + b * b);
    }
}

double combined_epsilon(EpsilonRule rule, AmoebaVdwForce::Type const& a, AmoebaVdwForce::Type const& b) {
    if (rule == EpsilonRule::arithmetic) return (a.epsilon + b.epsilon) / 2;
    double const product = a.epsilon * b.epsilon;
    if (product == 0) return 0;  // also where the denominators are 0
    switch (rule) {
        case EpsilonRule::harmonic: return 2 * product / (a.epsilon + b.epsilon);
        case EpsilonRule::waldman_hagler: {
            // M. Waldman, A. T. Hagler, J. Comput. Chem. 14, 1077 (1993), in terms of the cubes' ratio
            double const cubes = std::pow(a.sigma / b.sigma, 3);
            return 2 * std::sqrt(product) / (cubes + 1 / cubes);
        }
        case EpsilonRule::hhg: {
            double const roots = std::sqrt(a.epsilon) + std::sqrt(b.epsilon);
            return 4 * product / (roots * roots);
        }
        default: return std::sqrt(product);
    }
}

}  // namespace

SigmaAndEpsilon combined(AmoebaVdwForce const& force, AmoebaVdwForce::Type const& a, AmoebaVdwForce::Type const& b) {
    return {combined_sigma(force.sigma_rule, a.sigma, b.sigma), combined_epsilon(force.epsilon_rule, a, b)};
}

PairParameters::PairParameters(AmoebaVdwForce const& force) {
    rules_.sigma_rule = force.sigma_rule;
    rules_.epsilon_rule = force.epsilon_rule;
    if (force.use_types) {
        types_ = force.types;
        for (auto const& particle : force.particles) types_of_particles_.push_back(particle.type);
        for (auto const& [type1, type2, sigma, epsilon] : force.type_pairs)
            pairs_[std::minmax(type1, type2)] = {sigma, epsilon};
    } else {
        number_distinct(force);
    }
    if (types_.size() > most_tabulated) return;
    int const count = static_cast<int>(types_.size());
    for (int type1 = 0; type1 < count; ++type1)
        for (int type2 = 0; type2 < count; ++type2) table_.push_back(look_up(type1, type2));
}

void PairParameters::number_distinct(AmoebaVdwForce const& force) {
    std::map<std::pair<double, double>, int> numbers;
    for (auto const& particle : force.particles) {
        auto const [entry, is_new] =
            numbers.try_emplace({particle.sigma, particle.epsilon}, static_cast<int>(types_.size()));
        if (is_new) types_.push_back({particle.sigma, particle.epsilon});
        types_of_particles_.push_back(entry->second);
    }
}

SigmaAndEpsilon PairParameters::look_up(int type1, int type2) const {
    if (!pairs_.empty())
        if (auto const found = pairs_.find(std::minmax(type1, type2)); found != pairs_.end()) return found->second;
    return combined(rules_, types_[static_cast<std::size_t>(type1)], types_[static_cast<std::size_t>(type2)]);
}

}  // namespace trotter::amoeba
