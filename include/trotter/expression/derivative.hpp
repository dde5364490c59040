// Derivatives of a tree by all of its variables in one reverse-mode sweep, as trees.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include <trotter/expression/simplify.hpp>
#include <trotter/expression/tree.hpp>

namespace trotter::expression {

/// Reverse-mode differentiation: the adjoint of a node is d root / d node, and each node passes it on to its operands.
/// The cost does not depend on the number of variables, and factors common to all slopes are shared.
///
/// Adjoints are kept apart by the branches they passed (select, min, max), and by the weight of terms weight * f of a
/// sum: both are applied at the end, once for each variable.
///
/// step, delta, floor and ceil count as constant; abs has slope +1 at 0; at equality min and max take the slope of the
/// second and first operand.
class Differentiator {
public:
    /// `root` must be in normal form.
    constexpr Differentiator(Tree& tree, int root) : tree_{tree}, make_{tree}, root_{root} {
        auto const needed = reachable(tree, std::array{root});
        parts_.resize(static_cast<std::size_t>(root) + 1);
        totals_.resize(parts_.size(), -1);
        give(root, {-1, 0, make_.constant(1)});
        for (int i = root; i >= 0 && !tree_.full(); --i) {
            auto& parts = parts_[static_cast<std::size_t>(i)];
            if (!needed[static_cast<std::size_t>(i)] || parts.empty()) continue;
            if (tree_[i].op == Op::variable) totals_[static_cast<std::size_t>(i)] = total(parts);
            else
                for (auto const& part : passed_on(parts)) pass_on(i, tree_[i], part);
            parts.clear();
        }
    }

    /// d root / d variable; -1 if it is zero.
    constexpr int adjoint(int variable) const {
        return variable < static_cast<int>(totals_.size()) ? totals_[static_cast<std::size_t>(variable)] : -1;
    }

private:
    /// Part of an adjoint: weight * number inside of all branches up to `mask`, the innermost, elsewhere 0. The weight
    /// is a variable or -1 for none; masks 2n + 1 and 2n + 2 are the true and false sides of branch n, and mask 0 is
    /// everywhere.
    struct Part {
        int weight = -1, mask = 0, number = -1;
    };
    struct Branch {
        int mask, condition;
    };

    constexpr void pass_on(int i, Node node, Part const& part) {
        int const a = node.a, b = node.b;
        switch (node.op) {
        case Op::add: give(a, part), give(b, part); break;
        case Op::subtract: give(a, part), give(b, minus(part)); break;
        case Op::multiply:
            give(a, is_weight(b, a, i, part) ? weighted(part, b) : scale(part, b));
            give(b, is_weight(a, b, i, part) ? weighted(part, a) : scale(part, a));
            break;
        case Op::divide: {  // q = a/b: dq = (da - q db)/b
            Part const over = quotient(part, b);
            give(a, over);
            if (!make_.is_constant(b)) give(b, minus(scale(over, i)));
            break;
        }
        case Op::power:
            if (!make_.is_constant(a)) give(a, scale(part, make_.multiply(b, make_.power(a, make_.add(b, make_.constant(-1))))));
            give(b, scale(part, make_.multiply(make_.apply(Op::log, a), i)));
            break;
        case Op::negate: give(a, minus(part)); break;
        case Op::log: logarithm(a, part); break;
        case Op::abs: {
            int const opposite = make_.negate(part.number);
            give(a, with(part, make_.apply(Op::select, make_.apply(Op::step, a), part.number, opposite)));
            break;
        }
        case Op::atan2: {
            int const norm = make_.add(square(a), square(b));
            give(a, scale(part, make_.divide(b, norm)));
            give(b, minus(scale(part, make_.divide(a, norm))));
            break;
        }
        case Op::min: branch(make_.apply(Op::step, make_.subtract(a, b)), b, a, part); break;
        case Op::max: branch(make_.apply(Op::step, make_.subtract(a, b)), a, b, part); break;
        case Op::select: branch(a, b, node.c, part); break;
        case Op::custom:
            if (node.value == 0) custom(node, part);
            break;
        case Op::constant: case Op::variable: case Op::argument:
        case Op::step: case Op::delta: case Op::floor: case Op::ceil: break;
        case Op::power_constant:
            if (auto const root = tree_[a]; root.op == Op::sqrt) {  // x^(n/2): the root's slope is 0/0 at x = 0
                int const lower = make_.power_constant(a, node.value - 2);
                give(root.a, scale(part, make_.multiply(make_.constant(node.value / 2), lower)));
                break;
            }
            [[fallthrough]];
        default: give(a, scale(part, slope(node, i))); break;
        }
    }
    /// d log(p/q) = dp/p - dq/q
    constexpr void logarithm(int a, Part const& part) {
        auto const node = tree_[a];
        if (node.op != Op::divide) return give(a, quotient(part, a));
        logarithm(node.a, part);
        logarithm(node.b, minus(part));
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
        default: return gaussian(-two_over_root_pi, a);  // erfc
        }
    }
    static constexpr double two_over_root_pi = 1.12837916709551257390;
    constexpr int gaussian(double factor, int a) {
        return make_.multiply(make_.constant(factor), make_.apply(Op::exp, make_.negate(square(a))));
    }
    constexpr int square(int a) { return make_.power_constant(a, 2); }

    static constexpr Part with(Part part, int number) {
        part.number = number;
        return part;
    }
    constexpr Part scale(Part const& part, int factor) { return with(part, make_.multiply(part.number, factor)); }
    constexpr Part quotient(Part const& part, int divisor) { return with(part, make_.divide(part.number, divisor)); }
    constexpr Part minus(Part const& part) { return with(part, make_.negate(part.number)); }

    /// Whether node i = weight * f is a term of the root, up to constant factors, and f does not depend on the weight.
    constexpr bool is_weight(int weight, int f, int i, Part const& part) const {
        return tree_[weight].op == Op::variable && tree_[f].op != Op::variable && part.weight < 0 && i != root_
               && make_.is_constant(part.number) && !reachable(tree_, std::array{f})[static_cast<std::size_t>(weight)];
    }
    static constexpr Part weighted(Part part, int weight) {
        part.weight = weight;
        return part;
    }

    // The branch not taken may be NaN or infinite, as log(r-1) for r < 1: slopes are selected, never multiplied by 0.
    constexpr void branch(int condition, int when_true, int when_false, Part part) {
        for (int mask = part.mask; mask > 0; mask = branch_of(mask).mask)
            if (branch_of(mask).condition == condition) return give(mask % 2 ? when_true : when_false, part);
        std::size_t n = 0;
        while (n < branches_.size() && (branches_[n].mask != part.mask || branches_[n].condition != condition)) ++n;
        if (n == branches_.size()) branches_.push_back({part.mask, condition});
        part.mask = static_cast<int>(2 * n) + 1;
        give(when_true, part);
        ++part.mask;
        give(when_false, part);
    }
    constexpr Branch const& branch_of(int mask) const { return branches_[static_cast<std::size_t>(mask - 1) / 2]; }

    constexpr void give(int node, Part const& part) {
        if (tree_[node].op != Op::constant) add(parts_[static_cast<std::size_t>(node)], part);
    }
    constexpr void add(std::vector<Part>& parts, Part const& part) {
        if (make_.is(part.number, 0)) return;
        for (auto& other : parts)
            if (other.weight == part.weight && other.mask == part.mask) {
                other.number = make_.add(other.number, part.number);
                return;
            }
        parts.push_back(part);
    }
    /// The parts that a node passes on: different weights are multiplied in first, since all that follows is common to
    /// them. More than `most_parts` are merged into one, which bounds the work.
    constexpr std::vector<Part> passed_on(std::vector<Part> const& parts) {
        constexpr std::size_t most_parts = 8;
        std::vector<Part> result;
        for (auto const& part : parts)
            if (part.weight == parts[0].weight) result.push_back(part);
        if (result.size() < parts.size()) {
            result.clear();
            for (auto const& part : parts) add(result, {-1, part.mask, with_weight(part.weight, part.number)});
        }
        if (result.size() > most_parts) return {{-1, 0, total(result)}};
        return result;
    }
    constexpr int with_weight(int weight, int number) { return weight < 0 ? number : make_.multiply(number, weight); }
    constexpr int total(std::vector<Part> const& parts) {
        int result = make_.constant(0);
        for (std::size_t n = 0; n < parts.size(); ++n) {
            bool is_first = true;
            for (std::size_t k = 0; k < n; ++k) is_first = is_first && parts[k].weight != parts[n].weight;
            if (is_first) result = make_.add(result, with_weight(parts[n].weight, masked_sum(parts, parts[n].weight)));
        }
        return result;
    }
    /// The sum of the parts with this weight, with a select for each branch. Nested branches have larger numbers.
    constexpr int masked_sum(std::vector<Part> const& parts, int weight) {
        int const zero = make_.constant(0);
        std::vector<int> sums(2 * branches_.size() + 1, zero);
        for (auto const& part : parts)
            if (part.weight == weight) sums[static_cast<std::size_t>(part.mask)] = part.number;
        for (auto n = branches_.size(); n-- > 0;) {
            int& outside = sums[static_cast<std::size_t>(branches_[n].mask)];
            int const chosen = make_.apply(Op::select, branches_[n].condition, sums[2 * n + 1], sums[2 * n + 2]);
            outside = make_.add(outside, chosen);
        }
        return sums[0];
    }

    // d f(x1, x2, …) = Σ f_i dx_i: f_i is the same function with one more order by its i-th argument.
    constexpr void custom(Node const& node, Part const& part) {
        for (int cell = node.a; cell >= 0; cell = tree_[cell].b) {
            if (make_.is_constant(tree_[cell].a)) continue;
            int const derivative = tree_.add_like(node, differentiated(node.a, cell), -1, -1);
            give(tree_[cell].a, scale(part, derivative));
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

    Tree& tree_;
    Simplifier make_;
    int root_;
    std::vector<std::vector<Part>> parts_;  // of each node's adjoint, until it is passed on
    std::vector<int> totals_;               // of variables
    std::vector<Branch> branches_;
};

}  // namespace trotter::expression
