// Translates units to C expressions for OpenCL and CUDA, with one temporary for each operation.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/expression/guards.hpp>
#include <trotter/expression/literal.hpp>
#include <trotter/expression/program.hpp>

namespace trotter::expression {

/// Text of custom functions of an expression that has none.
struct NoCustomSource {
    /// Never called.
    std::string operator()(int, std::span<std::string const>) const { return {}; }
};

/// 1 where x >= y, else 0.
std::string at_least(std::string const& x, std::string const& y, SourceStyle const& style);

/// The right-hand side of one operation, for operands that are names or literals.
std::string right_hand_side(Op op, std::string const& x, std::string const& y, std::string const& z, SourceStyle const& style);

/// Writes the statements of a unit, operands before their users.
template <class Custom> class SourceWriter {
public:
    /// `arguments` and `targets` are names in the target language.
    SourceWriter(UnitView unit, std::span<std::string const> arguments, std::span<std::string const> targets,
                 SourceStyle const& style, Custom const& custom)
        : unit_(unit),
          arguments_(arguments),
          style_(style),
          custom_(custom),
          needed_(unit.code.size(), 0),
          is_output_(unit.code.size(), 0),
          is_written_(unit.code.size(), 0),
          names_(unit.code.size()) {
        for (std::size_t i = 0; i < targets.size(); ++i)
            if (!targets[i].empty()) {
                auto const output = static_cast<std::size_t>(unit.outputs[i]);
                needed_[output] = is_output_[output] = 1;
            }
        for (std::size_t i = unit.code.size(); i-- > 0;)
            if (needed_[i]) for_each_operand(unit, i, [this](std::size_t k) { needed_[k] = 1; });
        guards_ = GuardSearch(unit, needed_, is_output_).found();
        is_written_for_others_ = is_output_;
        for (std::size_t i = 0; i < unit.code.size(); ++i)
            if (needed_[i])
                for_each_operand(unit, i, [this, i](std::size_t k) {
                    if (!sees_through(i, k)) is_written_for_others_[k] = 1;
                });
    }
    /// All statements, one a line.
    std::string statements() {
        for (std::size_t i = 0; i < unit_.code.size(); ++i)
            if (needed_[i]) write(i);
        return std::move(text_);
    }
    /// Name of the variable that holds the result of instruction i.
    std::string const& name(int i) const { return names_[static_cast<std::size_t>(i)]; }

private:
    Instruction const& code(int i) const { return unit_.code[static_cast<std::size_t>(i)]; }
    /// Whether instruction i absorbs its operand k: 1/√x is one operation, and step(x - y) a comparison.
    bool sees_through(std::size_t i, std::size_t k) const {
        auto const& [op, a, b, c, value] = unit_.code[i];
        auto const of = unit_.code[k].op;
        if (op == Op::step) return of == Op::subtract;
        if (of != Op::sqrt) return false;
        return op == Op::reciprocal || (op == Op::divide && static_cast<std::size_t>(b) == k && a != b);
    }
    std::string reciprocal(int i) const {
        if (code(i).op == Op::sqrt) return "rsqrt(" + name(code(i).a) + ')';
        if (name(i) == style_.inverted) return style_.inverse;
        return literal(1, style_) + '/' + name(i);
    }
    std::string right_hand_side(std::size_t i) const {
        auto const& [op, a, b, c, value] = unit_.code[i];
        auto const operand = [&](int k) { return k < 0 ? std::string{} : name(k); };
        if (op == Op::reciprocal) return reciprocal(a);
        if (op == Op::divide && code(b).op != Op::max) {  // the reciprocal of the smallest number is not finite
            auto const of_divisor = reciprocal(b);
            return name(a) + '*' + (of_divisor.find('/') == std::string::npos ? of_divisor : '(' + of_divisor + ')');
        }
        if (op == Op::step && sees_through(i, static_cast<std::size_t>(a)))
            return at_least(name(code(a).a), name(code(a).b), style_);
        return expression::right_hand_side(op, operand(a), operand(b), operand(c), style_);
    }
    void write(std::size_t i) {
        if (is_written_[i]) return;
        if (guards_[i] != open_guard_ && guards_[i] >= 0) return write_guarded(guards_[i]);
        is_written_[i] = 1;
        for_each_operand(unit_, i, [this](std::size_t k) { write(k); });
        auto const& [op, a, b, c, value] = unit_.code[i];
        if (op == Op::constant) names_[i] = literal(value, style_);
        else if (op == Op::limit) names_[i] = limit_literal(value, style_);
        else if (op == Op::variable) names_[i] = arguments_[static_cast<std::size_t>(a)];
        else if (op == Op::custom && names_[i].empty()) names_[i] = call(unit_.code[i]);
        else if (names_[i].empty() && is_known(i)) names_[i] = op == Op::reciprocal ? style_.inverse : style_.square;
        else if (op == Op::custom) define(i, call(unit_.code[i]));
        else if (is_written_for_others_[i]) define(i, right_hand_side(i));
    }
    bool is_known(std::size_t i) const {
        auto const& [op, a, b, c, value] = unit_.code[i];
        if (op == Op::reciprocal) return !style_.inverse.empty() && name(a) == style_.inverted;
        return op == Op::multiply && a == b && !style_.square.empty() && name(a) == style_.inverted;
    }
    /// Writes all that a step guards in one block, after its inputs; results used elsewhere are declared before it.
    void write_guarded(int step) {
        std::vector<char> is_used = is_output_;
        write(static_cast<std::size_t>(step));
        for (std::size_t i = 0; i < guards_.size(); ++i)
            if (needed_[i])
                for_each_operand(unit_, i, [&](std::size_t k) {
                    if (guards_[i] == step && guards_[k] != step) write(k);
                    if (guards_[i] != step) is_used[k] = 1;
                });
        for (std::size_t i = 0; i < guards_.size(); ++i)
            if (guards_[i] == step && is_used[i]) text_ += style_.real + ' ' + (names_[i] = new_name()) + " = 0;\n";
        text_ += "if (" + name(step) + " != 0) {\n";
        open_guard_ = step;
        auto const calls_before = calls_;
        for (std::size_t i = 0; i < guards_.size(); ++i)
            if (guards_[i] == step) write(i);
        calls_ = calls_before;
        open_guard_ = -1;
        text_ += "}\n";
    }
    void define(std::size_t i, std::string const& right) {
        bool const is_declared = !names_[i].empty();
        if (!is_declared) names_[i] = new_name();
        text_ += (is_declared ? "" : "const " + style_.real + ' ') + names_[i] + " = " + right + ";\n";
    }
    /// The component of a call's result for this instruction; equal calls are written once.
    std::string call(Instruction const& instruction) {
        std::vector<std::string> operands;
        for (int k = 0; k < instruction.c; ++k)
            operands.push_back(name(unit_.calls[static_cast<std::size_t>(instruction.b + k)].operand));
        auto const right = custom_(instruction.a, std::span<std::string const>{operands});
        auto const [found, is_new] = calls_.try_emplace(right);
        if (is_new) text_ += "const " + style_.real + "4 " + (found->second = new_name()) + " = " + right + ";\n";
        return found->second + '.' + "xyzw"[differentiated_by(instruction, unit_.calls) + 1];
    }
    std::string new_name() { return style_.prefix + std::to_string(temporaries_++); }

    UnitView unit_;
    std::span<std::string const> arguments_;
    SourceStyle const& style_;
    Custom const& custom_;
    std::vector<char> needed_, is_output_, is_written_, is_written_for_others_;
    std::vector<int> guards_;
    std::vector<std::string> names_;
    std::map<std::string, std::string> calls_;  // to the names of their results
    int temporaries_ = 0, open_guard_ = -1;
    std::string text_;
};

/// Statements that declare temporaries and then assign its output (the energy, then the slopes) to each of `targets`,
/// as in `energy = temp7;` or, if `assign` is "+=", `energy += temp7;`. Outputs with an empty target are skipped with
/// all that only they need. What a step function makes 0 is evaluated only where the step is 1. `arguments` are the
/// texts of the variables; `custom(function, operands)` returns the text of a call, whose result is a vector of four
/// numbers: the value and the derivatives by up to three operands.
template <class Custom = NoCustomSource>
std::string source(UnitView unit, std::span<std::string const> arguments, std::span<std::string const> targets,
                   SourceStyle const& style = {}, std::string_view assign = "=", Custom const& custom = {}) {
    SourceWriter writer(unit, arguments, targets, style, custom);
    std::string text = writer.statements();
    for (std::size_t i = 0; i < targets.size(); ++i)
        if (!targets[i].empty()) text += targets[i] + ' ' + std::string{assign} + ' ' + writer.name(unit.outputs[i]) + ";\n";
    return text;
}

}  // namespace trotter::expression
