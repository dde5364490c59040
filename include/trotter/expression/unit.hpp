// A unit: one list of instructions for an expression's value and its slopes.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <trotter/expression/operation.hpp>

namespace trotter::expression {

/// One operation on results of earlier instructions, by their index. constant: `value`; limit: of the root `value`; variable: `a` is its index among
/// the names; custom: `a` is the function, its operands and orders are `calls[b]` to `calls[b + c - 1]` of the program.
/// The value and the derivatives of one call stand one behind the other.
struct Instruction {
    Op op = Op::constant;  ///< operation
    int a = -1, b = -1, c = -1;  ///< indices of operands; -1: none
    double value = 0;  ///< of a constant, or as the operation says
};

/// An operand of a custom function, and how often the function was differentiated by it.
struct CallOperand {
    int operand = 0;  ///< index of an instruction
    int order = 0;  ///< how often the function is differentiated by it
};

/// A unit. `outputs` are indices of instructions: the value first, then what else was asked for.
struct Program {
    std::vector<Instruction> code;  ///< operands before users
    std::vector<int> outputs;  ///< indices of instructions; -1 stands for zero
    std::vector<CallOperand> calls;  ///< operands of custom functions
};

/// A unit to read, wherever it is kept.
struct UnitView {
    std::span<Instruction const> code;  ///< operands before users
    std::span<int const> outputs;  ///< indices of instructions; -1 stands for zero
    std::span<CallOperand const> calls;  ///< operands of custom functions
};

}  // namespace trotter::expression
