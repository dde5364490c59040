// Distances and angles of particles as functions of coordinates.
// SPDX-License-Identifier: MIT
#include <trotter/forces/named_points.hpp>

#include <algorithm>
#include <charconv>
#include <map>

#include <trotter/error.hpp>
#include <trotter/expression/token.hpp>

namespace trotter {
namespace {

using expression::Lexer;
using expression::Token;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && expression::is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && expression::is_space(text.back())) text.remove_suffix(1);
    return text;
}

/// The formula's part between semicolons; behind the first, they define names.
struct Part {
    std::string_view name, text;
};
std::vector<Part> parts_of(std::string_view formula) {
    std::vector<Part> result;
    for (std::size_t begin = 0; begin <= formula.size();) {
        auto const end = std::min(formula.find(';', begin), formula.size());
        auto const text = formula.substr(begin, end - begin);
        auto const equals = begin == 0 ? text.npos : text.find('=');
        if (equals == text.npos)
            result.push_back({{}, text});
        else
            result.push_back({trimmed(text.substr(0, equals)), text.substr(equals + 1)});
        begin = end + 1;
    }
    return result;
}

class Rewriting {
public:
    Rewriting(CoordinatesOf const& coordinates_of, std::string const& expected,
              std::vector<expression::CustomFunction> const& others)
        : coordinates_of_(coordinates_of), expected_(expected) {
        for (auto const& function : particle_functions())
            if (std::none_of(others.begin(), others.end(),
                             [&](auto const& other) { return other.name == function.name; }))
                functions_.push_back(function);
    }

    std::string formula(std::string_view text) {
        auto const parts = parts_of(text);
        for (auto const& [name, value] : parts)
            if (!name.empty()) definitions_[name] = trimmed(value);
        std::string result;
        for (auto const& part : parts) {
            if (&part != &parts.front()) result += "; ";
            if (!part.name.empty()) result += std::string(part.name) + " = ";
            result += rewritten(part.text);
        }
        return result;
    }

private:
    std::string rewritten(std::string_view text) {
        auto const between = [text](int from, int to) {
            return std::string(text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)));
        };
        std::string result;
        int end = 0;
        Lexer lexer(text, 0, static_cast<int>(text.size()));
        for (auto token = lexer.take(); token.kind != Token::end; token = lexer.take()) {
            auto const word = between(token.begin, token.begin + token.length);
            auto const function =
                std::find_if(functions_.begin(), functions_.end(), [&](auto const& f) { return f.name == word; });
            result += between(end, token.begin);
            end = token.begin + token.length;
            if (token.kind != Token::function || function == functions_.end()) {
                result += word;
                continue;
            }
            result += "point" + word + '(';
            lexer.take();
            for (int n = 0; n < function->arguments; ++n) {
                auto const name = lexer.take(), after = lexer.take();
                auto const argument = between(name.begin, name.begin + name.length);
                auto const coordinates = name.kind == Token::name ? find(argument) : std::nullopt;
                if (!coordinates || !after.is(n + 1 < function->arguments ? ',' : ')'))
                    throw InputError("argument " + std::to_string(n + 1) + " of " + word + " begins with '" + argument
                                     + "', expected " + expected_);
                auto const& [x, y, z] = *coordinates;
                result += (n > 0 ? ", " : "") + x + ", " + y + ", " + z;
                end = after.begin + after.length;
            }
            result += ')';
        }
        return result + between(end, static_cast<int>(text.size()));
    }

    std::optional<std::array<std::string, 3>> find(std::string_view name) const {
        for (std::size_t hops = 0; hops <= definitions_.size(); ++hops) {
            auto const definition = definitions_.find(name);
            if (definition == definitions_.end()) break;
            name = definition->second;
        }
        return coordinates_of_(name);
    }

    CoordinatesOf const& coordinates_of_;
    std::string const& expected_;
    std::vector<expression::CustomFunction> functions_;
    std::map<std::string_view, std::string_view> definitions_;
};

}  // namespace

CoordinatesOf numbered_points(char letter, int count) {
    return [=](std::string_view name) -> std::optional<std::array<std::string, 3>> {
        int number = 0;
        auto const end = name.data() + name.size();
        if (name.size() < 2 || name[0] != letter || name[1] == '0'
            || std::from_chars(name.data() + 1, end, number).ptr != end)
            return {};
        if (number < 1 || number > count) return {};
        auto const digits = std::string(name.substr(1));
        return std::array{'x' + digits, 'y' + digits, 'z' + digits};
    };
}

std::string with_point_functions(std::string_view formula, CoordinatesOf const& coordinates_of,
                                 std::string const& expected, std::vector<expression::CustomFunction> const& others) {
    return Rewriting(coordinates_of, expected, others).formula(formula);
}

}  // namespace trotter
