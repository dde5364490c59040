// NonbondedForce on devices.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <trotter/device/engine.hpp>
#include <trotter/device/ewald.hpp>
#include <trotter/device/mesh.hpp>
#include <trotter/device/nonbonded_text.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/forces/nonbonded_exceptions.hpp>

namespace trotter {

namespace device {

/// Direct space as an interaction of pairs, exceptions as terms, and what reciprocal space holds of them as other
/// terms.
template <DeviceQueue Q> class Nonbonded {
public:
    Nonbonded(NonbondedForce const& force, Engine<Q>& engine)
        : force_(checked(force, engine.host)),
          index_(engine.host.next_force),
          system_box_(engine.host.box),
          exceptions_(as_terms(engine.host)) {
        if (force.method == NonbondedForce::Method::ewald)
            pme_.alpha = ewald_splitting(force, system_box_).alpha;
        else if (force.uses_ewald())
            pme_ = fast_mesh(trotter::pme_mesh(force, system_box_), force.pme);
        if (force.method == NonbondedForce::Method::ljpme)
            ljpme_ = fast_mesh(trotter::ljpme_mesh(force, system_box_), force.ljpme);
        bool const is_double = engine.types.real_is_double;
        sites_ = NumberArray<Q>(engine.queue, 4 * engine.padded, is_double);
        charges_ = NumberArray<Q>(engine.queue, engine.padded, is_double);
        dispersion_charges_ = NumberArray<Q>(engine.queue, engine.padded, is_double);
        if (force.include_direct_space) {
            exception_terms_ = engine.terms.add(exceptions_, engine);
            if (pme_.alpha != 0) excluded_terms_ = engine.terms.add(excluded_kind(engine));
        }
        take_numbers(engine);
        if (force.include_direct_space) pairs_ = engine.pairs.add(interaction(engine, engine.sums.add()));
        if (force.uses_ewald()) reciprocal_slot_ = engine.sums.add();
        if (force.method == NonbondedForce::Method::ewald)
            ewald_.emplace(engine, ewald_splitting(force, system_box_));
        else if (force.uses_ewald())
            charge_mesh_.emplace(engine, pme_, MeshKind::coulomb);
        if (force.method == NonbondedForce::Method::ljpme)
            dispersion_mesh_.emplace(engine, ljpme_, MeshKind::dispersion);
    }
    Nonbonded(Nonbonded const&) = delete;
    Nonbonded& operator=(Nonbonded const&) = delete;

    void compute(Engine<Q>& engine, Request const& request) {
        auto const& host = engine.host;
        if (host.parameters.version() != version_) take_parameters(engine);
        if ((wants_direct(request) || wants_reciprocal(request)) && force_.is_periodic())
            check_present_box(force_, host.box);
        if (!wants_reciprocal(request)) return;
        if (charge_mesh_) charge_mesh_->prepare(engine, charges_);
        if (dispersion_mesh_) dispersion_mesh_->prepare(engine, dispersion_charges_);
        auto const& order = engine.pairs.order(engine);
        engine.beside([&] {
            if (ewald_) ewald_->launch(engine, charges_, reciprocal_slot_, request.energy);
            if (charge_mesh_) charge_mesh_->launch(engine, charges_, order, reciprocal_slot_, request.energy);
            if (dispersion_mesh_)
                dispersion_mesh_->launch(engine, dispersion_charges_, order, reciprocal_slot_, request.energy);
        });
    }
    double late_energy(Engine<Q>& engine, Request const& request) const {
        if (!request.energy) return 0;
        return (wants_direct(request) ? direct_energy(engine) : 0)
               + (wants_reciprocal(request) ? reciprocal_energy(engine) : 0);
    }
    /// Takes over other numbers of particles, exceptions and offsets.
    void update(NonbondedForce const& force, Engine<Q>& engine) {
        check(force, engine.host.particles.count(), system_box_);
        check_same_shape(force_, force);
        auto const exceptions = exceptions_as_terms(force, engine.host.parameters);
        check_same_terms(exceptions_, exceptions);
        force_ = force;
        take_exceptions(engine);
        take_numbers(engine);
    }

    /// Splitting and mesh as used; alpha is 0 for methods without.
    NonbondedForce::Mesh pme_mesh() const { return pme_; }
    NonbondedForce::Mesh ljpme_mesh() const { return ljpme_; }

private:
    // Larger sizes than the tolerance asks for, as OpenMM's devices take them; those that are given stay.
    static NonbondedForce::Mesh fast_mesh(NonbondedForce::Mesh mesh, NonbondedForce::Mesh const& given) {
        if (given.alpha == 0)
            for (int* size : {&mesh.nx, &mesh.ny, &mesh.nz}) *size = fast_size(*size);
        return mesh;
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
        auto exceptions = exceptions_as_terms(force_, host.parameters);
        check_terms(exceptions, host.particles.count());
        return exceptions;
    }
    bool wants_direct(Request const& request) const {
        return force_.include_direct_space && request.wants(index_, force_.force_group);
    }
    bool wants_reciprocal(Request const& request) const {
        return force_.uses_ewald()
               && request.wants(
                   index_, force_.reciprocal_force_group >= 0 ? force_.reciprocal_force_group : force_.force_group);
    }

    double direct_energy(Engine<Q>& engine) const {
        double energy = dispersion_coefficient_ / engine.host.box.volume();
        energy += engine.total(engine.pairs.interaction(pairs_).energy_slot)
                  + engine.total(engine.terms.kind(exception_terms_).energy_slot);
        if (excluded_terms_ >= 0) energy += engine.total(engine.terms.kind(excluded_terms_).energy_slot);
        return energy;
    }
    double reciprocal_energy(Engine<Q>& engine) const {
        double energy =
            engine.total(reciprocal_slot_) + ewald_constant_energy(particles_, pme_.alpha, engine.host.box.volume());
        if (dispersion_mesh_) energy += ljpme_constant_energy(particles_, ljpme_.alpha);
        return energy;
    }

    Interaction interaction(Engine<Q>& engine, int energy_slot) {
        Interaction result{.force = index_, .group = force_.force_group};
        result.range = {force_.uses_cutoff() ? force_.cutoff_distance : 0, force_.is_periodic(), exclusions(force_)};
        result.text =
            nonbonded_pair_text(force_, pme_.alpha, ljpme_.alpha, engine.types.real_is_double, has_charges_);
        result.parameters.push_back({"site", "real4", [this] { return sites_.argument(); }});
        result.sees_excluded = false;
        result.energy_slot = energy_slot;
        return result;
    }
    TermKind excluded_kind(Engine<Q>& engine) const {
        TermKind kind{.force = index_, .group = force_.force_group, .count = force_.exceptions.size()};
        kind.text = excluded_pair_text(force_, pme_.alpha, ljpme_.alpha, engine.types.real_is_double);
        for (auto const& exception : force_.exceptions) kind.particles.push_back(exception.particle1);
        for (auto const& exception : force_.exceptions) kind.particles.push_back(exception.particle2);
        kind.fields.resize(2 * kind.count);
        kind.energy_slot = engine.sums.add();
        return kind;
    }

    void take_numbers(Engine<Q>& engine) {
        dispersion_coefficient_ = dispersion_coefficient(force_);
        take_particles(engine);
    }
    void take_exceptions(Engine<Q>& engine) {
        exceptions_ = as_terms(engine.host);
        if (exception_terms_ >= 0) engine.terms.update(exception_terms_, exceptions_);
    }
    void take_parameters(Engine<Q>& engine) {
        if (!force_.exception_offsets.empty()) take_exceptions(engine);
        if (!force_.particle_offsets.empty()) take_particles(engine);
        version_ = engine.host.parameters.version();
    }
    void take_particles(Engine<Q>& engine) {
        particles_ = effective_particles(force_, engine.host.parameters);
        version_ = engine.host.parameters.version();
        find_charges(engine);
        std::vector<double> sites, mesh_charges, mesh_dispersion_charges;
        for (auto const& particle : particles_) {
            LennardJonesSite const site(particle);
            sites.insert(sites.end(), {std::sqrt(constants::coulomb) * particle.charge, site.half_sigma, site.root,
                                       site.dispersion_charge});
            mesh_charges.push_back(std::sqrt(constants::coulomb) * particle.charge);
            mesh_dispersion_charges.push_back(site.dispersion_charge);
        }
        if (excluded_terms_ >= 0) {
            std::vector<double> charges, dispersion_charges;
            for (auto const& exception : force_.exceptions) {
                auto const &a = particles_[static_cast<std::size_t>(exception.particle1)],
                           &b = particles_[static_cast<std::size_t>(exception.particle2)];
                charges.push_back(constants::coulomb * a.charge * b.charge);
                dispersion_charges.push_back(dispersion_charge(a) * dispersion_charge(b));
            }
            charges.insert(charges.end(), dispersion_charges.begin(), dispersion_charges.end());
            engine.terms.update(excluded_terms_, std::move(charges));
        }
        sites.resize(4 * engine.padded);
        sites_.upload(engine.queue, sites);
        if (!force_.uses_ewald()) return;
        for (auto* values : {&mesh_charges, &mesh_dispersion_charges}) values->resize(engine.padded);
        charges_.upload(engine.queue, mesh_charges);
        dispersion_charges_.upload(engine.queue, mesh_dispersion_charges);
        if (charge_mesh_) charge_mesh_->charges_changed();
        if (dispersion_mesh_) dispersion_mesh_->charges_changed();
    }

    // The text of pairs has charges from when some particle has one, or may have one by an offset.
    void find_charges(Engine<Q>& engine) {
        bool const had_charges = has_charges_;
        for (auto const& particle : particles_) has_charges_ = has_charges_ || particle.charge != 0;
        for (auto const& offset : force_.particle_offsets) has_charges_ = has_charges_ || offset.charge_scale != 0;
        if (pairs_ < 0 || has_charges_ == had_charges) return;
        engine.pairs.replace(pairs_, interaction(engine, engine.pairs.interaction(pairs_).energy_slot));
        ++engine.epoch;
    }

    NonbondedForce force_;
    int index_;
    Box system_box_;
    NonbondedExceptions exceptions_;
    NonbondedForce::Mesh pme_, ljpme_;
    int exception_terms_ = -1, excluded_terms_ = -1, pairs_ = -1;
    double dispersion_coefficient_ = 0;
    bool has_charges_ = false;
    NumberArray<Q> sites_, charges_, dispersion_charges_;
    std::vector<NonbondedForce::Particle>
        particles_;  // at the present values of the global parameters, as are the arrays
    std::optional<EwaldSum<Q>> ewald_;
    std::optional<ParticleMesh<Q>> charge_mesh_, dispersion_mesh_;
    int reciprocal_slot_ = -1;
    long version_ = -1;
};

}  // namespace device

/// All methods of NonbondedForce on a device.
template <DeviceBackend B, Precision P> struct Kernel<NonbondedForce, B, P> {
    device::Nonbonded<typename B::Queue> nonbonded;

    Kernel(NonbondedForce const& force, Engine<B, P>& engine) : nonbonded(force, engine.device) {}
    double compute(Engine<B, P>& engine, Request const& request) {
        nonbonded.compute(engine.device, request);
        return 0;
    }
    double late_energy(Engine<B, P>& engine, Request const& request) {
        return nonbonded.late_energy(engine.device, request);
    }
    void update(NonbondedForce const& force, Engine<B, P>& engine) { nonbonded.update(force, engine.device); }
    NonbondedForce::Mesh pme_mesh() const { return nonbonded.pme_mesh(); }
    NonbondedForce::Mesh ljpme_mesh() const { return nonbonded.ljpme_mesh(); }
};

}  // namespace trotter
