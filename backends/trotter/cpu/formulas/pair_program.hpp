// A run-time pair formula as a pass over pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include <trotter/cpu/formulas/pair_kernel_program.hpp>
#include <trotter/expression/pair_names.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>

namespace trotter::cpu {

/// Outputs of a pass; totals are the energy and its derivatives by global parameters.
enum class PairOutputs { forces, forces_and_energy, totals };

/// Returns the program of a formula, whose per-particle parameters are the columns.
template <class Real, class Arch> PairKernelProgram<Real, Arch> pair_program(expression::PairUnits const& units,
                                                                             PairSettings const& settings,
                                                                             PairOutputs wanted_outputs) {
    using expression::Role;
    bool const with_totals = wanted_outputs != PairOutputs::forces;
    // Without a cutoff, still nearer than unused slots.
    double const cutoff = settings.uses_cutoff() ? settings.cutoff_distance : 1e14;
    PairKernelProgram<Real, Arch> result(static_cast<int>(units.columns.outputs.size()), cutoff);
    auto& kernel = result.kernel;
    kernel.distance = static_cast<int>(expression::distance_variable);
    kernel.inverse = static_cast<int>(expression::inverse_variable);
    kernel.square = static_cast<int>(expression::square_variable);
    for (std::size_t n = 0; n < units.leaves.size(); ++n) {
        auto const& leaf = units.leaves[n];
        auto const number = static_cast<int>(expression::first_leaf_variable + n);
        if (leaf.role == Role::global)
            result.globals.push_back({number, leaf.index});
        else
            result.loads.push_back({number, leaf.index, leaf.role == Role::particle2});
    }
    bool const is_switched = settings.is_switched();
    auto const& outputs = units.pair.outputs;
    std::vector<int> wanted{outputs[1]};
    if (with_totals)
        wanted = outputs;
    else if (is_switched)
        wanted = {outputs[0], outputs[1]};
    std::optional<typename PairKernelProgram<Real, Arch>::SwitchingRange> switching;
    if (is_switched) switching = {settings.switching_distance, 1 / (cutoff - settings.switching_distance)};
    result.compile({units.pair.code, outputs, units.pair.calls},
                   static_cast<int>(expression::first_leaf_variable + units.leaves.size()), wanted, switching);
    if (wanted_outputs != PairOutputs::totals) kernel.virial = result.output(wanted.size() > 1 ? 1 : 0);
    for (int n = 0; with_totals && n < static_cast<int>(wanted.size()); ++n)
        if (n != 1) result.totals.push_back(result.output(n));
    result.make_code();
    return result;
}

}  // namespace trotter::cpu
