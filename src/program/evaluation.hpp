// The result of one evaluation as `energy`, `step` and `minimize` report it.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "inputs.hpp"
#include "report.hpp"

namespace trotter::program {

/// Throws `Failure` with the force to blame where the energy that the last evaluation gave is not a finite number;
/// `where` begins the message.
template <class Failure> void require_finite_energy(AnyContext& context, double energy,
                                                    std::vector<ForceName> const& names, std::string const& where);
/// The same for both energies of a State that was just made.
template <class Failure> void require_finite_energies(AnyContext& context, State const& state,
                                                      std::vector<ForceName> const& names, std::string const& where);

/// Evaluates everything at the present positions and reports what the options ask for. Throws `Failure` with the force,
/// the particle or the parameter where a number of it is not finite; `where` begins the message.
template <class Failure> Report evaluation_report(AnyContext& context, std::vector<ForceName> const& names,
                                                  Options const& options, std::string const& where);

/// What was computed where, and on how many particles.
void add_platform(Report& report, AnyContext const& context);

}  // namespace trotter::program
