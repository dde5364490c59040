// Finds the parts of a unit that become infinite where a divisor is 0.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <trotter/expression/fold.hpp>
#include <trotter/expression/pair_names.hpp>
#include <trotter/expression/tree.hpp>

namespace trotter::expression {

/// The variables of a unit that may be 0 or near it as divisors: none, the distance of a pair alone
/// (`distance_variable` and those after it), or any.
enum class Zeros : unsigned char { none, distance, any };

/// Finds high powers of quotients whose divisor is a product of such variables, as (σ/r)^12, which overflow long before
/// their product with a small factor does; slopes of roots of such variables, as du/(2√u); logarithms of a pair's
/// distance; and sums and products of these. Of divisors that are sums, only sums of squares are taken to vanish.
class Singular {
public:
    /// `divides_value`: for each node, whether the value, not only a slope, is divided by it.
    constexpr Singular(Tree const& tree, std::vector<char> const& needed, std::vector<char> const& divides_value, Zeros zeros)
        : tree_{tree}, divides_value_{divides_value}, zeros_{zeros} {
        auto const count = static_cast<std::size_t>(tree.size());
        for (auto* flags : {&vanishes_, &grows_, &is_zero_, &has_logarithm_, &contains_, &is_weight_, &is_weighted_, &is_repeated_})
            flags->resize(count, 0);
        for (int i = 0; i < tree.size(); ++i)
            if (at(needed, i)) classify(i);
        for (int i = tree.size() - 1; i >= 0; --i)
            if (at(needed, i) && contains(i)) weigh_operands(i);
    }

    /// Whether the node is such a power.
    constexpr bool is_power(int i) const {
        auto const& node = tree_[i];
        if (node.op != Op::power_constant || !is_chained(node.value)) return false;
        return node.value >= least_exponent() ? grows(node.a) : node.value <= -least_exponent() && vanishes(node.a);
    }
    /// Whether the node divides by a root that may be 0, and only slopes are divided by it.
    constexpr bool is_slope_of_root(int i) const {
        auto const& node = tree_[i];
        return node.op == Op::divide && tree_[node.b].op == Op::sqrt && vanishes(node.b) && !at(divides_value_, node.b);
    }
    /// Whether the node is a logarithm that is infinite for a pair at r = 0.
    constexpr bool is_logarithm(int i) const {
        auto const& node = tree_[i];
        return zeros_ == Zeros::distance && node.op == Op::log && (vanishes(node.a) || grows(node.a));
    }
    /// Whether the node is such a logarithm, or a function of one.
    constexpr bool has_logarithm(int i) const { return at(has_logarithm_, i); }
    /// Whether the node is 0 for a pair at r = 0.
    constexpr bool is_zero(int i) const { return at(is_zero_, i); }
    /// Whether it is a product with a logarithm that is 0 at r = 0, as r log(r)².
    constexpr bool is_damped_logarithm(int i) const {
        auto const& node = tree_[i];
        auto const damps = [this](int a, int b) { return is_zero(a) && has_logarithm(b) && !grows(b); };
        return node.op == Op::multiply && (damps(node.a, node.b) || damps(node.b, node.a));
    }
    /// Whether it is such a power, slope or logarithm, or a sum or product with one.
    constexpr bool contains(int i) const { return at(contains_, i); }
    /// Whether it is, or has, a factor that may be 0: anything but constants, such powers and logarithms.
    constexpr bool is_weight(int i) const { return at(is_weight_, i); }
    /// Whether such a factor multiplies it; of two operands with powers, the second one, if the first is a weight.
    constexpr bool is_weighted(int i) const { return at(is_weighted_, i); }
    /// Whether that weight has such powers itself, as in K x^6 (x^6 - 1).
    constexpr bool is_repeated(int i) const { return at(is_repeated_, i); }

private:
    // For pairs 1/r² is finite even in float, see `least_square`; a bond may be shorter.
    constexpr double least_exponent() const { return zeros_ == Zeros::distance ? 3 : 2; }

    static constexpr bool at(std::vector<char> const& flags, int i) { return flags[static_cast<std::size_t>(i)] != 0; }
    static constexpr void set(std::vector<char>& flags, int i, bool value) { flags[static_cast<std::size_t>(i)] = value; }
    constexpr bool vanishes(int i) const { return at(vanishes_, i); }
    constexpr bool grows(int i) const { return at(grows_, i); }

    /// Whether the node is a square, or a sum of squares.
    constexpr bool is_square(int i) const {
        auto const& [op, a, b, c, value] = tree_[i];
        if (op == Op::add) return vanishes(i);
        return (op == Op::multiply && a == b) || (op == Op::power_constant && is_chained(value) && static_cast<int>(value) % 2 == 0);
    }
    /// Visits the operands of a sum, product, sign or choice, and the dividend of a quotient.
    template <class Visit>
    constexpr void for_each_part(int i, Visit const& visit) const {
        auto const& [op, a, b, c, value] = tree_[i];
        if (op == Op::multiply || op == Op::add || op == Op::subtract) visit(a), visit(b);
        if (op == Op::divide || op == Op::negate) visit(a);
        if (op == Op::select) visit(b), visit(c);
    }
    constexpr void classify(int i) {
        auto const& [op, a, b, c, value] = tree_[i];
        switch (op) {
        case Op::variable:
            set(vanishes_, i, zeros_ == Zeros::any || (zeros_ == Zeros::distance && (a == distance_variable || a == square_variable)));
            set(grows_, i, zeros_ == Zeros::distance && a == inverse_variable);
            break;
        case Op::multiply:
            set(vanishes_, i, vanishes(a) || vanishes(b));
            set(grows_, i, grows(a) || grows(b));
            break;
        case Op::divide:
            set(vanishes_, i, vanishes(a));
            set(grows_, i, grows(a) || vanishes(b));
            break;
        case Op::negate: case Op::abs: case Op::sqrt:
            set(vanishes_, i, vanishes(a));
            set(grows_, i, grows(a));
            break;
        case Op::power_constant:
            set(vanishes_, i, value > 0 && vanishes(a));
            set(grows_, i, value > 0 ? grows(a) : vanishes(a));
            break;
        case Op::add: case Op::subtract:
            set(vanishes_, i, vanishes(a) && vanishes(b) && (op == Op::subtract || (is_square(a) && is_square(b))));
            set(grows_, i, grows(a) || grows(b));
            break;
        default: break;
        }
        set(is_zero_, i, zeros_ == Zeros::distance && becomes_zero(i));
        int const operands[] = {a, b, c};
        set(has_logarithm_, i, is_logarithm(i));
        for (int k = 0; k < operand_count(op); ++k)
            if (operands[k] >= 0 && has_logarithm(operands[k])) set(has_logarithm_, i, true);
        bool contains_any = false, has_weight = false;
        for_each_part(i, [&](int part) {
            contains_any = contains_any || contains(part);
            has_weight = has_weight || is_weight(part);
        });
        set(contains_, i, is_power(i) || is_slope_of_root(i) || is_logarithm(i) || contains_any);
        set(is_weight_, i, contains_any ? has_weight : op != Op::constant && !is_power(i) && !is_logarithm(i));
    }
    /// Whether the node is 0 at r = 0, from its operands.
    constexpr bool becomes_zero(int i) const {
        auto const& [op, a, b, c, value] = tree_[i];
        switch (op) {
        case Op::variable: return a == distance_variable || a == square_variable;
        case Op::multiply: return is_zero(a) || is_zero(b);
        case Op::add: case Op::subtract: return is_zero(a) && is_zero(b);
        case Op::power_constant: return value > 0 && is_zero(a);
        case Op::divide: case Op::negate: case Op::abs: case Op::sqrt: case Op::sin: case Op::tan: case Op::asin: case Op::atan:
        case Op::sinh: case Op::tanh: case Op::erf: return is_zero(a);
        default: return false;
        }
    }
    constexpr void weigh_operands(int i) {
        auto const& [op, a, b, c, value] = tree_[i];
        bool const has_two = op == Op::multiply && contains(a) && contains(b);
        auto const weigh = [&](int operand, bool is_weighted_here) {
            if (!contains(operand)) return;
            if (is_weighted(i) || is_weighted_here) set(is_weighted_, operand, true);
            if (is_repeated(i) || has_two) set(is_repeated_, operand, true);
        };
        if (op != Op::multiply) return for_each_part(i, [&](int part) { weigh(part, false); });
        weigh(b, is_weight(a));
        weigh(a, is_weight(b) && !(contains(b) && is_weight(a)));
    }

    Tree const& tree_;
    std::vector<char> const& divides_value_;
    Zeros zeros_;
    std::vector<char> vanishes_, grows_, is_zero_, has_logarithm_, contains_, is_weight_, is_weighted_, is_repeated_;
};

}  // namespace trotter::expression
