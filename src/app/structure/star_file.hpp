// The STAR grammar of mmCIF files.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trotter::app {

/// A category of a data block: a table of texts that point into the file.
class StarTable {
public:
    std::size_t row_count() const { return columns_.empty() ? 0 : values_.size() / columns_.size(); }
    /// Index of a column by its name in lower case; nothing if the table has none.
    std::optional<std::size_t> column(std::string_view name) const;
    std::string_view value(std::size_t row, std::size_t column) const {
        return values_[row * columns_.size() + column];
    }
    /// The value in a column that may be missing; `.` then.
    std::string_view value(std::size_t row, std::optional<std::size_t> column) const {
        return column ? value(row, *column) : ".";
    }

private:
    friend class StarParser;
    std::vector<std::string> columns_;      // names in lower case, without the category
    std::vector<std::string_view> values_;  // row by row
};

/// The first data block of a file.
class StarFile {
public:
    /// Keeps the categories of these names (in lower case) and checks the grammar of all. The text must outlive the
    /// object. Throws InputError with the line.
    StarFile(std::string const& path, std::string_view text, std::vector<std::string_view> const& categories);

    /// A category; null if the file does not have it.
    StarTable const* find(std::string_view category) const;

    /// Throws the InputError `FILE, line N: WHAT` with the line of a value of this file.
    [[noreturn]] void fail(std::string_view value, std::string const& what) const;

private:
    std::string const& path_;
    std::string_view text_;
    std::map<std::string, StarTable, std::less<>> tables_;
};

}  // namespace trotter::app
