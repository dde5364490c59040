// The NoseHooverIntegrator that moves Drude oscillators.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/common/host_state.hpp>
#include <trotter/drude/nose_hoover.hpp>
#include <trotter/integrators/nose_hoover.hpp>

namespace trotter::drude {

/// One thermostat for the pairs of the integrator and for all other massive particles. Throws InputError for an invalid
/// parameter.
NoseHooverIntegrator with_chain(DrudeNoseHooverIntegrator const& integrator, HostState const& host);

}  // namespace trotter::drude
