// Member definitions of HostKernel, for the files that define its implementation and instantiate it.
// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include <trotter/common/fallback/host_kernel.hpp>

namespace trotter {

template <class F> HostKernel<F>::HostKernel(F const& force, HostState& host, Registration who)
    : implementation_(std::make_unique<Implementation>(force, host, who)) {}
template <class F> HostKernel<F>::~HostKernel() = default;
template <class F> double HostKernel<F>::compute(HostEvaluation const& evaluation) {
    return implementation_->compute(evaluation);
}
template <class F> void HostKernel<F>::update(F const& force, HostState& host) { implementation_->update(force, host); }
template <class F> template <class Asked> typename Asked::Answer HostKernel<F>::answer() const {
    return implementation_->answer();
}
template <class F> UsedMeshes HostKernel<F>::meshes() const {
    if constexpr (requires { implementation_->meshes(); }) return implementation_->meshes();
    else return {};
}

}  // namespace trotter
