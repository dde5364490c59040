// Simplification: makes nodes in normal form, so that a tree rebuilt through it is simplified to a fixpoint.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <vector>

#include <trotter/expression/fold.hpp>
#include <trotter/expression/tree.hpp>

namespace trotter::expression {

/// Makes nodes whose operands are already in normal form. A rule depends only on operands, which never change, and
/// makes its result by other rules: so the result is in normal form, and no pass is repeated.
class Simplifier {
public:
    /// Adds nodes to `tree`.
    constexpr explicit Simplifier(Tree& tree) : tree_{tree} {}

    /// A node for this value.
    constexpr int constant(double value) { return tree_.constant(value); }
    /// Whether the node is a constant.
    constexpr bool is_constant(int a) const { return tree_[a].op == Op::constant; }
    /// Whether the node is this constant.
    constexpr bool is(int a, double value) const { return is_constant(a) && tree_[a].value == value; }

    /// `a + b`
    constexpr int add(int a, int b) {
        if (is_constant(a)) swap(a, b);
        if (auto const f = folded(Op::add, a, b); f.known) return constant(f.value);
        if (is(b, 0)) return a;
        if (is_negated(b)) return subtract(a, tree_[b].a);
        if (is_negated(a)) return subtract(b, tree_[a].a);
        if (a == b) return multiply(constant(2), a);
        if (int const sum = sum_with_one_constant(a, b); sum >= 0) return sum;
        if (int const product = factored(a, b, 1); product >= 0) return product;
        return sorted(Op::add, a, b);
    }
    /// `a - b`
    constexpr int subtract(int a, int b) {
        if (auto const f = folded(Op::subtract, a, b); f.known) return constant(f.value);
        if (is(a, 0)) return negate(b);
        if (a == b) return constant(0);
        if (is_constant(b)) return add(a, negate(b));
        if (is_negated(b)) return add(a, tree_[b].a);
        if (is_negated(a)) return negate(add(tree_[a].a, b));
        if (int const product = factored(a, b, -1); product >= 0) return product;
        return tree_.add(Op::subtract, a, b);
    }
    /// `-a`
    constexpr int negate(int a) {
        auto const node = tree_[a];
        if (node.op == Op::constant) return constant(-node.value);
        if (node.op == Op::negate) return node.a;
        if (node.op == Op::subtract) return subtract(node.b, node.a);
        if (is_scaled(a)) return multiply(negate(node.a), node.b);
        return tree_.add(Op::negate, a);
    }
    /// `a * b`: a constant factor becomes the first operand, outside of products, quotients and signs.
    constexpr int multiply(int a, int b) {
        if (is_constant(b)) swap(a, b);
        if (auto const f = folded(Op::multiply, a, b); f.known) return constant(f.value);
        if (is(a, 0)) return a;
        if (is(a, 1)) return b;
        if (is(a, -1)) return negate(b);
        auto const x = tree_[a], y = tree_[b];
        if (x.op == Op::constant) {
            if (y.op == Op::negate) return multiply(constant(-x.value), y.a);
            if (is_scaled(b) || (y.op == Op::divide && is_constant(y.a)))
                if (auto const f = fold(Op::multiply, x.value, tree_[y.a].value); f.known)
                    return y.op == Op::divide ? divide(constant(f.value), y.b) : multiply(constant(f.value), y.b);
            return tree_.add(Op::multiply, a, b);
        }
        if (x.op == Op::negate) return negate(multiply(x.a, b));
        if (y.op == Op::negate) return negate(multiply(a, y.a));
        if (is_scaled(a)) return multiply(x.a, multiply(x.b, b));
        if (is_scaled(b)) return multiply(y.a, multiply(a, y.b));
        if (x.op == Op::divide && is_constant(x.a)) return multiply(x.a, divide(b, x.b));
        if (y.op == Op::divide && is_constant(y.a)) return multiply(y.a, divide(a, y.b));
        if (auto const p = base(a), q = base(b); p.node == q.node && is_chained(p.exponent + q.exponent))
            return power_constant(p.node, p.exponent + q.exponent);
        if (int const rest = cancelled(a, base(b)); rest >= 0) return rest;
        if (int const rest = cancelled(b, base(a)); rest >= 0) return rest;
        if (is_reciprocal(b)) return divide(a, y.a);
        if (is_reciprocal(a)) return divide(b, x.a);
        return sorted(Op::multiply, a, b);
    }
    /// `a/b`
    constexpr int divide(int a, int b) {
        if (auto const f = folded(Op::divide, a, b); f.known) return constant(f.value);
        auto const x = tree_[a], y = tree_[b];
        if (a == b && y.op != Op::constant) return constant(1);
        if (is(a, 0) && y.op != Op::constant) return a;
        if (y.op == Op::constant)
            if (auto const f = fold(Op::divide, 1, y.value); f.known && f.value - f.value == 0) return multiply(constant(f.value), a);
        if (x.op == Op::negate) return negate(divide(x.a, b));
        if (y.op == Op::negate) return negate(divide(a, y.a));
        if (is_scaled(a)) return multiply(x.a, divide(x.b, b));
        if (is_scaled(b) && !is(y.a, 0)) return divide(divide(a, y.a), y.b);
        if (is(a, 1)) return power_constant(b, -1);
        if (y.op == Op::divide && tree_[y.a].op != Op::divide) return divide(multiply(a, y.b), y.a);
        if (y.op == Op::power_constant && is_chained(y.value)) return multiply(a, power_constant(y.a, -y.value));
        if (auto const p = base(a); p.node == b && is_chained(p.exponent - 1)) return power_constant(b, p.exponent - 1);
        if (int const rest = cancelled(a, {b, -1}); rest >= 0) return rest;
        return tree_.add(Op::divide, a, b);
    }
    /// `a^b`
    constexpr int power(int a, int b) {
        if (is_constant(b)) return power_constant(a, tree_[b].value);
        if (is(a, 0) || is(a, 1)) return a;
        return tree_.add(Op::power, a, b);
    }
    /// Half-integer powers become powers of a square root; powers of powers one power if that holds for every sign.
    constexpr int power_constant(int a, double exponent) {
        auto const x = tree_[a];
        if (exponent == 0) return constant(1);
        if (exponent == 1) return a;
        if (x.op == Op::constant)
            if (auto const f = fold(Op::power_constant, x.value, exponent); f.known) return constant(f.value);
        if (!is_chained(exponent)) {
            if (!is_chained(2 * exponent)) return tree_.add(Node{Op::power_constant, a, -1, -1, exponent});
            return power_constant(apply(Op::sqrt, a), 2 * exponent);
        }
        bool const even = is_chained(exponent / 2);
        if (x.op == Op::negate) return even ? power_constant(x.a, exponent) : negate(power_constant(x.a, exponent));
        if (x.op == Op::abs && even) return power_constant(x.a, exponent);
        if (x.op == Op::sqrt && exponent == 2) return x.a;  // no other power: it is NaN below 0
        if (x.op == Op::power_constant && is_chained(x.value) && is_chained(x.value * exponent))
            return power_constant(x.a, x.value * exponent);
        if (x.op == Op::divide && exponent < 0) return power_constant(divide(x.b, x.a), -exponent);
        return tree_.add(Node{Op::power_constant, a, -1, -1, exponent});
    }

    /// The operation of `node`, which may be of another tree, with these operands.
    constexpr int like(Node const& node, int a, int b, int c) {
        switch (node.op) {
        case Op::custom: case Op::argument: return tree_.add_like(node, a, b, c);
        case Op::power_constant: return power_constant(a, node.value);
        default: return apply(node.op, a, b, c);
        }
    }

    /// Any operation by its code; the arithmetic ones go to the functions above.
    constexpr int apply(Op op, int a, int b = -1, int c = -1) {
        switch (op) {
        case Op::add: return add(a, b);
        case Op::subtract: return subtract(a, b);
        case Op::multiply: return multiply(a, b);
        case Op::divide: return divide(a, b);
        case Op::power: return power(a, b);
        case Op::negate: return negate(a);
        case Op::reciprocal: return power_constant(a, -1);
        default: return function(op, a, b, c);
        }
    }

private:
    struct Power {
        int node;
        double exponent;
    };

    constexpr int function(Op op, int a, int b, int c) {
        auto const x = tree_[a];
        bool const constants = is_constant(a) && (b < 0 || is_constant(b)) && (c < 0 || is_constant(c));
        if (constants)
            if (auto const f = fold(op, x.value, b < 0 ? 0 : tree_[b].value, c < 0 ? 0 : tree_[c].value); f.known)
                return constant(f.value);
        if (op == Op::select && b == c) return b;
        if (op == Op::select && is_constant(a)) return x.value == 0 ? c : b;
        if (op == Op::select && is(c, 0) && is_scaled(b)) return multiply(tree_[b].a, function(op, a, tree_[b].b, c));
        if (op == Op::select && is(b, 0) && is_scaled(c)) return multiply(tree_[c].a, function(op, a, b, tree_[c].b));
        if ((op == Op::min || op == Op::max) && a == b) return a;
        if (op == Op::abs && (x.op == Op::abs || x.op == Op::sqrt || x.op == Op::exp)) return a;
        if (op == Op::sqrt && x.op == Op::power_constant && x.value == 2) return apply(Op::abs, x.a);
        return tree_.add(op, a, b, c);
    }

    /// (c + x) + (d + y) = (c + d) + (x + y), also without x or y.
    constexpr int sum_with_one_constant(int a, int b) {
        int const c = constant_term(a), d = constant_term(b);
        if (c < 0 || d < 0) return -1;
        auto const f = fold(Op::add, tree_[c].value, tree_[d].value);
        return f.known ? add(add(without(a, c), without(b, d)), constant(f.value)) : -1;
    }
    constexpr int constant_term(int a) const {
        auto const& node = tree_[a];
        if (node.op == Op::constant) return a;
        return node.op != Op::add ? -1 : is_constant(node.a) ? node.a : is_constant(node.b) ? node.b : -1;
    }
    constexpr int without(int a, int term) {
        auto const& node = tree_[a];
        return a == term ? constant(0) : node.a == term ? node.b : node.a;
    }
    /// c x ± d (x y) = x (c ± d y), which is one multiplication less; -1 for other sums.
    constexpr int factored(int a, int b, double sign) {
        if (!is_scaled(a) || !is_scaled(b)) return -1;
        int const c = tree_[a].a, x = tree_[a].b, xy = tree_[b].b;
        auto const signed_factor = fold(Op::multiply, sign, tree_[tree_[b].a].value);
        if (!signed_factor.known) return -1;
        int const d = constant(signed_factor.value);
        if (int const y = other_factor(xy, x); y >= 0) return multiply(x, add(c, multiply(d, y)));
        if (int const y = other_factor(x, xy); y >= 0) return multiply(xy, add(multiply(c, y), d));
        return -1;
    }
    constexpr int other_factor(int product, int factor) const {
        auto const& node = tree_[product];
        return node.op != Op::multiply ? -1 : node.a == factor ? node.b : node.b == factor ? node.a : -1;
    }
    /// a x^n if the product `a` has a power of x with the other sign, else -1.
    constexpr int cancelled(int a, Power x, int depth = 5) {
        auto const node = tree_[a];
        if (auto const p = base(a); p.node == x.node)
            return p.exponent * x.exponent < 0 && is_chained(p.exponent + x.exponent)
                       ? power_constant(x.node, p.exponent + x.exponent)
                       : -1;
        if (depth == 0 || (node.op != Op::multiply && node.op != Op::divide)) return -1;
        if (int const rest = cancelled(node.a, x, depth - 1); rest >= 0) return apply(node.op, rest, node.b);
        if (int const rest = cancelled(node.b, node.op == Op::multiply ? x : Power{x.node, -x.exponent}, depth - 1);
            rest >= 0)
            return apply(node.op, node.a, rest);
        return -1;
    }

    constexpr Folded folded(Op op, int a, int b) const {
        return is_constant(a) && is_constant(b) ? fold(op, tree_[a].value, tree_[b].value) : Folded{};
    }
    constexpr bool is_negated(int a) const { return tree_[a].op == Op::negate; }
    constexpr bool is_scaled(int a) const { return tree_[a].op == Op::multiply && is_constant(tree_[a].a); }
    constexpr bool is_reciprocal(int a) const { return tree_[a].op == Op::power_constant && tree_[a].value == -1; }
    constexpr Power base(int a) const {
        auto const& node = tree_[a];
        return node.op == Op::power_constant && is_chained(node.value) ? Power{node.a, node.value} : Power{a, 1};
    }
    constexpr int sorted(Op op, int a, int b) { return a < b ? tree_.add(op, a, b) : tree_.add(op, b, a); }
    static constexpr void swap(int& a, int& b) {
        int const t = a;
        a = b;
        b = t;
    }

    Tree& tree_;
};

/// Appends the part of `from` that `root` needs to `to`, in normal form; `variable(node)` replaces a variable. Returns
/// the new root.
template <class Variable>
constexpr int transcribe(Tree const& from, int root, Tree& to, Variable const& variable) {
    Simplifier make{to};
    std::vector<int> image(static_cast<std::size_t>(from.size()), -1);
    auto const at = [&](int i) { return i < 0 ? -1 : image[static_cast<std::size_t>(i)]; };
    auto const needed = reachable(from, std::array{root});
    for (int i = 0; i <= root; ++i) {
        if (!needed[static_cast<std::size_t>(i)]) continue;
        auto const node = from[i];
        int& result = image[static_cast<std::size_t>(i)];
        if (node.op == Op::constant) result = to.add(node);
        else if (node.op == Op::variable) result = variable(node);
        else result = make.like(node, at(node.a), node.op == Op::custom ? -1 : at(node.b), at(node.c));
        if (to.full()) return 0;
    }
    return at(root);
}

/// A variable replaced by a constant.
struct Binding {
    int name = 0;  ///< index of the variable
    double value = 0;  ///< of the constant
};

/// Appends the part of `from` that `root` needs to `to`, in normal form. Returns the new root.
constexpr int simplify(Tree const& from, int root, Tree& to, std::span<Binding const> bindings = {}) {
    return transcribe(from, root, to, [&](Node const& node) {
        int result = to.add(node);
        for (auto const& bound : bindings)
            if (bound.name == node.a) result = to.constant(bound.value);
        return result;
    });
}

}  // namespace trotter::expression
