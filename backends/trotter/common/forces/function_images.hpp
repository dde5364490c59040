// What functions in formulas that look at periodic images hand to the virial.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/base/tensor.hpp>
#include <trotter/parts/terms/term_value.hpp>

namespace trotter {

/// The formula with nine more operands for each of these functions: the elements of a strain of the box.
RuntimeExpression with_strain(RuntimeFormula const& formula, std::vector<expression::CustomFunction> const& functions);

/// The derivatives of a formula by a strain of the box, where positions stay: the chain rule is the expression's, since
/// each function that looks at images gets nine more operands, the elements of the strain, by which it knows its own
/// derivatives. They are parameters of the formula.
template <HasRuntimeTerms F> class FunctionImages {
public:
    /// `parameters` are the values of those of `formula`.
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

    /// What one term adds to `HostState::box_virial`.
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
