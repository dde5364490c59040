// Arithmetic of register programs as instructions of this machine's processor, made when the program runs.
// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <span>
#include <vector>

#include <trotter/expression/registers.hpp>

namespace trotter {

/// How a register program's registers lie in memory.
struct RegisterLayout {
    int number_bytes;    ///< 4 or 8
    int vector_bytes;    ///< of the processor's vectors: 32 with AVX, 64 with AVX-512; for others there is no code
    int register_bytes;  ///< from one register to the next
    int tile_bytes;      ///< what registers hold that are repeated: a power of two, and no less than a vector
    std::vector<bool> is_repeated;  ///< for each register: numbers follow each other in this order again and again
};

/// Runs of instructions that add, subtract, multiply, divide, negate, or take reciprocals, square roots, minima and
/// maxima, each as one function that keeps its numbers in the processor's vectors. All have the bits that
/// `expression::apply` gives, but for those of NaNs. There are no runs where the processor or the system does not allow
/// any, or where Trotter was built without Xbyak.
class JitCode {
public:
    /// Computes the first `bytes` of each register, whole vectors of them.
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
