// Resolves the names in the formulas of a CustomGBForce, and validates it.
// SPDX-License-Identifier: MIT
#include <trotter/forces/custom_gb.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include <trotter/expression/evaluator.hpp>
#include <trotter/expression/rename.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/parts/pairs/pair_symmetry.hpp>
#include <trotter/parts/pairs/pairs_check.hpp>
#include <trotter/parts/terms/terms_check.hpp>
#include <trotter/physics/custom_gb_formulas.hpp>

namespace trotter {
namespace {

using Source = GBFormula::Source;

template <class List, class NameOf>
std::optional<int> index_of(std::string_view name, List const& list, std::size_t count, NameOf const& name_of) {
    for (std::size_t n = 0; n < count; ++n)
        if (name_of(list[n]) == name) return static_cast<int>(n);
    return {};
}

std::string value_title(CustomGBForce const& force, std::size_t n) {
    return "computed value " + std::to_string(n) + " ('" + force.computed_values[n].name + "')";
}
std::string energy_title(std::size_t n) { return "energy term " + std::to_string(n); }

/// Names available in one formula: only the first `value_count` computed values are known.
class Names {
public:
    Names(CustomGBForce const& force, CustomGBForce::Kind kind, std::size_t value_count)
        : force_(force), is_of_pairs_(kind != CustomGBForce::Kind::single_particle), value_count_(value_count) {}

    std::optional<GBFormula::Argument> argument(std::string_view name) const {
        if (is_of_pairs_ && name == "r") return GBFormula::Argument{Source::distance};
        if (!is_of_pairs_ && (name == "x" || name == "y" || name == "z"))
            return GBFormula::Argument{Source::coordinate, name[0] - 'x'};
        if (auto const n = index_of(name, force_.global_parameters, force_.global_parameters.size(),
                                    [](auto const& parameter) { return parameter.name; }))
            return GBFormula::Argument{Source::global, *n};
        if (!is_of_pairs_) return of_particle(name, false);
        if (!name.ends_with('1') && !name.ends_with('2')) return {};
        return of_particle(name.substr(0, name.size() - 1), name.ends_with('2'));
    }
    std::string known() const {
        auto names = is_of_pairs_ ? std::vector<std::string>{"r"} : std::vector<std::string>{"x", "y", "z"};
        auto const add = [&](std::string const& name) {
            if (!is_of_pairs_)
                names.push_back(name);
            else
                for (char const side : {'1', '2'}) names.push_back(name + side);
        };
        for (auto const& name : force_.parameter_names) add(name);
        for (std::size_t n = 0; n < value_count_; ++n) add(force_.computed_values[n].name);
        for (auto const& parameter : force_.global_parameters) names.push_back(parameter.name);
        return expression::listed(names, [](auto const& name) { return name; });
    }

private:
    std::optional<GBFormula::Argument> of_particle(std::string_view name, bool is_second) const {
        if (auto const n = index_of(name, force_.parameter_names, force_.parameter_names.size(),
                                    [](auto const& parameter) { return parameter; }))
            return GBFormula::Argument{Source::parameter, *n, is_second};
        if (auto const n =
                index_of(name, force_.computed_values, value_count_, [](auto const& value) { return value.name; }))
            return GBFormula::Argument{Source::value, *n, is_second};
        return {};
    }

    CustomGBForce const& force_;
    bool is_of_pairs_;
    std::size_t value_count_;
};

GBFormula formula_of(CustomGBForce const& force, RuntimeExpression const& expression, CustomGBForce::Kind kind,
                     std::size_t value_count, std::string const& title) {
    if (!expression.is_set()) throw InputError("the formula of " + title + " was not set");
    GBFormula result{expression, kind, {}};
    Names const names(force, kind, value_count);
    for (auto const& name : expression.names()) {
        auto const argument = names.argument(name);
        if (!argument) throw InputError(title + " has the unknown name '" + name + "'; known: " + names.known());
        result.arguments.push_back(*argument);
    }
    for (auto const& instruction : expression.unit().code)
        if (auto const n = static_cast<std::size_t>(instruction.a);
            instruction.op == expression::Op::custom
            && (n >= force.tabulated_functions.size() || force.tabulated_functions[n].arguments() != instruction.c))
            throw InputError(title + " has a function that is none of the force's tabulated functions");
    return result;
}

/// See GBFormulas::both_orders; user formulas are not expected to contain names of weights.
GBFormula both_orders(CustomGBForce const& force, std::size_t n) {
    auto const& value = force.computed_values[n];
    Names const names(force, value.kind, n);
    auto const exchanged = [&](std::string_view name) {
        std::string result(name);
        if (auto const source = names.argument(name)->source; source == Source::parameter || source == Source::value)
            result.back() = result.back() == '1' ? '2' : '1';
        return result;
    };
    auto const same = [](std::string_view name) { return std::string(name); };
    std::string const& text = value.expression.formula();
    GBFormula result{CustomGBForce::formula("weight.1*value.forth + weight.2*value.back; value.forth = "
                                                + expression::renamed(text, same, ".forth")
                                                + "; value.back = " + expression::renamed(text, exchanged, ".back"),
                                            force.tabulated_functions),
                     value.kind,
                     {}};
    for (std::string_view const name : result.expression.names())
        result.arguments.push_back(name.starts_with("weight.")
                                       ? GBFormula::Argument{Source::weight, static_cast<int>(n), name.ends_with('2')}
                                       : *names.argument(name));
    return result;
}

/// Throws InputError for ambiguous names.
void check_names(CustomGBForce const& force) {
    std::set<std::string> single{"x", "y", "z"}, paired{"r"};
    auto const take = [](std::set<std::string>& known, std::string const& name, std::string const& title) {
        if (!known.insert(name).second)
            throw InputError(title + " has the name of something else in a formula: '" + name + "'");
    };
    auto const of_particles = [&](std::string const& name, std::string const& title) {
        take(single, name, title);
        for (char const side : {'1', '2'}) take(paired, name + side, title);
    };
    for (std::size_t n = 0; n < force.parameter_names.size(); ++n)
        of_particles(force.parameter_names[n], "parameter " + std::to_string(n) + " of particles");
    for (std::size_t n = 0; n < force.computed_values.size(); ++n)
        of_particles(force.computed_values[n].name, "computed value " + std::to_string(n));
    for (std::size_t n = 0; n < force.global_parameters.size(); ++n) {
        auto const& name = force.global_parameters[n].name;
        take(single, name, "global parameter " + std::to_string(n));
        take(paired, name, "global parameter " + std::to_string(n));
    }
    detail::check_derivative_names(force.energy_parameter_derivatives, force.global_parameters);
}

/// Checks symmetry with arbitrary computed values: small, integers, and of either sign; few distinct ones, so that some
/// are equal.
void check_symmetry(CustomGBForce const& force, GBFormula const& formula, std::string const& title) {
    Evaluator<double> evaluate(formula.expression);
    Tables const tables(force.tabulated_functions);
    std::vector<double> arguments(formula.arguments.size()), slopes(arguments.size());
    double lowest = 0, spacing = 0;
    auto const energy = [&](std::size_t i, std::size_t j, double r) {
        for (std::size_t n = 0; n < arguments.size(); ++n) {
            auto const& [source, index, is_second] = formula.arguments[n];
            std::size_t const particle = is_second ? j : i, k = static_cast<std::size_t>(index);
            auto const place = static_cast<double>((particle + 3) * (2 * k + 3) * 2654435761u / 64 % 7);
            arguments[n] = source == Source::distance    ? r
                           : source == Source::parameter ? force.particles[particle][k]
                           : source == Source::value     ? lowest + spacing * place
                                                         : force.global_parameters[k].default_value;
        }
        return evaluate(arguments.data(), slopes.data(), tables);
    };
    for (auto const& [first, step] : {std::pair{0.1, 0.03}, std::pair{0.0, 1.0}, std::pair{-41.3, 7.9}}) {
        lowest = first;
        spacing = step;
        trotter::check_symmetry(title, force.particles.size(), force.pairs, energy);
    }
}

}  // namespace

GBFormulas::GBFormulas(CustomGBForce const& force) {
    for (std::size_t n = 0; n < force.computed_values.size(); ++n) {
        auto const& value = force.computed_values[n];
        values.push_back(formula_of(force, value.expression, value.kind, n, value_title(force, n)));
        both_orders.push_back(values.back().is_of_pairs() ? trotter::both_orders(force, n) : GBFormula{});
    }
    for (std::size_t n = 0; n < force.energy_terms.size(); ++n) {
        auto const& term = force.energy_terms[n];
        energies.push_back(
            formula_of(force, term.expression, term.kind, force.computed_values.size(), energy_title(n)));
    }
    parameter_count = force.parameter_names.size();
    auto const& derivatives = force.energy_parameter_derivatives;
    for (auto const& parameter : force.global_parameters) {
        auto& places = wanted.emplace_back();
        for (std::size_t n = 0; n < derivatives.size(); ++n)
            if (derivatives[n] == parameter.name) places.push_back(static_cast<int>(n));
    }
}

void check(CustomGBForce const& force, int particle_count, Box const& box) {
    check_particle_number(force.particles.size(), particle_count);
    detail::check_settings(force.pairs, particle_count, box);
    if (force.pairs.use_switching_function || force.pairs.use_long_range_correction)
        throw InputError("a switching function or a long-range correction is asked for, which this force has not");
    for (std::size_t i = 0; i < force.particles.size(); ++i)
        detail::check_row(force.parameter_names, force.particles[i], {"particle", i});
    check_tables(force.tabulated_functions);
    check_names(force);
    GBFormulas const formulas(force);
    for (std::size_t n = 0; n < formulas.energies.size(); ++n)
        if (formulas.energies[n].is_of_pairs()) check_symmetry(force, formulas.energies[n], energy_title(n));
}

void check_same(CustomGBForce const& force, CustomGBForce const& changed) {
    auto const same = [](auto const& a, auto const& b, auto const& are_equal) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), are_equal);
    };
    auto const same_formula = [](auto const& a, auto const& b) {
        return a.expression == b.expression && a.kind == b.kind;
    };
    auto const same_name = [](auto const& a, auto const& b) { return a.name == b.name; };
    char const* what = nullptr;
    if (!(force.pairs == changed.pairs)) what = "the settings of pairs have";
    if (force.parameter_names != changed.parameter_names) what = "the names of parameters have";
    if (!same(force.global_parameters, changed.global_parameters, same_name)) what = "the global parameters have";
    if (!same(force.computed_values, changed.computed_values, same_name)
        || !same(force.computed_values, changed.computed_values, same_formula))
        what = "a computed value has";
    if (!same(force.energy_terms, changed.energy_terms, same_formula)) what = "an energy term has";
    if (force.force_group != changed.force_group
        || force.energy_parameter_derivatives != changed.energy_parameter_derivatives)
        what = "the force group or the wanted derivatives have";
    if (what) throw InputError(std::string(what) + " changed; only the numbers of particles and tables can be updated");
    check_same_tables(force.tabulated_functions, changed.tabulated_functions);
}

}  // namespace trotter
