// Strict access to an element: values, children, and error messages.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>
#include <trotter/io/xml.hpp>

#include "xml_source.hpp"

namespace trotter {
namespace {

pugi::xml_node element(void* node) { return pugi::xml_node{static_cast<pugi::xml_node_struct*>(node)}; }

/// pugixml's lookup needs a null-terminated name.
pugi::xml_attribute find_attribute(void* node, std::string_view name) {
    for (auto const attribute : element(node).attributes())
        if (name == attribute.name()) return attribute;
    return {};
}

/// Returns the first element from `node` on, with the name if given.
void* next_element(pugi::xml_node node, std::optional<std::string_view> name) {
    while (node && (node.type() != pugi::node_element || (name && *name != node.name()))) node = node.next_sibling();
    return node.internal_object();
}

std::string list(std::span<std::string_view const> names) {
    if (names.empty()) return "none";
    std::string result;
    for (auto const name : names) result += (result.empty() ? "" : ", ") + std::string{name};
    return result;
}

bool contains(std::span<std::string_view const> names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Path component: the element's name, with its index if siblings have the same name.
std::string step_of(pugi::xml_node node) {
    std::size_t index = 0;
    for (auto other = node.previous_sibling(node.name()); other; other = other.previous_sibling(node.name())) ++index;
    bool const alone = index == 0 && !node.next_sibling(node.name());
    return "/" + printable(node.name()) + (alone ? "" : "[" + std::to_string(index) + "]");
}

constexpr std::string_view expected_number(Allow allow) {
    return allow == Allow::Finite ? "a finite number" : allow == Allow::Infinite ? "a number or Infinity" : "a number, Infinity or NaN";
}

}  // namespace

std::string_view XmlNode::name() const { return element(node_).name(); }

XmlChildren XmlNode::children() const {
    XmlChildren range;
    range.parent_ = node_;
    range.source_ = source_;
    return range;
}

XmlChildren XmlNode::children(std::string_view name) const {
    auto range = children();
    range.name_ = name;
    return range;
}

XmlChildren XmlNode::items(std::string_view item) const {
    only({}, {item});
    return children();
}

XmlChildren::Iterator XmlChildren::begin() const {
    Iterator first;
    first.node_ = next_element(element(parent_).first_child(), name_);
    first.source_ = source_;
    first.name_ = name_;
    return first;
}

XmlChildren::Iterator& XmlChildren::Iterator::operator++() {
    node_ = next_element(element(node_).next_sibling(), name_);
    return *this;
}

std::optional<XmlNode> XmlNode::find(std::string_view name) const {
    auto* const first = next_element(element(node_).first_child(), name);
    if (!first) return {};
    if (auto* const second = next_element(element(first).next_sibling(), name))
        XmlNode{second, source_}.fail("expected only one <" + std::string{name} + "> here");
    return XmlNode{first, source_};
}

XmlNode XmlNode::child(std::string_view name) const {
    auto const found = find(name);
    if (!found) fail("the element <" + printable(name) + "> is missing");
    return *found;
}

bool XmlNode::has(std::string_view attribute) const { return !find_attribute(node_, attribute).empty(); }

std::string_view XmlNode::text(std::string_view attribute) const {
    auto const found = find_attribute(node_, attribute);
    if (!found) fail("the attribute " + printable(attribute) + " is missing");
    return found.value();
}

std::string_view XmlNode::text_or(std::string_view attribute, std::string_view fallback) const {
    return has(attribute) ? text(attribute) : fallback;
}

double XmlNode::number(std::string_view attribute, Allow allow) const {
    auto const value = parse_number(text(attribute), allow);
    if (!value) refuse(attribute, expected_number(allow));
    return *value;
}

double XmlNode::number_or(std::string_view attribute, double fallback, Allow allow) const {
    return has(attribute) ? number(attribute, allow) : fallback;
}

std::int64_t XmlNode::integer_between(std::string_view attribute, std::int64_t low, std::int64_t high) const {
    auto const value = parse_integer(text(attribute));
    if (!value || *value < low || *value > high) {
        if (high < low) refuse(attribute, "nothing: there is nothing that it could refer to");
        refuse(attribute, "an integer from " + std::to_string(low) + " to " + std::to_string(high));
    }
    return *value;
}

bool XmlNode::boolean(std::string_view attribute) const {
    auto const value = text(attribute);
    if (value != "0" && value != "1") refuse(attribute, "0 or 1");
    return value == "1";
}

bool XmlNode::boolean_or(std::string_view attribute, bool fallback) const {
    return has(attribute) ? boolean(attribute) : fallback;
}

std::vector<std::string_view> XmlNode::attributes() const {
    std::vector<std::string_view> names;
    for (auto const attribute : element(node_).attributes()) names.emplace_back(attribute.name());
    return names;
}

std::string XmlNode::content() const {
    std::string text;
    for (auto const part : element(node_).children())
        if (part.type() == pugi::node_pcdata || part.type() == pugi::node_cdata) text += part.value();
    return text;
}

int XmlNode::version(int newest, int oldest) const {
    int const found = integer("version");
    if (found > newest)
        fail("version " + std::to_string(found) + " is newer than " + std::to_string(newest) + ", the newest that is known here");
    if (found < oldest) refuse("version", "a version from " + std::to_string(oldest) + " to " + std::to_string(newest));
    return found;
}

void XmlNode::only(std::span<std::string_view const> attributes, std::span<std::string_view const> children) const {
    for (auto const attribute : element(node_).attributes())
        if (!contains(attributes, attribute.name()))
            fail("unknown attribute " + in_quotes(attribute.name()) + " (known: " + list(attributes) + ")");
    for (auto const child : element(node_).children()) {
        if (child.type() == pugi::node_element && !contains(children, child.name()))
            XmlNode{child.internal_object(), source_}.fail("unknown element (known here: " + list(children) + ")");
        if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
            fail("unexpected text " + in_quotes(child.value()));
    }
}

void XmlNode::fail(std::string_view what) const {
    throw InputError(source_->file_name + ", line " + std::to_string(line()) + ", " + path() + ": " + std::string{what});
}

void XmlNode::refuse(std::string_view attribute, std::string_view expected) const {
    fail(printable(attribute) + " is " + in_quotes(text(attribute)) + ", expected " + std::string{expected});
}

std::string XmlNode::path() const {
    std::string path;
    for (auto node = element(node_); node.type() == pugi::node_element; node = node.parent()) path = step_of(node) + path;
    return path;
}

std::size_t XmlNode::line() const {
    auto const offset = element(node_).offset_debug();
    return offset < 0 ? 1 : source_->lines.line_of(static_cast<std::size_t>(offset));
}

}  // namespace trotter
