// What the device backends borrow from Reference.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/device/engine.hpp>
#include <trotter/host/borrowed.hpp>
#include <trotter/reference/callback_force.hpp>

namespace trotter {

template <class Function, DeviceBackend B, Precision P>
struct Kernel<CallbackForce<Function>, B, P> : Borrowed<Kernel<CallbackForce<Function>, Reference, Double>> {
    using Kernel::Borrowed::Borrowed;
};

}  // namespace trotter
