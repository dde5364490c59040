// The forces that the device backends cannot do.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/device/engine.hpp>
#include <trotter/forces/gbsa_obc.hpp>
#include <trotter/forces/nonbonded.hpp>

namespace trotter {

/// Says so where a System has the force.
template <class Op, DeviceBackend B, Precision P> struct MissingOnDevices {
    static constexpr bool is_missing = true;
    MissingOnDevices(Op const&, Engine<B, P>&) { throw UnsupportedError(missing_kernel_sentence<Op, B, P>()); }
};
template <DeviceBackend B, Precision P> struct Kernel<NonbondedForce, B, P> : MissingOnDevices<NonbondedForce, B, P> {
    using MissingOnDevices<NonbondedForce, B, P>::MissingOnDevices;
};
template <DeviceBackend B, Precision P> struct Kernel<GBSAOBCForce, B, P> : MissingOnDevices<GBSAOBCForce, B, P> {
    using MissingOnDevices<GBSAOBCForce, B, P>::MissingOnDevices;
};

}  // namespace trotter
