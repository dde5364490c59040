// Units as text in C's expression syntax, which OpenCL and CUDA share: one temporary for each operation.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <trotter/expression/program.hpp>
#include <vector>

namespace trotter::expression {

/// How the text spells things. The defaults suit a dialect that defines the type `real`.
struct SourceStyle {
    std::string real = "real";      ///< the type of temporaries
    std::string prefix = "temp";    ///< temporaries are prefix0, prefix1, …
    std::string suffix = "";        ///< behind every number: "f" where double is not to be mentioned
};

/// Stands for the text of custom functions where an expression has none.
struct NoCustomSource {
    std::string operator()(int, std::span<std::string const>) const { return {}; }
};

/// The name in C of an operation that is written as a call, or "".
constexpr std::string_view c_name(Op op) {
    switch (op) {
    case Op::sqrt: return "sqrt";
    case Op::exp: return "exp";
    case Op::log: return "log";
    case Op::sin: return "sin";
    case Op::cos: return "cos";
    case Op::tan: return "tan";
    case Op::asin: return "asin";
    case Op::acos: return "acos";
    case Op::atan: return "atan";
    case Op::atan2: return "atan2";
    case Op::sinh: return "sinh";
    case Op::cosh: return "cosh";
    case Op::tanh: return "tanh";
    case Op::erf: return "erf";
    case Op::erfc: return "erfc";
    case Op::abs: return "fabs";
    case Op::floor: return "floor";
    case Op::ceil: return "ceil";
    case Op::power: return "pow";
    default: return "";
    }
}

/// A number that reads back to the same double, with a point or exponent so that C does not take it for an integer.
inline std::string literal(double value, SourceStyle const& style) {
    if (value != value) return "((" + style.real + ") NAN)";
    if (value - value != 0) return value > 0 ? "((" + style.real + ") INFINITY)" : "(-(" + style.real + ") INFINITY)";
    std::array<char, 32> buffer{};
    auto const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    std::string text{buffer.data(), end};
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    text += style.suffix;
    return value < 0 ? '(' + text + ')' : text;
}

/// The right-hand side of one operation, for operands that are names or literals.
inline std::string right_hand_side(Op op, std::string const& x, std::string const& y, std::string const& z, SourceStyle const& style) {
    auto const zero = literal(0, style), one = literal(1, style);
    auto const choice = [](std::string const& condition, std::string const& a, std::string const& b) {
        return '(' + condition + " ? " + a + " : " + b + ')';
    };
    switch (op) {
    case Op::add: return x + " + " + y;
    case Op::subtract: return x + " - " + y;
    case Op::multiply: return x + '*' + y;
    case Op::divide: return x + '/' + y;
    case Op::negate: return '-' + x;
    case Op::reciprocal: return one + '/' + x;
    case Op::sec: return one + "/cos(" + x + ')';
    case Op::csc: return one + "/sin(" + x + ')';
    case Op::cot: return one + "/tan(" + x + ')';
    case Op::step: return choice(zero + " <= " + x, one, zero);
    case Op::delta: return choice(x + " == " + zero, one, zero);
    case Op::min: return choice(x + " < " + y, x, y);
    case Op::max: return choice(y + " < " + x, x, y);
    case Op::select: return choice(x + " == " + zero, z, y);
    default: break;
    }
    auto text = std::string{c_name(op)} + '(' + x;
    return operand_count(op) > 1 ? text + ", " + y + ')' : text + ')';
}

/// Statements that declare temporaries and then give each of `targets` its output (the energy, then the slopes), as in
/// `energy = temp7;` or, where `assign` is "+=", `energy += temp7;`. An empty target is not wanted, and neither is what only it would need. `arguments` are the texts of
/// the variables; `custom(function, operands)` gives the text of a call, whose result is a vector of four numbers: the
/// value and the derivatives by up to three operands.
template <class Custom = NoCustomSource>
std::string source(UnitView unit, std::span<std::string const> arguments, std::span<std::string const> targets,
                   SourceStyle const& style = {}, std::string_view assign = "=", Custom const& custom = {}) {
    std::vector<char> needed(unit.code.size(), 0);
    auto const need = [&](int i) {
        if (i >= 0) needed[static_cast<std::size_t>(i)] = 1;
    };
    for (std::size_t i = 0; i < targets.size(); ++i)
        if (!targets[i].empty()) need(unit.outputs[i]);
    for (std::size_t i = unit.code.size(); i-- > 0;) {
        auto const& [op, a, b, c, value] = unit.code[i];
        if (!needed[i]) continue;
        for (int k = 0; op == Op::custom && k < c; ++k) need(unit.calls[static_cast<std::size_t>(b + k)].operand);
        if (operand_count(op) > 0) need(a), need(b), need(c);
    }
    std::string text;
    std::vector<std::string> names(unit.code.size());
    auto const name = [&](int i) { return i < 0 ? std::string{} : names[static_cast<std::size_t>(i)]; };
    int temporaries = 0;
    std::map<std::string, std::string> calls;  // to the names of their results
    for (std::size_t i = 0; i < unit.code.size(); ++i) {
        auto const& [op, a, b, c, value] = unit.code[i];
        if (!needed[i]) continue;
        if (op == Op::constant) names[i] = literal(value, style);
        else if (op == Op::variable) names[i] = arguments[static_cast<std::size_t>(a)];
        else {
            if (op == Op::custom) {
                std::vector<std::string> operands;
                for (int k = 0; k < c; ++k) operands.push_back(name(unit.calls[static_cast<std::size_t>(b + k)].operand));
                auto const right = custom(a, std::span<std::string const>{operands});
                auto const [call, is_new] = calls.try_emplace(right, style.prefix + std::to_string(temporaries));
                if (is_new) ++temporaries, text += "const " + style.real + "4 " + call->second + " = " + right + ";\n";
                names[i] = call->second + '.' + "xyzw"[differentiated_by(unit.code[i], unit.calls) + 1];
                continue;
            }
            names[i] = style.prefix + std::to_string(temporaries++);
            text += "const " + style.real + ' ' + names[i] + " = " + right_hand_side(op, name(a), name(b), name(c), style) + ";\n";
        }
    }
    for (std::size_t i = 0; i < targets.size(); ++i)
        if (!targets[i].empty()) text += targets[i] + ' ' + std::string{assign} + ' ' + name(unit.outputs[i]) + ";\n";
    return text;
}

}  // namespace trotter::expression
