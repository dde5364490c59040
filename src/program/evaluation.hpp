// The result of one evaluation as `energy`, `step` and `minimize` report it.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "inputs.hpp"
#include "report.hpp"

namespace trotter::program {

/// Evaluates everything at the present positions and reports what the options ask for. Throws `Failure` with the
/// force's name where the energy is not a finite number; `where` begins the message.
template <class Failure> Report evaluation_report(AnyContext& context, std::vector<ForceName> const& names,
                                                  Options const& options, std::string const& where);

/// What was computed where, and on how many particles.
void add_platform(Report& report, AnyContext const& context);

}  // namespace trotter::program
