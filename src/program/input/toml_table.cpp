// SPDX-License-Identifier: MIT
#include "toml_table.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/number_text.hpp>

namespace trotter::program {
namespace {

std::string in_line(std::string const& file, toml::source_region const& region) {
    return file + ", line " + std::to_string(region.begin.line) + ": ";
}

std::optional<double> finite_number(toml::node const& node) {
    auto const value = node.value<double>();  // integers too
    return value && std::isfinite(*value) && !node.is_boolean() ? value : std::nullopt;
}

/// Three numbers; nothing for anything else.
std::optional<Vec3<>> three_numbers(toml::node const& node) {
    auto const* list = node.as_array();
    if (list == nullptr || list->size() != 3) return {};
    auto const x = finite_number(*list->get(0)), y = finite_number(*list->get(1)), z = finite_number(*list->get(2));
    if (!x || !y || !z) return {};
    return Vec3<>{*x, *y, *z};
}

}  // namespace

toml::table parse_toml_file(std::string const& path) {
    constexpr std::uint64_t largest_file = 1 << 20;
    try {
        return toml::parse(read_file(path, largest_file), path);
    } catch (toml::parse_error const& error) {
        std::string reason(error.description());
        std::replace(reason.begin(), reason.end(), '\n', ' ');
        throw InputError(in_line(path, error.source()) + reason);
    }
}

std::string TomlTable::where() const { return in_line(file_, table_.source()) + '[' + name_ + "]"; }

void TomlTable::fail(std::string_view key, std::string const& what) const {
    auto const* node = table_.get(key);
    throw InputError((node == nullptr ? in_line(file_, table_.source()) : in_line(file_, node->source())) + '[' + name_
                     + "] " + std::string(key) + ' ' + what);
}

void TomlTable::refuse(std::string_view key, toml::node const& value, std::string const& expected) const {
    std::ostringstream text;
    value.visit([&](auto const& known) { text << known; });
    fail(key, "is " + printable(text.str()) + ", expected " + expected);
}

toml::node const* TomlTable::find(std::string_view key) {
    known_.emplace(key);
    return table_.get(key);
}

std::optional<std::string> TomlTable::text(std::string_view key) {
    auto const* node = find(key);
    if (node == nullptr) return {};
    if (auto const value = node->value_exact<std::string>()) return *value;
    refuse(key, *node, "a text");
}

std::optional<double> TomlTable::number(std::string_view key) {
    auto const* node = find(key);
    if (node == nullptr) return {};
    if (auto const value = finite_number(*node)) return *value;
    refuse(key, *node, "a finite number");
}

std::optional<int> TomlTable::integer(std::string_view key, int low) {
    auto const* node = find(key);
    if (node == nullptr) return {};
    auto const value = node->value_exact<std::int64_t>();
    if (value && *value >= low && *value <= std::numeric_limits<int>::max()) return static_cast<int>(*value);
    refuse(key, *node, "a whole number from " + std::to_string(low) + " on");
}

std::optional<bool> TomlTable::boolean(std::string_view key) {
    auto const* node = find(key);
    if (node == nullptr) return {};
    if (auto const value = node->value_exact<bool>()) return *value;
    refuse(key, *node, "true or false");
}

std::vector<std::string> TomlTable::texts(std::string_view key) {
    std::vector<std::string> result;
    auto const* node = find(key);
    if (node == nullptr) return result;
    auto const* list = node->as_array();
    if (list == nullptr) refuse(key, *node, "a list of texts");
    for (auto const& item : *list) {
        auto const value = item.value_exact<std::string>();
        if (!value) refuse(key, *node, "a list of texts");
        result.push_back(*value);
    }
    return result;
}

std::map<std::string, std::string> TomlTable::text_map(std::string_view key) {
    std::map<std::string, std::string> result;
    auto const* node = table(key);
    if (node == nullptr) return result;
    for (auto const& [name, value] : *node) {
        auto const text = value.value_exact<std::string>();
        if (!text) refuse(key, *table_.get(key), "a table of texts");
        result.emplace(name.str(), *text);
    }
    return result;
}

std::optional<Box> TomlTable::box(std::string_view key) {
    auto const* node = find(key);
    if (node == nullptr) return {};
    constexpr auto expected = "three lengths of edges, or three vectors in reduced form [nm]";
    auto const* list = node->as_array();
    if (list == nullptr || list->size() != 3) refuse(key, *node, expected);
    Box box;
    if (auto const lengths = three_numbers(*node)) {
        box = Box::rectangular(lengths->x, lengths->y, lengths->z);
    } else {
        auto const a = three_numbers(*list->get(0)), b = three_numbers(*list->get(1)), c = three_numbers(*list->get(2));
        if (!a || !b || !c) refuse(key, *node, expected);
        box = {*a, *b, *c};
    }
    try {
        box.check();
    } catch (InputError const& error) {
        fail(key, std::string("is wrong: ") + error.what());
    }
    return box;
}

toml::table const* TomlTable::table(std::string_view key) {
    auto const* node = find(key);
    if (node == nullptr) return nullptr;
    if (auto const* found = node->as_table()) return found;
    refuse(key, *node, "a table");
}

std::vector<toml::table const*> TomlTable::tables(std::string_view key) {
    std::vector<toml::table const*> result;
    auto const* node = find(key);
    if (node == nullptr) return result;
    auto const* list = node->as_array();
    if (list == nullptr) refuse(key, *node, "tables in double brackets");
    for (auto const& item : *list) {
        if (item.as_table() == nullptr) refuse(key, *node, "tables in double brackets");
        result.push_back(item.as_table());
    }
    return result;
}

std::optional<double> TomlTable::quantity(std::string_view key, std::map<std::string_view, double> const& units) {
    auto const* node = find(key);
    if (node == nullptr) return {};
    if (auto const value = finite_number(*node)) return value;
    if (auto const text = node->value_exact<std::string>()) {
        auto const end = text->find(' ');
        auto const unit = units.find(std::string_view(*text).substr(std::min(end, text->size() - 1) + 1));
        auto const number = parse_number(std::string_view(*text).substr(0, end));
        if (end != text->npos && unit != units.end() && number) return *number * unit->second;
    }
    std::string listed;
    for (auto const& [name, factor] : units) listed += (listed.empty() ? "" : ", ") + std::string(name);
    refuse(key, *node, "a number, or a text of a number, a space and one of " + listed);
}

app::Ramp TomlTable::read_ramp(std::string_view key, toml::node const& node) const {
    if (auto const value = finite_number(node)) return *value;
    std::vector<app::RampPoint> points;
    if (auto const* list = node.as_array())
        for (auto const& item : *list) {
            auto const* pair = item.as_array();
            auto const time = pair != nullptr && pair->size() == 2 ? finite_number(*pair->get(0)) : std::nullopt;
            auto const value = time ? finite_number(*pair->get(1)) : std::nullopt;
            if (!value) break;
            points.push_back({*time, *value});
        }
    if (points.empty() || points.size() != node.as_array()->size())
        refuse(key, node, "a number, or a list of pairs [time in ps, value]");
    try {
        return app::Ramp(std::move(points));
    } catch (InputError const& error) {
        fail(key, std::string("is wrong: ") + error.what());
    }
}

std::optional<app::Ramp> TomlTable::ramp(std::string_view key) {
    auto const* node = find(key);
    return node == nullptr ? std::nullopt : std::optional(read_ramp(key, *node));
}

std::map<std::string, app::Ramp> TomlTable::ramps(std::string_view key) {
    std::map<std::string, app::Ramp> result;
    if (auto const* found = table(key))
        for (auto const& [name, value] : *found) result.emplace(name.str(), read_ramp(key, value));
    return result;
}

std::optional<std::size_t> TomlTable::choice(std::string_view key, std::vector<std::string_view> const& words) {
    auto const* node = find(key);
    if (node == nullptr) return {};
    auto const value = node->value_exact<std::string>();
    for (std::size_t i = 0; i < words.size(); ++i)
        if (value && *value == words[i]) return i;
    std::string listed;
    for (auto const word : words) listed += (listed.empty() ? "" : ", ") + std::string(word);
    refuse(key, *node, "one of " + listed);
}

void TomlTable::refuse_unknown_keys() const {
    for (auto const& [key, value] : table_) {
        if (known_.contains(key.str())) continue;
        std::string listed;
        for (auto const& name : known_) listed += (listed.empty() ? "" : ", ") + name;
        fail(key.str(), "is no key of this table, which has " + (listed.empty() ? "none" : listed));
    }
}

}  // namespace trotter::program
