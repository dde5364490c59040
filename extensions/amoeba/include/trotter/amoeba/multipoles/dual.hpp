// Numbers with derivatives.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>

namespace trotter::amoeba {

/// A value and its derivatives by `count` variables, which arithmetic carries on by the chain rule.
template <std::size_t count, class T = double> struct Dual {
    T value{};                     ///< the number
    std::array<T, count> slope{};  ///< its derivatives

    constexpr Dual() = default;
    /// A constant.
    constexpr explicit Dual(T const& constant) : value(constant) {}
    /// The variable `index`.
    static constexpr Dual variable(T const& value, std::size_t index) {
        Dual result(value);
        result.slope[index] = T(1);
        return result;
    }
    /// f(a) with f and its derivative at a.
    static constexpr Dual function(Dual const& a, T const& f, T const& derivative) {
        Dual result(f);
        for (std::size_t n = 0; n < count; ++n) result.slope[n] = derivative * a.slope[n];
        return result;
    }

    ///@{
    /// As numbers.
    constexpr Dual& operator+=(Dual const& b) { return *this = *this + b; }
    constexpr Dual& operator-=(Dual const& b) { return *this = *this - b; }
    constexpr Dual& operator*=(Dual const& b) { return *this = *this * b; }
    friend constexpr Dual operator+(Dual const& a, Dual const& b) {
        return joined(a.value + b.value, a, T(1), b, T(1));
    }
    friend constexpr Dual operator-(Dual const& a, Dual const& b) {
        return joined(a.value - b.value, a, T(1), b, T(-1));
    }
    friend constexpr Dual operator-(Dual const& a) { return function(a, -a.value, T(-1)); }
    friend constexpr Dual operator*(Dual const& a, Dual const& b) {
        return joined(a.value * b.value, a, b.value, b, a.value);
    }
    friend constexpr Dual operator/(Dual const& a, Dual const& b) {
        T const inverse = T(1) / b.value, quotient = a.value * inverse;
        return joined(quotient, a, inverse, b, -quotient * inverse);
    }
    friend Dual sqrt(Dual const& a) {
        using std::sqrt;
        T const root = sqrt(a.value);
        return function(a, root, T(0.5) / root);
    }
    friend Dual exp(Dual const& a) {
        using std::exp;
        T const e = exp(a.value);
        return function(a, e, e);
    }
    friend Dual tanh(Dual const& a) {
        using std::tanh;
        T const t = tanh(a.value);
        return function(a, t, T(1) - t * t);
    }
    ///@}

private:
    static constexpr Dual joined(T const& value, Dual const& a, T const& by_a, Dual const& b, T const& by_b) {
        Dual result(value);
        for (std::size_t n = 0; n < count; ++n) result.slope[n] = by_a * a.slope[n] + by_b * b.slope[n];
        return result;
    }
};

///@{
/// The value without derivatives.
template <std::size_t count, class T> constexpr T const& value_of(Dual<count, T> const& a) { return a.value; }
template <class T> constexpr T const& value_of(T const& a) { return a; }
///@}

/// `a` if the condition holds, else `b`.
template <class T> constexpr T select(bool condition, T const& a, T const& b) { return condition ? a : b; }
/// The same for a condition that is not known before a kernel runs.
template <class Condition, std::size_t count, class T>
requires(!std::same_as<Condition, bool>) Dual<count, T> select(Condition const& condition, Dual<count, T> const& a,
                                                               Dual<count, T> const& b) {
    Dual<count, T> result(select(condition, a.value, b.value));
    for (std::size_t n = 0; n < count; ++n) result.slope[n] = select(condition, a.slope[n], b.slope[n]);
    return result;
}

}  // namespace trotter::amoeba
