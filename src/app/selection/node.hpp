// The parsed expression of a selection.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <trotter/app/selection.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "app/selection/classes.hpp"

namespace trotter::app {

/// What is known of an atom.
enum class Field {
    name,
    type,
    element,
    resname,
    resid,
    resindex,
    index,
    serial,
    chain,
    insertion,
    mass,
    charge,
    x,
    y,
    z
};

/// The field with a name in any case.
std::optional<Field> field_named(std::string_view name);
std::string_view name_of(Field field);
/// Whether values of the field are numbers, which `<` and ranges compare.
bool is_number(Field field);

/// What atoms have in common for `same … as`.
enum class Unit { residue, chain, molecule };

struct Selection::Node {
    /// A value of a field, or a range of numbers.
    struct Value {
        std::string text;                                ///< as written
        bool is_quoted = false;                          ///< `*` and `?` stand for themselves
        std::optional<std::pair<double, double>> range;  ///< the first and last number
    };
    struct Constant {
        bool is_selected;
    };
    struct Match {  ///< the field has one of the values
        Field field;
        std::vector<Value> values;
    };
    struct Compare {
        Field field;
        std::string comparison;  ///< `<`, `<=`, `>` or `>=`
        double number;
    };
    struct Group {
        std::string name;
    };
    struct Not {
        std::vector<Node> of;  ///< one
    };
    struct Join {
        bool is_or;
        std::vector<Node> of;  ///< two or more
    };
    struct Near {
        double distance;  ///< [nm]
        bool includes_reference;
        std::vector<Node> of;  ///< one
    };
    struct Same {
        Unit unit;
        std::vector<Node> of;  ///< one
    };
    struct Bonded {
        std::vector<Node> of;  ///< one
    };
    std::variant<Constant, AtomClass, Match, Compare, Group, Not, Join, Near, Same, Bonded> what;
};

/// Throws InputError.
Selection::Node parse_selection(std::string const& text);

std::string tree_of(Selection::Node const& node);

/// Whether each atom is selected. Throws InputError.
std::vector<bool> evaluate(Selection::Node const& node, Structure const& structure, SelectionData const& data);

}  // namespace trotter::app
