// Lowers CustomNonbondedForce: merges computed values and interaction groups into its formula.
// SPDX-License-Identifier: MIT
#include <trotter/forces/custom_nonbonded.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <trotter/error.hpp>
#include <trotter/expression/rename.hpp>
#include <trotter/expression/runtime_expression.hpp>

namespace trotter {
namespace {

/// Name of a particle's membership in a set of a group.
std::string membership(std::size_t group, int set) {
    return "set" + std::to_string(set) + ".group" + std::to_string(group) + ".";
}

}  // namespace

std::tuple<CustomNonbondedForce> CustomNonbondedForce::parts() const {
    check();
    if (computed_values.empty() && interaction_groups.empty() && tabulated_functions.empty()) return *this;
    CustomNonbondedForce result = *this;
    std::string text = with_computed_values();
    if (!interaction_groups.empty()) {
        text = "select(pair.groups, pair.groups*pair.energy, 0); pair.groups = " + groups_text()
               + "; pair.energy = " + text;
        result.add_memberships();
        result.pairs.correction_counts_self = false;
    }
    result.energy = formula(text, tabulated_functions);
    result.computed_values.clear();
    result.interaction_groups.clear();
    return result;
}

void CustomNonbondedForce::check() const {
    check_tables(tabulated_functions);
    for (std::size_t n = 0; n < parameter_names.size(); ++n)
        for (std::size_t k = 0; k < n; ++k)
            if (parameter_names[k] == parameter_names[n])
                throw InputError("parameters " + std::to_string(k) + " and " + std::to_string(n)
                                 + " of particles have the same name '" + parameter_names[n] + "'");
    check_computed_values();
    for (std::size_t n = 0; n < particles.size() && !interaction_groups.empty(); ++n)
        if (particles[n].size() != parameter_names.size())
            throw InputError("particle " + std::to_string(n) + " has " + std::to_string(particles[n].size())
                             + " parameters, expected " + std::to_string(parameter_names.size()));
    for (std::size_t n = 0; n < interaction_groups.size(); ++n) {
        auto const& [set1, set2] = interaction_groups[n];
        for (auto const* set : {&set1, &set2})
            for (int const particle : *set)
                check_particle(particle, static_cast<int>(particles.size()), "interaction group " + std::to_string(n));
    }
}

void CustomNonbondedForce::check_computed_values() const {
    auto known = parameter_names;
    for (auto const& parameter : global_parameters) known.push_back(parameter.name);
    std::set<std::string> earlier;
    for (auto const& value : computed_values) {
        if (!earlier.insert(value.name).second)
            throw InputError("two computed values have the same name '" + value.name + "'");
        if (!value.expression.is_set())
            throw InputError("the formula of the computed value '" + value.name + "' was not set");
        for (auto const& used : value.expression.names())
            if (std::find(known.begin(), known.end(), used) == known.end())
                throw InputError("the computed value '" + value.name + "' has the unknown name '" + used
                                 + "'; known: " + expression::listed(known, [](auto const& text) { return text; }));
    }
}

std::string CustomNonbondedForce::with_computed_values() const {
    std::string text = energy.formula();
    for (auto const& value : computed_values)
        for (char const side : {'1', '2'}) {
            auto const of_side = [&](std::string_view used) {
                bool const is_own =
                    std::find(parameter_names.begin(), parameter_names.end(), used) != parameter_names.end();
                return std::string(used) + (is_own ? std::string(1, side) : "");
            };
            text += "; " + value.name + side + " = "
                    + expression::renamed(value.expression.formula(), of_side, "." + value.name + "." + side);
        }
    return text;
}

std::string CustomNonbondedForce::groups_text() const {
    std::string text;
    for (std::size_t n = 0; n < interaction_groups.size(); ++n) {
        auto const in_set1 = membership(n, 1), in_set2 = membership(n, 2);
        text += (n > 0 ? " + max(" : "max(") + in_set1 + "1*" + in_set2 + "2, " + in_set2 + "1*" + in_set1 + "2)";
    }
    return text;
}

void CustomNonbondedForce::add_memberships() {
    for (std::size_t n = 0; n < interaction_groups.size(); ++n)
        for (int const set : {1, 2}) {
            auto const& members = set == 1 ? interaction_groups[n].set1 : interaction_groups[n].set2;
            parameter_names.push_back(membership(n, set));
            for (std::size_t i = 0; i < particles.size(); ++i)
                particles[i].push_back(members.contains(static_cast<int>(i)) ? 1 : 0);
        }
}

}  // namespace trotter
