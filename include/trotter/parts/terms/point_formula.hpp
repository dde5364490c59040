// Formulas of named points, rewritten as formulas of their coordinates.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <trotter/parts/terms/point_functions.hpp>
#include <trotter/parts/terms/term_formula.hpp>

namespace trotter {

/// Names of points and of their coordinates in formulas.
struct NamedPoints {
    std::vector<std::string> names{};  ///< of the points, in order
    std::vector<std::string> coordinates{};  ///< x, y and z of each point
    std::string expected{};                  ///< valid names of points, for messages
};
/// Points p1 to p`count` whose coordinates are x1, y1, z1, x2, …, if `kind` is "particle p".
NamedPoints numbered_points(std::string const& kind, int count);
/// Points whose coordinates formulas cannot name.
NamedPoints points_without_coordinates(std::vector<std::string> const& names);

/// Rewrites particle functions as point functions of the points' coordinates. The formula may define aliases of points.
/// Throws InputError for an argument that is not a point; functions named in `others` are not changed.
std::string with_point_functions(std::string_view formula, NamedPoints const& points,
                                 std::vector<expression::CustomFunction> const& others = {});

/// Returns the energy of `force` as terms evaluate it: variables are the coordinates, fields the `fields`; of duplicate
/// names the last applies. Throws InputError for an unknown name, with `expected` in the message.
template <class F> RuntimeFormula point_formula(F const& force, NamedPoints const& points,
                                                std::vector<std::string> const& fields, std::string const& expected) {
    auto const text =
        with_point_functions(force.energy.formula(), points, formula_functions(force.tabulated_functions));
    RuntimeFormula result(F::formula(text, force.tabulated_functions), force.tabulated_functions, points.coordinates,
                          fields);
    for (auto const& name : result.parameter_names())
        if (std::none_of(force.global_parameters.begin(), force.global_parameters.end(),
                         [&](GlobalParameter const& parameter) { return parameter.name == name; }))
            throw InputError("the formula has the name '" + name + "', expected " + expected);
    return result;
}

}  // namespace trotter
