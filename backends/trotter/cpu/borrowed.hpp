// What the Cpu backend borrows from Reference.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/engine.hpp>
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

template <class Function, class Arch, Precision P> struct Kernel<CallbackForce<Function>, BasicCpu<Arch>, P>
    : Borrowed<Kernel<CallbackForce<Function>, Reference, Double>> {
    using Kernel::Borrowed::Borrowed;
};
template <class Arch, Precision P> struct Kernel<ConstantPotentialForce, BasicCpu<Arch>, P>
    : Borrowed<Kernel<ConstantPotentialForce, Reference, Double>> {
    using Borrowed::Borrowed;
};
template <class Arch, Precision P> struct Kernel<CustomHbondForce, BasicCpu<Arch>, P>
    : Borrowed<Kernel<CustomHbondForce, Reference, Double>> {
    using Borrowed::Borrowed;
};
template <class Arch, Precision P> struct Kernel<CustomManyParticleForce, BasicCpu<Arch>, P>
    : Borrowed<Kernel<CustomManyParticleForce, Reference, Double>> {
    using Borrowed::Borrowed;
};
template <class Arch, Precision P> struct Kernel<CustomVolumeForce, BasicCpu<Arch>, P>
    : Borrowed<Kernel<CustomVolumeForce, Reference, Double>> {
    using Borrowed::Borrowed;
};
template <class Arch, Precision P> struct Kernel<GayBerneForce, BasicCpu<Arch>, P>
    : Borrowed<Kernel<GayBerneForce, Reference, Double>> {
    using Borrowed::Borrowed;
};
template <class Arch, Precision P> struct Kernel<LCPOForce, BasicCpu<Arch>, P>
    : Borrowed<Kernel<LCPOForce, Reference, Double>> {
    using Borrowed::Borrowed;
};
template <class Arch, Precision P> struct Kernel<OrientationRestraintForce, BasicCpu<Arch>, P>
    : Borrowed<Kernel<OrientationRestraintForce, Reference, Double>> {
    using Borrowed::Borrowed;
};
template <class Arch, Precision P> struct Kernel<RGForce, BasicCpu<Arch>, P>
    : Borrowed<Kernel<RGForce, Reference, Double>> {
    using Borrowed::Borrowed;
};
template <class Arch, Precision P> struct Kernel<RMSDForce, BasicCpu<Arch>, P>
    : Borrowed<Kernel<RMSDForce, Reference, Double>> {
    using Borrowed::Borrowed;
};

}  // namespace trotter
