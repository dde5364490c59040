// Flattens the tree of an integrator's variables, and builds it again.
// SPDX-License-Identifier: MIT
#include "integrator_parameters_xml.hpp"

#include <algorithm>

#include <trotter/error.hpp>

namespace trotter::detail {
namespace {

constexpr std::string_view element_name = "IntegratorParameters";

/// OpenMM writes a version only where an integrator has variables, and does not mind one elsewhere.
constexpr int version = 1;
constexpr std::string_view first_element = "IntegratorParameters[0]/";
constexpr std::string_view current = "currentIntegrator";
constexpr std::int64_t last_index = 1'000'000;

void flatten(XmlNode const& node, std::string const& prefix, std::map<std::string, double>& result) {
    bool const versioned = node.name() == element_name;
    if (versioned && node.has("version")) node.version(version, version);
    auto const before = result.size();
    for (auto const name : node.attributes())
        if (name == current) result[prefix + std::string(name)] = node.integer<int>(name);
        else if (!versioned || name != "version") result[prefix + std::string(name)] = node.number(name, Allow::Any);
    std::map<std::string_view, int> counts;
    for (auto const child : node.children()) {
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
    throw InputError("the integrator parameter '" + key + "' cannot be written, expected a name such as "
                     + std::string(first_element) + "Chain[0]/Bead[1]/position");
}

void insert(Tree& root, std::string const& key, double value) {
    auto* tree = &root;
    std::string_view rest = key;
    for (auto slash = rest.find('/'); slash != rest.npos; slash = rest.find('/')) {
        auto const step = rest.substr(0, slash);
        auto const bracket = step.find('[');
        if (bracket == step.npos || step.back() != ']') refuse_key(key);
        auto const index = parse_integer(step.substr(bracket + 1, step.size() - bracket - 2));
        if (!index || *index < 0 || *index > last_index) refuse_key(key);
        tree = &tree->children[std::string(step.substr(0, bracket))][*index];
        rest.remove_prefix(slash + 1);
    }
    if (!rest.empty()) tree->values[std::string(rest)] = value;
}

void write_tree(XmlWriter& xml, std::string_view name, Tree const& tree) {
    check_xml_name(name);
    xml.open(name);
    if (name == element_name) xml.attribute("version", version);
    for (auto const& [attribute, value] : tree.values) {
        check_xml_name(attribute);
        xml.attribute(attribute, value);
    }
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
        insert(root, is_compound ? key : key.substr(first_element.size()), value);
    }
    write_tree(xml, element_name, root);
}

void check_xml_name(std::string_view name) {
    auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
    };
    auto is_other = [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; };
    bool const good = !name.empty() && is_letter(name.front())
                      && std::ranges::all_of(name, [&](char c) { return is_letter(c) || is_other(c); });
    if (!good)
        throw InputError("the parameter '" + std::string(name)
                         + "' cannot be written: XML has no attribute or element of that name");
}

}  // namespace trotter::detail
