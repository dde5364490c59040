// The operations of expressions, and their names in formulas.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

namespace trotter::expression {

/// The operation of a node or an instruction.
enum class Op : unsigned char {
    constant, limit, variable, custom, argument,
    add, subtract, multiply, divide, power, power_constant, negate, reciprocal,
    sqrt, exp, log, sin, cos, sec, csc, tan, cot, asin, acos, atan, atan2, sinh, cosh, tanh,
    erf, erfc, step, delta, min, max, abs, floor, ceil, select,
};

inline constexpr int operation_count = static_cast<int>(Op::select) + 1;  ///< one more than the last operation

/// Number of operands of `op`; 0 for leaves.
constexpr int operand_count(Op op) {
    switch (op) {
    case Op::constant: case Op::limit: case Op::variable: case Op::custom: return 0;
    case Op::argument: case Op::add: case Op::subtract: case Op::multiply: case Op::divide:
    case Op::power: case Op::atan2: case Op::min: case Op::max: return 2;
    case Op::select: return 3;
    default: return 1;
    }
}

/// A function of the language. `exponent` is set for powers: square, cube, recip.
struct NamedFunction {
    std::string_view name;  ///< in formulas
    Op op = Op::constant;  ///< its operation
    int arguments = 1;  ///< number of operands
    double exponent = 0;  ///< of an `Op::power_constant`
};

/// The functions of the language.
inline constexpr std::array<NamedFunction, 29> named_functions{{
    {"sqrt", Op::sqrt}, {"exp", Op::exp}, {"log", Op::log},
    {"sin", Op::sin}, {"cos", Op::cos}, {"sec", Op::sec}, {"csc", Op::csc}, {"tan", Op::tan}, {"cot", Op::cot},
    {"asin", Op::asin}, {"acos", Op::acos}, {"atan", Op::atan}, {"atan2", Op::atan2, 2},
    {"sinh", Op::sinh}, {"cosh", Op::cosh}, {"tanh", Op::tanh}, {"erf", Op::erf}, {"erfc", Op::erfc},
    {"step", Op::step}, {"delta", Op::delta},
    {"square", Op::power_constant, 1, 2}, {"cube", Op::power_constant, 1, 3}, {"recip", Op::power_constant, 1, -1},
    {"min", Op::min, 2}, {"max", Op::max, 2}, {"abs", Op::abs}, {"floor", Op::floor}, {"ceil", Op::ceil},
    {"select", Op::select, 3},
}};

/// A user-defined function, evaluated through a callback.
struct CustomFunction {
    std::string_view name;  ///< in formulas
    int arguments = 1;  ///< number of operands
    bool is_piecewise_constant = false;  ///< its derivatives are 0 wherever they exist
};

}  // namespace trotter::expression
