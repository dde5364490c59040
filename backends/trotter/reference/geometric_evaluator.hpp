// The energy of one set of points by a formula of their distances and angles, and its gradient.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/expression/evaluator.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/field.hpp>
#include <trotter/forces/geometric_formula.hpp>
#include <trotter/forces/variables.hpp>
#include <trotter/global_parameters.hpp>
#include <trotter/tables/tables.hpp>

namespace trotter::reference {

/// The points of one evaluation: particles of a System. Differences are those of nearest images where asked for.
struct Points {
    std::vector<int> const& particles;  ///< -1 where there is none, and none is asked for
    std::vector<Vec3<>> const& positions;
    Box const& box;
    bool is_periodic;

    Vec3<> const& position(int n) const {
        return positions[static_cast<std::size_t>(particles[static_cast<std::size_t>(n)])];
    }
    Vec3<> operator()(int i, int j) const {
        Vec3<> const d = position(i) - position(j);
        return is_periodic ? box.minimum_image(d) : d;
    }
};

/// Has scratch space. The custom functions of the formula are the tables.
class GeometricEvaluator {
public:
    explicit GeometricEvaluator(GeometricFormula formula, Tables tables = Tables())
        : formula_(std::move(formula)),
          tables_(std::move(tables)),
          evaluate_(formula_.expression()),
          values_(formula_.arguments().size()),
          slopes_(values_.size()),
          variations_(formula_.measures().size()) {}

    /// The energy; subtracts its gradient from the forces on the points.
    double operator()(Points const& points, std::vector<double> const& parameters, std::vector<double> const& globals,
                      std::vector<Vec3<>>& forces) {
        using Source = GeometricFormula::Argument::Source;
        for (std::size_t n = 0; n < variations_.size(); ++n) variations_[n] = vary(formula_.measures()[n], points);
        auto const& arguments = formula_.arguments();
        for (std::size_t n = 0; n < arguments.size(); ++n) {
            auto const [source, index] = arguments[n];
            values_[n] = source == Source::measure      ? variations_[index].value
                         : source == Source::coordinate ? points.position(static_cast<int>(index / 3))[index % 3]
                         : source == Source::parameter  ? parameters[index]
                                                        : globals[index];
        }
        double const energy = evaluate_(values_.data(), slopes_.data(), tables_);
        auto const force_on = [&](int point) -> Vec3<>& {
            return forces[static_cast<std::size_t>(points.particles[static_cast<std::size_t>(point)])];
        };
        for (std::size_t n = 0; n < arguments.size(); ++n) {
            auto const [source, index] = arguments[n];
            if (source == Source::coordinate) force_on(static_cast<int>(index / 3))[index % 3] -= slopes_[n];
            if (source != Source::measure) continue;
            auto const& measure = formula_.measures()[index];
            for (std::size_t p = 0; p < static_cast<std::size_t>(measure.count); ++p)
                force_on(measure.points[p]) -= variations_[index].gradient[p] * slopes_[n];
        }
        return energy;
    }

private:
    static Variation<double, 4> vary(GeometricFormula::Measure const& measure, Points const& points) {
        Variation<double, 4> result{};
        auto const take = [&](auto const& variation) {
            result.value = variation.value;
            for (std::size_t p = 0; p < variation.gradient.size(); ++p) result.gradient[p] = variation.gradient[p];
        };
        auto const [a, b, c, d] = measure.points;
        if (measure.count == 2)
            take(Distance{"", {a, b}}.vary<double>(points));
        else if (measure.count == 3)
            take(Angle{"", {a, b, c}}.vary<double>(points));
        else
            take(Dihedral{"", {a, b, c, d}}.vary<double>(points));
        return result;
    }

    GeometricFormula formula_;
    Tables tables_;
    Evaluator<double> evaluate_;
    std::vector<double> values_, slopes_;
    std::vector<Variation<double, 4>> variations_;
};

/// The present values of a force's global parameters, in its order.
inline std::vector<double> values_of(std::vector<GlobalParameter> const& declared, GlobalParameters const& parameters) {
    std::vector<double> values;
    for (auto const& parameter : declared) values.push_back(parameters.value(parameter.name));
    return values;
}
/// Throws InputError unless the same names are declared in the same order.
inline void check_same_globals(std::vector<GlobalParameter> const& before, std::vector<GlobalParameter> const& after) {
    for (std::size_t n = 0; n < after.size(); ++n)
        if (n >= before.size() || before[n].name != after[n].name)
            throw InputError("global parameter " + std::to_string(n) + " is '" + after[n].name
                             + "', which is not what it was before; parameters of the Context cannot be updated");
}

}  // namespace trotter::reference
