// Constant folding; at compile time limited to operations that the compiler can evaluate.
// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>

#include <trotter/expression/evaluate.hpp>
#include <trotter/expression/operation.hpp>

namespace trotter::expression {

inline constexpr double largest_chained_exponent = 128;  ///< beyond it pow is more accurate than a chain of products

/// Whether x^exponent is computed as products (of 1/x if it is negative).
constexpr bool is_chained(double exponent) {
    return exponent >= -largest_chained_exponent && exponent <= largest_chained_exponent &&
           exponent == static_cast<double>(static_cast<int>(exponent));
}

/// x^n by repeated squaring.
constexpr double integer_power(double x, int n) {
    double result = 1;
    for (int rest = n < 0 ? -n : n; rest > 0; rest /= 2, x *= rest > 0 ? x : 1)
        if (rest % 2) result *= x;
    return n < 0 ? 1 / result : result;
}

/// A constant, or none if only the run time can compute it.
struct Folded {
    bool known = false;  ///< whether the result is a constant
    double value = 0;  ///< that constant
};

namespace detail {
template <int... ops>
Folded fold_at_run_time(Op op, double x, double y, double z, std::integer_sequence<int, ops...>) {
    Folded folded;
    auto const attempt = [&]<Op candidate>() {
        if constexpr (applicable(candidate))
            if (op == candidate) folded = {true, apply<candidate>(x, y, z)};
    };
    (attempt.template operator()<static_cast<Op>(ops)>(), ...);
    return folded;
}
}  // namespace detail

/// `op` of constants; for `power_constant`, y is the exponent.
constexpr Folded fold(Op op, double x, double y = 0, double z = 0) {
    // Between these no product or quotient overflows, which would end constant evaluation.
    constexpr double huge = 1e150, tiny = 1e-150;
    auto const tame = [](double v) { return v == 0 || (v > tiny && v < huge) || (v < -tiny && v > -huge); };
    if (op == Op::power_constant && is_chained(y) && (!std::is_constant_evaluated() || ((x > 0.1 && x < 10) || (x < -0.1 && x > -10))))
        return {true, integer_power(x, static_cast<int>(y))};
    if (!std::is_constant_evaluated()) {
        if (op == Op::power_constant) op = Op::power;
        return detail::fold_at_run_time(op, x, y, z, std::make_integer_sequence<int, operation_count>{});
    }
    bool const safe = tame(x) && tame(y);
    switch (op) {
    case Op::add: if (safe) return {true, x + y}; break;
    case Op::subtract: if (safe) return {true, x - y}; break;
    case Op::multiply: if (safe) return {true, x * y}; break;
    case Op::divide: if (safe && y != 0) return {true, x / y}; break;
    case Op::negate: return {true, -x};
    case Op::step: return {true, apply<Op::step>(x, y, z)};
    case Op::delta: return {true, apply<Op::delta>(x, y, z)};
    case Op::min: return {true, apply<Op::min>(x, y, z)};
    case Op::max: return {true, apply<Op::max>(x, y, z)};
    case Op::abs: return {true, x < 0 ? -x : x};
    case Op::select: return {true, apply<Op::select>(x, y, z)};
    default: break;
    }
    return {};
}

}  // namespace trotter::expression
