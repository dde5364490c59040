// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <trotter/io/number_text.hpp>

#include "app/selection/node.hpp"
#include "app/selection/tokens.hpp"

namespace trotter::app {
namespace {

constexpr std::string_view field_names[] = {"name",     "type",   "element", "resname", "resid",
                                            "resindex", "index",  "serial",  "chain",   "insertion",
                                            "mass",     "charge", "x",       "y",       "z"};

std::string text_of(Selection::Node::Value const& value) {
    if (value.range && value.range->first != value.range->second)
        return format_number(value.range->first) + ":" + format_number(value.range->second);
    return value.is_quoted ? '"' + value.text + '"' : value.text;
}

/// The text of each kind of node.
struct Writer {
    using Node = Selection::Node;

    std::string operator()(Node::Constant const& node) const { return node.is_selected ? "all" : "none"; }
    std::string operator()(AtomClass node) const { return std::string(name_of(node)); }
    std::string operator()(Node::Match const& node) const {
        std::string text{name_of(node.field)};
        for (auto const& value : node.values) text += " " + text_of(value);
        return text;
    }
    std::string operator()(Node::Compare const& node) const {
        return std::string(name_of(node.field)) + " " + node.comparison + " " + format_number(node.number);
    }
    std::string operator()(Node::Group const& node) const { return "@" + node.name; }
    std::string operator()(Node::Not const& node) const { return "not " + operand(node.of); }
    std::string operator()(Node::Join const& node) const {
        std::string text;
        for (auto const& part : node.of) text += (text.empty() ? "(" : node.is_or ? " or " : " and ") + tree_of(part);
        return text + ")";
    }
    std::string operator()(Node::Near const& node) const {
        return std::string(node.includes_reference ? "within " : "exwithin ") + format_number(node.distance) + " of "
               + operand(node.of);
    }
    std::string operator()(Node::Same const& node) const {
        constexpr std::string_view units[] = {"residue", "chain", "molecule"};
        return "same " + std::string(units[static_cast<int>(node.unit)]) + " as " + operand(node.of);
    }
    std::string operator()(Node::Bonded const& node) const { return "bonded to " + operand(node.of); }

    static std::string operand(std::vector<Node> const& one) {
        auto text = tree_of(one[0]);
        return text[0] == '(' ? text : "(" + text + ")";
    }
};

}  // namespace

std::optional<Field> field_named(std::string_view name) {
    auto const found = std::find(std::begin(field_names), std::end(field_names), in_lower_case(std::string(name)));
    if (found == std::end(field_names)) return {};
    return static_cast<Field>(found - std::begin(field_names));
}

std::string_view name_of(Field field) { return field_names[static_cast<std::size_t>(field)]; }

bool is_number(Field field) {
    switch (field) {
        case Field::name:
        case Field::type:
        case Field::element:
        case Field::resname:
        case Field::chain:
        case Field::insertion:
            return false;
        default:
            return true;
    }
}

std::string tree_of(Selection::Node const& node) { return std::visit(Writer{}, node.what); }

}  // namespace trotter::app
