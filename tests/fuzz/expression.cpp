// Parses any bytes as an expression: it is evaluated, or throws ExpressionError with a column inside the text.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <trotter/expression/runtime_expression.hpp>
#include <trotter/expression/source.hpp>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string const text{reinterpret_cast<char const*>(data), size};
    try {
        trotter::RuntimeExpression const formula{text, trotter::AnyName{}, {{"f", 2}}};
        auto const count = formula.names().size();
        std::vector<double> arguments(count, 0.7), slopes(count);
        formula.energy_and_slopes<double>(arguments, slopes);
        std::vector<std::string> targets(count + 1, "out");
        if (trotter::expression::source(formula.unit(), formula.names(), targets).empty()) std::abort();
    } catch (trotter::ExpressionError const& error) {
        if (error.problem.column < 1 || static_cast<std::size_t>(error.problem.column) > size + 1) std::abort();
    }
    return 0;
}
