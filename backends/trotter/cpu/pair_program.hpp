// A formula of pairs that only the run time knows as a sweep over pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/cpu/sweep_program.hpp>
#include <trotter/expression/pair_units.hpp>
#include <trotter/forces/pair_settings.hpp>

namespace trotter::cpu {

/// Totals are the energy and its derivatives by global parameters, or nothing without `with_totals` where forces do not
/// need them; the formula's parameters of a particle are its columns.
template <class Real, class Arch> SweepProgram<Real, Arch> pair_program(expression::PairUnits const& units,
                                                                        PairSettings const& settings,
                                                                        bool with_totals) {
    using expression::Role;
    // Without a cutoff, still nearer than places without a particle.
    double const cutoff = settings.uses_cutoff() ? settings.cutoff_distance : 1e14;
    SweepProgram<Real, Arch> result(static_cast<int>(units.columns.outputs.size()), cutoff);
    auto& sweep = result.sweep;
    sweep.distance = static_cast<int>(expression::distance_variable);
    sweep.inverse = static_cast<int>(expression::inverse_variable);
    sweep.square = static_cast<int>(expression::square_variable);
    for (std::size_t n = 0; n < units.leaves.size(); ++n) {
        auto const& leaf = units.leaves[n];
        auto const number = static_cast<int>(expression::first_leaf_variable + n);
        if (leaf.role == Role::global)
            result.globals.push_back({number, leaf.index});
        else
            result.loads.push_back({number, leaf.index, leaf.role == Role::particle2});
    }
    bool const has_totals = with_totals || settings.is_switched();
    auto const wanted = has_totals ? units.pair.outputs : std::vector{units.pair.outputs[1]};
    result.compile({units.pair.code, units.pair.outputs, units.pair.calls},
                   static_cast<int>(expression::first_leaf_variable + units.leaves.size()), wanted);
    sweep.virial = result.output(has_totals ? 1 : 0);
    for (int n = 0; has_totals && n < static_cast<int>(wanted.size()); ++n)
        if (n != 1) result.totals.push_back(result.output(n));
    if (!settings.is_switched()) return result;
    sweep.is_switched = true;
    sweep.switch_start = static_cast<Real>(settings.switching_distance);
    sweep.switch_inverse_width = static_cast<Real>(1 / (cutoff - settings.switching_distance));
    sweep.unswitched_virial = sweep.virial;
    sweep.virial = result.add_register();
    result.unswitched_totals = result.totals;
    for (int& total : result.totals) total = result.add_register();
    return result;
}

}  // namespace trotter::cpu
