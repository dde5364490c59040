// AmoebaVdwForce in the pair loops of Cpu and of the devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstddef>
#include <optional>
#include <vector>

#include <trotter/amoeba/vdw/dispersion_correction.hpp>
#include <trotter/amoeba/vdw/pair_formula.hpp>
#include <trotter/amoeba/vdw/sites.hpp>
#include <trotter/common/containers/inner_kernels.hpp>
#include <trotter/common/fallback/host_kernel.hpp>
#include <trotter/common/fallback/host_tasks.hpp>

namespace trotter {

struct Reference;

/// Backends with fast pair loops. Reference has the kernel in which pairs are chosen by particles, as in OpenMM's
/// Reference; here they are chosen by sites, as in OpenMM's kernels for devices: energies differ by the taper's last
/// part.
template <class B>
concept RunsVdwPairs = HostBackend<B> && !std::same_as<B, Reference>;

/// Runs the pairs on an engine of the same backend whose particles are at the sites. On a device, positions and forces
/// pass through the host. With too many types for tables the kernel for all backends is used.
template <RunsVdwPairs B, Precision P> class Kernel<AmoebaVdwForce, B, P> {
public:
    Kernel(AmoebaVdwForce const& force, Engine<B, P>& engine, Registration who) : who_(who) {
        engine.host.parameters.declare(AmoebaVdwForce::lambda, 1);
        expect_host_task(engine);
        update(force, engine);
    }

    double compute(Engine<B, P>& engine, Request const& request) {
        if (request.wants(who_.index, force_.force_group))
            add_host_task(engine, [this, &host = engine.host, request](auto const& positions, auto& forces) {
                if (host_kernel_) energy_ = host_kernel_->compute({host, positions, forces, request});
                else evaluate(host, positions, forces);
            });
        return 0;
    }
    double late_energy(Engine<B, P>&, Request const& request) const {
        return request.wants(who_.index, force_.force_group) ? energy_ : 0;
    }

    /// All parameters and settings may have changed.
    void update(AmoebaVdwForce const& force, Engine<B, P>& engine) {
        check(force, engine.host.particles.count(), engine.host.box);
        amoeba::PairParameters const parameters(force);
        host_kernel_.reset();
        inner_.reset();
        force_ = force;
        if (parameters.type_count() > most_types) {
            host_kernel_.emplace(force, engine.host, who_);
            return;
        }
        correction_ = amoeba::dispersion_correction(force, parameters, engine.host.threads);
        Inner pairs;
        pairs.box = engine.host.box;
        pairs.particles.masses = engine.host.particles.masses;
        pairs.add(amoeba::pairs_of_sites(force, parameters));
        inner_.emplace(pairs, engine, ForceUse::added);
    }

    template <class Archive> void save(Archive& archive) {
        if (inner_) inner_->save(archive);
    }
    template <class Archive> void load(Archive& archive) {
        if (inner_) inner_->load(archive);
    }

private:
    using Inner = System<ForceList<CustomNonbondedForce>>;
    static constexpr std::size_t most_types = 1024;  // tables of 16 MB

    void evaluate(HostState& host, std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& forces) {
        sites_.resize(positions.size());
        host.threads.for_each(sites_.size(), [&](std::size_t i) { sites_[i] = amoeba::site_of(force_, i, positions); });
        inner_->place(host, sites_);
        energy_ = inner_->compute(false);
        if (force_.is_periodic()) energy_ += correction_ / host.box.volume();
        for (std::size_t i = 0; i < sites_.size(); ++i) amoeba::add_site_force(force_, i, inner_->forces()[i], forces);
    }

    Registration who_;
    AmoebaVdwForce force_;
    double correction_ = 0;  // times the volume
    std::optional<InnerKernels<Inner, B, P>> inner_;
    std::optional<HostKernel<AmoebaVdwForce>> host_kernel_;  // if there are no inner kernels
    std::vector<Vec3<>> sites_;
    double energy_ = 0;
};

}  // namespace trotter
