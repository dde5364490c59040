// Formulas of distances, angles and dihedral angles between points that have names.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/expression/operation.hpp>
#include <trotter/expression/runtime_statement.hpp>
#include <trotter/tables/tabulated_function.hpp>

namespace trotter {

/// distance(a, b), angle(a, b, c) and dihedral(a, b, c, d) of points [nm, radian]; and the same of their coordinates,
/// as in pointdistance(x1, y1, z1, x2, y2, z2); behind tabulated functions.
inline std::vector<expression::CustomFunction> geometric_functions(std::vector<TabulatedFunction> const& tables = {}) {
    auto result = formula_functions(tables);
    result.insert(result.end(), {{"distance", 2},
                                 {"angle", 3},
                                 {"dihedral", 4},
                                 {"pointdistance", 6},
                                 {"pointangle", 9},
                                 {"pointdihedral", 12}});
    return result;
}

/// What the names in a formula stand for.
struct GeometricNames {
    std::vector<std::string> points;  ///< arguments of geometric functions
    bool has_coordinates = false;     ///< point n also has coordinates xn, yn and zn, counted from 1
    std::vector<std::string>
        parameters;                    ///< numbers of the particles; where two are called the same, the last is meant
    std::vector<std::string> globals;  ///< parameters of the Context
    std::string_view expected;         ///< for messages: what a name may be
};

/// A formula whose geometric functions have become variables.
class GeometricFormula {
public:
    /// The distance of two points, the angle of three, the dihedral angle of four.
    struct Measure {
        int count = 0;
        std::array<int, 4> points{};

        friend bool operator==(Measure const&, Measure const&) = default;
    };
    /// What a variable of `expression` is. Coordinate 3n + axis is that of point n.
    struct Argument {
        enum class Source { measure, coordinate, parameter, global } source = Source::measure;
        std::size_t index = 0;
    };

    /// `functions` are those of the formula beside the language's and the geometric ones. Throws InputError for a name
    /// that nothing stands for, and for coordinates in a geometric function that are not those of a point. A point may
    /// be called by another name that the formula defines.
    GeometricFormula(RuntimeExpression const& formula, GeometricNames const& names,
                     std::vector<expression::CustomFunction> const& functions = {});

    RuntimeExpression const& expression() const { return expression_; }
    std::vector<Argument> const& arguments() const { return arguments_; }  ///< one for each name of the expression
    std::vector<Measure> const& measures() const { return measures_; }
    std::size_t point_count() const { return point_count_; }
    /// Whether a measure or coordinate is of this point.
    bool uses_point(int point) const;

private:
    RuntimeExpression expression_;
    std::vector<Argument> arguments_;
    std::vector<Measure> measures_;
    std::size_t point_count_;
};

}  // namespace trotter
