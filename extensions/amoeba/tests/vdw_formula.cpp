// Writes the pairs of AmoebaVdwForce as a formula.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <trotter/expression/literal.hpp>

#include "vdw_formula.hpp"

namespace trotter::amoeba {
namespace {

// The equations of vdw.hpp.
std::string energy_text(AmoebaVdwForce const& force) {
    std::string text = force.potential == AmoebaVdwForce::Potential::lennard_jones
                           ? "4*epsilon*((sigma/r)^12 - (sigma/r)^6)"
                           : "epsilon*1.07^7/(s + (x + 0.07)^7)*(1.12/(s + x^7 + 0.12) - 2); x = r/sigma";
    text += "; sigma = pair_sigma(type1, type2); epsilon = factor*scale1*scale2*pair_epsilon(type1, type2)";
    if (force.alchemy == AmoebaVdwForce::Alchemy::none) return text + "; factor = 1; s = 0";
    std::string const lambda(AmoebaVdwForce::lambda), both = "alchemical1*alchemical2";
    text += "; factor = 1 + soft*(" + lambda + '^' + std::to_string(force.softcore_power) + " - 1)";
    text += "; s = soft*" + expression::literal(force.softcore_alpha, {}) + "*(1 - " + lambda + ")^2";
    text += "; soft = alchemical1 + alchemical2 - ";
    return text + (force.alchemy == AmoebaVdwForce::Alchemy::decouple ? "2*" + both : both);
}

std::vector<TabulatedFunction> tables(PairParameters const& parameters) {
    int const types = static_cast<int>(parameters.type_count());
    TabulatedFunction sigma{.name = "pair_sigma", .sizes = {types, types}}, epsilon = sigma;
    epsilon.name = "pair_epsilon";
    for (int type1 = 0; type1 < types; ++type1)
        for (int type2 = 0; type2 < types; ++type2) {
            sigma.values.push_back(parameters(type1, type2).sigma);
            epsilon.values.push_back(parameters(type1, type2).epsilon);
        }
    return {sigma, epsilon};
}

std::vector<PairSettings::Exclusion> exclusions(AmoebaVdwForce const& force) {
    std::set<std::pair<int, int>> pairs;
    for (int i = 0; i < static_cast<int>(force.particles.size()); ++i)
        for (int const j : force.particles[static_cast<std::size_t>(i)].exclusions)
            if (i != j) pairs.insert(std::minmax(i, j));
    std::vector<PairSettings::Exclusion> result;
    for (auto const& [i, j] : pairs) result.push_back({i, j});
    return result;
}

}  // namespace

CustomNonbondedForce pairs_of_sites(AmoebaVdwForce const& force, PairParameters const& parameters) {
    CustomNonbondedForce pairs;
    pairs.tabulated_functions = tables(parameters);
    pairs.energy = CustomNonbondedForce::formula(energy_text(force), pairs.tabulated_functions);
    pairs.parameter_names = {"type", "scale"};
    bool const is_soft = force.alchemy != AmoebaVdwForce::Alchemy::none;
    if (is_soft) {
        pairs.parameter_names.push_back("alchemical");
        pairs.global_parameters = {{std::string(AmoebaVdwForce::lambda), 1}};
    }
    for (std::size_t i = 0; i < force.particles.size(); ++i) {
        auto const& particle = force.particles[i];
        auto& row = pairs.particles.emplace_back();
        row = {static_cast<double>(parameters.types_of_particles()[i]), particle.scale};
        if (is_soft) row.push_back(particle.is_alchemical);
    }
    pairs.pairs.exclusions = exclusions(force);
    if (!force.is_periodic()) return pairs;
    pairs.pairs.method = PairSettings::Method::cutoff_periodic;
    pairs.pairs.cutoff_distance = force.cutoff_distance;
    pairs.pairs.use_switching_function = true;
    pairs.pairs.switching_distance = 0.9 * force.cutoff_distance;
    return pairs;
}

}  // namespace trotter::amoeba
