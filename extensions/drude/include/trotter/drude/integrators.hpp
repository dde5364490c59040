// The integrators of this extension.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/drude/langevin.hpp>
#include <trotter/drude/nose_hoover.hpp>
#include <trotter/drude/scf.hpp>
#include <trotter/integrators/compound.hpp>

namespace trotter::drude {

/// For Contexts of Drude oscillators.
using Integrators = IntegratorList<DrudeLangevinIntegrator, DrudeNoseHooverIntegrator, DrudeSCFIntegrator>;

}  // namespace trotter::drude
