// Register programs, run over many lanes at a time: they evaluate run-time formulas.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <trotter/expression/evaluate.hpp>
#include <trotter/expression/unit.hpp>

namespace trotter::expression {

/// An instruction whose operands and result are registers. For custom, `a` is the index of the call.
struct RegisterInstruction {
    Op op = Op::constant;  ///< operation
    int result = 0;  ///< destination register
    int a = 0, b = 0, c = 0;  ///< operand registers; -1: none
};

/// A call of a custom function. `results` are for its value and its derivatives by each operand, -1 if not needed.
struct RegisterCall {
    int function = 0;  ///< index of the custom function
    std::vector<int> operands, results;  ///< registers
};

/// A constant, or a limit of the number type.
struct RegisterConstant {
    double value = 0;  ///< the constant, or the argument of `limit`
    bool is_limit = false;  ///< the constant is `limit<T>(value)`

    /// Its value in the number type.
    template <class T> constexpr T as() const { return is_limit ? limit<T>(value) : constant<T>(value); }
};

/// Registers contain the variables, then the constants, then results; the latter are reused when no longer needed.
struct RegisterProgram {
    int variables = 0;  ///< number of arguments
    int registers = 0;  ///< number of registers, variables and constants included
    std::vector<RegisterConstant> constants;  ///< in the registers after the variables
    std::vector<RegisterInstruction> code;  ///< in order
    std::vector<RegisterCall> calls;  ///< by the index in their instruction
    std::vector<int> outputs;  ///< registers; -1: zero
};

/// Assigns registers to the instructions that `outputs` (indices of instructions, or -1) need.
class RegisterAllocation {
public:
    /// `outputs` are indices of instructions, or -1 for zero.
    RegisterAllocation(UnitView unit, int variables, std::vector<int> const& outputs);
    /// The finished program.
    RegisterProgram const& program() const { return program_; }

private:
    bool is_constant(std::size_t i) const { return unit_.code[i].op == Op::constant || unit_.code[i].op == Op::limit; }
    bool operation(std::size_t i) const { return !is_constant(i) && unit_.code[i].op != Op::variable; }
    int at(int i) const { return register_[static_cast<std::size_t>(i)]; }

    template <class F>
    void for_each_operand(Instruction const& instruction, F const& f) const {
        if (instruction.op == Op::custom)
            for (int i = 0; i < instruction.c; ++i) f(unit_.calls[static_cast<std::size_t>(instruction.b + i)].operand);
        else if (operand_count(instruction.op) > 0)
            for (int const operand : {instruction.a, instruction.b, instruction.c})
                if (operand >= 0) f(operand);
    }
    void find_last_uses(std::vector<int> const& outputs);
    void place_constants();
    // The result never shares a register with an operand: a custom function may read operands lane by lane.
    void place(std::size_t i);

    // The value and the derivatives of a call are computed together.
    void place_call(Instruction const& instruction, int result);

    UnitView unit_;
    std::vector<int> last_use_, register_, free_;
    bool is_calling_ = false;
    RegisterProgram program_;
};

/// Custom functions of an expression that has none.
struct NoCustomFunctions {
    /// Never called.
    template <class T>
    void operator()(int, std::span<T const* const>, std::span<T* const>, std::size_t) const {}
};

/// Custom functions by one that takes a single set of operands: `value = function(number, operands, slopes)`, which
/// writes the derivative by each operand to `slopes`.
template <class Function>
class LaneByLane {
public:
    /// Copies the function object.
    explicit LaneByLane(Function function) : function_{std::move(function)} {}

    /// Calls the function for each lane.
    template <class T>
    void operator()(int number, std::span<T const* const> operands, std::span<T* const> results, std::size_t lanes) const {
        std::vector<T> at(operands.size()), slopes(operands.size());
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            for (std::size_t i = 0; i < at.size(); ++i) at[i] = operands[i][lane];
            T const value = function_(number, std::span<T const>{at}, std::span<T>{slopes});
            if (results[0]) results[0][lane] = value;
            for (std::size_t i = 0; i < at.size(); ++i)
                if (results[i + 1]) results[i + 1][lane] = slopes[i];
        }
    }

private:
    Function function_;
};

namespace detail {
template <Op op, class T>
void apply_to_lanes(T* result, T const* x, T const* y, T const* z, std::size_t lanes) {
    for (std::size_t i = 0; i < lanes; ++i) result[i] = apply<op>(x[i], y[i], z[i]);
}
template <class T, int i>
constexpr auto lanes_function() -> void (*)(T*, T const*, T const*, T const*, std::size_t) {
    if constexpr (applicable(static_cast<Op>(i))) return &apply_to_lanes<static_cast<Op>(i), T>;
    else return nullptr;
}
template <class T, int... ops>
constexpr auto lanes_functions(std::integer_sequence<int, ops...>) {
    return std::array{lanes_function<T, ops>()...};
}
}  // namespace detail

/// Runs `program` for `lanes` sets of arguments at once. Register r is registers[r*stride] to
/// registers[r*stride + lanes - 1]; variables and constants must be set. `custom(function, operands, results, lanes)`
/// evaluates a custom function: `operands[k]` points to the lanes of its k-th operand, `results[0]` to those of its
/// value, and `results[k + 1]` to those of its derivative by the k-th operand; results are null if not needed.
template <class T, class Custom>
void run(RegisterProgram const& program, T* registers, std::size_t stride, std::size_t lanes, Custom const& custom) {
    static constexpr auto functions = detail::lanes_functions<T>(std::make_integer_sequence<int, operation_count>{});
    auto const at = [&](int r) { return registers + static_cast<std::size_t>(r) * stride; };
    std::vector<T const*> operands;
    std::vector<T*> results;
    for (auto const& [op, result, a, b, c] : program.code) {
        if (op != Op::custom) {
            functions[static_cast<std::size_t>(op)](at(result), at(a), at(b), at(c), lanes);
            continue;
        }
        auto const& call = program.calls[static_cast<std::size_t>(a)];
        operands.clear(), results.clear();
        for (int const r : call.operands) operands.push_back(at(r));
        for (int const r : call.results) results.push_back(r < 0 ? nullptr : at(r));
        custom(call.function, std::span<T const* const>{operands}, std::span<T* const>{results}, lanes);
    }
}

}  // namespace trotter::expression
