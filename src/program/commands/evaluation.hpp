// The result of one evaluation as `energy`, `step` and `minimize` report it.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "program/input/inputs.hpp"
#include "program/output/report.hpp"

namespace trotter::program {

/// The energy of all forces [kJ/mol]. Throws `Failure` with the force to blame where it is not a finite number; `where`
/// begins the message.
template <class Failure>
double finite_energy(AnyContext& context, std::string const& where);

/// What `AnyContext::state` copies. Throws `Failure` with the force, the particle or the parameter where a number of it
/// is not finite.
template <class Failure>
State finite_state(AnyContext& context, StateData data, ForceGroups const& groups, std::string const& where);

/// Evaluates everything at the present positions and reports what the options ask for. Throws as `finite_state` does.
template <class Failure> Report evaluation_report(AnyContext& context, std::vector<ForceName> const& names,
                                                  Options const& options, std::string const& where);

/// What was computed where, and on how many particles.
void add_platform(Report& report, AnyContext const& context);

}  // namespace trotter::program
