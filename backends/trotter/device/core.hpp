// What OpenCl and Cuda share, without the kernels of single forces.
// SPDX-License-Identifier: MIT
#pragma once
// The engine, forces stated by formulas, integrators made of splittings, and the minimizer. The others have headers of
// their names: device/pairs/nonbonded.hpp, device/integration/nose_hoover.hpp, common/containers/atm.hpp and so on.
// Most of what devices borrow from Reference is in reference/compiled_kernel.hpp.
#include <trotter/common/core.hpp>
#include <trotter/device/engine.hpp>
#include <trotter/device/integration/box_moves.hpp>
#include <trotter/device/integration/splitting.hpp>
#include <trotter/device/integration/variable_step.hpp>
#include <trotter/reference/fallback_forces.hpp>

namespace trotter {

struct AndersenThermostat;
struct BrownianIntegrator;
struct CMMotionRemover;
struct CustomCentroidBondForce;
struct CustomHbondForce;
struct CustomIntegrator;
struct CustomManyParticleForce;
struct NoseHooverIntegrator;

// The host or Reference could do these for a device. Declared here, so that nobody gets their slow kernels for want of a
// header: an incomplete Kernel<…> means that the one in device/ is missing.
template <DeviceBackend B, Precision P> struct Kernel<AndersenThermostat, B, P>;
template <DeviceBackend B, Precision P> struct Kernel<BrownianIntegrator, B, P>;
template <DeviceBackend B, Precision P> struct Kernel<CMMotionRemover, B, P>;
template <DeviceBackend B, Precision P> struct Kernel<CustomCentroidBondForce, B, P>;
template <DeviceBackend B, Precision P> struct Kernel<CustomHbondForce, B, P>;
template <DeviceBackend B, Precision P> struct Kernel<CustomIntegrator, B, P>;
template <DeviceBackend B, Precision P> struct Kernel<CustomManyParticleForce, B, P>;
template <DeviceBackend B, Precision P> struct Kernel<NoseHooverIntegrator, B, P>;

}  // namespace trotter
