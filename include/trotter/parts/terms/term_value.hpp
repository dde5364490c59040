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
#include <trotter/parts/terms/term_formula.hpp>
#include <trotter/tables/tables.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// Energy of a term and its derivatives by the positions of its particles and by the formula's global parameters.
template <HasTerms F, class T> struct TermValue {
    T energy{};  ///< [kJ/mol]
    ForTerm<F, Vec3<T>> gradient{};  ///< derivative by each particle's position [kJ/mol/nm]
    FormulaParameters<F, T> parameter_slopes{};  ///< derivative by each global parameter of the formula
};

namespace detail {

template <HasTerms F, class T, class Geometry> auto variations_of(Geometry const& geometry) {
    return std::apply([&](auto const&... variable) { return std::tuple{variable.template vary<T>(geometry)...}; },
                      F::variables);
}
template <class Variable, class Variation, class T, class Geometry, std::size_t N>
void add_gradient(Variable const& variable, Variation const& variation, T const& slope, Geometry const& geometry,
                  std::array<Vec3<T>, N>& gradient) {
    for (std::size_t p = 0; p < variable.particles.size(); ++p)
        gradient[static_cast<std::size_t>(variable.particles[p])] += variation.gradient[p] * slope;
    if constexpr (requires { geometry.add_images(variable.particles, variation.gradient, slope); })
        geometry.add_images(variable.particles, variation.gradient, slope);
}

/// Variables of a runtime formula for one term, by index.
template <class F, class T> class RuntimeVariables {
public:
    template <class Geometry> RuntimeVariables(Geometry const& geometry, std::size_t) : variations_(variations_of<F, T>(geometry)) {}

    T value(std::size_t index) const {
        return std::apply([](auto const&... variation) { return std::array<T, sizeof...(variation)>{variation.value...}; },
                          variations_)[index];
    }
    template <class Geometry, class Gradient>
    void add_gradient(std::size_t index, T const& slope, Geometry const& geometry, Gradient& gradient) const {
        [&]<std::size_t... v>(std::index_sequence<v...>) {
            ((v == index
                  ? detail::add_gradient(std::get<v>(F::variables), std::get<v>(variations_), slope, geometry, gradient)
                  : void()),
             ...);
        }
        (std::make_index_sequence<std::tuple_size_v<Variations>>{});
    }

private:
    struct AnyGeometry {
        Vec3<T> operator()(int, int) const;
        Vec3<T> position(int) const;
    };
    using Variations = decltype(variations_of<F, T>(std::declval<AnyGeometry>()));
    Variations variations_;
};
/// The coordinates of all particles.
template <HasTermsOfAnySize F, class T> class RuntimeVariables<F, T> {
public:
    template <class Geometry> RuntimeVariables(Geometry const& geometry, std::size_t points) {
        for (std::size_t n = 0; n < points; ++n) positions_.push_back(geometry.position(static_cast<int>(n)));
    }
    T const& value(std::size_t index) const { return positions_[index / 3][index % 3]; }
    template <class Geometry>
    void add_gradient(std::size_t index, T const& slope, Geometry const&, std::vector<Vec3<T>>& gradient) const {
        gradient[index / 3][index % 3] += slope;
    }

private:
    std::vector<Vec3<T>> positions_;
};

/// Custom functions of a formula: tables first, then those of the force. In device code `geometry.look_up` evaluates
/// tables.
template <HasTerms F, class T, class Geometry> auto term_functions(Tables const& tables, Geometry const& geometry) {
    return [&](int function, std::span<T const* const> operands, std::span<T* const> results, std::size_t lanes) {
        auto const count = static_cast<int>(tables.count());
        if (function < count) {
            if constexpr (requires { geometry.look_up(tables, function, operands, results); })
                geometry.look_up(tables, function, operands, results);
            else
                tables(function, operands, results, lanes);
        } else if constexpr (requires(std::span<T const> x, std::span<T> slopes) { F::call(0, x, slopes, geometry); }) {
            expression::LaneByLane([&](int own, std::span<T const> x, std::span<T> slopes) {
                return F::call(own - count, x, slopes, geometry);
            })(function, operands, results, lanes);
        }
    };
}

}  // namespace detail

/// Evaluates terms of one force; each thread needs its own. T is a number type, or a SIMD type for a batch of terms.
/// `geometry(i, j)` is x_i - x_j of the term's i-th and j-th particles, the minimum image if the force is periodic;
/// `geometry.position(i)` is x_i, and `geometry.nearest_image(d)` the minimum image of d: only variables and functions
/// of absolute positions need them. If `geometry` has `add_images(points, gradient, slope)`, it is called for each
/// variable, with the derivative of the energy by it.
template <HasTerms F, class T> class TermEvaluator {
public:
    /// Keeps a reference to the formula.
    explicit TermEvaluator(FormulaOf<F> const& formula) : formula_(formula) {}

    /// Evaluates one term, or a SIMD batch of terms; global parameters in the order of the formula.
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
                detail::add_gradient(std::get<index>(F::variables), std::get<index>(variations), slope, geometry,
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

/// The same for a runtime formula.
template <HasTerms F, class T>
requires HasRuntimeTerms<F>
class TermEvaluator<F, T> {
public:
    /// Keeps a reference to the formula's tables and work space for one term.
    explicit TermEvaluator(RuntimeFormula const& formula)
        : arguments_(formula.arguments()),
          term_size_(formula.term_size()),
          tables_(&formula.tables()),
          evaluate_(formula.expression()),
          values_(arguments_.size()),
          slopes_(arguments_.size()) {
        value_.parameter_slopes.resize(formula.parameter_names().size());
    }

    /// As above; the result is valid until the next call.
    template <class Geometry> TermValue<F, T> const& operator()(Geometry const& geometry, std::vector<T> const& fields,
                                                                std::vector<T> const& parameters) {
        using Source = FormulaArgument::Source;
        auto const variables = detail::RuntimeVariables<F, T>(geometry, term_size_);
        for (std::size_t n = 0; n < arguments_.size(); ++n) {
            auto const [source, index] = arguments_[n];
            values_[n] = source == Source::variable ? variables.value(index)
                         : source == Source::field  ? fields[index]
                                                    : parameters[index];
        }
        value_.energy = evaluate_(values_.data(), slopes_.data(), functions(geometry));
        value_.gradient = zeros<ForTerm<F, Vec3<T>>>(term_size_);
        for (std::size_t n = 0; n < arguments_.size(); ++n) {
            auto const [source, index] = arguments_[n];
            if (source == Source::variable) variables.add_gradient(index, slopes_[n], geometry, value_.gradient);
            if (source == Source::parameter) value_.parameter_slopes[index] = slopes_[n];
        }
        return value_;
    }

private:
    /// Functions available to this force's formulas in addition to the built-in ones.
    template <class Geometry> auto functions(Geometry const& geometry) const { return detail::term_functions<F, T>(*tables_, geometry); }

    std::vector<FormulaArgument> arguments_;
    std::size_t term_size_;
    Tables const* tables_;
    Evaluator<T> evaluate_;
    std::vector<T> values_, slopes_;
    TermValue<F, T> value_;
};

}  // namespace trotter
