// Numbers that record operations as kernel source.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <map>
#include <string>

#include <trotter/common/formulas/traced.hpp>
#include <trotter/expression/literal.hpp>

namespace trotter::device {

/// The statements so far, one temporary per operation; repeated operations reuse their temporary.
class Statements {
public:
    using Name = std::string;

    /// `prefix` begins the names of temporaries; `suffix` ends literals; `type` is the number type.
    Statements(std::string prefix, std::string suffix, std::string type = "real")
        : style_{std::move(type), std::move(prefix), std::move(suffix)} {}

    /// Returns a temporary with the value of `right_hand_side`; `dimensions` makes it a vector of the type.
    std::string const& name(std::string const& right_hand_side, std::string const& dimensions = "");
    void add(std::string const& statement) { text_ += statement + '\n'; }
    /// Stops reuse of earlier temporaries, since variables have changed.
    void forget() { forgotten_ += names_.size(), names_.clear(); }
    /// Returns the temporary with an operation's result.
    Name const& write(expression::Op op, Name const& x, Name const& y);
    Name constant(double value) const { return expression::literal(value, style_); }
    Name limit(double root) const { return expression::limit_literal(root, style_); }
    std::string const& text() const { return text_; }

private:
    expression::SourceStyle style_;
    std::map<std::string, std::string> names_;
    std::size_t forgotten_ = 0;
    std::string text_;
};

using Traced = trotter::Traced<Statements>;

/// The result of a comparison.
struct TracedCondition {
    Statements* statements = nullptr;
    std::string text;
};
inline TracedCondition compare(Traced const& a, char const* sign, Traced const& b) {
    auto& s = Traced::sink(a, b);
    return {&s, a.name(s) + sign + b.name(s)};
}
inline TracedCondition operator<(Traced const& a, Traced const& b) { return compare(a, " < ", b); }
inline TracedCondition operator<=(Traced const& a, Traced const& b) { return compare(a, " <= ", b); }
inline TracedCondition operator==(Traced const& a, Traced const& b) { return compare(a, " == ", b); }
inline Traced select(TracedCondition const& condition, Traced const& a, Traced const& b) {
    auto& s = *condition.statements;
    return {s, s.name('(' + condition.text + " ? " + a.name(s) + " : " + b.name(s) + ')')};
}
inline Traced lesser(Traced const& a, Traced const& b) {
    if (a.is_constant() && b.is_constant()) return a.value() < b.value() ? a : b;
    return select(a < b, a, b);
}
/// Not among the operations of formulas.
inline Traced expm1(Traced const& x) {
    auto& s = Traced::sink(x, x);
    return {s, s.name("expm1(" + x.name(s) + ')')};
}

/// Value and derivatives of a CMAP term, by the kernel function `cmap`.
inline std::array<Traced, 3> look_up_cmap(Traced const& phi, Traced const& psi, Traced const& map) {
    auto& s = Traced::sink(phi, psi);
    std::string const name =
        s.name("cmap(" + phi.name(s) + ", " + psi.name(s) + ", " + map.name(s) + ", cmap_knots, MAP_SIZES)", "4");
    return {Traced{s, name + ".x"}, Traced{s, name + ".y"}, Traced{s, name + ".z"}};
}

}  // namespace trotter::device
