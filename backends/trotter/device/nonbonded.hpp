// NonbondedForce on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include <trotter/device/engine.hpp>
#include <trotter/device/nonbonded_text.hpp>
#include <trotter/device/reciprocal_sum.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/forces/nonbonded_exceptions.hpp>
#include <trotter/forces/pair_energies.hpp>
#include <trotter/registration.hpp>

namespace trotter {

namespace device {

/// Direct space as an interaction of pairs, exceptions as terms, and sums over wave vectors.
template <DeviceQueue Q> class Nonbonded {
public:
    Nonbonded(NonbondedForce const& force, Engine<Q>& engine, Registration who)
        : force_(checked(force, engine.host)),
          index_(who.index),
          system_box_(engine.host.box),
          interacting_(force),
          exceptions_(as_terms(engine.host)),
          sites_(engine.queue, 4 * engine.padded, engine.types.real_is_double) {
        if (force.include_direct_space) exception_terms_ = engine.terms.add(exceptions_, engine, who);
        double const memory = static_cast<double>(engine.queue.facts().memory);
        for (auto const kind : {MeshKind::coulomb, MeshKind::dispersion})
            if (auto charges = reciprocal_charges(force, kind, system_box_, memory)) {
                choose_fast_mesh(*charges, kind == MeshKind::coulomb ? force.pme : force.ljpme);
                sums_.emplace_back(*charges, engine, who);
            }
        take_particles(engine);
        if (force.include_direct_space) pairs_ = engine.pairs.add(interaction(engine, engine.sums.add()));
    }
    Nonbonded(Nonbonded const&) = delete;
    Nonbonded& operator=(Nonbonded const&) = delete;

    void compute(Engine<Q>& engine, Request const& request) {
        if (engine.host.parameters.version() != version_) take_parameters(engine);
        for (auto& sum : sums_) sum.compute(engine, request);
    }
    double late_energy(Engine<Q>& engine, Request const& request) {
        if (!request.energy) return 0;
        double energy = wants_direct(request) ? direct_energy(engine) : 0;
        for (auto const& sum : sums_) energy += sum.late_energy(engine, request);
        return energy;
    }
    /// Takes over other numbers of particles, exceptions and offsets.
    void update(NonbondedForce const& force, Engine<Q>& engine) {
        check_same_shape(force_, force);
        check_numbers(force);
        if (has_offsets(force))
            force_ = force;
        else
            force_.particles = force.particles;
        dispersion_coefficient_.reset();
        bool const are_more = interacting_.take(force);
        exceptions_ = interacting_.terms(force, engine.host.parameters);
        if (force.include_direct_space && are_more)
            engine.terms.replace(exception_terms_, exceptions_);
        else if (force.include_direct_space)
            engine.terms.update(exception_terms_, exceptions_, engine);
        take_particles(engine);
    }

    UsedMeshes meshes() const { return {mesh_of(MeshKind::coulomb), mesh_of(MeshKind::dispersion)}; }

private:
    // Larger sizes than the tolerance asks for, as OpenMM's devices take them; those that are given stay.
    static void choose_fast_mesh(ReciprocalCharges& charges, MeshSettings const& given) {
        auto* const mesh = std::get_if<MeshSettings>(&charges.method);
        if (mesh == nullptr || given.alpha != 0) return;
        for (int* const size : {&mesh->nx, &mesh->ny, &mesh->nz}) *size = fast_size(*size);
    }
    MeshSettings mesh_of(MeshKind kind) const {
        for (auto const& sum : sums_)
            if (sum.charges().kind == kind) return sum.charges().mesh();
        return {};
    }
    static NonbondedForce const& checked(NonbondedForce const& force, HostEngine& host) {
        check(force, host.particles.count(), host.box);
        if (host.copies > 1 && force.method == NonbondedForce::Method::ewald)
            throw UnsupportedError("a batch of replicas has no plain Ewald sum; the method PME gives the same forces");
        for (auto const& parameter : force.global_parameters)
            host.parameters.declare(parameter.name, parameter.default_value);
        return force;
    }
    NonbondedExceptions as_terms(HostEngine const& host) const {
        auto exceptions = interacting_.terms(force_, host.parameters);
        check_terms(exceptions, host.particles.count());
        return exceptions;
    }
    bool wants_direct(Request const& request) const {
        return force_.include_direct_space && request.wants(index_, force_.force_group);
    }

    double direct_energy(Engine<Q>& engine) {
        if (!dispersion_coefficient_) dispersion_coefficient_ = dispersion_coefficient(force_);
        double energy = *dispersion_coefficient_ / engine.host.box.volume();
        return energy + engine.total(engine.pairs.interaction(pairs_).energy_slot)
               + engine.total(engine.terms.kind(exception_terms_).energy_slot);
    }

    Interaction interaction(Engine<Q>& engine, int energy_slot) {
        Interaction result{.force = index_, .group = force_.force_group};
        result.range = {force_.uses_cutoff() ? force_.cutoff_distance : 0, force_.is_periodic(), exclusions(force_)};
        result.text =
            nonbonded_pair_text(direct_space(force_, meshes()), engine.types.real_is_double, has_charges_);
        result.parameters.push_back({"site", "real4", [this] { return sites_.argument(); }});
        result.sees_excluded = false;
        result.energy_slot = energy_slot;
        return result;
    }
    void take_parameters(Engine<Q>& engine) {
        if (!force_.exception_offsets.empty()) {
            exceptions_ = as_terms(engine.host);
            if (exception_terms_ >= 0) engine.terms.update(exception_terms_, exceptions_, engine);
        }
        if (!force_.particle_offsets.empty()) take_particles(engine);
        version_ = engine.host.parameters.version();
    }
    static bool has_offsets(NonbondedForce const& force) {
        return !force.particle_offsets.empty() || !force.exception_offsets.empty();
    }
    // At the present values of the global parameters.
    std::vector<NonbondedForce::Particle> const& particles() const {
        return force_.particle_offsets.empty() ? force_.particles : with_offsets_;
    }
    void take_particles(Engine<Q>& engine) {
        if (!force_.particle_offsets.empty()) with_offsets_ = effective_particles(force_, engine.host.parameters);
        version_ = engine.host.parameters.version();
        find_charges(engine);
        site_numbers_.resize(4 * engine.padded);
        for (std::size_t i = 0; i < particles().size(); ++i) {
            LennardJonesSite const site(particles()[i]);
            site_numbers_[4 * i] = std::sqrt(constants::coulomb) * particles()[i].charge;
            site_numbers_[4 * i + 1] = site.half_sigma;
            site_numbers_[4 * i + 2] = site.root;
            site_numbers_[4 * i + 3] = site.dispersion_charge;
        }
        sites_.upload(engine.queue, site_numbers_);
        for (auto& sum : sums_) sum.set_charges(charges_for(sum.charges().kind, particles()), engine);
    }

    // The text of pairs has charges from when some particle has one, or may have one by an offset.
    void find_charges(Engine<Q>& engine) {
        bool const had_charges = has_charges_;
        for (auto const& particle : particles()) has_charges_ = has_charges_ || particle.charge != 0;
        for (auto const& offset : force_.particle_offsets) has_charges_ = has_charges_ || offset.charge_scale != 0;
        if (pairs_ < 0 || has_charges_ == had_charges) return;
        engine.pairs.replace(pairs_, interaction(engine, engine.pairs.interaction(pairs_).energy_slot));
    }

    NonbondedForce force_;  // numbers of its exceptions are out of date after updates, unless there are offsets
    int index_;
    Box system_box_;
    InteractingExceptions interacting_;
    NonbondedExceptions exceptions_;
    int exception_terms_ = -1, pairs_ = -1;
    std::optional<double> dispersion_coefficient_;  // made when first needed
    bool has_charges_ = false;
    std::vector<double> site_numbers_;
    NumberArray<Q> sites_;
    std::deque<ReciprocalSum<Q>> sums_;
    std::vector<NonbondedForce::Particle> with_offsets_;
    long version_ = -1;
};

}  // namespace device

/// All methods of NonbondedForce on a device.
template <DeviceBackend B, Precision P> struct Kernel<NonbondedForce, B, P> {
    device::Nonbonded<typename B::Queue> nonbonded;

    Kernel(NonbondedForce const& force, Engine<B, P>& engine, Registration who) : nonbonded(force, engine.device, who) {}
    double compute(Engine<B, P>& engine, Request const& request) {
        nonbonded.compute(engine.device, request);
        return 0;
    }
    double late_energy(Engine<B, P>& engine, Request const& request) {
        return nonbonded.late_energy(engine.device, request);
    }
    void update(NonbondedForce const& force, Engine<B, P>& engine) { nonbonded.update(force, engine.device); }
    UsedMeshes meshes() const { return nonbonded.meshes(); }
};

}  // namespace trotter
