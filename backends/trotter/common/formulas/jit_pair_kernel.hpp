// JIT compiler for the pair loop of a register program.
// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <vector>

#include <trotter/expression/registers.hpp>

namespace trotter {

/// Memory layout of the particles in a pair loop: sizes and offsets in bytes.
struct JitPairLayout {
    int number_bytes;
    int vector_bytes;      ///< SIMD width: 32 with AVX2, 64 with AVX-512; no code for others
    int first_particles;   ///< count; the loop goes over all second particles for each
    int at_once;           ///< first particles per iteration: one, or two with AVX-512
    int next_first;        ///< stride between coordinates or parameters of first particles, one scalar each
    int first_parameters;  ///< offset from their coordinates
    int next_force;        ///< stride between axes of forces on first particles, one SIMD vector each
    int second_bytes;      ///< size of a SIMD vector of second particles with all data; offsets within:
    int coordinates, parameters, forces;
    int mask_bytes;  ///< of a mask: 2 (a bit per lane), or a whole vector with AVX2
};

/// Sources of a program's arguments; its first output is r dE/dr.
struct JitPairArguments {
    /// A parameter of the first or the second particle.
    struct Parameter {
        int register_number, column;
        bool is_second;
    };
    std::vector<Parameter> parameters;
    int distance, inverse, square;  ///< registers of r, 1/r and r²
    bool has_energy;                ///< as the second output
};

/// Compiled function that adds the forces and energies of pairs of a few first particles with any second ones.
class JitPairKernel {
public:
    /// `frame`: registers of the program, one SIMD vector each, followed by the vectors at `cutoff` and `energy`. Masks
    /// and second particles are contiguous, up to `end`; `coordinates` and `forces` are those of the first of the first
    /// particles.
    using Function = void (*)(void* frame, void* second, void* end, void const* masks, void const* coordinates,
                              void* forces);

    JitPairKernel() = default;
    /// Has no function if the program uses unsupported operations, if the processor or operating system does not allow
    /// it, or if Trotter was built without Xbyak.
    JitPairKernel(expression::RegisterProgram const& program, JitPairArguments const& arguments,
                  JitPairLayout const& layout);

    explicit operator bool() const { return function_ != nullptr; }
    Function function() const { return function_; }
    /// Layout of a frame in SIMD vectors: their number, index of the squared cutoff, and index of the energies per
    /// lane, to which a call adds.
    int frame_vectors() const { return energy() + 1 + for_code; }
    int cutoff() const { return registers_; }
    int energy() const { return registers_ + 1; }

private:
    static constexpr int for_code = 4;  ///< vectors for internal use

    Function function_ = nullptr;
    int registers_ = 0;
    std::shared_ptr<void const> memory_;
};

}  // namespace trotter
