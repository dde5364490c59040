// Member definitions of CompiledKernel, for the files that define its implementation and instantiate it.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/reference/compiled_kernel.hpp>
#include <trotter/registration.hpp>

namespace trotter::reference {

template <class F> CompiledKernel<F>::CompiledKernel(F const& force, Engine<Reference, Double>& engine, Registration who)
    : implementation_(new Implementation(force, engine, who)) {}
template <class F> CompiledKernel<F>::~CompiledKernel() { delete implementation_; }
template <class F> double CompiledKernel<F>::compute(Engine<Reference, Double>& engine, Request const& request) {
    return implementation_->compute(engine, request);
}
template <class F> void CompiledKernel<F>::update(F const& force, Engine<Reference, Double>& engine) {
    implementation_->update(force, engine);
}

}  // namespace trotter::reference
