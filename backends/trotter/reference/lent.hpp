// What the other backends borrow from Reference.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>

#include <trotter/host/borrowed.hpp>
#include <trotter/reference/engine.hpp>

namespace trotter {

template <class F> concept LentForce = Force<F> && is_lent<F>;

/// A specialization that names the force is more special than this one: the backends that have it do not borrow.
template <LentForce F, HostBackend B, Precision P> requires(!std::same_as<B, Reference>)
struct Kernel<F, B, P> : Borrowed<Kernel<F, Reference, Double>> {
    using Kernel::Borrowed::Borrowed;
};

}  // namespace trotter
