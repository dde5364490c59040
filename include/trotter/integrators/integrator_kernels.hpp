// Which kernels a Context keeps for its integrators.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <memory>
#include <variant>

#include <trotter/integrators/compound.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

/// The kernels of the integrators of a list on one backend.
template <class List, class B, class P> struct IntegratorKernels;
template <class... Is, class B, class P> struct IntegratorKernels<IntegratorList<Is...>, B, P> {
    using Any = std::variant<std::unique_ptr<Kernel<Is, B, P>>...>;
};

/// The integrator list of a Context made with `I`: the standard one, or a list with `I` alone where it is a user's.
template <class I> struct ListFor {
    using Type = IntegratorList<I>;
};
template <class I>
    requires std::constructible_from<StandardIntegrators::Any, I>
struct ListFor<I> {
    using Type = StandardIntegrators;
};
template <class List> struct ListFor<BasicCompoundIntegrator<List>> {
    using Type = List;
};

}  // namespace trotter
