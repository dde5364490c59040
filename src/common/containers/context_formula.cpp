// An energy as a formula of variables computed by a kernel and of global parameters.
// SPDX-License-Identifier: MIT
#include <trotter/common/containers/context_formula.hpp>

#include <algorithm>
#include <utility>

#include <trotter/error.hpp>
#include <trotter/parts/terms/term_formula.hpp>

namespace trotter {

ContextFormula::ContextFormula(RuntimeExpression const& formula, std::vector<std::string> variables,
                               std::string_view what, std::vector<GlobalParameter> const& parameters,
                               std::vector<std::string> const& wanted, std::vector<TabulatedFunction> const& tables)
    : parameters_(parameters),
      wanted_(wanted),
      names_(formula.names()),
      variables_(variables.size()),
      tables_(tables),
      evaluate_(formula),
      arguments_(names_.size()),
      slopes_of_names_(names_.size()) {
    auto known = std::move(variables);
    for (auto const& parameter : parameters_) known.push_back(parameter.name);
    slopes_.resize(known.size());
    auto const what_is = [&](std::size_t n) {
        return n < variables_ ? std::string(what) + ' ' + std::to_string(n)
                              : "global parameter " + std::to_string(n - variables_);
    };
    for (std::size_t n = 0; n < known.size(); ++n)
        for (std::size_t k = 0; k < n; ++k)
            if (known[k] == known[n])
                throw InputError(what_is(n) + " has the name '" + known[n] + "', as " + what_is(k) + " has");
    for (auto const& name : names_) {
        auto const place = std::find(known.begin(), known.end(), name);
        if (place == known.end())
            throw InputError("the formula has the name '" + name + "', which is neither " + std::string(what)
                             + " nor a global parameter of the force");
        source_.push_back(static_cast<std::size_t>(place - known.begin()));
    }
    detail::check_derivative_names(wanted_, parameters_);
}

void ContextFormula::declare(HostState& host) const {
    for (auto const& [name, value] : parameters_) host.parameters.declare(name, value);
    for (auto const& name : wanted_) host.parameter_derivatives.emplace(name, 0);
}

void ContextFormula::check_same_parameters(ContextFormula const& other) const {
    auto const equal =
        std::equal(parameters_.begin(), parameters_.end(), other.parameters_.begin(), other.parameters_.end(),
                   [](auto const& a, auto const& b) { return a.name == b.name; });
    if (!equal || wanted_ != other.wanted_)
        throw InputError(
            "the global parameters, or those by which derivatives are wanted, are not what they were "
            "before; parameters of the Context cannot be updated");
}

double ContextFormula::operator()(std::vector<double> const& variables, GlobalParameters const& parameters) {
    for (std::size_t n = 0; n < names_.size(); ++n)
        arguments_[n] = source_[n] < variables_ ? variables[source_[n]] : parameters.value(names_[n]);
    double const energy = evaluate_(arguments_.data(), slopes_of_names_.data(), tables_);
    std::fill(slopes_.begin(), slopes_.end(), 0.0);
    for (std::size_t n = 0; n < names_.size(); ++n) slopes_[source_[n]] = slopes_of_names_[n];
    return energy;
}

void ContextFormula::add_derivatives(std::map<std::string, double>& to) const {
    for (auto const& name : wanted_)
        for (std::size_t n = 0; n < parameters_.size(); ++n)
            if (parameters_[n].name == name) to[name] += slopes_[variables_ + n];
}

}  // namespace trotter
