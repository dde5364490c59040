// Rewrites the signatures of kernels, and the entry directives of assembly.
// SPDX-License-Identifier: MIT
#include <trotter/opencl/arguments.hpp>

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace trotter::opencl {

namespace {

constexpr std::string_view keyword = "KERNEL", blanks = " \t\r\n";

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
std::string_view trimmed(std::string_view text) {
    auto const first = text.find_first_not_of(blanks);
    return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}
/// Splits off the last word.
std::pair<std::string_view, std::string_view> split_last_word(std::string_view text) {
    text = trimmed(text);
    std::size_t begin = text.size();
    while (begin > 0 && is_of_word(text[begin - 1])) --begin;
    return {trimmed(text.substr(0, begin)), text.substr(begin)};
}

/// The replacement of a macro for parameters.
std::optional<std::string_view> meaning_of(std::string_view word, std::string_view text) {
    std::string const begin = "#define " + std::string(word) + ' ';
    auto const found = text.find(begin);
    if (found == text.npos) return std::nullopt;
    auto const meaning = text.substr(found + begin.size());
    return meaning.substr(0, meaning.find('\n'));
}

/// Members of the argument struct, and variables in a kernel's body with their values.
class Packing {
public:
    /// `text` defines the macros.
    explicit Packing(std::string_view text) : text_(text) {}

    /// Returns false if a parameter cannot be parsed. Copies preprocessor lines to both.
    bool add(std::string_view parameters) {
        std::string declaration;
        while (!parameters.empty()) {
            auto const line = parameters.substr(0, parameters.find('\n'));
            parameters.remove_prefix(std::min(line.size() + 1, parameters.size()));
            if (trimmed(line).starts_with('#')) {
                if (!add_parameter(std::exchange(declaration, {}))) return false;
                members += '\n' + std::string(line) + '\n';
                variables += '\n' + std::string(line) + '\n';
                continue;
            }
            for (char const c : line) {
                if (c != ',')
                    declaration += c;
                else if (!add_parameter(std::exchange(declaration, {})))
                    return false;
            }
            declaration += ' ';
        }
        return add_parameter(declaration);
    }

    std::string members, variables;

private:
    bool add_parameter(std::string_view declaration) {
        if (trimmed(declaration).empty()) return true;
        if (declaration.find_first_of("()[]/\\") != declaration.npos || declaration.find("LOCAL") != declaration.npos)
            return false;
        auto const [type_text, name_text] = split_last_word(declaration);
        std::string const type(type_text), name(name_text);
        if (type.empty()) {
            auto const text = std::exchange(text_, {});  // macros in a replacement are not expanded
            auto const meaning = meaning_of(name, text);
            bool const is_plain = meaning && add(*meaning);
            text_ = text;
            return is_plain;
        }
        if (name.empty()) return false;
        bool const is_pointer = type.find('*') != type.npos;
        members += (is_pointer ? "mm_ulong" : type) + ' ' + name + "; ";
        variables += type + ' ' + name + " = " + (is_pointer ? '(' + type + ") " : "") + "all_arguments." + name + "; ";
        return true;
    }

    std::string_view text_;
};

/// The parts of `KERNEL void words name(parameters) {`.
struct Signature {
    std::string_view words, name, parameters;
    std::size_t size = 0;  ///< including both ends
};

std::size_t end_of_parentheses(std::string_view text, std::size_t begin) {
    int depth = 0;
    for (std::size_t n = begin; n < text.size(); ++n) {
        if (text[n] == '(') ++depth;
        if (text[n] == ')' && --depth == 0) return n;
    }
    return text.npos;
}

/// `text` begins with the keyword. Words may have parentheses; the last ones hold the parameters.
std::optional<Signature> signature_of(std::string_view text) {
    for (auto open = text.find_first_of("({};#"); open != text.npos && text[open] == '(';) {
        auto const close = end_of_parentheses(text, open);
        auto const next = close == text.npos ? text.npos : text.find_first_not_of(blanks, close + 1);
        if (next == text.npos) return std::nullopt;
        if (text[next] != '{') {
            open = text.find_first_of("({};#", next);
            continue;
        }
        auto const [before, name] = split_last_word(text.substr(keyword.size(), open - keyword.size()));
        if (name.empty() || !before.starts_with("void")) return std::nullopt;
        return Signature{trimmed(before.substr(4)), name, text.substr(open + 1, close - open - 1), next + 1};
    }
    return std::nullopt;
}

/// Bounds before a kernel's name have no effect in OpenCL; in its body they leave a note.
std::string note(std::string_view words) {
    if (words.empty() || words.find("__") != words.npos) return {};
    return "#undef GROUP_BOUNDS\n#define GROUP_BOUNDS(size, groups) NOTE_BOUNDS(size, groups)\n" + std::string(words)
           + "\n#undef GROUP_BOUNDS\n#define GROUP_BOUNDS(size, groups)\n";
}

}  // namespace

PackedText pack_arguments(std::string const& text) {
    PackedText result;
    std::string_view const all = text;
    std::size_t done = 0;
    for (auto at = all.find(keyword); at != all.npos; at = all.find(keyword, at + keyword.size())) {
        bool const is_word = (at == 0 || !is_of_word(all[at - 1])) && at + keyword.size() < all.size()
                             && !is_of_word(all[at + keyword.size()]);
        auto const signature = is_word ? signature_of(all.substr(at)) : std::nullopt;
        Packing packing(all);
        if (!signature || !packing.add(signature->parameters) || packing.members.empty()) continue;
        std::string const name(signature->name), type = name + "_arguments";
        result.text += text.substr(done, at - done) + "typedef struct { " + packing.members + "} " + type
                       + ";\nKERNEL void " + std::string(signature->words) + ' ' + name + '(' + type
                       + " all_arguments) {\n" + note(signature->words) + packing.variables + '\n';
        result.kernels.insert(name);
        done = at + signature->size;
    }
    result.text += text.substr(done);
    return result;
}

std::string bound_registers(std::string const& assembly) {
    constexpr std::string_view entry = ".entry ", mark = "// GROUP_BOUNDS ";
    std::string result;
    std::size_t done = 0;
    for (auto at = assembly.find(entry); at != assembly.npos;) {
        auto const next = assembly.find(entry, at + entry.size()), body = assembly.find('{', at);
        auto const found = assembly.find(mark, body);
        if (body < next && found < next) {
            std::istringstream bounds(assembly.substr(found + mark.size(), 40));
            int size = 0, groups = 0;
            bounds >> size >> groups;
            bool const has_size = assembly.find("ntid", at) < body;
            result += assembly.substr(done, body - done);
            if (!has_size) result += ".maxntid " + std::to_string(size) + ", 1, 1\n";
            result += ".minnctapersm " + std::to_string(groups) + '\n';
            done = body;
        }
        at = next;
    }
    return result + assembly.substr(done);
}

}  // namespace trotter::opencl
