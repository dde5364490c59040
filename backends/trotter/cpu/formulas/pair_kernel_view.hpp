// A formula of pairs as a register program: what a pass over a list of pairs gets.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/common/formulas/jit_code.hpp>
#include <trotter/cpu/formulas/table_evaluation.hpp>
#include <trotter/cpu/neighbor_list/pair_list.hpp>
#include <trotter/expression/registers.hpp>

namespace trotter::cpu {

/// A formula of pairs as a register program: where its arguments come from, and what its outputs add to. Registers are
/// numbers of which -1 is none. Each has room for `lanes` numbers; operands that all clusters of second particles have
/// in common may stand in the first `tile` of them alone.
template <class Real> struct PairKernelView {
    static constexpr int tile = cluster_size * cluster_size, lanes = 1024 / static_cast<int>(sizeof(Real)),
                         tiles = lanes / tile;

    /// An argument: a parameter of the first or second particle.
    struct Load {
        int register_number, column;
        bool is_second;
    };
    /// An output that a number of the first or second particle gets.
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
    int const* totals;  ///< outputs that are added up over all pairs, the energy first where there are several
    int total_count;
    int distance = -1, inverse = -1, square = -1;  ///< the arguments r (if there is one), 1/r, r²
    int slope = -1, virial = -1;  ///< the output that is the derivative by r, or the one that is r times that
    int column_count;             ///< parameters of a particle
    Real cutoff2;
    Real* registers;
    int const* last_lanes;   ///< of each register: `lanes` - 1, or `tile` - 1
    Real* rows;              ///< room for 3 + sum_count + total_count tiles: what the i particles get, and totals
    double* results;         ///< what `totals` add to
    TableCall const* calls;  ///< of tabulated functions, as the code numbers them
};

}  // namespace trotter::cpu
