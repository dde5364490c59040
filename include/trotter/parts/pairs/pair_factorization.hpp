// Factors a pair formula into per-particle and per-pair subexpressions.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include <trotter/expression/pair_names.hpp>
#include <trotter/expression/simplify.hpp>
#include <trotter/expression/tree.hpp>

namespace trotter::expression {

/// √c of a positive constant, also at compile time; exact for squares.
constexpr double square_root(double c) {
    double root = c < 1 ? 1 : c;
    for (double next = (root + c / root) / 2; next < root; next = (root + c / root) / 2) root = next;
    return root;
}

/// Moves subexpressions of one particle alone (columns) and of global parameters alone (values) out of a pair formula.
/// First, distance-independent subexpressions of both particles are written as f(particle 1) g(particle 2) or
/// f(particle 1) + g(particle 2) if possible, and constant factors are split between both particles: 4 sqrt(e1 e2)
/// ((s/r)^12 - (s/r)^6), s = (s1 + s2)/2, leads to columns 2 sqrt(e) and s/2. Roots of products become products of
/// roots only with `factors_roots`, if no `radicand` is negative.
class PairFactorization {
public:
    /// `raw` is in normal form and is extended; `names` are by the index of its variables.
    constexpr PairFactorization(Tree& raw, std::vector<PairName> const& names, int parameter_count, bool factors_roots)
        : raw_{raw},
          make_raw_{raw},
          make_{pair},
          names_{names},
          parameter_count_{parameter_count},
          factors_roots_{factors_roots} {}

    Tree pair;                 ///< of the distance and the leaves
    std::vector<Leaf> leaves;  ///< by their variables in `pair`, minus `first_leaf_variable`
    Tree columns;              ///< of the parameters of one particle, followed by global parameters
    std::vector<int> column_roots, radicands;  ///< nodes of `columns`
    Tree values;  ///< of global parameters
    std::vector<int> value_roots;  ///< nodes of `values`

    /// The node in `pair` for one of `raw`.
    constexpr int separate(int root) {
        auto const needed = reachable(raw_, std::array{root});
        forms_.resize(static_cast<std::size_t>(raw_.size()));
        for (int i = 0; i <= root; ++i)
            if (needed[static_cast<std::size_t>(i)]) forms_[static_cast<std::size_t>(i)] = form_of(i);
        return realize(form(root));
    }

private:
    /// constant · a · b · g · (sum1 + sum2) · rest: nodes of `raw` of particle 1, particle 2 and neither, a sum of both
    /// particles, and a node of `pair`; -1 if absent.
    struct Form {
        double constant = 1;
        int a = -1, b = -1, g = -1, sum1 = -1, sum2 = -1, rest = -1;

        constexpr bool has_sum() const { return sum1 >= 0; }
        constexpr bool is_product() const { return !has_sum() && rest < 0; }
    };
    enum Dependence : unsigned char { on_distance = 1, on_particle1 = 2, on_particle2 = 4, on_globals = 8 };

    constexpr Form const& form(int i) const { return forms_[static_cast<std::size_t>(i)]; }

    constexpr unsigned dependence(int i) {
        while (static_cast<int>(dependences_.size()) <= i) {
            auto const& node = raw_[static_cast<int>(dependences_.size())];
            unsigned on = 0;
            if (node.op == Op::variable)
                on = 1u << static_cast<unsigned>(names_[static_cast<std::size_t>(node.a)].role);
            else if (node.op == Op::custom)
                on = dependences_[static_cast<std::size_t>(node.a)];
            else if (operand_count(node.op) > 0)
                for (int const operand : {node.a, node.b, node.c})
                    if (operand >= 0) on |= dependences_[static_cast<std::size_t>(operand)];
            dependences_.push_back(static_cast<unsigned char>(on));
        }
        return dependences_[static_cast<std::size_t>(i)];
    }

    constexpr Form form_of(int i) {
        auto const node = raw_[i];
        unsigned const on = dependence(i);
        bool const has_distance = on & on_distance;
        if (node.op == Op::constant) return {.constant = node.value};
        if (node.op == Op::argument) return {};  // part of a custom function call
        if (!(on & ~unsigned{on_globals})) return {.g = i};
        // recurse into products to separate factors that do not depend on the particle
        bool const is_product = node.op == Op::multiply || node.op == Op::divide || node.op == Op::negate;
        if (!has_distance && !is_product && !(on & on_particle2)) return {.a = i};
        if (!has_distance && !is_product && !(on & on_particle1)) return {.b = i};
        switch (node.op) {
            case Op::variable:
                return {.rest = pair.add(Op::variable, distance_variable)};
            case Op::multiply:
                return product(form(node.a), form(node.b));
            case Op::divide:
                if (form(node.b).constant != 0) return product(form(node.a), inverse(form(node.b)));
                break;
            case Op::negate:
                return scaled(form(node.a), -1);
            case Op::add:
            case Op::subtract:
                if (!has_distance)
                    if (Form const sum = separate_sum(form(node.a), form(node.b), node.op); sum.has_sum()) return sum;
                break;
            case Op::power_constant:
            case Op::sqrt:
            case Op::abs:
                if (!has_distance && can_distribute(node, form(node.a))) return distributed(node, form(node.a));
                break;
            default:
                break;
        }
        if (node.op == Op::custom) return {.rest = call(node)};
        if (node.op == Op::power_constant) return {.rest = make_.power_constant(realize(form(node.a)), node.value)};
        auto const operand = [&](int o) { return o < 0 ? -1 : realize(form(o)); };
        int const a = operand(node.a), b = operand(node.b);
        return {.rest = make_.apply(node.op, a, b, operand(node.c))};
    }

    constexpr int call(Node const& node) {
        std::vector<int> cells;
        for (int cell = node.a; cell >= 0; cell = raw_[cell].b) cells.push_back(cell);
        int list = -1;
        for (auto i = cells.size(); i-- > 0;)
            list = pair.add_like(raw_[cells[i]], realize(form(raw_[cells[i]].a)), list, -1);
        return pair.add_like(node, list, -1, -1);
    }

    constexpr int raw_product(int x, int y) { return x < 0 ? y : y < 0 ? x : make_raw_.multiply(x, y); }
    constexpr int pair_product(int x, int y) { return x < 0 ? y : y < 0 ? x : make_.multiply(x, y); }
    static constexpr Form scaled(Form form, double factor) {
        form.constant *= factor;
        return form;
    }
    constexpr Form product(Form x, Form const& y) {
        x.constant *= y.constant;
        x.a = raw_product(x.a, y.a), x.b = raw_product(x.b, y.b), x.g = raw_product(x.g, y.g);
        if (y.has_sum() && x.has_sum())
            x.rest = pair_product(x.rest, sum_node(y));
        else if (y.has_sum())
            x.sum1 = y.sum1, x.sum2 = y.sum2;
        x.rest = pair_product(x.rest, y.rest);
        return x;
    }
    constexpr Form inverse(Form x) {
        x.constant = 1 / x.constant;
        for (int* part : {&x.a, &x.b, &x.g})
            if (*part >= 0) *part = make_raw_.power_constant(*part, -1);
        if (x.has_sum()) x.rest = pair_product(x.rest, sum_node(x));
        if (x.rest >= 0) x.rest = make_.power_constant(x.rest, -1);
        x.sum1 = x.sum2 = -1;
        return x;
    }

    /// x ± y as f(particle 1) + g(particle 2), if possible.
    constexpr Form separate_sum(Form const& x, Form const& y, Op op) {
        if (!is_sum(x) || !is_sum(y)) return {};
        auto const [x1, x2] = as_sum(x);
        auto const [y1, y2] = as_sum(y);
        return {.sum1 = make_raw_.apply(op, x1, y1), .sum2 = make_raw_.apply(op, x2, y2)};
    }
    static constexpr bool is_sum(Form const& x) {
        return x.rest < 0 && (x.has_sum() ? x.a < 0 && x.b < 0 : x.a < 0 || x.b < 0);
    }
    constexpr std::array<int, 2> as_sum(Form const& x) {
        int const factor = raw_product(make_raw_.constant(x.constant), x.g), none = make_raw_.constant(0);
        if (x.has_sum()) return {raw_product(factor, x.sum1), raw_product(factor, x.sum2)};
        if (x.a >= 0) return {raw_product(factor, x.a), none};
        if (x.b >= 0) return {none, raw_product(factor, x.b)};
        int const half = make_raw_.multiply(make_raw_.constant(0.5), factor);
        return {half, half};
    }

    static constexpr bool needs_positive(Node const& node) {
        return node.op == Op::sqrt || (node.op == Op::power_constant && !is_chained(node.value));
    }
    constexpr bool can_distribute(Node const& node, Form const& x) const {
        return x.is_product() && x.a >= 0 && x.b >= 0 && (!needs_positive(node) || (factors_roots_ && x.constant > 0));
    }
    /// A power, a root or the absolute value of a product, factor by factor.
    constexpr Form distributed(Node const& node, Form x) {
        auto const apply = [&](int part) {
            return node.op == Op::power_constant ? make_raw_.power_constant(part, node.value)
                                                 : make_raw_.apply(node.op, part);
        };
        if (needs_positive(node))
            for (int const part : {x.a, x.b, x.g})
                if (part >= 0) radicands.push_back(column_image(part));
        Form result{.a = apply(x.a), .b = apply(x.b)};
        if (x.g >= 0) result.g = apply(x.g);
        if (x.constant == 1) return result;
        if (node.op == Op::sqrt)
            result.constant = square_root(x.constant);
        else
            result.g = raw_product(result.g, apply(make_raw_.constant(x.constant)));
        return result;
    }

    /// Moves global factors into per-particle factors where possible, and replaces per-particle subexpressions by
    /// leaves.
    constexpr int realize(Form x) {
        if (x.constant == 0) return make_.constant(0);
        if (x.g >= 0 && x.has_sum()) {
            x.sum1 = make_raw_.multiply(x.g, x.sum1), x.sum2 = make_raw_.multiply(x.g, x.sum2), x.g = -1;
        } else if (x.g >= 0 && (x.a >= 0) != (x.b >= 0)) {
            int& one = x.a >= 0 ? x.a : x.b;
            one = make_raw_.multiply(x.g, one), x.g = -1;
        }
        bool const is_negative = x.constant < 0 && x.a >= 0 && x.b >= 0 && x.g < 0;
        int rest = distribute_constant(x);
        int result = -1;
        if (x.a >= 0) result = pair_product(result, leaf(x.a, Role::particle1));
        if (x.b >= 0) result = pair_product(result, leaf(x.b, Role::particle2));
        if (x.g >= 0) result = pair_product(result, leaf(x.g, Role::global));
        if (x.has_sum()) result = pair_product(result, sum_node(x));
        if (rest >= 0) result = pair_product(result, rest);
        return is_negative ? make_.negate(result) : result;
    }
    /// Merges the constant into a leaf, where it is free; otherwise into `rest`, which is returned.
    constexpr int distribute_constant(Form& x) {
        if (x.constant == 1 && (x.a >= 0 || x.b >= 0 || x.g >= 0 || x.has_sum() || x.rest >= 0)) return x.rest;
        auto const scale = [&](int& part, double factor) {
            part = make_raw_.multiply(make_raw_.constant(factor), part);
        };
        if (x.g >= 0)
            scale(x.g, x.constant);
        else if (x.a >= 0 && x.b >= 0) {
            double const root = square_root(x.constant < 0 ? -x.constant : x.constant);
            scale(x.a, root), scale(x.b, root);
        } else if (x.a >= 0)
            scale(x.a, x.constant);
        else if (x.b >= 0)
            scale(x.b, x.constant);
        else if (x.has_sum())
            scale(x.sum1, x.constant), scale(x.sum2, x.constant);
        else
            return pair_product(make_.constant(x.constant), x.rest);
        return x.rest;
    }
    constexpr int sum_node(Form const& x) {
        int const a = leaf(x.sum1, Role::particle1);
        return make_.add(a, leaf(x.sum2, Role::particle2));
    }

    constexpr int leaf(int node, Role role) {
        if (raw_[node].op == Op::constant) return make_.constant(raw_[node].value);
        bool const is_column = role != Role::global;
        Leaf const wanted{
            role, place(is_column ? column_roots : value_roots, is_column ? column_image(node) : value_image(node))};
        return pair.add(Op::variable, first_leaf_variable + place(leaves, wanted));
    }
    template <class T> static constexpr int place(std::vector<T>& list, T const& item) {
        std::size_t n = 0;
        while (n < list.size() && !(list[n] == item)) ++n;
        if (n == list.size()) list.push_back(item);
        return static_cast<int>(n);
    }
    constexpr int column_image(int node) {
        return transcribe(raw_, node, columns, [&](Node const& variable) {
            auto const [role, index] = names_[static_cast<std::size_t>(variable.a)];
            return columns.add(Op::variable, role == Role::global ? parameter_count_ + index : index);
        });
    }
    constexpr int value_image(int node) {
        return transcribe(raw_, node, values, [&](Node const& variable) {
            return values.add(Op::variable, names_[static_cast<std::size_t>(variable.a)].index);
        });
    }

    Tree& raw_;
    Simplifier make_raw_, make_;
    std::vector<PairName> const& names_;
    int parameter_count_;
    bool factors_roots_;
    std::vector<unsigned char> dependences_;
    std::vector<Form> forms_;
};

}  // namespace trotter::expression
