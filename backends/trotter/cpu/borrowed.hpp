// What the Cpu backend borrows from Reference.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/engine.hpp>
#include <trotter/host/borrowed.hpp>
#include <trotter/reference/callback_force.hpp>

namespace trotter {

template <class Function, class Arch, Precision P>
struct Kernel<CallbackForce<Function>, BasicCpu<Arch>, P> : Borrowed<Kernel<CallbackForce<Function>, Reference, Double>> {
    using Kernel::Borrowed::Borrowed;
};

}  // namespace trotter
