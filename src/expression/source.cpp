// Writes operations and numbers in C syntax.
// SPDX-License-Identifier: MIT
#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include <trotter/expression/source.hpp>

namespace trotter::expression {

/// C name of an operation that is written as a call, or "".
static constexpr std::string_view c_name(Op op) {
    switch (op) {
        case Op::sqrt:
            return "sqrt";
        case Op::sin:
            return "sin";
        case Op::cos:
            return "cos";
        case Op::tan:
            return "tan";
        case Op::asin:
            return "asin";
        case Op::acos:
            return "acos";
        case Op::atan:
            return "atan";
        case Op::atan2:
            return "atan2";
        case Op::sinh:
            return "sinh";
        case Op::cosh:
            return "cosh";
        case Op::tanh:
            return "tanh";
        case Op::erf:
            return "erf";
        case Op::erfc:
            return "erfc";
        case Op::abs:
            return "fabs";
        case Op::floor:
            return "floor";
        case Op::ceil:
            return "ceil";
        case Op::power:
            return "pow";
        default:
            return "";
    }
}

std::string literal(double value, SourceStyle const& style) {
    if (value != value) return "((" + style.real + ") NAN)";
    if (value - value != 0) return value > 0 ? "((" + style.real + ") INFINITY)" : "(-(" + style.real + ") INFINITY)";
    std::array<char, 32> buffer{};
    auto const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    std::string text{buffer.data(), end};
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    text += style.suffix;
    return value < 0 ? '(' + text + ')' : text;
}

std::string limit_literal(double root, SourceStyle const& style) {
    return literal(style.suffix == "f" ? static_cast<double>(limit<float>(root)) : limit<double>(root), style);
}

std::string at_least(std::string const& x, std::string const& y, SourceStyle const& style) {
    return '(' + y + " <= " + x + " ? " + literal(1, style) + " : " + literal(0, style) + ')';
}

std::string right_hand_side(Op op, std::string const& x, std::string const& y, std::string const& z,
                            SourceStyle const& style) {
    auto const zero = literal(0, style), one = literal(1, style);
    auto const choice = [](std::string const& condition, std::string const& a, std::string const& b) {
        return '(' + condition + " ? " + a + " : " + b + ')';
    };
    switch (op) {
        case Op::exp:
            return style.exp + '(' + x + ')';
        case Op::log:
            return style.log + '(' + x + ')';
        case Op::add:
            return x + " + " + y;
        case Op::subtract:
            return x + " - " + y;
        case Op::multiply:
            return x + '*' + y;
        case Op::divide:
            return x + '/' + y;
        case Op::negate:
            return '-' + x;
        case Op::reciprocal:
            return one + '/' + x;
        case Op::sec:
            return one + "/cos(" + x + ')';
        case Op::csc:
            return one + "/sin(" + x + ')';
        case Op::cot:
            return one + "/tan(" + x + ')';
        case Op::step:
            return at_least(x, zero, style);
        case Op::delta:
            return choice(x + " == " + zero, one, zero);
        case Op::min:
            return choice(x + " < " + y, x, y);
        case Op::max:
            return choice(y + " < " + x, x, y);
        case Op::select:
            return choice(x + " == " + zero, z, y);
        default:
            break;
    }
    auto text = std::string{c_name(op)} + '(' + x;
    return operand_count(op) > 1 ? text + ", " + y + ')' : text + ')';
}

}  // namespace trotter::expression
