// A unit: one list of instructions for an expression's value and its slopes.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <trotter/expression/operation.hpp>

namespace trotter::expression {

/// One operation on results of earlier instructions, given by index. constant: `value`; limit: `value` is its root;
/// variable: `a` is its index among the names; custom: `a` is the function, `calls[b]` to `calls[b + c - 1]` of the
/// program are its operands and orders. The value and derivatives of one call are consecutive.
struct Instruction {
    Op op = Op::constant;  ///< operation
    int a = -1, b = -1, c = -1;  ///< indices of operands; -1: none
    double value = 0;  ///< of a constant or limit
};

/// An operand of a custom function, and the order of the derivative by it.
struct CallOperand {
    int operand = 0;  ///< index of an instruction
    int order = 0;  ///< order of the derivative by it
};

/// A unit. `outputs` are indices of instructions: the value first, then the other requested outputs.
struct Program {
    std::vector<Instruction> code;  ///< operands before users
    std::vector<int> outputs;  ///< indices of instructions; -1: zero
    std::vector<CallOperand> calls;  ///< operands of custom functions
};

/// A view of a unit.
struct UnitView {
    std::span<Instruction const> code;  ///< operands before users
    std::span<int const> outputs;  ///< indices of instructions; -1: zero
    std::span<CallOperand const> calls;  ///< operands of custom functions
};

}  // namespace trotter::expression
