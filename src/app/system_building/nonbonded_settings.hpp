// Options of a System as settings of its pair forces.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include <trotter/app/system_options.hpp>
#include <trotter/box.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/parts/pairs/pair_settings.hpp>

namespace trotter::app {

/// Whether a method needs a periodic box.
bool is_periodic(NonbondedMethod method);
/// Treatment of Lennard-Jones interactions beside charges by this method: a lattice sum leaves them a periodic cutoff.
PairSettings::Method pair_method(NonbondedMethod method);

/// Throws InputError for a periodic method without a box, a cutoff that is not positive, and a switching distance
/// that is not below the cutoff.
void check_nonbonded_options(SystemOptions const& options, std::optional<Box> const& box);

///@{
/// Sets method, cutoff and switching function, and for NonbondedForce the Ewald error tolerance.
void apply(SystemOptions const& options, NonbondedForce& force);
void apply(SystemOptions const& options, PairSettings& pairs);
///@}

}  // namespace trotter::app
