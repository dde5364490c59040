// Tables of TOML files whose keys are all known.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include <trotter/app/stages/ramp.hpp>
#include <trotter/box.hpp>

namespace trotter::program {

/// Parses a file of at most 1 MiB. Throws InputError with file and line.
toml::table parse_toml_file(std::string const& path);

/// Changes `target` if there is a value.
template <class T> void set_if_given(T& target, std::optional<T> const& value) {
    if (value) target = *value;
}

/// A table that hands out its values by key. Members throw InputError naming file, line, key, value and expectation;
/// they return nothing for a key that is not there.
class TomlTable {
public:
    /// `name` is that in messages: `prepare.system`.
    TomlTable(toml::table const& table, std::string const& file, std::string name)
        : table_(table), file_(file), name_(std::move(name)) {}

    std::optional<std::string> text(std::string_view key);
    std::optional<double> number(std::string_view key);  ///< finite
    std::optional<int> integer(std::string_view key, int low);
    std::optional<bool> boolean(std::string_view key);
    std::vector<std::string> texts(std::string_view key);
    std::map<std::string, std::string> text_map(std::string_view key);  ///< a table of texts
    std::optional<Box> box(std::string_view key);  ///< three lengths, or three vectors in reduced form
    toml::table const* table(std::string_view key);
    std::vector<toml::table const*> tables(std::string_view key);  ///< an array of tables

    /// A number in the base unit, or a text of a number and one of these units with their factors, such as "4 fs".
    std::optional<double> quantity(std::string_view key, std::map<std::string_view, double> const& units);
    /// A number, or a list of pairs of a time [ps] and a value.
    std::optional<app::Ramp> ramp(std::string_view key);
    /// The same of each entry of a table.
    std::map<std::string, app::Ramp> ramps(std::string_view key);

    /// One of several words, by its place in the list.
    std::optional<std::size_t> choice(std::string_view key, std::vector<std::string_view> const& words);

    /// Whether the key is there.
    bool has(std::string_view key) const { return table_.contains(key); }
    /// Throws for the first key that was not asked for; the message lists those that were.
    void refuse_unknown_keys() const;
    /// Throws the InputError `FILE, line N: [NAME] KEY WHAT`.
    [[noreturn]] void fail(std::string_view key, std::string const& what) const;
    /// File, line and name of the table, for messages.
    std::string where() const;
    std::string const& file() const { return file_; }

private:
    app::Ramp read_ramp(std::string_view key, toml::node const& node) const;
    toml::node const* find(std::string_view key);
    [[noreturn]] void refuse(std::string_view key, toml::node const& value, std::string const& expected) const;

    toml::table const& table_;
    std::string const& file_;
    std::string name_;
    std::set<std::string, std::less<>> known_;
};

}  // namespace trotter::program
