// The value of one term, or of a batch of terms: energy and derivatives.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <trotter/expression/evaluator.hpp>
#include <trotter/forces/terms.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// Energy of a term and its derivatives by the positions of its particles and by the formula's global parameters.
template <HasTerms F, class T> struct TermValue {
    T energy{};
    std::array<Vec3<T>, particles_per_term<F>> gradient{};
    FormulaParameters<F, T> parameter_slopes{};
};

namespace detail {

template <HasTerms F, class T, class Geometry> auto variations_of(Geometry const& geometry) {
    return std::apply([&](auto const&... variable) { return std::tuple{variable.template vary<T>(geometry)...}; },
                      F::variables);
}
template <class Variable, class Variation, class T, std::size_t N>
void add_gradient(Variable const& variable, Variation const& variation, T const& slope,
                  std::array<Vec3<T>, N>& gradient) {
    for (std::size_t p = 0; p < variable.particles.size(); ++p)
        gradient[static_cast<std::size_t>(variable.particles[p])] += variation.gradient[p] * slope;
}

}  // namespace detail

/// Evaluates terms of one force: one for each thread. T is a number type, or a SIMD type for a batch of terms.
/// `geometry(i, j)` is x_i - x_j of the term's i-th and j-th particles, of the nearest image if the force is periodic;
/// `geometry.position(i)` is x_i, and `geometry.nearest_image(d)` the difference d to the nearest image: only variables
/// and functions that depend on the place in space need them.
template <HasTerms F, class T> class TermEvaluator {
public:
    explicit TermEvaluator(FormulaOf<F> const& formula) : formula_(formula) {}

    template <class Geometry> TermValue<F, T> operator()(Geometry const& geometry, TermFields<F, T> const& fields,
                                                         FormulaParameters<F, T> const& parameters) const {
        using Source = FormulaArgument::Source;
        auto const variations = detail::variations_of<F, T>(geometry);
        constexpr auto arguments = formula_arguments<F>;
        auto argument = [&]<std::size_t n>(std::integral_constant<std::size_t, n>) -> T {
            if constexpr (arguments[n].source == Source::variable)
                return std::get<arguments[n].index>(variations).value;
            else if constexpr (arguments[n].source == Source::field)
                return fields[arguments[n].index];
            else
                return parameters[arguments[n].index];
        };
        TermValue<F, T> result;
        auto add_slope = [&]<std::size_t n>(std::integral_constant<std::size_t, n>, T const& slope) {
            if constexpr (constexpr auto index = arguments[n].index; arguments[n].source == Source::variable)
                detail::add_gradient(std::get<index>(F::variables), std::get<index>(variations), slope,
                                     result.gradient);
            else if constexpr (arguments[n].source == Source::parameter)
                result.parameter_slopes[index] = slope;
        };
        [&]<std::size_t... n>(std::index_sequence<n...>) {
            std::array<T, arguments.size()> const values{argument(std::integral_constant<std::size_t, n>{})...};
            auto const [energy, slopes] = formula_.template energy_and_slopes<T>(values);
            result.energy = energy;
            (add_slope(std::integral_constant<std::size_t, n>{}, slopes[n]), ...);
        }
        (std::make_index_sequence<arguments.size()>{});
        return result;
    }

private:
    FormulaOf<F> const& formula_;
};

/// The same for a formula of the run time.
template <HasTerms F, class T>
requires HasRuntimeTerms<F>
class TermEvaluator<F, T> {
public:
    explicit TermEvaluator(RuntimeFormula const& formula)
        : arguments_(formula.arguments()),
          evaluate_(formula.expression()),
          values_(arguments_.size()),
          slopes_(arguments_.size()) {
        value_.parameter_slopes.resize(formula.parameter_names().size());
    }

    template <class Geometry> TermValue<F, T> const& operator()(Geometry const& geometry, std::vector<T> const& fields,
                                                                std::vector<T> const& parameters) {
        using Source = FormulaArgument::Source;
        auto const variations = detail::variations_of<F, T>(geometry);
        auto const variable_values =
            std::apply([](auto const&... variation) { return std::array<T, sizeof...(variation)>{variation.value...}; },
                       variations);
        for (std::size_t n = 0; n < arguments_.size(); ++n) {
            auto const [source, index] = arguments_[n];
            values_[n] = source == Source::variable ? variable_values[index]
                         : source == Source::field  ? fields[index]
                                                    : parameters[index];
        }
        value_.energy = evaluate_(values_.data(), slopes_.data(), functions(geometry));
        std::array<T, variable_values.size()> variable_slopes{};
        for (std::size_t n = 0; n < arguments_.size(); ++n) {
            auto const [source, index] = arguments_[n];
            if (source == Source::variable) variable_slopes[index] = slopes_[n];
            if (source == Source::parameter) value_.parameter_slopes[index] = slopes_[n];
        }
        value_.gradient = {};
        [&]<std::size_t... v>(std::index_sequence<v...>) {
            (detail::add_gradient(std::get<v>(F::variables), std::get<v>(variations), variable_slopes[v],
                                  value_.gradient),
             ...);
        }
        (std::make_index_sequence<variable_slopes.size()>{});
        return value_;
    }

private:
    /// The functions that formulas of this force have beside those of the language.
    template <class Geometry> static auto functions(Geometry const& geometry) {
        if constexpr (requires(std::span<int const> orders, std::span<T const> operands) {
                          F::call(orders, operands, geometry);
                      })
            return [&geometry](int, std::span<int const> orders, std::span<T const> operands) {
                return F::call(orders, operands, geometry);
            };
        else
            return expression::NoCustomFunctions{};
    }

    std::vector<FormulaArgument> arguments_;
    Evaluator<T> evaluate_;
    std::vector<T> values_, slopes_;
    TermValue<F, T> value_;
};

}  // namespace trotter
