// Strength reduction over a whole unit, and the order of operations that keeps finite results finite.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <iterator>
#include <vector>

#include <trotter/expression/evaluate.hpp>
#include <trotter/expression/fold.hpp>
#include <trotter/expression/singular.hpp>
#include <trotter/expression/tree.hpp>

namespace trotter::expression {

/// Rewrites a tree in normal form for execution. Takes all roots of a unit at once, the value first, as they share:
/// - the powers of one base: powers 6 and 12 cost four products together, and 5 and 11 in addition only two more;
/// - the reciprocal of one divisor, if at least two operations need it.
///
/// Where divisors are 0, as for coincident particles, results that have a limit take it:
/// - A factor of a high power of a quotient (see `Singular`) is multiplied first, and between the power's halves:
///   c x^12 = (c x^6) x^6, and K (x^12 - x^6) = (K x^6) x^6 - K x^6. So a tiny c keeps a huge power finite.
/// - In such a product x is limited so that the larger half x^6 is finite: 0 times it is 0, and for any other c the
///   product is infinite as before.
/// - A root by which only slopes are divided, as in d√u = du/(2√u), is at least the smallest positive number, and du
///   comes first: 0/0 is 0, and anything else infinite as before.
/// - The distance of coincident particles is not 0 (see `least_square`), so its logarithm would be finite. Two huge
///   factors after its weight make it infinite, unless the weight is 0; a product with a vanishing factor is 0, as
///   r² log(r).
class Lowering {
public:
    /// Lowers the nodes of `from` that `roots` need.
    template <class Roots>
    constexpr Lowering(Tree const& from, Roots const& roots, Zeros zeros)
        : from_{from}, needed_{reachable(from, roots)}, divides_value_{divisors_of_value(from, roots, zeros)},
          singular_{from, needed_, divides_value_, zeros} {
        auto const count = static_cast<std::size_t>(from.size());
        image_.resize(count, -1);
        divisions_.resize(count, 0);
        first_power_.resize(count, -1);
        next_power_.resize(count, -1);
        for (int i = 0; i < from.size(); ++i)
            if (at(needed_, i)) take_stock(i);
        for (int i = 0; i < from.size() && !to_.full(); ++i)
            if (at(needed_, i) && at(image_, i) < 0)
                at(image_, i) = singular_.is_damped_logarithm(i) ? away_from_one_place(lower(i), to_.constant(0)) : lower(i);
    }

    /// The node of `tree()` for one of the original; -1 for -1.
    constexpr int image(int node) const { return node < 0 ? -1 : image_[static_cast<std::size_t>(node)]; }
    /// The lowered tree.
    constexpr Tree const& tree() const { return to_; }

private:
    /// Nodes of the powers of a base by the magnitude of their exponents, or -1.
    using Powers = std::array<int, static_cast<std::size_t>(largest_chained_exponent) + 1>;
    /// The powers by which weights are multiplied, up to the exponent `largest`.
    struct Factors {
        int base, sign, largest;
        Powers have;
    };

    template <class T>
    static constexpr T& at(std::vector<T>& v, int i) { return v[static_cast<std::size_t>(i)]; }
    template <class T>
    static constexpr T const& at(std::vector<T> const& v, int i) { return v[static_cast<std::size_t>(i)]; }

    static constexpr bool is_chain(Node const& node) { return node.op == Op::power_constant && is_chained(node.value); }
    constexpr bool is_constant(int i) const { return from_[i].op == Op::constant; }

    /// The divisor of the node, or -1.
    static constexpr int divisor_of(Node const& node) {
        return node.op == Op::divide ? node.b : is_chain(node) && node.value < 0 ? node.a : -1;
    }
    /// For each node: whether the value, the first root, is divided by it, not only slopes.
    template <class Roots>
    static constexpr std::vector<char> divisors_of_value(Tree const& from, Roots const& roots, Zeros zeros) {
        std::vector<char> result(static_cast<std::size_t>(from.size()), zeros == Zeros::none);
        auto const of_value = reachable(from, std::array{std::size(roots) > 0 ? roots[0] : -1});
        for (int i = 0; i < from.size(); ++i)
            if (int const divisor = divisor_of(from[i]); divisor >= 0 && at(of_value, i)) at(result, divisor) = 1;
        return result;
    }

    /// Counts the division by node i, and adds a power to those of its base, by growing absolute exponent.
    constexpr void take_stock(int i) {
        auto const& node = from_[i];
        if (int const divisor = divisor_of(node); divisor >= 0) ++at(divisions_, divisor);
        if (!is_chain(node)) return;
        int* link = &at(first_power_, node.a);
        while (*link >= 0 && magnitude(*link) <= magnitude(i)) link = &at(next_power_, *link);
        at(next_power_, i) = *link;
        *link = i;
    }
    constexpr int magnitude(int power) const {
        int const exponent = static_cast<int>(from_[power].value);
        return exponent < 0 ? -exponent : exponent;
    }

    constexpr int lower(int i) {
        auto const& node = from_[i];
        switch (node.op) {
        case Op::constant: case Op::variable: return to_.add(node);
        case Op::custom: return to_.add_like(node, image(node.a), -1, -1);
        case Op::argument: return to_.add_like(node, image(node.a), image(node.b), -1);
        case Op::multiply:
            if (singular_.contains(node.b) && singular_.is_weight(node.a)) return weighted_by(node.a, node.b);
            if (singular_.contains(node.a) && singular_.is_weight(node.b)) return weighted_by(node.b, node.a);
            if (is_constant(node.a) && singular_.is_power(node.b)) return weighted_power(image(node.a), node.b);
            break;
        case Op::divide: return quotient(image(node.a), node.b);
        case Op::log:
            if (singular_.is_logarithm(i)) return infinite_at_one_place(to_.add(Op::log, image(node.a)));
            break;
        case Op::power_constant:
            if (!is_chain(node)) return to_.add(Op::power, image(node.a), to_.constant(node.value));
            chain(node.a, 1);
            chain(node.a, -1);
            return at(image_, i);
        default: break;
        }
        return to_.add(node.op, image(node.a), image(node.b), image(node.c));
    }
    constexpr int quotient(int dividend, int divisor) {
        if (from_[divisor].op == Op::sqrt && !at(divides_value_, divisor))
            return to_.add(Op::divide, dividend, to_.add(Op::max, limit(smallest_positive), image(divisor)));
        if (at(divisions_, divisor) < 2) return to_.add(Op::divide, dividend, image(divisor));
        return product(dividend, to_.add(Op::reciprocal, image(divisor)));
    }

    /// Makes all powers of `base` whose exponents have this sign. A power that is the product of two others costs one
    /// product, any other is built from squares; later powers reuse all intermediate ones.
    constexpr void chain(int base, int sign) {
        Powers have = first_of(base, sign);
        for (int i = at(first_power_, base); i >= 0; i = at(next_power_, i))
            if (has_sign(i, sign)) at(image_, i) = raise(have, magnitude(i));
    }
    constexpr bool has_sign(int power, int sign) const { return (from_[power].value < 0) == (sign < 0); }
    /// The first power alone.
    constexpr Powers first_of(int base, int sign) {
        Powers have{};
        for (auto& power : have) power = -1;
        bool is_any = false;
        for (int i = at(first_power_, base); i >= 0; i = at(next_power_, i)) is_any = is_any || has_sign(i, sign);
        if (is_any) have[1] = sign < 0 ? to_.add(Op::reciprocal, image(base)) : image(base);
        return have;
    }
    constexpr int raise(Powers& have, int exponent) {
        auto const power = [&](int n) -> int& { return have[static_cast<std::size_t>(n)]; };
        if (power(exponent) >= 0) return power(exponent);
        for (int i = exponent / 2; i > 0; --i)
            if (power(i) >= 0 && power(exponent - i) >= 0)
                return power(exponent) = product(power(i), power(exponent - i));
        int sum = 0;
        for (int bit = 1; bit <= exponent; bit *= 2) {
            if (bit > 1 && power(bit) < 0) power(bit) = product(power(bit / 2), power(bit / 2));
            if (!(exponent & bit)) continue;
            if (sum > 0 && power(sum + bit) < 0) power(sum + bit) = product(power(sum), power(bit));
            sum += bit;
        }
        return power(exponent);
    }

    constexpr int weighted_by(int factor, int i) { return weighted(image(factor), i, singular_.is_zero(factor)); }
    /// weight · node i, which contains singular powers or logarithms: distributes the weight over these. `is_zero`: the
    /// weight is 0 where a logarithm is infinite.
    constexpr int weighted(int weight, int i, bool is_zero, int depth = 0) {
        auto const& node = from_[i];
        if (!singular_.contains(i) || singular_.is_damped_logarithm(i) || depth > most_depth || ++spent_ > most_products) {
            int const result = product(weight, image(i));
            return is_zero && singular_.has_logarithm(i) ? away_from_one_place(result, to_.constant(0)) : result;
        }
        auto const of = [&](int operand) { return weighted(weight, operand, is_zero, depth + 1); };
        switch (node.op) {
        case Op::add: case Op::subtract: {
            if (int const sum = bounded_sum(i, depth); sum >= 0) return product(weight, sum);
            int const a = of(node.a);
            return to_.add(node.op, a, of(node.b));
        }
        case Op::select: {
            int const chosen = of(node.b);
            return to_.add(node.op, image(node.a), chosen, of(node.c));
        }
        case Op::negate: return to_.add(Op::negate, of(node.a));
        case Op::divide: return quotient(of(node.a), node.b);
        case Op::multiply:
            if (is_constant(node.a) && !is_small(image(node.a))) return product(image(node.a), of(node.b));
            if (!singular_.contains(node.b))
                return weighted(product(weight, image(node.b)), node.a, is_zero || singular_.is_zero(node.b), depth + 1);
            return weighted(of(node.a), node.b, is_zero || singular_.is_zero(node.a), depth + 1);
        case Op::log: {
            int const multiple = product(weight, to_.add(Op::log, image(node.a)));
            return is_zero ? multiple : infinite_at_one_place(multiple);
        }
        default: return weighted_power(weight, i);
        }
    }
    /// A multiple of the logarithm of a pair's distance, made infinite at the least distance.
    constexpr int infinite_at_one_place(int multiple) {
        int const huge = away_from_one_place(to_.constant(1), limit(1));
        return product(product(multiple, huge), huge);
    }
    /// `value`, or `at_one_place` for coincident particles.
    constexpr int away_from_one_place(int value, int at_one_place) {
        int const beyond = to_.add(Op::subtract, to_.add(Node{Op::variable, square_variable}), limit(smallest_normal));
        return to_.add(Op::select, beyond, value, at_one_place);
    }
    /// A finite sum of bounded powers that need no halves, as in K x^6 (x^6 - 1); -1 for other nodes.
    constexpr int bounded_sum(int i, int depth) {
        auto const& node = from_[i];
        if (!singular_.contains(i)) return image(i);
        if (depth > most_depth || ++spent_ > most_products) return -1;
        if (singular_.is_power(i)) {
            auto& factors = bounded(node.a, node.value < 0 ? -1 : 1);
            return magnitude(i) > factors.largest ? -1 : raise(factors.have, magnitude(i));
        }
        bool const is_scaled = node.op == Op::multiply && is_constant(node.a);
        if (!is_scaled && node.op != Op::add && node.op != Op::subtract) return -1;
        int const a = bounded_sum(node.a, depth + 1), b = a < 0 ? -1 : bounded_sum(node.b, depth + 1);
        return b < 0 ? -1 : is_scaled ? product(a, b) : to_.add(node.op, a, b);
    }
    constexpr int weighted_power(int weight, int i) {
        int const base = from_[i].a, sign = from_[i].value < 0 ? -1 : 1, exponent = magnitude(i);
        if (singular_.is_weighted(i)) return by_factors(weight, bounded(base, sign), exponent);
        if (!is_small(weight)) return product(weight, image(i));  // a constant
        Factors unbounded{base, sign, larger_half(exponent), first_of(base, sign)};
        return by_factors(weight, unbounded, exponent);
    }
    constexpr int by_factors(int weight, Factors& factors, int exponent) {
        int const larger = exponent <= factors.largest ? exponent : larger_half(exponent);
        int const with_larger = product(weight, raise(factors.have, larger));
        return larger == exponent ? with_larger : product(with_larger, raise(factors.have, exponent - larger));
    }
    /// Powers of a base, limited so that those by which weights are multiplied are finite.
    constexpr Factors& bounded(int base, int sign) {
        for (auto& factors : factors_)
            if (factors.base == base && factors.sign == sign) return factors;
        int largest = 1;
        for (int i = at(first_power_, base); i >= 0; i = at(next_power_, i))
            if (has_sign(i, sign) && singular_.is_weighted(i) && singular_.is_power(i)) {
                int const factor = singular_.is_repeated(i) ? magnitude(i) : larger_half(magnitude(i));
                if (factor > largest) largest = factor;
            }
        Powers have = first_of(base, sign);
        have[1] = to_.add(Op::min, have[1], limit(largest));
        factors_.push_back({base, sign, largest, have});
        return factors_.back();
    }
    static constexpr int larger_half(int exponent) { return (exponent + 1) / 2; }

    constexpr int limit(double root) { return to_.add(Node{Op::limit, -1, -1, -1, root}); }
    /// Whether it is a constant so small that its product with an overflowing power may be finite.
    constexpr bool is_small(int a) const {
        return to_[a].op == Op::constant && to_[a].value < 1e-6 && to_[a].value > -1e-6;
    }
    constexpr bool is(int a, double value) const { return to_[a].op == Op::constant && to_[a].value == value; }
    constexpr int product(int a, int b) {
        if (is(a, 1) || is(b, 0)) return b;
        if (is(b, 1) || is(a, 0)) return a;
        return a < b ? to_.add(Op::multiply, a, b) : to_.add(Op::multiply, b, a);
    }

    static constexpr int most_depth = 100, most_products = 4000;  // limits of distributing weights

    Tree const& from_;
    Tree to_;
    std::vector<char> needed_;
    std::vector<char> divides_value_;  // for each node: whether the value, not only slopes, is divided by it
    Singular singular_;
    std::vector<int> image_;
    std::vector<int> divisions_;        // for each node: the number of operations that divide by it
    std::vector<int> first_power_;      // for each node: its first power; the next one of a power is in `next_power_`
    std::vector<int> next_power_;
    std::vector<Factors> factors_;
    int spent_ = 0;
};

}  // namespace trotter::expression
