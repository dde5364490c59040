// The tree of an expression, hash-consed: equal subexpressions are one node, and operands always precede their users.
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include <trotter/expression/operation.hpp>
#include <trotter/expression/problem.hpp>

namespace trotter::expression {

/// One operation. Operands are indices of earlier nodes. By operation:
/// - constant: `value`; limit: `value` is its root; variable: `a` is its index among the names;
/// - power_constant: `value` is the exponent;
/// - custom: `a` is the head of its argument list (or -1), `b` the function, `value` 1 if its derivatives are 0;
/// - argument: `a` is the argument, `b` the rest of the list (or -1), `value` the function's order of derivative by it.
struct Node {
    Op op = Op::constant;  ///< operation
    int a = -1, b = -1, c = -1;  ///< indices of operands; -1: none
    double value = 0;  ///< of a constant, or as above
};

/// Whether two nodes have the same bits.
constexpr bool same(Node const& x, Node const& y) {
    return x.op == y.op && x.a == y.a && x.b == y.b && x.c == y.c &&
           std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value);
}

/// Nodes in order of creation. Since operands come first, every traversal is a loop: no recursion, any depth.
class Tree {
public:
    /// `most_nodes` bounds the memory of a malicious formula.
    constexpr explicit Tree(int most_nodes = most_unit_nodes) : slots_(64, -1), most_nodes_{most_nodes} {
        nodes_.reserve(64);
    }

    /// The index of `node`, which is added if there is no equal one. Beyond the limit, adds none and sets `full()`.
    constexpr int add(Node const& node) {
        auto slot = find(node);
        if (slots_[slot] >= 0) return slots_[slot];
        if (size() >= most_nodes_) {
            full_ = true;
            return 0;
        }
        slots_[slot] = size();
        nodes_.push_back(node);
        if (nodes_.size() * 2 > slots_.size()) grow();
        return size() - 1;
    }
    /// A node without a value.
    constexpr int add(Op op, int a, int b = -1, int c = -1) { return add(Node{op, a, b, c, 0}); }
    /// A node like `node` with other operands.
    constexpr int add_like(Node node, int a, int b, int c) {
        node.a = a;
        if (node.op != Op::custom) node.b = b, node.c = c;
        return add(node);
    }
    /// A node for this value.
    constexpr int constant(double value) { return add(Node{Op::constant, -1, -1, -1, value}); }

    /// The node of this index.
    constexpr Node const& operator[](int node) const { return nodes_[static_cast<std::size_t>(node)]; }
    /// Number of nodes.
    constexpr int size() const { return static_cast<int>(nodes_.size()); }
    /// Whether a node was refused for lack of space.
    constexpr bool full() const { return full_; }

private:
    constexpr std::size_t find(Node const& node) const {
        auto const mix = [](std::uint64_t h, std::uint64_t x) { return (h ^ x) * 0x9E3779B97F4A7C15u; };
        auto const word = [](int x) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)); };
        auto h = mix(static_cast<std::uint64_t>(node.op) + 1, word(node.a) | word(node.b) << 32);
        h = mix(mix(h ^ h >> 32, word(node.c)), std::bit_cast<std::uint64_t>(node.value));
        auto const mask = slots_.size() - 1;
        auto slot = (h ^ h >> 32) & mask;
        while (slots_[slot] >= 0 && !same(nodes_[static_cast<std::size_t>(slots_[slot])], node)) slot = (slot + 1) & mask;
        return slot;
    }
    constexpr void grow() {
        slots_.assign(slots_.size() * 4, -1);
        for (int i = 0; i < size(); ++i) slots_[find((*this)[i])] = i;
    }

    std::vector<Node> nodes_;
    std::vector<int> slots_;  // open addressing: indices of nodes, or -1
    int most_nodes_;
    bool full_ = false;
};

/// Flags of the nodes that the roots need. A root of -1 is skipped.
template <class Roots>
constexpr std::vector<char> reachable(Tree const& tree, Roots const& roots) {
    std::vector<char> needed(static_cast<std::size_t>(tree.size()), 0);
    auto const need = [&](int node) {
        if (node >= 0) needed[static_cast<std::size_t>(node)] = 1;
    };
    for (int const root : roots) need(root);
    for (int i = tree.size() - 1; i >= 0; --i) {
        if (!needed[static_cast<std::size_t>(i)]) continue;
        auto const& node = tree[i];
        if (node.op == Op::custom) need(node.a);
        if (operand_count(node.op) > 0) need(node.a), need(node.b), need(node.c);
    }
    return needed;
}

}  // namespace trotter::expression
