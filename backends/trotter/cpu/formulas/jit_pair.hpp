// Pair interactions whose loop is JIT-compiled.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/common/formulas/jit_pair_kernel.hpp>
#include <trotter/cpu/neighbor_list/pair_list.hpp>

namespace trotter::cpu {

/// The Interaction of a PairLoop with JIT code, for formulas with at most a record of parameters.
template <class Real> struct JitPair {
    static constexpr bool with_energy = false, has_forces = true, has_sums = false, has_charges = false;
    static constexpr int parameter_count = record_size;

    JitPairKernel::Function code;
    Real* frame;
    Real* energies;  ///< vector to which code adds pair energies; null if it does not
};

}  // namespace trotter::cpu
