// Formulas in template arguments: parsed, simplified, differentiated and translated to native code by the compiler.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include <trotter/base/fixed_string.hpp>
#include <trotter/expression/evaluate.hpp>
#include <trotter/expression/formula.hpp>
#include <trotter/expression/program.hpp>
#include <trotter/expression/statement.hpp>

/// The language of formulas: parser, simplifier, differentiation, and the instructions that backends evaluate.
namespace trotter::expression {

/// A unit in arrays of fixed size, so that it can be constexpr. If it does not fit, `size > capacity`.
template <std::size_t capacity>
struct FixedUnit {
    static constexpr std::size_t most_names = capacity / 4;  ///< a formula with more is given a larger capacity
    std::size_t size = 0;  ///< instructions
    std::size_t name_count = 0;  ///< variables
    std::array<Instruction, capacity> code{};  ///< the first `size` are used
    std::array<Name, most_names> names{};  ///< in the text, by index
    std::array<int, most_names + 1> outputs{};  ///< energy, then the derivative by each name
    Problem problem{};  ///< the first error in the text

    /// False if it needs a larger capacity.
    constexpr bool fits() const { return size <= capacity && name_count <= most_names; }
};

/// Compiles a formula; `fits()` of the result may be false.
template <std::size_t capacity>
consteval FixedUnit<capacity> fixed_unit(std::string_view text) {
    auto const compiled = compile(text);
    FixedUnit<capacity> unit;
    unit.problem = compiled.problem;
    if (unit.problem.kind != Malformed::no) {
        unit.size = 1;  // the constant 0, so that the malformed text gives no error but that of `Check`
        return unit;
    }
    unit.size = compiled.program.code.size();
    unit.name_count = compiled.names.size();
    if (!unit.fits()) return unit;
    for (std::size_t i = 0; i < unit.size; ++i) unit.code[i] = compiled.program.code[i];
    for (std::size_t i = 0; i < unit.name_count; ++i) unit.names[i] = compiled.names[i];
    for (std::size_t i = 0; i < compiled.program.outputs.size(); ++i) unit.outputs[i] = compiled.program.outputs[i];
    return unit;
}

/// Most formulas fit the first attempt: determining the size beforehand would double the compiler's work.
template <FixedString text, std::size_t capacity = 64>
consteval auto smallest_unit() {
    constexpr auto unit = fixed_unit<capacity>(text.view());
    if constexpr (unit.fits()) return unit;
    else return smallest_unit<text, 4 * capacity>();
}

/// Appears in the compile error for a malformed formula, so that compilers print its arguments.
template <FixedString formula, Malformed problem, int column>
struct Check {
    static_assert(problem == Malformed::no,
                  "this formula is malformed: the arguments of Check<formula, problem, column> above or below say how and where");
    /// Always true, so that there is only one error.
    static constexpr bool passed = true;
};

/// The compiled formula.
template <FixedString text>
inline constexpr auto unit_of = smallest_unit<text>();

/// Flags of the instructions of a unit that the chosen outputs need.
template <std::size_t capacity, std::size_t N>
consteval std::array<bool, capacity> needed(FixedUnit<capacity> const& unit, std::array<int, N> const& outputs) {
    std::array<bool, capacity> needed{};
    for (int const output : outputs)
        if (output >= 0) needed[static_cast<std::size_t>(output)] = true;
    for (std::size_t i = unit.size; i-- > 0;) {
        auto const& instruction = unit.code[i];
        if (!needed[i] || operand_count(instruction.op) == 0) continue;
        for (int const operand : {instruction.a, instruction.b, instruction.c})
            if (operand >= 0) needed[static_cast<std::size_t>(operand)] = true;
    }
    return needed;
}

/// Executes a unit known at compile time, as far as some of its outputs need.
template <auto const& unit_>
struct UnitRunner {
    /// `outputs` are indices of instructions, or -1 for zero: the energy first, then slopes.
    template <class T, std::array outputs>
    [[gnu::always_inline]] static constexpr EnergyAndSlopes<T, outputs.size() - 1> run(T const* arguments) {
        return run<T, outputs>(arguments, std::make_index_sequence<unit_.size>{}, std::make_index_sequence<outputs.size() - 1>{});
    }

private:
    template <class T, std::array outputs, std::size_t... I, std::size_t... S>
    [[gnu::always_inline]] static constexpr EnergyAndSlopes<T, sizeof...(S)> run(T const* arguments, std::index_sequence<I...>,
                                                                                std::index_sequence<S...>) {
        constexpr auto needed = trotter::expression::needed(unit_, outputs);
        T results[sizeof...(I)];
        (execute<T, needed[I], I>(results, arguments), ...);
        return {results[outputs[0]], {pick<T, outputs[S + 1]>(results)...}};
    }
    template <class T, int output>
    [[gnu::always_inline]] static constexpr T pick(T const* results) {
        if constexpr (output < 0) return constant<T>(0);
        else return results[output];
    }
    template <class T, bool needed, std::size_t i>
    [[gnu::always_inline]] static constexpr void execute(T* results, T const* arguments) {
        constexpr auto instruction = unit_.code[i];
        if constexpr (!needed) return;
        else if constexpr (instruction.op == Op::constant) results[i] = constant<T>(instruction.value);
        else if constexpr (instruction.op == Op::limit) results[i] = limit<T>(instruction.value);
        else if constexpr (instruction.op == Op::variable) results[i] = arguments[instruction.a];
        else {
            constexpr int count = operand_count(instruction.op);
            results[i] = apply<instruction.op>(results[instruction.a], results[count > 1 ? instruction.b : instruction.a],
                                                results[count > 2 ? instruction.c : instruction.a]);
        }
    }
};

template <FixedString text>
class Native {
    static constexpr auto const& unit_ = unit_of<text>;
    static_assert(Check<text, unit_.problem.kind, unit_.problem.column>::passed);

public:
    static constexpr std::size_t size = unit_.name_count;  ///< number of variables

    /// Names of the variables, in the order of the arguments.
    static constexpr auto names() {
        std::array<std::string_view, size> names;
        for (std::size_t i = 0; i < size; ++i)
            names[i] = text.view().substr(static_cast<std::size_t>(unit_.names[i].begin), static_cast<std::size_t>(unit_.names[i].length));
        return names;
    }
    /// Instructions and outputs, for backends that translate them.
    static constexpr UnitView unit() {
        return {{unit_.code.data(), unit_.size}, {unit_.outputs.data(), size + 1}, {}};
    }

    /// Energy and its derivatives by all arguments.
    template <class T>
    [[gnu::always_inline]] static constexpr EnergyAndSlopes<T, size> energy_and_slopes(T const* arguments) {
        return UnitRunner<unit_>::template run<T, all_outputs()>(arguments);
    }
    /// Energy and its derivatives by the chosen arguments alone.
    template <class T, FixedString... chosen>
    [[gnu::always_inline]] static constexpr EnergyAndSlopes<T, sizeof...(chosen)> energy_and_slopes_of(T const* arguments) {
        return UnitRunner<unit_>::template run<T, std::array{unit_.outputs[0], output_of(chosen.view())...}>(arguments);
    }

private:
    static consteval auto all_outputs() {
        std::array<int, size + 1> outputs{};
        for (std::size_t i = 0; i <= size; ++i) outputs[i] = unit_.outputs[i];
        return outputs;
    }
    static consteval int output_of(std::string_view name) {
        for (std::size_t i = 0; i < size; ++i)
            if (names()[i] == name) return unit_.outputs[i + 1];
        return -1;
    }
};

}  // namespace trotter::expression
