// Reports the result of one evaluation, for `energy`, `step` and `minimize`.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "program/input/inputs.hpp"
#include "program/output/report.hpp"

namespace trotter::program {

/// Returns the energy of all forces [kJ/mol]. Throws `Failure` that names the responsible force if it is not finite;
/// `where` begins the message.
template <class Failure>
double finite_energy(AnyContext& context, std::string const& where);

/// Returns `AnyContext::state`. Throws `Failure` that names the force, particle or parameter if a value is not finite.
template <class Failure>
State finite_state(AnyContext& context, StateData data, ForceGroups const& groups, std::string const& where);

/// Evaluates everything at the current positions and reports the results that the options select. Throws as
/// `finite_state` does.
template <class Failure> Report evaluation_report(AnyContext& context, std::vector<ForceName> const& names,
                                                  Options const& options, std::string const& where);

/// Adds platform, seed and number of particles.
void add_platform(Report& report, AnyContext const& context);

}  // namespace trotter::program
