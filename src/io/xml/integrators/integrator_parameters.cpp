// Flattens the tree of an integrator's variables, and rebuilds it.
// SPDX-License-Identifier: MIT
#include "integrator_parameters.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>

#include "io/xml/named_numbers.hpp"

namespace trotter::detail {
namespace {

constexpr std::string_view element_name = "IntegratorParameters";

/// OpenMM writes a version only if an integrator has variables, and accepts one elsewhere.
constexpr int version = 1;
constexpr std::string_view first_element = "IntegratorParameters[0]/";
constexpr std::string_view current = "currentIntegrator";
/// Names in a CustomIntegrator, which may contain slashes.
constexpr std::string_view freely_named = "GlobalVariables";
constexpr std::int64_t last_index = 1'000'000;

/// Same rules as pugixml's, so that every name that was read can be written.
bool is_element_name(std::string_view name) {
    auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
    };
    auto is_other = [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; };
    return !name.empty() && is_letter(name.front())
           && std::ranges::all_of(name, [&](char c) { return is_letter(c) || is_other(c); });
}

void flatten(XmlNode const& node, std::string const& prefix, std::map<std::string, double>& result) {
    bool const versioned = node.name() == element_name;
    if (versioned && node.has("version")) node.version(version, version);
    auto const before = result.size();
    for (auto const name : node.attributes())
        if (name == current) result[prefix + std::string(name)] = node.integer<int>(name);
        else if (!versioned || name != "version") result[prefix + std::string(name)] = node.number(name, Allow::Any);
    std::map<std::string_view, int> counts;
    for (auto const child : node.children()) {
        if (child.name() == parameter_element) {
            auto const [name, value] = read_parameter_element(child, Allow::Any);
            result[prefix + name] = value;
            continue;
        }
        auto const index = std::to_string(counts[child.name()]++);
        flatten(child, prefix + std::string(child.name()) + "[" + index + "]/", result);
    }
    if (result.size() == before && !prefix.empty()) result[prefix] = 0;
}

struct Tree {
    std::map<std::string, double> values;
    std::map<std::string, std::map<std::int64_t, Tree>> children;
};

[[noreturn]] void refuse_key(std::string const& key) {
    throw InputError("the integrator parameter " + in_quotes(key) + " cannot be written, expected a name such as "
                     + std::string(first_element) + "Chain[0]/Bead[1]/position");
}

/// Parses a path component `name[index]` of a key; none if it is part of a value's name.
std::optional<std::pair<std::string, std::int64_t>> element_of(std::string_view step) {
    auto const bracket = step.find('[');
    if (bracket == step.npos || step.back() != ']' || !is_element_name(step.substr(0, bracket))) return {};
    auto const index = parse_integer(step.substr(bracket + 1, step.size() - bracket - 2));
    if (!index || *index < 0 || *index > last_index) return {};
    return std::pair{std::string(step.substr(0, bracket)), *index};
}

void insert(Tree& root, std::string_view key, double value) {
    auto* tree = &root;
    for (auto slash = key.find('/'); slash != key.npos; slash = key.find('/')) {
        auto const element = element_of(key.substr(0, slash));
        if (!element) break;
        tree = &tree->children[element->first][element->second];
        key.remove_prefix(slash + 1);
        if (element->first == freely_named) break;
    }
    if (!key.empty()) tree->values[std::string(key)] = value;
}

void write_tree(XmlWriter& xml, std::string_view name, Tree const& tree) {
    xml.open(name);
    if (name == element_name) xml.attribute("version", version);
    write_named_numbers(xml, tree.values);
    for (auto const& [child, elements] : tree.children) {
        auto const count = elements.rbegin()->first + 1;
        for (std::int64_t index = 0; index < count; ++index) {
            auto const element = elements.find(index);
            write_tree(xml, child, element == elements.end() ? Tree{} : element->second);
        }
    }
    xml.close();
}

}  // namespace

std::map<std::string, double> read_integrator_parameters(XmlNode const& node) {
    std::map<std::string, double> result;
    flatten(node, node.has(current) ? "" : std::string(first_element), result);
    return result;
}

void write_integrator_parameters(XmlWriter& xml, std::map<std::string, double> const& parameters) {
    bool const is_compound = parameters.contains(std::string(current));
    Tree root;
    for (auto const& [key, value] : parameters) {
        if (!is_compound && !key.starts_with(first_element)) refuse_key(key);
        insert(root, std::string_view(key).substr(is_compound ? 0 : first_element.size()), value);
    }
    write_tree(xml, element_name, root);
}

void check_element_name(std::string_view name) {
    if (!is_element_name(name))
        throw InputError("the per-DOF variable " + in_quotes(name) + " cannot be written: XML has no element of that name");
}

}  // namespace trotter::detail
