// Contexts of one backend for run-time choice, for the files that compile its kernels.
// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <trotter/compiled_contexts.hpp>
#include <trotter/context/platform_description.hpp>
#include <trotter/contexts/backend_choices.hpp>
#include <trotter/contexts/erased_context.hpp>
#include <trotter/contexts/erased_replicas.hpp>
#include <trotter/kernel.hpp>
#include <trotter/standard_integrators.hpp>
#include <trotter/system.hpp>

namespace trotter {
namespace detail {

/// Fallback kernels declare `is_fallback`; all others are the backend's own.
template <class Op, class B, class P> KernelEntry kernel_entry(bool is_integrator) {
    using K = Kernel<Op, B, P>;
    auto kind = KernelEntry::Kind::own;
    if constexpr (requires { requires K::is_fallback; })
        kind = KernelEntry::Kind::fallback;
    return {Op::name, is_integrator, B::name, P::name, kind};
}

template <class B, class P, class... Fs, class... Is>
std::vector<KernelEntry> kernel_entries(ForceList<Fs...>, IntegratorList<Is...>) {
    return {kernel_entry<Fs, B, P>(false)..., kernel_entry<Is, B, P>(true)...};
}

}  // namespace detail

template <class List, class B, class P> CompiledContext compiled_context() {
    using Erased = detail::ErasedContext<List, B, P>;
    ObservableFunctions observables;
    if constexpr (requires { BackendChoices<B>::template observables<Erased>(); })
        observables = BackendChoices<B>::template observables<Erased>();
    return {.platform = platform_name(B::name),
            .precisions = BackendChoices<B>::precisions(P{}),
            .make = &Erased::make,
            .functions = detail::context_functions<Erased>(),
            .kernels = [] { return detail::kernel_entries<B, P>(List{}, StandardIntegrators{}); },
            .make_replicas = &detail::ErasedReplicas<List, B, P>::make,
            .replicas = detail::ErasedReplicas<List, B, P>::functions(),
            .observables = observables};
}

}  // namespace trotter
