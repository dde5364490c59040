// The forces whose terms are compiled for every instruction set: the bonded ones of most force fields.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/terms/term_loop.hpp>
#include <trotter/forces/harmonic_angle.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/forces/periodic_torsion.hpp>
#include <trotter/forces/rb_torsion.hpp>
#include <trotter/physics/nonbonded_exceptions.hpp>

namespace trotter::cpu {

template <HasTerms... F> struct TermFunctions : TermFunction<F>... {
    template <class Arch> static constexpr TermFunctions of() { return {TermLoop<F, Arch>::function()...}; }
};

using TermTable =
    TermFunctions<HarmonicBondForce, HarmonicAngleForce, PeriodicTorsionForce, RBTorsionForce, NonbondedExceptions>;

}  // namespace trotter::cpu
