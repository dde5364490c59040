// Fallback: runs the kernel of another backend where a backend has none.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/common/fallback/host_tasks.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/kernel.hpp>

namespace trotter {

/// Runs the kernel of another backend on a copy of positions and box in double; its forces are added to the backend's
/// in a fixed order. For kernels that do not dominate the cost of a step: on a device, positions are copied to the host
/// in every evaluation, and the host computes concurrently with the device.
///
/// `template <Precision P> struct Kernel<MyForce, Cuda, P> : Fallback<Kernel<MyForce, Reference, Double>> {
///  using Fallback::Fallback; };` is all that a backend needs; `uses_reference_fallback` marks the forces that use
/// Reference on all backends.
template <class Source> class Fallback;
template <Force F, HostBackend SourceBackend, Precision SourcePrecision>
class Fallback<Kernel<F, SourceBackend, SourcePrecision>> {
    using Source = Kernel<F, SourceBackend, SourcePrecision>;
    using SourceEngine = Engine<SourceBackend, SourcePrecision>;

public:
    static constexpr bool is_fallback = true;

    template <class EngineType> Fallback(F const& force, EngineType& engine, Registration who)
        : index_(who.index),
          group_(force.force_group),
          engine_(SourceBackend{}, Particles{.masses = engine.host.particles.masses}, engine.host.box,
                  engine.host.seed),
          source_((give_setting(engine.host, engine_.host), force), engine_, who) {
        expect_host_task(engine);
        declare_all(engine_.host, engine.host);
    }
    Fallback(Fallback const&) = delete;
    Fallback& operator=(Fallback const&) = delete;

    template <class EngineType> double compute(EngineType& engine, Request const& request) {
        if (request.wants(index_, group_))
            add_host_task(engine, [this, &host = engine.host, request](auto const& positions, auto& forces) {
                evaluate(host, positions, request);
                host.threads.for_each(forces.size(), [&](std::size_t i) { forces[i] += engine_.host.forces[i]; });
            });
        return 0;
    }
    template <class EngineType> double late_energy(EngineType&, Request const& request) const {
        return request.wants(index_, group_) ? energy_ : 0;
    }

    template <class EngineType> void update(F const& force, EngineType&)
        requires requires(Source& source, SourceEngine& engine) { source.update(force, engine); }
    {
        source_.update(force, engine_);
        group_ = force.force_group;
    }
    template <class Archive> void save(Archive& archive) const
        requires requires(Source const& source) { source.save(archive); }
    {
        source_.save(archive);
    }
    template <class Archive> void load(Archive& archive)
        requires requires(Source& source) { source.load(archive); }
    {
        source_.load(archive);
    }

    /// The source's answer to `Context::ask`.
    auto answer() const
        requires requires(Source const& source) { source.answer(); }
    {
        return source_.answer();
    }
    /// The source's mesh of charges.
    auto meshes() const
        requires requires(Source const& source) { source.meshes(); }
    {
        return source_.meshes();
    }

private:
    void evaluate(HostState& host, std::vector<Vec3<>> const& positions, Request const& request) {
        HostState& inner = engine_.host;
        copy_state(host, positions, inner);
        engine_.begin(request);
        energy_ = source_.compute(engine_, request);
        engine_.finish(request);
        if constexpr (requires { source_.late_energy(engine_, request); })
            energy_ += source_.late_energy(engine_, request);
        if (request.parameter_derivatives)
            for (auto const& [name, value] : inner.parameter_derivatives) host.parameter_derivatives[name] += value;
    }

    int index_, group_;
    double energy_ = 0;
    SourceEngine engine_;
    Source source_;
};

}  // namespace trotter
