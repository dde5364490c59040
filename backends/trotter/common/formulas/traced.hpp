// Number type that records its operations: turns C++ templates over number types into device text or register programs.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <utility>

#include <trotter/expression/fold.hpp>

namespace trotter {

/// A constant, or a value named by a `Sink`. Behaves like an arithmetic type; sums with 0 and products with 1 are
/// simplified, constants folded. A sink has a type `Name`, and returns the name of the result of `write(op, name,
/// name)`, of `constant(value)`, and of `limit(root)` if that depends on the type.
template <class Sink> class Traced {
    using Op = expression::Op;

public:
    using value_type = double;
    using Name = typename Sink::Name;

    Traced(double value = 0) : value_(value) {}
    Traced(Sink& sink, Name name) : sink_(&sink), name_(std::move(name)) {}

    /// See `expression::limit`; of the sink's type.
    static Traced limit(double root) {
        Traced result(expression::limit<double>(root));
        result.limit_of_ = root;
        return result;
    }

    bool is_constant() const { return sink_ == nullptr; }
    bool is(double value) const { return is_constant() && value_ == value; }
    double value() const { return value_; }  ///< valid for constants
    /// The sink of an operand that is not constant.
    static Sink& sink(Traced const& a, Traced const& b) { return a.is_constant() ? *b.sink_ : *a.sink_; }
    Name name(auto& sink) const {
        if constexpr (requires { sink.limit(value_); })
            if (limit_of_) return sink.limit(*limit_of_);
        return is_constant() ? sink.constant(value_) : name_;
    }

    Traced& operator+=(Traced const& b) { return *this = *this + b; }
    Traced& operator-=(Traced const& b) { return *this = *this - b; }
    Traced& operator*=(Traced const& b) { return *this = *this * b; }

    friend Traced operator-(Traced const& a) { return write(Op::negate, a); }
    friend Traced operator+(Traced const& a, Traced const& b) {
        if (!b.is_constant() && a.is(0)) return b;
        if (!a.is_constant() && b.is(0)) return a;
        return write(Op::add, a, b);
    }
    friend Traced operator-(Traced const& a, Traced const& b) {
        if (!b.is_constant() && a.is(0)) return -b;
        if (!a.is_constant() && b.is(0)) return a;
        return write(Op::subtract, a, b);
    }
    friend Traced operator*(Traced const& a, Traced const& b) {
        if (a.is_constant() && b.is_constant()) return a.value_ * b.value_;
        if (a.is(1)) return b;
        if (b.is(1)) return a;
        if (a.is(0) || b.is(0)) return 0;
        return write(Op::multiply, a, b);
    }
    friend Traced operator/(Traced const& a, Traced const& b) {
        if (!a.is_constant() && b.is(1)) return a;
        return write(Op::divide, a, b);
    }
    friend Traced max(Traced const& a, Traced const& b) { return write(Op::max, a, b); }
    friend Traced min(Traced const& a, Traced const& b) { return write(Op::min, a, b); }
    friend Traced pow(Traced const& a, Traced const& b) { return write(Op::power, a, b); }
    friend Traced atan2(Traced const& a, Traced const& b) { return write(Op::atan2, a, b); }
    friend Traced sqrt(Traced const& x) { return write(Op::sqrt, x); }
    friend Traced exp(Traced const& x) { return write(Op::exp, x); }
    friend Traced log(Traced const& x) { return write(Op::log, x); }
    friend Traced sin(Traced const& x) { return write(Op::sin, x); }
    friend Traced cos(Traced const& x) { return write(Op::cos, x); }
    friend Traced tan(Traced const& x) { return write(Op::tan, x); }
    friend Traced asin(Traced const& x) { return write(Op::asin, x); }
    friend Traced acos(Traced const& x) { return write(Op::acos, x); }
    friend Traced atan(Traced const& x) { return write(Op::atan, x); }
    friend Traced sinh(Traced const& x) { return write(Op::sinh, x); }
    friend Traced cosh(Traced const& x) { return write(Op::cosh, x); }
    friend Traced tanh(Traced const& x) { return write(Op::tanh, x); }
    friend Traced erf(Traced const& x) { return write(Op::erf, x); }
    friend Traced erfc(Traced const& x) { return write(Op::erfc, x); }
    friend Traced abs(Traced const& x) { return write(Op::abs, x); }
    friend Traced floor(Traced const& x) { return write(Op::floor, x); }
    friend Traced ceil(Traced const& x) { return write(Op::ceil, x); }

private:
    static Traced write(Op op, Traced const& a) {
        if (a.is_constant()) return expression::fold(op, a.value_).value;
        return {*a.sink_, a.sink_->write(op, a.name_, a.name_)};
    }
    static Traced write(Op op, Traced const& a, Traced const& b) {
        if (a.is_constant() && b.is_constant()) return expression::fold(op, a.value_, b.value_).value;
        Sink& to = sink(a, b);
        Name const first = a.name(to), second = b.name(to);  // fixed order of evaluation
        return {to, to.write(op, first, second)};
    }

    Sink* sink_ = nullptr;
    Name name_{};
    double value_ = 0;
    std::optional<double> limit_of_;  // argument of `limit`, if it is one
};

}  // namespace trotter
