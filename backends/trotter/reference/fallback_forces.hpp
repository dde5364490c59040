// Makes Reference kernels the fallbacks of other backends.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>

#include <trotter/common/fallback/fallback.hpp>
#include <trotter/reference/engine.hpp>

namespace trotter {

template <class F> concept FallbackForce = Force<F> && uses_reference_fallback<F>;

/// A specialization for a specific force takes precedence over this one.
template <FallbackForce F, HostBackend B, Precision P> requires(!std::same_as<B, Reference>)
struct Kernel<F, B, P> : Fallback<Kernel<F, Reference, Double>> {
    using Kernel::Fallback::Fallback;
};

}  // namespace trotter
