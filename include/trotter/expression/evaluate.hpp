// Evaluates each operation in any arithmetic type: double, float, or a batch of SIMD lanes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include <trotter/expression/operation.hpp>

namespace trotter::expression {

/// `value` as a T. A batch type with a `value_type` is constructed from one of those, so nothing is narrowed silently.
template <class T>
constexpr T constant(double value) {
    if constexpr (requires { typename T::value_type; }) return T(static_cast<typename T::value_type>(value));
    else return static_cast<T>(value);
}

/// Arguments of `limit` besides roots, which are values of an `Op::limit`.
inline constexpr double smallest_positive = 0, smallest_normal = -1, reciprocal_square_overflows = -2;

/// A limit of the arithmetic type: for `root` n > 0, a power of two whose n-th power is finite even times some
/// thousands; `smallest_positive`, in float the smallest normal number; `smallest_normal`; for
/// `reciprocal_square_overflows`, x so small that 1/x is finite and 1/x² is not.
template <class T>
constexpr T limit(double root) {
    if constexpr (std::is_floating_point_v<T>) {
        using Limits = std::numeric_limits<T>;
        if (root == reciprocal_square_overflows) return static_cast<T>(sizeof(T) == sizeof(float) ? 1e-30 : 1e-200);
        if (root == smallest_normal) return Limits::min();
        if (root == smallest_positive) return sizeof(T) == sizeof(float) ? Limits::min() : Limits::denorm_min();
        T power = 1;
        for (int n = (Limits::max_exponent - 14) / static_cast<int>(root); n > 0; --n) power *= 2;
        return power;
    } else if constexpr (requires { T::limit(root); }) return T::limit(root);
    else return T(limit<typename T::value_type>(root));
}

/// a where `mask` is true and b elsewhere. For a batch, `select(mask, a, b)` is found in the batch's namespace; `mask`
/// is the result of its operators < and ==.
template <class Mask, class T>
constexpr T choose(Mask const& mask, T const& a, T const& b) {
    if constexpr (std::is_arithmetic_v<T>) return mask ? a : b;
    else return select(mask, a, b);
}

/// The value of `op` for operands x, y, z (unused ones are ignored). As in OpenMM's compiled formulas, step(NaN) is 0,
/// and min and max return the second operand if one is NaN. A batch type needs the arithmetic operators, <, <=, ==,
/// `select`, and those functions of `<cmath>` that the expression uses, all found in its namespace; formulas inherit
/// their treatment of huge, tiny or infinite numbers, of NaN, 0 and -0.
template <Op op, class T>
[[gnu::always_inline]] constexpr T apply(T const& x, [[maybe_unused]] T const& y, [[maybe_unused]] T const& z) {
    using std::sqrt, std::exp, std::log, std::pow, std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::atan2,
        std::sinh, std::cosh, std::tanh, std::erf, std::erfc, std::abs, std::floor, std::ceil;
    if constexpr (op == Op::add) return x + y;
    else if constexpr (op == Op::subtract) return x - y;
    else if constexpr (op == Op::multiply) return x * y;
    else if constexpr (op == Op::divide) return x / y;
    else if constexpr (op == Op::power) return pow(x, y);
    else if constexpr (op == Op::negate) return -x;
    else if constexpr (op == Op::reciprocal) return constant<T>(1) / x;
    else if constexpr (op == Op::sqrt) return sqrt(x);
    else if constexpr (op == Op::exp) return exp(x);
    else if constexpr (op == Op::log) return log(x);
    else if constexpr (op == Op::sin) return sin(x);
    else if constexpr (op == Op::cos) return cos(x);
    else if constexpr (op == Op::sec) return constant<T>(1) / cos(x);
    else if constexpr (op == Op::csc) return constant<T>(1) / sin(x);
    else if constexpr (op == Op::tan) return tan(x);
    else if constexpr (op == Op::cot) return constant<T>(1) / tan(x);
    else if constexpr (op == Op::asin) return asin(x);
    else if constexpr (op == Op::acos) return acos(x);
    else if constexpr (op == Op::atan) return atan(x);
    else if constexpr (op == Op::atan2) return atan2(x, y);
    else if constexpr (op == Op::sinh) return sinh(x);
    else if constexpr (op == Op::cosh) return cosh(x);
    else if constexpr (op == Op::tanh) return tanh(x);
    else if constexpr (op == Op::erf) return erf(x);
    else if constexpr (op == Op::erfc) return erfc(x);
    else if constexpr (op == Op::step) return choose(constant<T>(0) <= x, constant<T>(1), constant<T>(0));
    else if constexpr (op == Op::delta) return choose(x == constant<T>(0), constant<T>(1), constant<T>(0));
    else if constexpr (op == Op::min && requires { lesser(x, y); }) return lesser(x, y);
    else if constexpr (op == Op::min) return choose(x < y, x, y);
    else if constexpr (op == Op::max) return choose(y < x, x, y);
    else if constexpr (op == Op::abs) return abs(x);
    else if constexpr (op == Op::floor) return floor(x);
    else if constexpr (op == Op::ceil) return ceil(x);
    else if constexpr (op == Op::select) return choose(x == constant<T>(0), z, y);
    else static_assert(op == Op::add, "this operation is no function of its operands alone");
}

/// Whether `apply<op>` exists: the leaves, custom functions and unlowered powers need more than their operands.
constexpr bool applicable(Op op) {
    return op != Op::constant && op != Op::limit && op != Op::variable && op != Op::custom && op != Op::argument && op != Op::power_constant;
}

}  // namespace trotter::expression
