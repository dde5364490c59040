// Derivatives of a tree by all of its variables in one backward sweep, as trees.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <trotter/expression/simplify.hpp>
#include <trotter/expression/tree.hpp>
#include <vector>

namespace trotter::expression {

/// The chain rule from the root down: the adjoint of a node is d root / d node, and each node passes its own on to its
/// operands. The cost does not depend on the number of variables, and factors common to all slopes are shared.
///
/// step, delta, floor and ceil count as constant; abs has slope +1 at 0; at equality min and max take the slope of the
/// second and first operand.
class Differentiator {
public:
    /// `root` must be in normal form.
    constexpr Differentiator(Tree& tree, int root) : tree_{tree}, make_{tree} {
        auto const needed = reachable(tree, std::array{root});
        adjoints_.resize(static_cast<std::size_t>(root) + 1, -1);
        adjoints_.back() = make_.constant(1);
        for (int i = root; i >= 0 && !tree_.full(); --i)
            if (needed[static_cast<std::size_t>(i)] && adjoint(i) >= 0) pass_on(i, tree_[i], adjoint(i));
    }

    /// d root / d node (-1 if it is zero) for a node of the expression, such as a variable.
    constexpr int adjoint(int node) const {
        return node < static_cast<int>(adjoints_.size()) ? adjoints_[static_cast<std::size_t>(node)] : -1;
    }

private:
    constexpr void pass_on(int i, Node node, int adjoint) {
        int const a = node.a, b = node.b;
        switch (node.op) {
        case Op::add: give(a, adjoint), give(b, adjoint); break;
        case Op::subtract: give(a, adjoint), give(b, minus(adjoint)); break;
        case Op::multiply: give(a, scale(adjoint, b)), give(b, scale(adjoint, a)); break;
        case Op::divide: {  // q = a/b: dq = (da - q db)/b
            int const over = quotient(adjoint, b);
            give(a, over);
            if (!make_.is_constant(b)) give(b, minus(scale(over, i)));
            break;
        }
        case Op::power:
            if (!make_.is_constant(a)) give(a, scale(adjoint, make_.multiply(b, make_.power(a, make_.add(b, make_.constant(-1))))));
            give(b, scale(adjoint, make_.multiply(make_.apply(Op::log, a), i)));
            break;
        case Op::negate: give(a, minus(adjoint)); break;
        case Op::atan2: {
            int const norm = make_.add(square(a), square(b));
            give(a, scale(adjoint, make_.divide(b, norm)));
            give(b, minus(scale(adjoint, make_.divide(a, norm))));
            break;
        }
        case Op::min: branch(make_.apply(Op::step, make_.subtract(a, b)), b, a, adjoint); break;
        case Op::max: branch(make_.apply(Op::step, make_.subtract(a, b)), a, b, adjoint); break;
        case Op::select: branch(a, b, node.c, adjoint); break;
        case Op::custom:
            if (node.value == 0) custom(node, adjoint);
            break;
        case Op::constant: case Op::variable: case Op::argument:
        case Op::step: case Op::delta: case Op::floor: case Op::ceil: break;
        case Op::power_constant:
            if (auto const root = tree_[a]; root.op == Op::sqrt) {  // x^(n/2): by the root's own slope, 0/0 at x = 0
                int const lower = make_.power_constant(a, node.value - 2);
                give(root.a, scale(adjoint, make_.multiply(make_.constant(node.value / 2), lower)));
                break;
            }
            [[fallthrough]];
        default: give(a, scale(adjoint, slope(node, i))); break;
        }
    }

    /// f'(a) for a function f of one operand; `f` is the node f(a) itself.
    constexpr int slope(Node const& node, int f) {
        int const a = node.a;
        auto const one = make_.constant(1);
        auto const root_of_one_plus = [&](double sign) {
            return make_.power_constant(make_.apply(Op::sqrt, make_.add(make_.multiply(make_.constant(sign), square(a)), one)), -1);
        };
        switch (node.op) {
        case Op::power_constant:
            return make_.multiply(make_.constant(node.value), make_.power_constant(a, node.value - 1));
        case Op::reciprocal: return make_.negate(square(f));
        case Op::sqrt: return make_.divide(make_.constant(0.5), f);
        case Op::exp: return f;
        case Op::log: return make_.power_constant(a, -1);
        case Op::sin: return make_.apply(Op::cos, a);
        case Op::cos: return make_.negate(make_.apply(Op::sin, a));
        case Op::sec: return make_.multiply(f, make_.apply(Op::tan, a));
        case Op::csc: return make_.negate(make_.multiply(f, make_.apply(Op::cot, a)));
        case Op::tan: return make_.add(square(f), one);
        case Op::cot: return make_.negate(make_.add(square(f), one));
        case Op::asin: return root_of_one_plus(-1);
        case Op::acos: return make_.negate(root_of_one_plus(-1));
        case Op::atan: return make_.power_constant(make_.add(square(a), one), -1);
        case Op::sinh: return make_.apply(Op::cosh, a);
        case Op::cosh: return make_.apply(Op::sinh, a);
        case Op::tanh: return make_.subtract(one, square(f));
        case Op::erf: return gaussian(two_over_root_pi, a);
        case Op::erfc: return gaussian(-two_over_root_pi, a);
        default: return make_.add(make_.multiply(make_.constant(2), make_.apply(Op::step, a)), make_.constant(-1));  // abs
        }
    }
    static constexpr double two_over_root_pi = 1.12837916709551257390;
    constexpr int gaussian(double factor, int a) {
        return make_.multiply(make_.constant(factor), make_.apply(Op::exp, make_.negate(square(a))));
    }
    constexpr int square(int a) { return make_.power_constant(a, 2); }

    // The branch not taken may be NaN or infinite, as log(r-1) for r < 1: its slope is chosen, never multiplied by zero.
    constexpr void branch(int condition, int when_true, int when_false, int adjoint) {
        int const zero = make_.constant(0);
        give(when_true, make_.apply(Op::select, condition, adjoint, zero));
        give(when_false, make_.apply(Op::select, condition, zero, adjoint));
    }
    constexpr bool is_masked(int a) const {
        auto const& node = tree_[a];
        return node.op == Op::select && (make_.is(node.b, 0) || make_.is(node.c, 0));
    }
    constexpr bool is_masked_sum(int a, int depth) const {
        auto const& node = tree_[a];
        return is_masked(a) ||
               (node.op == Op::add && depth > 0 && (is_masked_sum(node.a, depth - 1) || is_masked_sum(node.b, depth - 1)));
    }
    // Applies `f` to what lies behind the masks of an adjoint. Deeper sums are taken whole, which bounds the work.
    static constexpr int deepest_sum = 5, deepest_masks = 64;
    template <class F>
    constexpr int behind_masks(int adjoint, F const& f, int sums = deepest_sum, int masks = deepest_masks) {
        auto const node = tree_[adjoint];
        if (make_.is(adjoint, 0)) return adjoint;
        if (is_masked(adjoint) && masks > 0) {
            int const when_true = behind_masks(node.b, f, sums, masks - 1);
            int const when_false = behind_masks(node.c, f, sums, masks - 1);
            return make_.apply(Op::select, node.a, when_true, when_false);
        }
        if (node.op == Op::add && sums > 0 && is_masked_sum(adjoint, sums)) {
            int const left = behind_masks(node.a, f, sums - 1, masks);
            return make_.add(left, behind_masks(node.b, f, sums - 1, masks));
        }
        return f(adjoint);
    }
    constexpr int scale(int adjoint, int factor) {
        return behind_masks(adjoint, [&](int x) { return make_.multiply(x, factor); });
    }
    constexpr int quotient(int adjoint, int divisor) {
        return behind_masks(adjoint, [&](int x) { return make_.divide(x, divisor); });
    }
    constexpr int minus(int adjoint) {
        return behind_masks(adjoint, [&](int x) { return make_.negate(x); });
    }

    // d f(x1, x2, …) = Σ f_i dx_i: f_i is the same function with one more order by its i-th argument.
    constexpr void custom(Node const& node, int adjoint) {
        for (int cell = node.a; cell >= 0; cell = tree_[cell].b) {
            if (make_.is_constant(tree_[cell].a)) continue;
            int const derivative = tree_.add_like(node, differentiated(node.a, cell), -1, -1);
            give(tree_[cell].a, scale(adjoint, derivative));
        }
    }
    constexpr int differentiated(int head, int cell) {
        std::vector<int> before;
        for (int i = head; i != cell; i = tree_[i].b) before.push_back(i);
        auto copy = tree_[cell];
        copy.value += 1;
        int list = tree_.add(copy);
        for (auto i = before.size(); i-- > 0;) {
            copy = tree_[before[i]];
            copy.b = list;
            list = tree_.add(copy);
        }
        return list;
    }

    constexpr void give(int node, int contribution) {
        if (tree_[node].op == Op::constant || make_.is(contribution, 0)) return;
        int& total = adjoints_[static_cast<std::size_t>(node)];
        total = total < 0 ? contribution : sum(total, contribution);
    }
    constexpr int sum(int x, int y) {
        auto const p = tree_[x], q = tree_[y];
        if (!is_masked(x) || !is_masked(y) || p.a != q.a) return make_.add(x, y);
        int const when_true = make_.add(p.b, q.b);
        return make_.apply(Op::select, p.a, when_true, make_.add(p.c, q.c));
    }

    Tree& tree_;
    Simplifier make_;
    std::vector<int> adjoints_;
};

}  // namespace trotter::expression
