// A number that writes itself down: physics stated in C++ for any number type becomes device text.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include <trotter/expression/evaluate.hpp>
#include <trotter/expression/literal.hpp>

namespace trotter::device {

/// The statements so far, one temporary for each operation; an operation that was written before is not written again.
class Statements {
public:
    /// `prefix` begins the names of temporaries; `suffix` ends literals; `type` is that of numbers.
    Statements(std::string prefix, std::string suffix, std::string type = "real")
        : style_{std::move(type), std::move(prefix), std::move(suffix)} {}

    /// The name of a temporary that holds what `right_hand_side` says; `dimensions` makes it a vector of the type.
    std::string const& name(std::string const& right_hand_side, std::string const& dimensions = "");
    void add(std::string const& statement) { text_ += statement + '\n'; }
    /// Forgets which operations were written, where variables have changed since.
    void forget() { forgotten_ += names_.size(), names_.clear(); }
    std::string literal(double value) const { return expression::literal(value, style_); }
    std::string limit_literal(double root) const { return expression::limit_literal(root, style_); }
    std::string const& text() const { return text_; }

private:
    expression::SourceStyle style_;
    std::map<std::string, std::string> names_;
    std::size_t forgotten_ = 0;
    std::string text_;
};

/// The outcome of a comparison.
struct TracedCondition {
    Statements* statements = nullptr;
    std::string text;
};

/// A constant, or a name in `Statements`. Follows the rules of arithmetic types, so that templates over them take it;
/// sums with 0 and products with 1 are simplified, and constants folded.
class Traced {
public:
    using value_type = double;

    Traced(double value = 0) : value_(value) {}
    Traced(Statements& statements, std::string name) : statements_(&statements), name_(std::move(name)) {}

    /// See `expression::limit`; of whatever type the statements are in.
    static Traced limit(double root) {
        Traced result(expression::limit<double>(root));
        result.limit_of_ = root;
        return result;
    }

    bool is_constant() const { return statements_ == nullptr; }
    bool is(double value) const { return is_constant() && value_ == value; }
    std::string text(Statements const& statements) const {
        if (limit_of_) return statements.limit_literal(*limit_of_);
        return is_constant() ? statements.literal(value_) : name_;
    }

    Traced& operator+=(Traced const& b) { return *this = *this + b; }
    Traced& operator-=(Traced const& b) { return *this = *this - b; }
    Traced& operator*=(Traced const& b) { return *this = *this * b; }

    friend Traced operator-(Traced const& a) { return a.is_constant() ? Traced(-a.value_) : write(a, a, "-" + a.name_); }
    friend Traced operator+(Traced const& a, Traced const& b) {
        if (a.is_constant() && b.is_constant()) return a.value_ + b.value_;
        if (a.is(0)) return b;
        if (b.is(0)) return a;
        return binary(a, " + ", b);
    }
    friend Traced operator-(Traced const& a, Traced const& b) {
        if (a.is_constant() && b.is_constant()) return a.value_ - b.value_;
        if (a.is(0)) return -b;
        if (b.is(0)) return a;
        return binary(a, " - ", b);
    }
    friend Traced operator*(Traced const& a, Traced const& b) {
        if (a.is_constant() && b.is_constant()) return a.value_ * b.value_;
        if (a.is(1)) return b;
        if (b.is(1)) return a;
        if (a.is(0) || b.is(0)) return 0;
        return binary(a, "*", b);
    }
    friend Traced operator/(Traced const& a, Traced const& b) {
        if (a.is_constant() && b.is_constant()) return a.value_ / b.value_;
        if (b.is(1)) return a;
        return binary(a, "/", b);
    }
    friend TracedCondition operator<(Traced const& a, Traced const& b) { return compare(a, " < ", b); }
    friend TracedCondition operator<=(Traced const& a, Traced const& b) { return compare(a, " <= ", b); }
    friend TracedCondition operator==(Traced const& a, Traced const& b) { return compare(a, " == ", b); }
    friend Traced select(TracedCondition const& condition, Traced const& a, Traced const& b) {
        auto& s = *condition.statements;
        return {s, s.name('(' + condition.text + " ? " + a.text(s) + " : " + b.text(s) + ')')};
    }
    friend Traced lesser(Traced const& a, Traced const& b) {
        if (a.is_constant() && b.is_constant()) return a.value_ < b.value_ ? a : b;
        return select(a < b, a, b);
    }
    friend Traced max(Traced const& a, Traced const& b) {
        return a.is_constant() && b.is_constant() ? std::max(a.value_, b.value_) : call("fmax", a, b);
    }
    friend Traced min(Traced const& a, Traced const& b) {
        return a.is_constant() && b.is_constant() ? std::min(a.value_, b.value_) : call("fmin", a, b);
    }
    friend Traced pow(Traced const& a, Traced const& b) { return call("pow", a, b); }
    friend Traced atan2(Traced const& a, Traced const& b) {
        return a.is_constant() && b.is_constant() ? std::atan2(a.value_, b.value_) : call("atan2", a, b);
    }
    friend Traced sqrt(Traced const& x) { return x.is_constant() ? std::sqrt(x.value_) : call("sqrt", x); }
    friend Traced exp(Traced const& x) { return call("exp", x); }
    friend Traced expm1(Traced const& x) { return call("expm1", x); }
    friend Traced log(Traced const& x) { return call("log", x); }
    friend Traced sin(Traced const& x) { return call("sin", x); }
    friend Traced cos(Traced const& x) { return call("cos", x); }
    friend Traced tan(Traced const& x) { return call("tan", x); }
    friend Traced asin(Traced const& x) { return call("asin", x); }
    friend Traced acos(Traced const& x) { return call("acos", x); }
    friend Traced atan(Traced const& x) { return call("atan", x); }
    friend Traced sinh(Traced const& x) { return call("sinh", x); }
    friend Traced cosh(Traced const& x) { return call("cosh", x); }
    friend Traced tanh(Traced const& x) { return call("tanh", x); }
    friend Traced erf(Traced const& x) { return call("erf", x); }
    friend Traced erfc(Traced const& x) { return call("erfc", x); }
    friend Traced abs(Traced const& x) { return call("fabs", x); }
    friend Traced floor(Traced const& x) { return call("floor", x); }
    friend Traced ceil(Traced const& x) { return call("ceil", x); }

    /// Value and slopes of a CMAP term, by the function `cmap` of device text.
    friend std::array<Traced, 3> look_up_cmap(Traced const& phi, Traced const& psi, Traced const& map) {
        auto& s = *phi.statements_;
        std::string const name = s.name("cmap(" + phi.text(s) + ", " + psi.text(s) + ", " + map.text(s) + ", cmap_knots, MAP_SIZES)", "4");
        return {Traced{s, name + ".x"}, Traced{s, name + ".y"}, Traced{s, name + ".z"}};
    }

private:
    static Statements& of(Traced const& a, Traced const& b) { return a.is_constant() ? *b.statements_ : *a.statements_; }
    static Traced write(Traced const& a, Traced const& b, std::string const& right_hand_side) {
        auto& s = of(a, b);
        return {s, s.name(right_hand_side)};
    }
    static Traced binary(Traced const& a, char const* sign, Traced const& b) {
        auto const& s = of(a, b);
        return write(a, b, a.text(s) + sign + b.text(s));
    }
    static TracedCondition compare(Traced const& a, char const* sign, Traced const& b) {
        auto& s = of(a, b);
        return {&s, a.text(s) + sign + b.text(s)};
    }
    static Traced call(char const* function, Traced const& x) {
        return write(x, x, std::string(function) + '(' + x.name_ + ')');
    }
    static Traced call(char const* function, Traced const& a, Traced const& b) {
        auto const& s = of(a, b);
        return write(a, b, std::string(function) + '(' + a.text(s) + ", " + b.text(s) + ')');
    }

    Statements* statements_ = nullptr;
    std::string name_;
    double value_ = 0;
    std::optional<double> limit_of_;  // what the value is a limit of, if it is one
};

}  // namespace trotter::device
