// Compiles text into a unit.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <trotter/expression/derivative.hpp>
#include <trotter/expression/lower.hpp>
#include <trotter/expression/parse.hpp>
#include <trotter/expression/simplify.hpp>
#include <trotter/expression/unit.hpp>

namespace trotter::expression {

/// Whether instruction `i` belongs to the same call of a custom function as the one before it.
constexpr bool continues_call(std::span<Instruction const> code, std::span<CallOperand const> calls, std::size_t i) {
    if (i == 0 || code[i].op != Op::custom || code[i - 1].op != Op::custom) return false;
    auto const& x = code[i - 1];
    auto const& y = code[i];
    bool is_same = x.a == y.a && x.c == y.c;
    for (int k = 0; k < x.c && is_same; ++k)
        is_same = calls[static_cast<std::size_t>(x.b + k)].operand == calls[static_cast<std::size_t>(y.b + k)].operand;
    return is_same;
}
/// The operand by which a call of a custom function is differentiated; -1 for the value.
constexpr int differentiated_by(Instruction const& call, std::span<CallOperand const> calls) {
    int by = -1;
    for (int k = 0; k < call.c; ++k)
        if (calls[static_cast<std::size_t>(call.b + k)].order > 0) by = k;
    return by;
}

namespace detail {
/// Whether two calls have the same function and arguments.
constexpr bool same_call(Tree const& tree, Node const& x, Node const& y) {
    int a = x.a, b = y.a;
    while (a >= 0 && b >= 0 && tree[a].a == tree[b].a) a = tree[a].b, b = tree[b].b;
    return x.b == y.b && a < 0 && b < 0;
}
}  // namespace detail

/// The instructions that the roots of a lowered tree need.
template <class Roots>
constexpr Program linearize(Tree const& tree, Roots const& roots) {
    Program program;
    auto const needed = reachable(tree, roots);
    std::vector<int> position(static_cast<std::size_t>(tree.size()), -1);
    auto const at = [&](int node) { return node < 0 ? -1 : position[static_cast<std::size_t>(node)]; };
    std::vector<int> customs;
    for (int i = 0; i < tree.size(); ++i)
        if (needed[static_cast<std::size_t>(i)] && tree[i].op == Op::custom) customs.push_back(i);
    auto const call = [&](int i) {
        int const first = static_cast<int>(program.calls.size());
        position[static_cast<std::size_t>(i)] = static_cast<int>(program.code.size());
        for (int cell = tree[i].a; cell >= 0; cell = tree[cell].b)
            program.calls.push_back({at(tree[cell].a), static_cast<int>(tree[cell].value)});
        program.code.push_back({Op::custom, tree[i].b, first, static_cast<int>(program.calls.size()) - first});
    };
    for (int i = 0; i < tree.size(); ++i) {
        auto const& node = tree[i];
        if (!needed[static_cast<std::size_t>(i)] || node.op == Op::argument || at(i) >= 0) continue;
        if (node.op == Op::custom) {  // together with the other outputs of the same call
            for (int const other : customs)
                if (detail::same_call(tree, node, tree[other])) call(other);
            continue;
        }
        position[static_cast<std::size_t>(i)] = static_cast<int>(program.code.size());
        if (node.op == Op::constant || node.op == Op::limit) program.code.push_back({node.op, -1, -1, -1, node.value});
        else if (node.op == Op::variable) program.code.push_back({node.op, node.a});
        else program.code.push_back({node.op, at(node.a), at(node.b), at(node.c)});
    }
    for (int const root : roots) program.outputs.push_back(at(root));
    return program;
}

/// A compiled formula: the variables that it depends on, by first appearance; the unit with the value and the slope by
/// each of them in that order; or the first error.
struct Compiled {
    std::vector<Name> names;  ///< variables, by index
    Program program;  ///< energy, then the derivative by each name
    Problem problem;  ///< the first error in the text; if set, the rest is invalid
};

namespace detail {
/// The variables that the expression depends on, in the order of their first appearance in the text.
constexpr std::vector<int> used_variables(Tree const& tree, int root, std::vector<Name> const& names) {
    std::vector<int> used;
    auto const needed = reachable(tree, std::array{root});
    for (int i = 0; i <= root; ++i) {
        if (!needed[static_cast<std::size_t>(i)] || tree[i].op != Op::variable) continue;
        auto const begin = [&](int node) { return names[static_cast<std::size_t>(tree[node].a)].begin; };
        std::size_t place = used.size();
        while (place > 0 && begin(used[place - 1]) > begin(i)) --place;
        used.insert(used.begin() + static_cast<std::ptrdiff_t>(place), i);
    }
    return used;
}
}  // namespace detail

/// Parses, simplifies, differentiates by every variable, and lowers as one unit.
constexpr Compiled compile(std::string_view text, std::span<CustomFunction const> functions = {}) {
    Compiled result;
    auto const parsed = Parser{text, functions}.parse();
    result.problem = parsed.problem;
    if (result.problem.kind != Malformed::no) return result;
    Tree tree;
    int const root = simplify(parsed.tree, parsed.root, tree);
    auto const used = detail::used_variables(tree, root, parsed.names);
    Differentiator const derivative{tree, root};
    std::vector<int> roots{root};
    int const zero = tree.constant(0);
    for (int const variable : used) {
        result.names.push_back(parsed.names[static_cast<std::size_t>(tree[variable].a)]);
        roots.push_back(derivative.adjoint(variable) < 0 ? zero : derivative.adjoint(variable));
    }
    Lowering const lowered{tree, roots, Zeros::any};
    if (tree.full() || lowered.tree().full()) {
        result.problem = {Malformed::too_large, 1, static_cast<int>(text.size())};
        return result;
    }
    for (int& r : roots) r = lowered.image(r);
    result.program = linearize(lowered.tree(), roots);
    // The parser numbers variables in the order in which it met them, the unit in the order of the text.
    std::vector<int> rank(parsed.names.size(), -1);
    for (std::size_t i = 0; i < used.size(); ++i) rank[static_cast<std::size_t>(tree[used[i]].a)] = static_cast<int>(i);
    for (auto& instruction : result.program.code)
        if (instruction.op == Op::variable) instruction.a = rank[static_cast<std::size_t>(instruction.a)];
    return result;
}

}  // namespace trotter::expression
