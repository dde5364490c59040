// Forces whose kernels the other backends take from Reference.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>

#include <trotter/common/fallback/fallback.hpp>
#include <trotter/reference/engine.hpp>

namespace trotter {

template <class F> concept FallbackForce = Force<F> && uses_reference_fallback<F>;

/// A specialization that names the force is more special than this one: the backends that have it need no fallback.
template <FallbackForce F, HostBackend B, Precision P> requires(!std::same_as<B, Reference>)
struct Kernel<F, B, P> : Fallback<Kernel<F, Reference, Double>> {
    using Kernel::Fallback::Fallback;
};

}  // namespace trotter
