// A pair formula as a register program, as the loop over a pair list reads it.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/common/formulas/jit_code.hpp>
#include <trotter/cpu/formulas/table_evaluation.hpp>
#include <trotter/cpu/neighbor_list/pair_list.hpp>
#include <trotter/expression/registers.hpp>

namespace trotter::cpu {

/// A pair formula as a register program, with sources of arguments and destinations of outputs. Registers are indices,
/// -1 for none. Each has room for `lanes` numbers; operands that are equal for all clusters of second particles may
/// occupy only the first `tile` of them.
template <class Real> struct PairKernelView {
    static constexpr int tile = cluster_size * cluster_size, lanes = 1024 / static_cast<int>(sizeof(Real)),
                         tiles = lanes / tile;

    /// An argument: a parameter of the first or second particle.
    struct Load {
        int register_number, column;
        bool is_second;
    };
    /// An output added to a per-particle sum of the first or second particle.
    struct Sum {
        int register_number, plane;
        bool is_second;
    };
    expression::RegisterInstruction const* code;
    int code_size;
    JitCode::Run const* runs;  ///< of the code, in order
    int run_count;
    Load const* loads;
    int load_count;
    Sum const* sums;
    int sum_count;
    int const* totals;  ///< outputs summed over all pairs, the energy first if there are several
    int total_count;
    int distance = -1, inverse = -1, square = -1;  ///< the arguments r (if used), 1/r, r²
    int slope = -1, virial = -1;  ///< the output dE/dr, or the output r dE/dr
    int column_count;             ///< parameters of a particle
    Real cutoff2;
    Real* registers;
    int const* last_lanes;   ///< of each register: `lanes` - 1, or `tile` - 1
    Real* rows;              ///< 3 + sum_count + total_count tiles: forces and sums of i particles, and totals
    double* results;         ///< where `totals` are added
    TableCall const* calls;  ///< of tabulated functions, indexed by the code
};

}  // namespace trotter::cpu
