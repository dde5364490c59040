// Rewrites distances and angles of points as functions of their coordinates.
// SPDX-License-Identifier: MIT
#include <trotter/parts/terms/point_formula.hpp>

#include <algorithm>
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

/// Part of a formula between semicolons; all but the first define names.
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
    Rewriting(NamedPoints const& points, std::vector<expression::CustomFunction> const& others) : points_(points) {
        for (auto const& function : particle_functions())
            if (std::none_of(others.begin(), others.end(),
                             [&](auto const& other) { return other.name == function.name; }))
                functions_.push_back(function);
    }

    std::string formula(std::string_view text) {
        auto const parts = parts_of(text);
        for (auto const& [name, value] : parts)
            if (!name.empty()) definitions_.try_emplace(name, trimmed(value));
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
                auto const point = name.kind == Token::name ? find(argument) : points_.names.size();
                if (point == points_.names.size() || !after.is(n + 1 < function->arguments ? ',' : ')'))
                    throw InputError("argument " + std::to_string(n + 1) + " of " + word + " begins with '" + argument
                                     + "', expected " + points_.expected);
                auto const* const coordinates = &points_.coordinates[3 * point];
                result += (n > 0 ? ", " : "") + coordinates[0] + ", " + coordinates[1] + ", " + coordinates[2];
                end = after.begin + after.length;
            }
            result += ')';
        }
        return result + between(end, static_cast<int>(text.size()));
    }

    std::size_t find(std::string_view name) const {
        for (std::size_t hops = 0; hops <= definitions_.size(); ++hops) {
            auto const definition = definitions_.find(name);
            if (definition == definitions_.end()) break;
            name = definition->second;
        }
        return static_cast<std::size_t>(std::find(points_.names.begin(), points_.names.end(), name)
                                        - points_.names.begin());
    }

    NamedPoints const& points_;
    std::vector<expression::CustomFunction> functions_;
    std::map<std::string_view, std::string_view> definitions_;
};

}  // namespace

std::vector<expression::CustomFunction> point_functions() {
    return {{"pointdistance", 6}, {"pointangle", 9}, {"pointdihedral", 12}};
}
std::vector<expression::CustomFunction> particle_functions() {
    return {{"distance", 2}, {"angle", 3}, {"dihedral", 4}};
}
std::vector<expression::CustomFunction> geometric_functions(std::vector<TabulatedFunction> const& tables) {
    auto result = formula_functions(tables);
    for (auto const& list : {point_functions(), particle_functions()})
        result.insert(result.end(), list.begin(), list.end());
    return result;
}

NamedPoints numbered_points(std::string const& kind, int count) {
    NamedPoints result{.coordinates = detail::coordinate_names(static_cast<std::size_t>(count))};
    char const letter = kind.back();
    for (int n = 1; n <= count; ++n) result.names.push_back(letter + std::to_string(n));
    result.expected = "a " + kind + "1 to " + letter + std::to_string(count);
    return result;
}

NamedPoints points_without_coordinates(std::vector<std::string> const& names) {
    NamedPoints result{.names = names, .expected = "one of the particles "};
    for (auto const& name : names) {
        result.expected += (&name == &names.front() ? "" : ", ") + name;
        // names with a colon are not expected in user formulas
        for (auto const* axis : {":x", ":y", ":z"}) result.coordinates.push_back(name + axis);
    }
    return result;
}

std::string with_point_functions(std::string_view formula, NamedPoints const& points,
                                 std::vector<expression::CustomFunction> const& others) {
    return Rewriting(points, others).formula(formula);
}

}  // namespace trotter
