// Allocates registers for the instructions of a unit.
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <vector>

#include <trotter/expression/program.hpp>
#include <trotter/expression/registers.hpp>

namespace trotter::expression {

RegisterAllocation::RegisterAllocation(UnitView unit, int variables, std::vector<int> const& outputs)
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
void RegisterAllocation::find_last_uses(std::vector<int> const& outputs) {
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
void RegisterAllocation::place_constants() {
    for (std::size_t i = 0; i < unit_.code.size(); ++i) {
        auto const& instruction = unit_.code[i];
        if (instruction.op == Op::variable) register_[i] = instruction.a;
        if (!is_constant(i) || last_use_[i] < 0) continue;
        register_[i] = program_.variables + static_cast<int>(program_.constants.size());
        program_.constants.push_back({instruction.value, instruction.op == Op::limit});
    }
    program_.registers = program_.variables + static_cast<int>(program_.constants.size());
}
void RegisterAllocation::place(std::size_t i) {
    auto const& instruction = unit_.code[i];
    int const result = free_.empty() ? program_.registers++ : free_.back();
    if (!free_.empty()) free_.pop_back();
    register_[i] = result;
    if (instruction.op == Op::custom)
        place_call(instruction, result);
    else {
        int const a = at(instruction.a);
        program_.code.push_back({instruction.op, result, a, instruction.b < 0 ? a : at(instruction.b),
                                 instruction.c < 0 ? a : at(instruction.c)});
    }
    for_each_operand(instruction, [&](int operand) {
        auto& last = last_use_[static_cast<std::size_t>(operand)];
        if (last != static_cast<int>(i) || !operation(static_cast<std::size_t>(operand))) return;
        free_.push_back(at(operand));
        last = -1;  // an operand that is used twice is freed once
    });
}
void RegisterAllocation::place_call(Instruction const& instruction, int result) {
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

}  // namespace trotter::expression
