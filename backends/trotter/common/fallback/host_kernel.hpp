// Kernels that are compiled once and compute on the host, in double, for every backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <vector>

#include <trotter/common/fallback/host_tasks.hpp>
#include <trotter/common/host_state.hpp>
#include <trotter/kernel.hpp>
#include <trotter/parts/mesh/mesh_settings.hpp>

namespace trotter {

/// Input of one evaluation, and the forces to add to.
struct HostEvaluation {
    HostState& host;  ///< box, parameters and threads; not the positions
    std::vector<Vec3<>> const& positions;  ///< [nm]
    std::vector<Vec3<>>& forces;  ///< [kJ/mol/nm]
    Request const& request;
};

/// The kernel of `F` for all backends. Its class `Implementation` has the same members, and is defined in the one source
/// file that includes `define_host_kernel.hpp` and instantiates this template; users of the library do not compile it.
/// With several threads, results must not depend on their number: see `Threads`.
template <class F> class HostKernel {
public:
    /// Throws InputError for an invalid force.
    HostKernel(F const& force, HostState& host, Registration who);
    ~HostKernel();
    HostKernel(HostKernel const&) = delete;
    HostKernel& operator=(HostKernel const&) = delete;

    /// Adds forces, and parameter derivatives if requested; returns the energy [kJ/mol].
    double compute(HostEvaluation const& evaluation);
    /// Updates parameters. Throws InputError if more has changed than the kernel supports.
    void update(F const& force, HostState& host);
    /// The answer to `Context::ask` after an evaluation.
    template <class Asked = F> typename Asked::Answer answer() const;
    /// Splitting parameters and mesh sizes in use; all 0 without meshes.
    UsedMeshes meshes() const;

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// Members of a `Kernel` that runs a HostKernel. On devices positions are copied to the host in every evaluation, which
/// computes concurrently with the device.
template <Force F> class HostComputedForce {
public:
    template <class EngineType> HostComputedForce(F const& force, EngineType& engine, Registration who)
        : index_(who.index), group_(force.force_group), kernel_(force, engine.host, who) {
        expect_host_task(engine);
    }

    template <class EngineType> double compute(EngineType& engine, Request const& request) {
        if (request.wants(index_, group_))
            add_host_task(engine, [this, &host = engine.host, request](auto const& positions, auto& forces) {
                energy_ = kernel_.compute({host, positions, forces, request});
            });
        return 0;
    }
    template <class EngineType> double late_energy(EngineType&, Request const& request) const {
        return request.wants(index_, group_) ? energy_ : 0;
    }
    template <class EngineType> void update(F const& force, EngineType& engine) {
        kernel_.update(force, engine.host);
        group_ = force.force_group;
    }
    auto answer() const
        requires requires { typename F::Answer; }
    {
        return kernel_.answer();
    }
    UsedMeshes meshes() const { return kernel_.meshes(); }

private:
    int index_, group_;
    double energy_ = 0;
    HostKernel<F> kernel_;
};

/// Whether all backends use `HostKernel<F>`; specialized in the header of the force's kernel.
template <class F> inline constexpr bool has_host_kernel = false;
template <class F> concept HostForce = Force<F> && has_host_kernel<F>;

template <HostForce F, HostBackend B, Precision P> class Kernel<F, B, P> : public HostComputedForce<F> {
public:
    static constexpr bool is_fallback = requires(Engine<B, P>& engine) { engine.device.host_forces; };
    using HostComputedForce<F>::HostComputedForce;
};

}  // namespace trotter
