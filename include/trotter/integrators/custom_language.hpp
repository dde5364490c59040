// The formula language of CustomIntegrator: vector functions, derivatives, comparisons.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/expression/operation.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter::custom_integrator {

/// Functions of three components, in the order of their numbers.
enum class VectorFunction { cross, dot, vector, x, y, z };
/// Name and number of operands of each `VectorFunction`.
inline constexpr std::array<expression::CustomFunction, 6> vector_functions{
    {{"cross", 2}, {"dot", 2}, {"vector", 3}, {"_x", 1}, {"_y", 1}, {"_z", 1}}};
/// Tabulated functions, followed by vector functions if formulas are per-DOF.
std::vector<expression::CustomFunction> functions_of(std::vector<TabulatedFunction> const& tables,
                                                     bool of_particles);

/// Meaning of a name "energy" or "f", with or without the number of a force group.
struct GroupName {
    bool is_one = false;  ///< false for any other name
    int group = -1;  ///< -1: all that are integrated
};
/// Splits a name into `stem` and the number of a force group.
constexpr GroupName group_name(std::string_view name, std::string_view stem) {
    if (!name.starts_with(stem)) return {};
    auto const digits = name.substr(stem.size());
    if (digits.empty()) return {true, -1};
    if (digits.size() > 9 || (digits.size() > 1 && digits[0] == '0')) return {};
    int group = 0;
    for (char const digit : digits) {
        if (digit < '0' || digit > '9') return {};
        group = 10 * group + (digit - '0');
    }
    return {true, group};
}
/// Names f, f0, f1, …, of the forces of all groups or of one.
constexpr GroupName force_name(std::string_view name) { return group_name(name, "f"); }
/// Names energy, energy0, energy1, …, of all groups or of one.
constexpr GroupName energy_name(std::string_view name) { return group_name(name, "energy"); }

/// Whether variables may not have this name.
constexpr bool is_reserved(std::string_view name) {
    for (std::string_view const known : {"x", "v", "m", "dt", "uniform", "gaussian"})
        if (name == known) return true;
    return force_name(name).is_one || energy_name(name).is_one;
}

/// deriv(energy1, lambda) encoded as a name: its arguments are names, not values.
struct DerivativeName {
    static constexpr std::string_view stem = "deriv|";  ///< prefix of names that encode a call of deriv
    std::string energy, parameter;  ///< the two arguments of the call

    /// Whether a name encodes a call of deriv.
    static bool is_one(std::string_view name) { return name.starts_with(stem); }
    explicit DerivativeName(std::string_view name);  ///< splits the name into the arguments of the call
};

/// Replaces each call of deriv by a name, at the same columns.
std::string with_derivative_names(std::string text);

/// The operators =, !=, <, <=, > and >=.
enum class Comparison { equal, not_equal, less, less_or_equal, greater, greater_or_equal };

/// Applies the operator.
constexpr bool holds(double left, Comparison comparison, double right) {
    switch (comparison) {
    case Comparison::equal: return left == right;
    case Comparison::not_equal: return left != right;
    case Comparison::less: return left < right;
    case Comparison::less_or_equal: return left <= right;
    case Comparison::greater: return left > right;
    case Comparison::greater_or_equal: return left >= right;
    }
    return false;
}

/// A comparison of two formulas.
struct Condition {
    std::string left, right;  ///< formulas on both sides of the operator
    Comparison comparison{};  ///< the operator

    /// Splits the text at its first comparison. Throws InputError if there is none.
    explicit Condition(std::string const& text);
};

}  // namespace trotter::custom_integrator
