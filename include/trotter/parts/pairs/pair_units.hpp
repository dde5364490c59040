// Compiles the text of a pair energy to programs per pair, per particle and per force.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <trotter/expression/lower.hpp>
#include <trotter/expression/pair_names.hpp>
#include <trotter/expression/parse.hpp>
#include <trotter/expression/program.hpp>
#include <trotter/parts/pairs/pair_factorization.hpp>
#include <trotter/parts/pairs/radial.hpp>

namespace trotter::expression {

namespace detail {
/// Adds to `roots` the derivatives of the first by global parameters.
constexpr void add_derivatives(Tree& raw, std::vector<PairName> const& names, std::vector<int> const& parameters,
                               std::vector<int>& roots) {
    int const root = roots.front();
    Differentiator const derivative{raw, root};
    for (int const wanted : parameters) {
        int by_parameter = -1;
        for (int i = 0; i <= root; ++i)
            if (raw[i].op == Op::variable)
                if (auto const& name = names[static_cast<std::size_t>(raw[i].a)];
                    name.role == Role::global && name.index == wanted)
                    by_parameter = derivative.adjoint(i);
        roots.push_back(by_parameter < 0 ? raw.constant(0) : by_parameter);
    }
}
}  // namespace detail

/// Compiles a pair energy: `role_of(name)` resolves a name, `derivatives` are indices of global parameters, and with
/// `factors_roots` roots of products become products of roots, valid if no radicand is negative.
template <class RoleOf> constexpr PairUnits compile_pair(std::string_view text, RoleOf const& role_of,
                                                         int parameter_count, std::vector<int> const& derivatives,
                                                         bool factors_roots,
                                                         std::span<CustomFunction const> functions = {}) {
    PairUnits result;
    auto const parsed = Parser{text, functions}.parse();
    result.problem = parsed.problem;
    if (result.problem.kind != Malformed::no) return result;
    std::vector<PairName> names;
    for (auto const& [begin, length] : parsed.names)
        names.push_back(role_of(text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(length))));
    Tree raw;
    int const root = simplify(parsed.tree, parsed.root, raw);
    std::vector<int> roots{root};
    if (!derivatives.empty()) detail::add_derivatives(raw, names, derivatives, roots);
    PairFactorization parts{raw, names, parameter_count, factors_roots};
    for (int& node : roots) node = parts.separate(node);
    Radial radial{parts.pair};
    roots.insert(roots.begin() + 1, radial.slope(roots[0]));
    for (int& node : roots) node = radial.refine(node);

    auto const program = [&](Tree const& tree, std::vector<int> outputs, Zeros zeros = Zeros::none) {
        Lowering const lowered{tree, outputs, zeros};
        for (int& output : outputs) output = lowered.image(output);
        if (tree.full() || lowered.tree().full())
            result.problem = {Malformed::too_large, 1, static_cast<int>(text.size())};
        return linearize(lowered.tree(), outputs);
    };
    result.pair = program(parts.pair, roots, Zeros::distance);
    result.columns = program(parts.columns, parts.column_roots);
    result.radicands = program(parts.columns, parts.radicands);
    result.values = program(parts.values, parts.value_roots);
    result.leaves = parts.leaves;
    return result;
}

}  // namespace trotter::expression
