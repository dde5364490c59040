// JIT compiler for the arithmetic of register programs.
// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <span>
#include <vector>

#include <trotter/expression/registers.hpp>

namespace trotter {

/// Memory layout of the registers of a program.
struct RegisterLayout {
    int number_bytes;    ///< 4 or 8
    int vector_bytes;    ///< SIMD width: 32 with AVX, 64 with AVX-512; no code for others
    int register_bytes;  ///< stride between registers
    int tile_bytes;      ///< period of repeated registers: a power of two, at least a vector
    std::vector<bool> is_repeated;  ///< per register: its values repeat with the period `tile_bytes`
};

/// Compiles runs of instructions (add, subtract, multiply, divide, negate, reciprocal, square root, min, max) to one
/// function each, which keeps values in SIMD registers. Results are bitwise those of `expression::apply`, except for
/// NaNs. There are no runs if the processor or operating system does not allow it, or if Trotter was built without
/// Xbyak.
class JitCode {
public:
    /// Computes the first `bytes` of each register, a multiple of the SIMD width.
    using Function = void (*)(void* registers, int bytes);
    /// Instructions from `begin` to `end` - 1 of the program.
    struct Run {
        int begin, end;
        Function function;
    };

    JitCode() = default;
    JitCode(expression::RegisterProgram const& program, RegisterLayout const& layout);

    std::span<Run const> runs() const { return runs_; }

private:
    std::vector<Run> runs_;
    std::shared_ptr<void const> memory_;
};

}  // namespace trotter
