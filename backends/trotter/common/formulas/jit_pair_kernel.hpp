// The loop over pairs that a register program describes, as instructions of this machine's processor.
// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <vector>

#include <trotter/expression/registers.hpp>

namespace trotter {

/// How the particles of a loop over pairs lie in memory: sizes, and places from where an address points to, in bytes.
struct JitPairLayout {
    int number_bytes;
    int vector_bytes;      ///< of the processor: 32 with AVX2, 64 with AVX-512; for others there is no code
    int first_particles;   ///< for each of which the loop goes over all second particles
    int at_once;           ///< so many of them at a time: one, or two with AVX-512
    int next_first;        ///< from a coordinate or parameter of all first particles to the next; each is a number
    int first_parameters;  ///< from the coordinates of first particles
    int next_force;        ///< from one axis of the forces on all first particles to the next; each is a vector
    int second_bytes;      ///< of a vector of second particles with all that they have, of which these are vectors:
    int coordinates, parameters, forces;
    int mask_bytes;  ///< of a mask: 2, whose bits are lanes, or a whole vector where these have 32 bytes
};

/// Where the arguments of a program come from, whose first output is r dE/dr.
struct JitPairArguments {
    /// A parameter of the first or the second particle.
    struct Parameter {
        int register_number, column;
        bool is_second;
    };
    std::vector<Parameter> parameters;
    int distance, inverse, square;  ///< registers of r, 1/r and r²
    bool has_energy;                ///< it is the second output
};

/// One function that adds what the pairs of some first particles with any second ones give to both.
class JitPairKernel {
public:
    /// `frame`: registers of the program, a vector each, and behind them what `cutoff` and `energy` say. Masks and
    /// second particles lie side by side, those before `end` are taken; `coordinates` and `forces` are those of the
    /// first of the first particles.
    using Function = void (*)(void* frame, void* second, void* end, void const* masks, void const* coordinates,
                              void* forces);

    JitPairKernel() = default;
    /// Without a function where the program has operations that the code has not, where the processor or the system
    /// does not allow it, or where Trotter was built without Xbyak.
    JitPairKernel(expression::RegisterProgram const& program, JitPairArguments const& arguments,
                  JitPairLayout const& layout);

    explicit operator bool() const { return function_ != nullptr; }
    Function function() const { return function_; }
    /// The vectors of a frame: how many, that of the square of the cutoff, and that of the energies of each lane, to
    /// which a call adds.
    int frame_vectors() const { return energy() + 1 + for_code; }
    int cutoff() const { return registers_; }
    int energy() const { return registers_ + 1; }

private:
    static constexpr int for_code = 4;  ///< vectors that only the code uses

    Function function_ = nullptr;
    int registers_ = 0;
    std::shared_ptr<void const> memory_;
};

}  // namespace trotter
