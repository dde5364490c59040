// Units as register programs, run over many lanes at a time: how formulas that only the run time knows are evaluated.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <trotter/expression/evaluate.hpp>
#include <trotter/expression/program.hpp>
#include <utility>
#include <vector>

namespace trotter::expression {

/// An instruction whose operands and result are registers. custom: `a` is the call among those of the program.
struct RegisterInstruction {
    Op op = Op::constant;
    int result = 0;
    int a = 0, b = 0, c = 0;
};

/// A call of a custom function. `results` are for its value and its derivatives by each operand, -1 where nobody wants them.
struct RegisterCall {
    int function = 0;
    std::vector<int> operands, results;
};

/// Registers hold the variables first, then the constants, then what is computed; these are reused when no longer needed.
struct RegisterProgram {
    int variables = 0;
    int registers = 0;
    std::vector<double> constants;
    std::vector<RegisterInstruction> code;
    std::vector<RegisterCall> calls;
    std::vector<int> outputs;  // registers; -1 stands for zero
};

/// Assigns registers to the instructions that `outputs` (indices of instructions, or -1) need.
class RegisterAllocation {
public:
    RegisterAllocation(UnitView unit, int variables, std::vector<int> const& outputs)
        : unit_{unit}, last_use_(unit.code.size(), -1), register_(unit.code.size(), -1) {
        program_.variables = variables;
        find_last_uses(outputs);
        place_constants();
        for (std::size_t i = 0; i < unit_.code.size(); ++i) {
            if (!continues_call(unit_.code, unit_.calls, i)) is_calling_ = false;
            if (last_use_[i] >= 0 && operation(i)) place(i);
        }
        for (int const output : outputs) program_.outputs.push_back(output < 0 ? -1 : at(output));
    }
    RegisterProgram const& program() const { return program_; }

private:
    bool operation(std::size_t i) const { return unit_.code[i].op != Op::constant && unit_.code[i].op != Op::variable; }
    int at(int i) const { return register_[static_cast<std::size_t>(i)]; }

    template <class F>
    void for_each_operand(Instruction const& instruction, F const& f) const {
        if (instruction.op == Op::custom)
            for (int i = 0; i < instruction.c; ++i) f(unit_.calls[static_cast<std::size_t>(instruction.b + i)].operand);
        else if (operand_count(instruction.op) > 0)
            for (int const operand : {instruction.a, instruction.b, instruction.c})
                if (operand >= 0) f(operand);
    }
    void find_last_uses(std::vector<int> const& outputs) {
        int const end = static_cast<int>(unit_.code.size());
        for (int const output : outputs)
            if (output >= 0) last_use_[static_cast<std::size_t>(output)] = end;
        for (int i = end; i-- > 0;) {
            if (last_use_[static_cast<std::size_t>(i)] < 0) continue;
            for_each_operand(unit_.code[static_cast<std::size_t>(i)], [&](int operand) {
                auto& last = last_use_[static_cast<std::size_t>(operand)];
                if (last < 0) last = i;
            });
        }
    }
    void place_constants() {
        for (std::size_t i = 0; i < unit_.code.size(); ++i) {
            auto const& instruction = unit_.code[i];
            if (instruction.op == Op::variable) register_[i] = instruction.a;
            if (instruction.op != Op::constant || last_use_[i] < 0) continue;
            register_[i] = program_.variables + static_cast<int>(program_.constants.size());
            program_.constants.push_back(instruction.value);
        }
        program_.registers = program_.variables + static_cast<int>(program_.constants.size());
    }
    // The result never shares a register with an operand: a custom function may read operands lane by lane.
    void place(std::size_t i) {
        auto const& instruction = unit_.code[i];
        int const result = free_.empty() ? program_.registers++ : free_.back();
        if (!free_.empty()) free_.pop_back();
        register_[i] = result;
        if (instruction.op == Op::custom) place_call(instruction, result);
        else {
            int const a = at(instruction.a);
            program_.code.push_back({instruction.op, result, a, instruction.b < 0 ? a : at(instruction.b), instruction.c < 0 ? a : at(instruction.c)});
        }
        for_each_operand(instruction, [&](int operand) {
            auto& last = last_use_[static_cast<std::size_t>(operand)];
            if (last != static_cast<int>(i) || !operation(static_cast<std::size_t>(operand))) return;
            free_.push_back(at(operand));
            last = -1;  // an instruction may use an operand twice, but frees it once
        });
    }

    // The value and the derivatives of a call are computed together.
    void place_call(Instruction const& instruction, int result) {
        if (!is_calling_) {
            program_.code.push_back({Op::custom, result, static_cast<int>(program_.calls.size())});
            auto& call = program_.calls.emplace_back();
            call.function = instruction.a;
            call.results.assign(static_cast<std::size_t>(instruction.c) + 1, -1);
            for_each_operand(instruction, [&](int operand) { call.operands.push_back(at(operand)); });
            is_calling_ = true;
        }
        program_.calls.back().results[static_cast<std::size_t>(differentiated_by(instruction, unit_.calls) + 1)] = result;
    }

    UnitView unit_;
    std::vector<int> last_use_, register_, free_;
    bool is_calling_ = false;
    RegisterProgram program_;
};

/// Stands for custom functions where an expression has none.
struct NoCustomFunctions {
    template <class T>
    void operator()(int, std::span<T const* const>, std::span<T* const>, std::size_t) const {}
};

/// Custom functions by one that takes a single set of operands: `value = function(number, operands, slopes)`, where the
/// derivative by each operand goes to `slopes`.
template <class Function>
class LaneByLane {
public:
    explicit LaneByLane(Function function) : function_{std::move(function)} {}

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

/// Runs `program` for `lanes` sets of arguments at once. Register r is registers[r*stride] to registers[r*stride + lanes - 1];
/// variables and constants are already there. `custom(function, operands, results, lanes)` evaluates a custom function:
/// `operands[k]` points to the lanes of its k-th operand, `results[0]` to those of its value, and `results[k + 1]` to
/// those of its derivative by the k-th operand; what is null is not wanted.
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
