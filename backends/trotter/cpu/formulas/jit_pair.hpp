// Pairs whose loop is machine code that was made when the program runs.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/common/formulas/jit_pair_kernel.hpp>
#include <trotter/cpu/neighbor_list/pair_list.hpp>

namespace trotter::cpu {

/// What a PairLoop does with pairs, by code for a formula that has no more parameters than a record.
template <class Real> struct JitPair {
    static constexpr bool with_energy = false, has_forces = true, has_sums = false, has_charges = false;
    static constexpr int parameter_count = record_size;

    JitPairKernel::Function code;
    Real* frame;
    Real* energies;  ///< to a vector of them code adds what pairs have; null where it does not
};

}  // namespace trotter::cpu
