// Strength reduction over a whole unit: shared chains of products for integer powers, shared reciprocals for quotients.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <trotter/expression/fold.hpp>
#include <trotter/expression/tree.hpp>
#include <vector>

namespace trotter::expression {

/// Rewrites a tree in normal form for execution. It must see all roots of a unit at once, for they share:
/// - the powers of one base: powers 6 and 12 cost four products together, and 5 and 11 beside them only two more;
/// - the reciprocal of one divisor, wherever at least two operations need it.
class Lowering {
public:
    template <class Roots>
    constexpr Lowering(Tree const& from, Roots const& roots) : from_{from} {
        auto const count = static_cast<std::size_t>(from.size());
        needed_ = reachable(from, roots);
        image_.resize(count, -1);
        divisions_.resize(count, 0);
        first_power_.resize(count, -1);
        next_power_.resize(count, -1);
        for (int i = 0; i < from.size(); ++i)
            if (at(needed_, i)) take_stock(i);
        for (int i = 0; i < from.size() && !to_.full(); ++i)
            if (at(needed_, i) && at(image_, i) < 0) at(image_, i) = lower(i);
    }

    constexpr int image(int node) const { return node < 0 ? -1 : image_[static_cast<std::size_t>(node)]; }
    constexpr Tree const& tree() const { return to_; }

private:
    template <class T>
    static constexpr T& at(std::vector<T>& v, int i) { return v[static_cast<std::size_t>(i)]; }

    constexpr bool is_chain(Node const& node) const { return node.op == Op::power_constant && is_chained(node.value); }

    /// Lists the powers of each base by growing absolute exponent, and counts who would divide by what.
    constexpr void take_stock(int i) {
        auto const& node = from_[i];
        if (node.op == Op::divide) ++at(divisions_, node.b);
        if (!is_chain(node)) return;
        if (node.value < 0) ++at(divisions_, node.a);
        int* link = &at(first_power_, node.a);
        while (*link >= 0 && magnitude(*link) <= magnitude(i)) link = &at(next_power_, *link);
        at(next_power_, i) = *link;
        *link = i;
    }
    constexpr double magnitude(int power) const {
        double const exponent = from_[power].value;
        return exponent < 0 ? -exponent : exponent;
    }

    constexpr int lower(int i) {
        auto const& node = from_[i];
        switch (node.op) {
        case Op::constant: case Op::variable: return to_.add(node);
        case Op::custom: return to_.add_like(node, image(node.a), -1, -1);
        case Op::argument: return to_.add_like(node, image(node.a), image(node.b), -1);
        case Op::divide:
            if (at(divisions_, node.b) < 2) break;
            return product(image(node.a), to_.add(Op::reciprocal, image(node.b)));
        case Op::power_constant:
            if (!is_chain(node)) return to_.add(Op::power, image(node.a), to_.constant(node.value));
            chain(node.a, 1);
            chain(node.a, -1);
            return at(image_, i);
        default: break;
        }
        return to_.add(node.op, image(node.a), image(node.b), image(node.c));
    }

    /// All powers of `base` whose exponents have this sign. A power that is the sum of two others costs one product, any
    /// other is put together from squares; all that arises on the way serves the later ones.
    constexpr void chain(int base, int sign) {
        std::array<int, static_cast<std::size_t>(largest_chained_exponent) + 1> have{};
        for (auto& power : have) power = -1;
        for (int i = at(first_power_, base); i >= 0; i = at(next_power_, i)) {
            if ((from_[i].value < 0) != (sign < 0)) continue;
            if (have[1] < 0) have[1] = sign < 0 ? to_.add(Op::reciprocal, image(base)) : image(base);
            at(image_, i) = raise(have.data(), static_cast<int>(magnitude(i)));
        }
    }
    constexpr int raise(int* have, int exponent) {
        if (have[exponent] >= 0) return have[exponent];
        for (int i = exponent / 2; i > 0; --i)
            if (have[i] >= 0 && have[exponent - i] >= 0) return have[exponent] = product(have[i], have[exponent - i]);
        int sum = 0;
        for (int bit = 1; bit <= exponent; bit *= 2) {
            if (bit > 1 && have[bit] < 0) have[bit] = product(have[bit / 2], have[bit / 2]);
            if (!(exponent & bit)) continue;
            if (sum > 0 && have[sum + bit] < 0) have[sum + bit] = product(have[sum], have[bit]);
            sum += bit;
        }
        return have[exponent];
    }
    constexpr int product(int a, int b) { return a < b ? to_.add(Op::multiply, a, b) : to_.add(Op::multiply, b, a); }

    Tree const& from_;
    Tree to_;
    std::vector<char> needed_;
    std::vector<int> image_;
    std::vector<int> divisions_;    // by a node: how many operations divide by it
    std::vector<int> first_power_;  // by a node: its first power, a power's next one in `next_power_`
    std::vector<int> next_power_;
};

}  // namespace trotter::expression
