// GROMACS' preprocessor: includes, macros, conditions.
// SPDX-License-Identifier: MIT
#pragma once
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../text/text.hpp"

namespace trotter::app::gromacs {

/// Reads a file and those that it includes, line by line. All members throw InputError with file and line.
class Preprocessor {
public:
    /// Gets each line of data or of a section's title, with macros replaced and without comment.
    using Sink = std::function<void(std::string_view line, Location where)>;

    /// Names of files go to `paths`, whose strings locations refer to.
    Preprocessor(std::deque<std::string>& paths, std::vector<std::string> include_folders, Sink sink);

    /// Defines a macro; its value may be empty.
    void define(std::string name, std::string value);
    /// Reads a file, which must end all conditions that it begins.
    void read(std::string const& path);

private:
    struct Condition {
        bool holds, in_else;
        Location begin;
    };
    void read_file_at(std::string const& path, Location from);
    void read_line(std::string_view line, Location where);
    void read_command(std::string_view line, Location where);
    void include(std::string_view name, Location where);
    void read_define(std::string_view text, Location where);
    void begin_condition(std::string_view name, bool wanted, Location where);
    void turn_condition(Location where);
    void end_condition(Location where);
    bool is_defined(std::string_view name) const;
    bool is_active() const;
    std::string replaced(std::string_view line, Location where) const;

    std::deque<std::string>& paths_;
    std::vector<std::string> include_folders_;
    Sink sink_;
    std::vector<std::pair<std::string, std::string>> macros_;  // in the order of their definition
    std::vector<Condition> conditions_;
    int depth_ = 0, files_ = 0;
};

}  // namespace trotter::app::gromacs
