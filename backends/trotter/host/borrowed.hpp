// A kernel lent by another backend: correct where no kernel of the backend's own exists.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/host/engine.hpp>
#include <trotter/host/work_on_host.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

/// Carries out an operation with the kernel of another backend, on a copy of positions and box in double; the forces
/// are added to the backend's own in a fixed order. It may stand only where the lender is not the step's cost. On a
/// device the positions come to the host in every evaluation, and the host works while the device computes what is its
/// own.
///
/// `template <Precision P> struct Kernel<MyForce, Cuda, P> : Borrowed<Kernel<MyForce, Reference, Double>> {
///  using Borrowed::Borrowed; };` is all that a backend has to say; `is_lent` says what all borrow.
template <class Lender> class Borrowed;
template <Force F, HostBackend LenderBackend, Precision LenderPrecision>
class Borrowed<Kernel<F, LenderBackend, LenderPrecision>> {
    using Lender = Kernel<F, LenderBackend, LenderPrecision>;
    using LenderEngine = Engine<LenderBackend, LenderPrecision>;

public:
    static constexpr bool is_borrowed = true;

    template <class EngineType> Borrowed(F const& force, EngineType& engine, Registration who)
        : index_(who.index),
          group_(force.force_group),
          engine_(LenderBackend{}, Particles{.masses = engine.host.particles.masses}, engine.host.box,
                  engine.host.seed),
          lender_((give_setting(engine.host, engine_.host), force), engine_, who) {
        expect_work_on_host(engine);
        declare_all(engine_.host, engine.host);
    }
    Borrowed(Borrowed const&) = delete;
    Borrowed& operator=(Borrowed const&) = delete;

    template <class EngineType> double compute(EngineType& engine, Request const& request) {
        if (request.wants(index_, group_))
            work_on_host(engine, [this, &host = engine.host, request](auto const& positions, auto& forces) {
                evaluate(host, positions, request);
                host.threads.for_each(forces.size(), [&](std::size_t i) { forces[i] += engine_.host.forces[i]; });
            });
        return 0;
    }
    template <class EngineType> double late_energy(EngineType&, Request const& request) const {
        return request.wants(index_, group_) ? energy_ : 0;
    }

    template <class EngineType> void update(F const& force, EngineType&)
        requires requires(Lender& lender, LenderEngine& lenders) { lender.update(force, lenders); }
    {
        lender_.update(force, engine_);
        group_ = force.force_group;
    }
    template <class Archive> void save(Archive& archive) const
        requires requires(Lender const& lender) { lender.save(archive); }
    {
        lender_.save(archive);
    }
    template <class Archive> void load(Archive& archive)
        requires requires(Lender& lender) { lender.load(archive); }
    {
        lender_.load(archive);
    }

    /// What the lender answers to `Context::ask`.
    auto answer() const
        requires requires(Lender const& lender) { lender.answer(); }
    {
        return lender_.answer();
    }
    /// The lender's mesh of charges.
    auto meshes() const
        requires requires(Lender const& lender) { lender.meshes(); }
    {
        return lender_.meshes();
    }

private:
    void evaluate(HostEngine& borrower, std::vector<Vec3<>> const& positions, Request const& request) {
        HostEngine& lent = engine_.host;
        give_state(borrower, positions, lent);
        engine_.begin(request);
        energy_ = lender_.compute(engine_, request);
        engine_.finish(request);
        if constexpr (requires { lender_.late_energy(engine_, request); })
            energy_ += lender_.late_energy(engine_, request);
        if (request.parameter_derivatives)
            for (auto const& [name, value] : lent.parameter_derivatives) borrower.parameter_derivatives[name] += value;
    }

    int index_, group_;
    double energy_ = 0;
    LenderEngine engine_;
    Lender lender_;
};

}  // namespace trotter
