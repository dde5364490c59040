// What the device backends borrow from Reference.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/device/engine.hpp>
#include <trotter/host/borrowed.hpp>
#include <trotter/reference/callback_force.hpp>
#include <trotter/reference/constant_potential.hpp>
#include <trotter/reference/custom_hbond.hpp>
#include <trotter/reference/custom_many_particle.hpp>
#include <trotter/reference/custom_volume.hpp>
#include <trotter/reference/gay_berne.hpp>
#include <trotter/reference/lcpo.hpp>
#include <trotter/reference/orientation_restraint.hpp>
#include <trotter/reference/rg.hpp>
#include <trotter/reference/rmsd.hpp>

namespace trotter {

template <class Function, DeviceBackend B, Precision P> struct Kernel<CallbackForce<Function>, B, P>
    : Borrowed<Kernel<CallbackForce<Function>, Reference, Double>> {
    using Kernel::Borrowed::Borrowed;
};
template <DeviceBackend B, Precision P> struct Kernel<ConstantPotentialForce, B, P>
    : Borrowed<Kernel<ConstantPotentialForce, Reference, Double>> {
    using Borrowed::Borrowed;
};
template <DeviceBackend B, Precision P> struct Kernel<CustomHbondForce, B, P>
    : Borrowed<Kernel<CustomHbondForce, Reference, Double>> {
    using Borrowed::Borrowed;
};
template <DeviceBackend B, Precision P> struct Kernel<CustomManyParticleForce, B, P>
    : Borrowed<Kernel<CustomManyParticleForce, Reference, Double>> {
    using Borrowed::Borrowed;
};
template <DeviceBackend B, Precision P> struct Kernel<CustomVolumeForce, B, P>
    : Borrowed<Kernel<CustomVolumeForce, Reference, Double>> {
    using Borrowed::Borrowed;
};
template <DeviceBackend B, Precision P> struct Kernel<GayBerneForce, B, P>
    : Borrowed<Kernel<GayBerneForce, Reference, Double>> {
    using Borrowed::Borrowed;
};
template <DeviceBackend B, Precision P> struct Kernel<LCPOForce, B, P>
    : Borrowed<Kernel<LCPOForce, Reference, Double>> {
    using Borrowed::Borrowed;
};
template <DeviceBackend B, Precision P> struct Kernel<OrientationRestraintForce, B, P>
    : Borrowed<Kernel<OrientationRestraintForce, Reference, Double>> {
    using Borrowed::Borrowed;
};
template <DeviceBackend B, Precision P> struct Kernel<RGForce, B, P> : Borrowed<Kernel<RGForce, Reference, Double>> {
    using Borrowed::Borrowed;
};
template <DeviceBackend B, Precision P> struct Kernel<RMSDForce, B, P>
    : Borrowed<Kernel<RMSDForce, Reference, Double>> {
    using Borrowed::Borrowed;
};

}  // namespace trotter
