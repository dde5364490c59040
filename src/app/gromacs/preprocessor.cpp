// SPDX-License-Identifier: MIT
#include "preprocessor.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include <trotter/io/file.hpp>

namespace trotter::app::gromacs {
namespace {

// Far beyond what force fields have; files that include each other end here.
constexpr int max_depth = 50, max_files = 10000;
// A line with its macros replaced [bytes].
constexpr std::size_t max_line = 1 << 20;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Replaces a whole word outside of quotes.
std::string replace_word(std::string_view line, std::string_view word, std::string_view value) {
    std::string result;
    char quote = 0;
    for (std::size_t i = 0; i < line.size();) {
        char const c = line[i];
        if (c == '"' || c == '\'') quote = quote == 0 ? c : quote == c ? char{0} : quote;
        bool const begins = quote == 0 && is_word(c) && (i == 0 || !is_word(line[i - 1]));
        if (begins && line.substr(i).starts_with(word)
            && (i + word.size() == line.size() || !is_word(line[i + word.size()]))) {
            result += value;
            i += word.size();
        } else {
            result += c;
            ++i;
        }
    }
    return result;
}

}  // namespace

Preprocessor::Preprocessor(std::deque<std::string>& paths, std::vector<std::string> include_folders, Sink sink)
    : paths_(paths), include_folders_(std::move(include_folders)), sink_(std::move(sink)) {}

void Preprocessor::define(std::string name, std::string value) {
    auto const found =
        std::find_if(macros_.begin(), macros_.end(), [&](auto const& macro) { return macro.first == name; });
    if (found == macros_.end())
        macros_.emplace_back(std::move(name), std::move(value));
    else
        found->second = std::move(value);
}

void Preprocessor::read(std::string const& path) {
    read_file_at(path, {path});
    if (!conditions_.empty()) refuse(conditions_.back().begin, "this condition has no #endif");
}

void Preprocessor::read_file_at(std::string const& path, Location from) {
    if (depth_ == max_depth)
        refuse(from, fmt::format("files are included more than {} deep: does one include itself?", max_depth));
    if (++files_ > max_files) refuse(from, fmt::format("more than {} files are included", max_files));
    auto const text = read_file(path);
    auto const& name = paths_.emplace_back(path);
    ++depth_;
    std::string joined;
    int number = 0, first = 1;
    for (auto const line : lines(text)) {
        ++number;
        auto const end = line.find_last_not_of(" \t\r");
        bool const goes_on = end != line.npos && line[end] == '\\';
        if (joined.size() + line.size() > max_line)
            refuse({name, number}, fmt::format("the line is longer than {} bytes", max_line));
        joined += goes_on ? line.substr(0, end) : line;
        if (goes_on) {
            joined += ' ';
            continue;
        }
        read_line(joined, {name, first});
        joined.clear();
        first = number + 1;
    }
    if (!joined.empty()) read_line(joined, {name, first});
    --depth_;
}

void Preprocessor::read_line(std::string_view line, Location where) {
    line = stripped(line.substr(0, line.find(';')));
    if (line.empty() || line.starts_with('*')) return;
    if (line.starts_with('#'))
        read_command(line, where);
    else if (is_active() && line.starts_with('['))
        sink_(line, where);
    else if (is_active())
        sink_(replaced(line, where), where);
}

bool Preprocessor::is_active() const {
    return std::all_of(conditions_.begin(), conditions_.end(),
                       [](Condition const& condition) { return condition.holds; });
}

bool Preprocessor::is_defined(std::string_view name) const {
    return std::any_of(macros_.begin(), macros_.end(), [&](auto const& macro) { return macro.first == name; });
}

void Preprocessor::read_command(std::string_view line, Location where) {
    auto const command = words(line)[0];
    auto const rest = stripped(line.substr(command.size()));
    auto const name = [&] {
        if (rest.empty()) refuse(where, fmt::format("{} must be followed by a name", command));
        return words(rest)[0];
    };
    if (command == "#ifdef") return begin_condition(name(), true, where);
    if (command == "#ifndef") return begin_condition(name(), false, where);
    if (command == "#else") return turn_condition(where);
    if (command == "#endif") return end_condition(where);
    if (command == "#if" || command == "#elif")
        refuse(where, fmt::format("{} is not supported, but #ifdef and #ifndef are", command));
    if (!is_active()) return;
    if (command == "#include") return include(rest, where);
    if (command == "#define") return read_define(rest, where);
    if (command == "#undef") {
        std::erase_if(macros_, [&](auto const& macro) { return macro.first == name(); });
        return;
    }
    refuse(where, command == "#error" ? fmt::format("the file states an error: {}", in_quotes(rest))
                                      : fmt::format("the command {} is not supported", in_quotes(command)));
}

void Preprocessor::begin_condition(std::string_view name, bool wanted, Location where) {
    conditions_.push_back({is_defined(name) == wanted, false, where});
}

void Preprocessor::turn_condition(Location where) {
    if (conditions_.empty() || conditions_.back().in_else) refuse(where, "#else has no #ifdef or #ifndef before it");
    conditions_.back().holds = !conditions_.back().holds;
    conditions_.back().in_else = true;
}

void Preprocessor::end_condition(Location where) {
    if (conditions_.empty()) refuse(where, "#endif has no #ifdef or #ifndef before it");
    conditions_.pop_back();
}

void Preprocessor::read_define(std::string_view text, Location where) {
    if (text.empty()) refuse(where, "#define must be followed by a name");
    auto const name = words(text)[0];
    if (name.find('(') != name.npos)
        refuse(where, fmt::format("the macro {} has arguments, which are not supported", in_quotes(name)));
    auto const value = stripped(text.substr(name.size()));
    define(std::string{name}, value.empty() ? "1" : std::string{value});
}

void Preprocessor::include(std::string_view name, Location where) {
    name = stripped(name);
    while (!name.empty() && std::string_view{" \t\"<>"}.find(name.front()) != name.npos) name.remove_prefix(1);
    while (!name.empty() && std::string_view{" \t\"<>"}.find(name.back()) != name.npos) name.remove_suffix(1);
    if (name.empty()) refuse(where, "#include must be followed by a name");
    namespace fs = std::filesystem;
    auto folders = include_folders_;
    folders.push_back(fs::path{where.path}.parent_path().string());
    for (auto const& folder : folders) {
        auto const path = fs::path{folder} / name;
        std::error_code ignored;
        if (fs::is_regular_file(path, ignored)) return read_file_at(path.string(), where);
    }
    refuse(where, fmt::format("the file {} to be included is neither beside the top file, nor in the folders to "
                              "include from, nor beside this file",
                              in_quotes(name)));
}

// The last macro first, each once: values may name earlier macros.
std::string Preprocessor::replaced(std::string_view line, Location where) const {
    std::string result{line};
    for (auto macro = macros_.rbegin(); macro != macros_.rend(); ++macro) {
        if (result.find(macro->first) == result.npos) continue;
        result = replace_word(result, macro->first, macro->second);
        if (result.size() > max_line) refuse(where, fmt::format("macros make the line longer than {} bytes", max_line));
    }
    return result;
}

}  // namespace trotter::app::gromacs
