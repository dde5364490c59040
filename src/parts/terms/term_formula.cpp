// Resolves the names in runtime formulas of terms.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/parts/terms/term_formula.hpp>

namespace trotter {

namespace detail {

std::vector<std::string> coordinate_names(std::size_t points) {
    std::vector<std::string> result;
    for (std::size_t n = 1; n <= points; ++n)
        for (char const axis : {'x', 'y', 'z'}) result.push_back(axis + std::to_string(n));
    return result;
}

void check_derivative_names(std::vector<std::string> const& names, std::vector<GlobalParameter> const& declared) {
    for (auto const& name : names)
        if (std::none_of(declared.begin(), declared.end(), [&](auto const& known) { return known.name == name; }))
            throw InputError("a derivative by '" + name + "' is asked for, which is no global parameter of the force");
}

}  // namespace detail

RuntimeFormula::RuntimeFormula(RuntimeExpression const& energy, std::vector<TabulatedFunction> const& tables,
                               std::vector<std::string> const& coordinates, std::vector<std::string> const& fields)
    : term_size_(coordinates.size() / 3), expression_(energy), tables_(tables), arguments_(names().size()) {
    find_arguments(coordinates, fields);
}
RuntimeFormula::RuntimeFormula(RuntimeFormula const& other, RuntimeExpression const& expression)
    : term_size_(other.term_size_),
      expression_(expression),
      tables_(other.tables_),
      parameter_names_(other.parameter_names_) {
    for (auto const& name : names()) {
        auto const found = std::find(other.names().begin(), other.names().end(), name);
        bool const is_new = found == other.names().end();
        arguments_.push_back(is_new ? FormulaArgument{FormulaArgument::Source::parameter, parameter_names_.size()}
                                    : other.arguments_[static_cast<std::size_t>(found - other.names().begin())]);
        if (is_new) parameter_names_.push_back(name);
    }
}
void RuntimeFormula::find_arguments(std::vector<std::string> const& variables, std::vector<std::string> const& fields) {
    detail::find_arguments(names(), variables, fields, arguments_);
    for (std::size_t n = 0; n < arguments_.size(); ++n)
        if (arguments_[n].source == FormulaArgument::Source::parameter) parameter_names_.push_back(names()[n]);
}

}  // namespace trotter
