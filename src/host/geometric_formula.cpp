// Geometric functions of points as variables.
// SPDX-License-Identifier: MIT
#include <trotter/forces/geometric_formula.hpp>

#include <algorithm>
#include <map>
#include <optional>

#include <trotter/error.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/expression/token.hpp>

namespace trotter {
namespace {

using expression::Lexer;
using expression::Token;
using Measure = GeometricFormula::Measure;
using Argument = GeometricFormula::Argument;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && expression::is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && expression::is_space(text.back())) text.remove_suffix(1);
    return text;
}

/// A part of a formula between semicolons; behind the first, they define names.
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

/// The number of the point that has this coordinate, and its axis.
std::optional<std::size_t> coordinate(std::string_view name, std::size_t points) {
    for (std::size_t n = 0; n < points; ++n)
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (name == "xyz"[axis] + std::to_string(n + 1)) return 3 * n + axis;
    return std::nullopt;
}

/// The same for both directions: a distance, angle or dihedral angle does not change when its points are reversed.
Measure in_one_direction(Measure measure) {
    auto reversed = measure;
    std::reverse(reversed.points.begin(), reversed.points.begin() + measure.count);
    return std::min(measure, reversed, [](Measure const& a, Measure const& b) { return a.points < b.points; });
}

/// Replaces geometric functions by names with a colon, which nobody gives.
class Rewriting {
public:
    explicit Rewriting(GeometricNames const& names) : names_(names) {}

    std::string formula(std::string_view text) {
        auto const parts = parts_of(text);
        for (auto const& [name, value] : parts)
            if (!name.empty()) definitions_.try_emplace(name, trimmed(value));
        std::string result;
        for (auto const& [name, value] : parts) {
            if (!name.empty()) result += std::string(name) + " = ";
            result += rewritten(value) + "; ";
        }
        result.resize(result.size() - 2);
        return result;
    }
    static std::string name_of(std::size_t measure) { return "measure:" + std::to_string(measure); }

    std::vector<Measure> measures;

private:
    std::string rewritten(std::string_view text) {
        auto const between = [text](int from, int to) {
            return text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
        };
        std::string result;
        int end = 0;
        Lexer lexer(text, 0, static_cast<int>(text.size()));
        for (auto token = lexer.take(); token.kind != Token::end; token = lexer.take()) {
            auto const word = between(token.begin, token.begin + token.length);
            auto const function =
                std::find_if(functions_.begin(), functions_.end(), [&](auto const& f) { return f.name == word; });
            if (token.kind != Token::function || function == functions_.end()) continue;
            result += between(end, token.begin);
            std::vector<std::string_view> arguments;
            lexer.take();
            for (int n = 0; n < function->arguments; ++n) {
                auto const name = lexer.take(), after = lexer.take();
                bool const is_name = name.kind == Token::name && after.is(n + 1 < function->arguments ? ',' : ')');
                arguments.push_back(is_name ? between(name.begin, name.begin + name.length) : std::string_view{});
                if (!is_name) refuse(*function, arguments.size(), between(name.begin, name.begin + name.length));
                end = after.begin + after.length;
            }
            result += name_of(number_of(measure_of(*function, arguments)));
        }
        return result + std::string(between(end, static_cast<int>(text.size())));
    }

    Measure measure_of(expression::CustomFunction const& function,
                       std::vector<std::string_view> const& arguments) const {
        bool const is_of_coordinates = function.name.starts_with("point");
        std::size_t const each = is_of_coordinates ? 3 : 1;
        Measure measure{.count = static_cast<int>(arguments.size() / each)};
        for (std::size_t n = 0; n < arguments.size(); ++n) {
            auto const name = resolved(arguments[n]);
            std::optional<std::size_t> point;
            if (is_of_coordinates) {
                auto const found = coordinate(name, names_.has_coordinates ? names_.points.size() : 0);
                if (found && *found % 3 == n % 3) point = *found / 3;
                if (n % 3 > 0 && point && static_cast<int>(*point) != measure.points[n / 3]) point.reset();
            } else if (auto const place = std::find(names_.points.begin(), names_.points.end(), name);
                       place != names_.points.end())
                point = static_cast<std::size_t>(place - names_.points.begin());
            if (!point) refuse(function, n + 1, arguments[n]);
            measure.points[n / each] = static_cast<int>(*point);
        }
        return in_one_direction(measure);
    }
    std::size_t number_of(Measure const& measure) {
        auto const known =
            static_cast<std::size_t>(std::find(measures.begin(), measures.end(), measure) - measures.begin());
        if (known == measures.size()) measures.push_back(measure);
        return known;
    }
    std::string_view resolved(std::string_view name) const {
        for (std::size_t hops = 0; hops <= definitions_.size(); ++hops) {
            auto const definition = definitions_.find(name);
            if (definition == definitions_.end()) break;
            name = definition->second;
        }
        return name;
    }
    [[noreturn]] void refuse(expression::CustomFunction const& function, std::size_t argument,
                             std::string_view word) const {
        std::string points;
        for (auto const& point : names_.points) points += (points.empty() ? "" : ", ") + point;
        throw InputError("argument " + std::to_string(argument) + " of " + std::string(function.name) + " begins with '"
                         + std::string(word) + "', expected "
                         + (function.name.starts_with("point") ? "x, y and z of each of " : "one of the particles ")
                         + points);
    }

    GeometricNames const& names_;
    std::map<std::string_view, std::string_view> definitions_;
    std::vector<expression::CustomFunction> const functions_ = geometric_functions();
};

std::optional<std::size_t> last_place(std::vector<std::string> const& names, std::string const& name) {
    auto const found = std::find(names.rbegin(), names.rend(), name);
    return found == names.rend() ? std::nullopt : std::optional(static_cast<std::size_t>(names.rend() - found) - 1);
}
}  // namespace

GeometricFormula::GeometricFormula(RuntimeExpression const& formula, GeometricNames const& names,
                                   std::vector<expression::CustomFunction> const& functions)
    : point_count_(names.points.size()) {
    using Source = Argument::Source;
    Rewriting rewriting(names);
    auto const text = rewriting.formula(formula.formula());
    measures_ = rewriting.measures;
    expression_ = RuntimeExpression(text, AnyName{}, functions);
    std::vector<std::string> measure_names;
    for (std::size_t n = 0; n < measures_.size(); ++n) measure_names.push_back(Rewriting::name_of(n));
    for (auto const& name : expression_.names()) {
        if (auto const n = last_place(measure_names, name))
            arguments_.push_back({Source::measure, *n});
        else if (auto const k = coordinate(name, names.has_coordinates ? point_count_ : 0))
            arguments_.push_back({Source::coordinate, *k});
        else if (auto const p = last_place(names.parameters, name))
            arguments_.push_back({Source::parameter, *p});
        else if (auto const g = last_place(names.globals, name))
            arguments_.push_back({Source::global, *g});
        else
            throw InputError("the formula has the name '" + name + "', expected " + std::string(names.expected));
    }
}

bool GeometricFormula::uses_point(int point) const {
    return std::any_of(arguments_.begin(), arguments_.end(), [&](Argument const& argument) {
        if (argument.source == Argument::Source::coordinate)
            return argument.index / 3 == static_cast<std::size_t>(point);
        if (argument.source != Argument::Source::measure) return false;
        auto const& measure = measures_[argument.index];
        return std::find(measure.points.begin(), measure.points.begin() + measure.count, point)
               != measure.points.begin() + measure.count;
    });
}

}  // namespace trotter
