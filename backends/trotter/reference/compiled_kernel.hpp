// A kernel of Reference whose class is compiled once, in the library.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/reference/engine.hpp>
#include <trotter/registration.hpp>
#include <trotter/request.hpp>

namespace trotter::reference {

/// What a Context calls on the kernel of `F`. How it works stands in a file of src/reference/ of the same name as the
/// header of the force: users of the library need not compile it.
template <class F> class CompiledKernel {
public:
    /// Throws InputError for a force that makes no sense.
    CompiledKernel(F const& force, Engine<Reference, Double>& engine, Registration who);
    ~CompiledKernel();
    CompiledKernel(CompiledKernel const&) = delete;
    CompiledKernel& operator=(CompiledKernel const&) = delete;

    double compute(Engine<Reference, Double>& engine, Request const& request);
    /// Takes over other numbers. Throws InputError where more has changed than the kernel can take over.
    void update(F const& force, Engine<Reference, Double>& engine);

protected:
    class Implementation;
    Implementation* implementation_;
};

}  // namespace trotter::reference
