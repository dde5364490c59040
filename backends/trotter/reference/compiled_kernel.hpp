// Kernels of Reference that are compiled once, in the library.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/core/request.hpp>
#include <trotter/reference/engine.hpp>
#include <trotter/registration.hpp>
#include <trotter/system.hpp>

namespace trotter {

struct CustomHbondForce;
struct CustomManyParticleForce;
struct CustomVolumeForce;
struct GayBerneForce;
struct LCPOForce;
struct OrientationRestraintForce;
struct RGForce;
struct RMSDForce;

namespace reference {

/// Interface of the kernel of `F`. Its implementation is in src/reference/, in a file named like the force's header, so
/// that users of the library need not compile it.
template <class F> class CompiledKernel {
public:
    /// Throws InputError for an invalid force.
    CompiledKernel(F const& force, Engine<Reference, Double>& engine, Registration who);
    ~CompiledKernel();
    CompiledKernel(CompiledKernel const&) = delete;
    CompiledKernel& operator=(CompiledKernel const&) = delete;

    double compute(Engine<Reference, Double>& engine, Request const& request);
    /// Updates parameters. Throws InputError if more has changed than the kernel supports.
    void update(F const& force, Engine<Reference, Double>& engine);

protected:
    class Implementation;
    Implementation* implementation_;
};

/// Forces whose kernels have only these members, and which other backends use as fallbacks.
using CompiledForces = ForceList<CustomHbondForce, CustomManyParticleForce, CustomVolumeForce, GayBerneForce, LCPOForce,
                                 OrientationRestraintForce, RGForce, RMSDForce>;
template <class F> concept CompiledForce = lists_force<F, CompiledForces>;

}  // namespace reference

template <reference::CompiledForce F> class Kernel<F, Reference, Double> : public reference::CompiledKernel<F> {
public:
    using reference::CompiledKernel<F>::CompiledKernel;
};

template <reference::CompiledForce F> inline constexpr bool uses_reference_fallback<F> = true;

}  // namespace trotter
