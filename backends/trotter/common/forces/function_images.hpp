// Virial of functions in formulas that use the minimum image.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/base/tensor.hpp>
#include <trotter/parts/terms/term_value.hpp>

namespace trotter {

/// Returns the formula with nine more arguments for each of these functions: the elements of a strain of the box.
RuntimeExpression with_strain(RuntimeFormula const& formula, std::vector<expression::CustomFunction> const& functions);

/// Derivatives of a formula by a strain of the box at fixed positions: each function that uses minimum images gets nine
/// more arguments, the elements of the strain, with known derivatives, and the expression applies the chain rule. They
/// are parameters of the formula.
template <HasRuntimeTerms F> class FunctionImages {
public:
    /// `parameters` are the parameter values of `formula`.
    FunctionImages(RuntimeFormula const& formula, std::vector<double> const& parameters)
        : formula_(formula, with_strain(formula, F::image_functions())),
          evaluate_(formula_),
          first_(parameters.size()),
          parameters_(parameters) {
        parameters_.resize(formula_.parameter_names().size());
    }
    // `evaluate_` refers to `formula_`.
    FunctionImages(FunctionImages const&) = delete;
    FunctionImages& operator=(FunctionImages const&) = delete;

    /// Contribution of one term to `HostState::box_virial`.
    template <class Geometry> Tensor operator()(Geometry const& geometry, std::vector<double> const& fields) {
        auto const& slopes = evaluate_(geometry, fields, parameters_).parameter_slopes;
        Tensor result;
        for (std::size_t n = first_; n < slopes.size(); ++n) result[(n - first_) / 3][(n - first_) % 3] = -slopes[n];
        return result;
    }

private:
    RuntimeFormula formula_;
    TermEvaluator<F, double> evaluate_;
    std::size_t first_;
    std::vector<double> parameters_;
};

}  // namespace trotter
