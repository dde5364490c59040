// Differentiates a pair energy by the distance and reduces the number of operations.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include <trotter/expression/derivative.hpp>
#include <trotter/expression/simplify.hpp>
#include <trotter/expression/tree.hpp>
#include <trotter/parts/pairs/pair_factorization.hpp>

namespace trotter::expression {

/// Transforms a tree of the distance r, 1/r, r² and leaves, by adding nodes.
class Radial {
public:
    /// Adds nodes to `tree`.
    constexpr explicit Radial(Tree& tree) : tree_{tree}, make_{tree} {}

    /// r dE/dr. For a function f that is homogeneous of degree k in r, r df/dr = k f (Euler): powers of r are reused in
    /// the derivative, and only functions of them are differentiated.
    constexpr int slope(int root) {
        find_degrees(root);
        if (degree(root).known) return make_.multiply(make_.constant(degree(root).value), root);
        Tree flat;
        std::vector<int> image(static_cast<std::size_t>(root) + 1, -1);
        int const flat_root = flatten(root, flat, image);
        Differentiator const derivative{flat, flat_root};
        std::vector<Group> groups;
        for (int i = 0; i <= root; ++i) {
            int const variable = image[static_cast<std::size_t>(i)];
            if (variable < 0 || flat[variable].op != Op::variable || degree(i).value == 0) continue;
            if (int const adjoint = derivative.adjoint(variable); adjoint >= 0)
                add_term(groups, transcribe(flat, adjoint, tree_, [](Node const& v) { return v.a; }), degree(i).value,
                         i);
        }
        int result = make_.constant(0);
        for (auto const& group : groups) result = make_.add(result, factored(group));
        return result;
    }

    /// Returns the same value in fewer operations: even powers of r by r², negative ones by 1/r, and sums of powers of
    /// one base with the smallest factored out, K (x^12 - x^6) = K x^6 (x^6 - 1), shared by energy and derivative.
    constexpr int refine(int root) {
        auto const needed = reachable(tree_, std::array{root});
        std::vector<int> image(static_cast<std::size_t>(root) + 1, -1);
        auto const at = [&](int i) { return i < 0 ? -1 : image[static_cast<std::size_t>(i)]; };
        for (int i = 0; i <= root; ++i) {
            if (!needed[static_cast<std::size_t>(i)]) continue;
            auto const node = tree_[i];
            int& result = image[static_cast<std::size_t>(i)];
            if (node.op == Op::constant || node.op == Op::variable)
                result = i;
            else if (node.op == Op::custom)
                result = tree_.add_like(node, at(node.a), -1, -1);
            else if (node.op == Op::argument)
                result = tree_.add_like(node, at(node.a), at(node.b), -1);
            else if (node.op == Op::power_constant)
                result = power(at(node.a), node.value);
            else if (node.op == Op::divide && is_distance(at(node.b)))
                result = make_.multiply(at(node.a), variable(inverse_variable));
            else if (node.op == Op::multiply)
                result = multiply(at(node.a), at(node.b));
            else
                result = make_.apply(node.op, at(node.a), at(node.b), at(node.c));
        }
        return at(root);
    }

private:
    struct Degree {
        bool known = false;
        double value = 0;
    };
    struct Term {
        double coefficient;
        int node;
    };
    /// core · Σ coefficient · node; a core of -1 means 1.
    struct Group {
        int core = -1;
        std::vector<Term> terms;
    };
    struct Power {
        int base;
        double exponent;
    };

    constexpr Degree degree(int i) const { return degrees_[static_cast<std::size_t>(i)]; }
    constexpr void find_degrees(int root) {
        for (int i = static_cast<int>(degrees_.size()); i <= root; ++i) degrees_.push_back(degree_of(tree_[i]));
    }
    constexpr Degree degree_of(Node const& node) const {
        if (node.op == Op::constant) return {true, 0};
        if (node.op == Op::variable) return {true, node.a == distance_variable ? 1.0 : 0.0};
        if (node.op == Op::argument) return {};  // part of a custom function call
        if (node.op == Op::custom) {
            bool is_constant = true;
            for (int cell = node.a; cell >= 0; cell = tree_[cell].b)
                is_constant = is_constant && degree(tree_[cell].a).known && degree(tree_[cell].a).value == 0;
            return {is_constant || node.value == 1, 0};
        }
        Degree const a = degree(node.a), b = node.b < 0 ? Degree{true, 0} : degree(node.b);
        bool const both = a.known && b.known, equal = both && a.value == b.value;
        switch (node.op) {
            case Op::add:
            case Op::subtract:
            case Op::min:
            case Op::max:
                return {equal, a.value};
            case Op::multiply:
                return {both, a.value + b.value};
            case Op::divide:
                return {both, a.value - b.value};
            case Op::negate:
            case Op::abs:
                return a;
            case Op::sqrt:
                return {a.known, a.value / 2};
            case Op::power_constant:
                return {a.known, a.value * node.value};
            case Op::step:
            case Op::delta:
            case Op::floor:
            case Op::ceil:
                return {true, 0};
            case Op::select: {
                Degree const c = degree(node.c);
                return {b.known && c.known && b.value == c.value, b.value};
            }
            default:
                return {equal && a.value == 0, 0};
        }
    }

    /// Builds a tree whose variables are the homogeneous functions of this one, named by their nodes.
    constexpr int flatten(int root, Tree& flat, std::vector<int>& image) {
        std::vector<char> needed(image.size(), 0);
        needed.back() = 1;
        for (int i = root; i >= 0; --i) {
            if (!needed[static_cast<std::size_t>(i)] || degree(i).known) continue;
            auto const& node = tree_[i];
            for (int const operand : {node.a, node.op == Op::custom ? -1 : node.b, node.c})
                if (operand >= 0) needed[static_cast<std::size_t>(operand)] = 1;
        }
        Simplifier make{flat};
        auto const at = [&](int i) { return i < 0 ? -1 : image[static_cast<std::size_t>(i)]; };
        for (int i = 0; i <= root; ++i) {
            if (!needed[static_cast<std::size_t>(i)]) continue;
            auto const& node = tree_[i];
            int& result = image[static_cast<std::size_t>(i)];
            if (node.op == Op::constant)
                result = flat.constant(node.value);
            else if (degree(i).known)
                result = flat.add(Op::variable, i);
            else
                result = make.like(node, at(node.a), node.op == Op::custom ? -1 : at(node.b), at(node.c));
        }
        return at(root);
    }

    constexpr bool is_scaled(int i) const { return tree_[i].op == Op::multiply && make_.is_constant(tree_[i].a); }

    /// Adds adjoint · degree · node to the group with the same adjoint up to signs and constants.
    constexpr void add_term(std::vector<Group>& groups, int core, double coefficient, int node) {
        for (;;) {
            auto const top = tree_[core];
            if (top.op == Op::negate)
                coefficient = -coefficient, core = top.a;
            else if (is_scaled(core))
                coefficient *= tree_[top.a].value, core = top.b;
            else
                break;
        }
        if (make_.is_constant(core)) coefficient *= tree_[core].value, core = -1;
        for (auto& group : groups)
            if (group.core == core) return group.terms.push_back({coefficient, node});
        groups.push_back({core, {{coefficient, node}}});
    }

    constexpr Power power_of(int i) const {
        auto const& node = tree_[i];
        return node.op == Op::power_constant && is_chained(node.value) ? Power{node.a, node.value} : Power{i, 1};
    }
    /// The exponent of smallest magnitude if all terms are different powers of one base with exponents of one sign;
    /// else 0.
    constexpr double common_exponent(std::vector<Term> const& terms) const {
        double smallest = 0;
        for (std::size_t n = 0; n < terms.size(); ++n) {
            auto const [base, exponent] = power_of(terms[n].node);
            if (base != power_of(terms[0].node).base || exponent * power_of(terms[0].node).exponent < 0) return 0;
            for (std::size_t m = 0; m < n; ++m)
                if (power_of(terms[m].node).exponent == exponent) return 0;
            if (n == 0 || exponent * exponent < smallest * smallest) smallest = exponent;
        }
        return terms.size() < 2 ? 0 : smallest;
    }
    constexpr int factored(Group const& group) {
        double const common = common_exponent(group.terms);
        int const base = power_of(group.terms[0].node).base;
        int front = group.core, sum = make_.constant(0);
        if (common != 0) {
            int const smallest = make_.power_constant(base, common);
            front = front < 0 ? smallest : make_.multiply(front, smallest);
        }
        for (auto const& [coefficient, node] : group.terms) {
            int const factor = common != 0 ? make_.power_constant(base, power_of(node).exponent - common) : node;
            sum = make_.add(sum, make_.multiply(make_.constant(coefficient), factor));
        }
        return front < 0 ? sum : make_.multiply(front, sum);
    }

    constexpr int multiply(int a, int b) {
        for (auto const& [sum, factor] : {std::array{a, b}, std::array{b, a}}) {
            Group group{factor, {}};
            if (make_.is_constant(factor) || (tree_[sum].op != Op::add && tree_[sum].op != Op::subtract)) continue;
            if (collect(sum, 1, group.terms) && common_exponent(group.terms) != 0) return factored(group);
        }
        return make_.multiply(a, b);
    }
    /// The terms of a sum, if none is a constant.
    constexpr bool collect(int i, double coefficient, std::vector<Term>& terms) const {
        auto const& node = tree_[i];
        switch (node.op) {
            case Op::add:
                return collect(node.a, coefficient, terms) && collect(node.b, coefficient, terms);
            case Op::subtract:
                return collect(node.a, coefficient, terms) && collect(node.b, -coefficient, terms);
            case Op::negate:
                return collect(node.a, -coefficient, terms);
            case Op::constant:
                return false;
            default:
                break;
        }
        if (is_scaled(i))
            terms.push_back({coefficient * tree_[node.a].value, node.b});
        else
            terms.push_back({coefficient, i});
        return true;
    }

    constexpr bool is_distance(int i) const { return tree_[i].op == Op::variable && tree_[i].a == distance_variable; }
    constexpr int variable(int index) { return tree_.add(Op::variable, index); }
    constexpr int power(int base, double exponent) {
        if (!is_distance(base) || !is_chained(exponent)) return make_.power_constant(base, exponent);
        if (exponent < 0) return make_.power_constant(variable(inverse_variable), -exponent);
        bool const is_even = is_chained(exponent / 2);
        int const even = make_.power_constant(variable(square_variable), is_even ? exponent / 2 : (exponent - 1) / 2);
        return is_even ? even : make_.multiply(base, even);
    }

    Tree& tree_;
    Simplifier make_;
    std::vector<Degree> degrees_;
};

}  // namespace trotter::expression
