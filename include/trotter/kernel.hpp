// The registry: how a backend carries out an operation, found by the compiler.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <utility>

#include <trotter/concepts.hpp>
#include <trotter/error.hpp>

namespace trotter {

/// What the forces of one Context share: arrays, box, parameters, pair lists, batches of terms. Each backend
/// specializes it.
template <Backend B, Precision P> class Engine;

/// Declared and never defined: its name in the error message says which force or integrator has no kernel, and where.
template <class Op, class B, class P> struct no_kernel_for;

/// The force whose parts an engine sees: `op` itself, unless its member `plain()` says the same in simpler words.
template <class Op> decltype(auto) plain(Op const& op) {
    if constexpr (requires { op.plain(); })
        return op.plain();
    else
        return (op);
}

/// What an engine keeps of the parts that `Op` states (its terms or pairs): whatever `register_parts` of the engine returns.
template <class Op, class EngineType> struct PartsOf {
    struct Type {};
};
template <class Op, class EngineType>
    requires requires(Op const& op, EngineType& engine) { engine.register_parts(op); }
struct PartsOf<Op, EngineType> {
    using Type = decltype(std::declval<EngineType&>().register_parts(std::declval<Op const&>()));
};

/// How `B` carries out `Op` in precision `P`. A specialization is the registration. The primary template registers the
/// parts that `Op` states; an `Op` without parts and without a specialization is an error.
///
/// A kernel of a force has a constructor `Kernel(Op const&, Engine<B, P>&)` that checks the parameters, and
/// `double compute(Engine<B, P>&, Request const&)` that adds forces and returns the energy. Where it makes sense it has
/// `update(Op const&, Engine&)`, `before_step(Engine&, …)`, `save(Archive&)` and `load(Archive&)`. On Reference it adds to
/// `host.box_virial`, where that is engaged, what it takes from the box: see `host/box_virial.hpp`.
template <class Op, Backend B, Precision P> struct Kernel {
    typename PartsOf<Op, Engine<B, P>>::Type parts;

    Kernel(Op const& op, Engine<B, P>& engine)
        requires requires { engine.register_parts(op); }
        : parts(engine.register_parts(plain(op))) {}
    Kernel(Op const&, Engine<B, P>&) {
        no_kernel_for<Op, B, P> include_the_backend_header_or_specialize_Kernel;  // e.g. cpu/nonbonded.hpp, or all: cpu.hpp
    }

    template <class Request> double compute(Engine<B, P>& engine, Request const& request)
        requires requires { engine.compute_parts(parts, request); }
    {
        return engine.compute_parts(parts, request);
    }
    /// The energy of parts that are evaluated together when an evaluation ends, and known then.
    template <class Request> double late_energy(Engine<B, P>& engine, Request const& request)
        requires requires { engine.late_energy(parts, request); }
    {
        return engine.late_energy(parts, request);
    }
    void update(Op const& op, Engine<B, P>& engine)
        requires requires(Kernel& self) { engine.update_parts(self.parts, op); }  // clang 14 may take `this` for another
    {
        engine.update_parts(parts, plain(op));
    }
    template <class Archive> void save(Archive& archive) const
        requires requires { parts.save(archive); }
    {
        parts.save(archive);
    }
    template <class Archive> void load(Archive& archive)
        requires requires { parts.load(archive); }
    {
        parts.load(archive);
    }

    // What a Context calls on the kernel of an integrator, never defined: the error of the constructor stays the only one.
    Op const& integrator() const
        requires Integrator<Op>;
    double velocity_offset() const
        requires Integrator<Op>;
    void step(auto& host, auto evaluator)
        requires Integrator<Op>;
    double kinetic_energy(auto& host, auto evaluator)
        requires Integrator<Op>;
};

/// The sentence for an operation without a kernel, the same from the compiler and at run time.
template <class Op, Backend B, Precision P> std::string missing_kernel_sentence() {
    return "no kernel for " + std::string(Op::name) + " on " + std::string(B::name) + " in " + std::string(P::name) + " precision";
}

}  // namespace trotter
