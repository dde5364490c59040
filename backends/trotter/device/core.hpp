// The parts that OpenCl and Cuda share, without the kernels of individual forces.
// SPDX-License-Identifier: MIT
#pragma once
// The engine, forces defined by formulas, integrators made of splittings, and the minimizer. All others have headers
// named after them: device/pairs/nonbonded.hpp, device/integration/nose_hoover.hpp, common/containers/atm.hpp and so
// on. Most Reference fallbacks of devices are in reference/compiled_kernel.hpp.
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

// The host or Reference could run these for a device. Declared here so that a missing header does not select their slow
// kernels: an incomplete Kernel<…> means that the header in device/ is missing.
template <DeviceBackend B, Precision P> struct Kernel<AndersenThermostat, B, P>;
template <DeviceBackend B, Precision P> struct Kernel<BrownianIntegrator, B, P>;
template <DeviceBackend B, Precision P> struct Kernel<CMMotionRemover, B, P>;
template <DeviceBackend B, Precision P> struct Kernel<CustomCentroidBondForce, B, P>;
template <DeviceBackend B, Precision P> struct Kernel<CustomHbondForce, B, P>;
template <DeviceBackend B, Precision P> struct Kernel<CustomIntegrator, B, P>;
template <DeviceBackend B, Precision P> struct Kernel<CustomManyParticleForce, B, P>;
template <DeviceBackend B, Precision P> struct Kernel<NoseHooverIntegrator, B, P>;

}  // namespace trotter
