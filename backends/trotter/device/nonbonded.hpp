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
#include <trotter/forces/pair_energies.hpp>
#include <trotter/registration.hpp>

namespace trotter {

namespace device {

/// Direct space as an interaction of pairs, exceptions as terms, and what reciprocal space holds of them as other
/// terms.
template <DeviceQueue Q> class Nonbonded {
public:
    Nonbonded(NonbondedForce const& force, Engine<Q>& engine, Registration who)
        : force_(checked(force, engine.host)),
          index_(who.index),
          system_box_(engine.host.box),
          interacting_(force),
          exceptions_(as_terms(engine.host)) {
        double const memory = static_cast<double>(engine.queue.facts().memory);
        if (force.method == NonbondedForce::Method::ewald)
            pme_.alpha = ewald_splitting(force, system_box_, memory).alpha;
        else if (force.uses_ewald())
            pme_ = fast_mesh(trotter::pme_mesh(force, system_box_, memory), force.pme);
        if (force.method == NonbondedForce::Method::ljpme)
            ljpme_ = fast_mesh(trotter::ljpme_mesh(force, system_box_, memory), force.ljpme);
        bool const is_double = engine.types.real_is_double;
        sites_ = NumberArray<Q>(engine.queue, 4 * engine.padded, is_double);
        charges_ = NumberArray<Q>(engine.queue, engine.padded, is_double);
        dispersion_charges_ = NumberArray<Q>(engine.queue, engine.padded, is_double);
        if (force.include_direct_space) {
            exception_terms_ = engine.terms.add(exceptions_, engine, who);
            if (pme_.alpha != 0) excluded_terms_ = engine.terms.add(excluded_kind(engine));
        }
        take_particles(engine);
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
        if (engine.host.parameters.version() != version_) take_parameters(engine);
        if (!wants_reciprocal(request)) return;
        prepare_meshes(engine);
        auto const& order = engine.pairs.order(engine);
        engine.beside([&] {
            if (ewald_) ewald_->launch(engine, charges_, reciprocal_slot_, request.energy);
            if (charge_mesh_) charge_mesh_->launch(engine, charges_, order, reciprocal_slot_, request.energy);
            if (dispersion_mesh_)
                dispersion_mesh_->launch(engine, dispersion_charges_, order, reciprocal_slot_, request.energy);
        });
    }
    double late_energy(Engine<Q>& engine, Request const& request) {
        if (!request.energy) return 0;
        return (wants_direct(request) ? direct_energy(engine) : 0)
               + (wants_reciprocal(request) ? reciprocal_energy(engine) : 0);
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
            engine.terms.replace(exception_terms_, exceptions_, engine);
        else if (force.include_direct_space)
            engine.terms.update(exception_terms_, exceptions_, engine);
        take_particles(engine);
        if (charge_mesh_ && charge_mesh_->launches() > 0) prepare_meshes(engine);  // recorded steps do not
    }

    /// Splitting and mesh as used; alpha is 0 for methods without.
    MeshSettings pme_mesh() const { return pme_; }
    MeshSettings ljpme_mesh() const { return ljpme_; }

private:
    // Larger sizes than the tolerance asks for, as OpenMM's devices take them; those that are given stay.
    static MeshSettings fast_mesh(MeshSettings mesh, MeshSettings const& given) {
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
        auto exceptions = interacting_.terms(force_, host.parameters);
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

    double direct_energy(Engine<Q>& engine) {
        if (!dispersion_coefficient_) dispersion_coefficient_ = dispersion_coefficient(force_);
        double energy = *dispersion_coefficient_ / engine.host.box.volume();
        energy += engine.total(engine.pairs.interaction(pairs_).energy_slot)
                  + engine.total(engine.terms.kind(exception_terms_).energy_slot);
        if (excluded_terms_ >= 0) energy += engine.total(engine.terms.kind(excluded_terms_).energy_slot);
        return energy;
    }
    double reciprocal_energy(Engine<Q>& engine) const {
        double energy =
            engine.total(reciprocal_slot_) + ewald_constant_energy(particles(), pme_.alpha, engine.host.box.volume());
        if (dispersion_mesh_) energy += ljpme_constant_energy(particles(), ljpme_.alpha);
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
        std::string const number = std::to_string(index_), charges = "charges" + number,
                          dispersion_charges = "dispersion_charges" + number;
        kind.text = excluded_pair_text(force_, charges, dispersion_charges, pme_.alpha, ljpme_.alpha,
                                       engine.types.real_is_double);
        for (auto const& exception : force_.exceptions) kind.particles.push_back(exception.particle1);
        for (auto const& exception : force_.exceptions) kind.particles.push_back(exception.particle2);
        kind.arguments = {{"GLOBAL const real* RESTRICT " + charges, argument_of(charges_)},
                          {"GLOBAL const real* RESTRICT " + dispersion_charges, argument_of(dispersion_charges_)}};
        kind.energy_slot = engine.sums.add();
        return kind;
    }

    void prepare_meshes(Engine<Q>& engine) {
        if (charge_mesh_) charge_mesh_->prepare(engine, mesh_charges_);
        if (dispersion_mesh_) dispersion_mesh_->prepare(engine, mesh_dispersion_charges_);
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
        for (auto* values : {&mesh_charges_, &mesh_dispersion_charges_}) values->resize(engine.padded);
        for (std::size_t i = 0; i < particles().size(); ++i) {
            LennardJonesSite const site(particles()[i]);
            mesh_charges_[i] = std::sqrt(constants::coulomb) * particles()[i].charge;
            mesh_dispersion_charges_[i] = site.dispersion_charge;
            site_numbers_[4 * i] = mesh_charges_[i];
            site_numbers_[4 * i + 1] = site.half_sigma;
            site_numbers_[4 * i + 2] = site.root;
            site_numbers_[4 * i + 3] = site.dispersion_charge;
        }
        sites_.upload(engine.queue, site_numbers_);
        if (!force_.uses_ewald()) return;
        charges_.upload(engine.queue, mesh_charges_);
        if (ljpme_.alpha != 0) dispersion_charges_.upload(engine.queue, mesh_dispersion_charges_);
        if (charge_mesh_) charge_mesh_->charges_changed();
        if (dispersion_mesh_) dispersion_mesh_->charges_changed();
    }

    // The text of pairs has charges from when some particle has one, or may have one by an offset.
    void find_charges(Engine<Q>& engine) {
        bool const had_charges = has_charges_;
        for (auto const& particle : particles()) has_charges_ = has_charges_ || particle.charge != 0;
        for (auto const& offset : force_.particle_offsets) has_charges_ = has_charges_ || offset.charge_scale != 0;
        if (pairs_ < 0 || has_charges_ == had_charges) return;
        engine.pairs.replace(pairs_, interaction(engine, engine.pairs.interaction(pairs_).energy_slot));
        ++engine.epoch;
    }

    NonbondedForce force_;  // numbers of its exceptions are out of date after updates, unless there are offsets
    int index_;
    Box system_box_;
    InteractingExceptions interacting_;
    NonbondedExceptions exceptions_;
    MeshSettings pme_, ljpme_;
    int exception_terms_ = -1, excluded_terms_ = -1, pairs_ = -1;
    std::optional<double> dispersion_coefficient_;  // made when first needed
    bool has_charges_ = false;
    std::vector<double> site_numbers_, mesh_charges_, mesh_dispersion_charges_;
    NumberArray<Q> sites_, charges_, dispersion_charges_;
    std::vector<NonbondedForce::Particle> with_offsets_;
    std::optional<EwaldSum<Q>> ewald_;
    std::optional<ParticleMesh<Q>> charge_mesh_, dispersion_mesh_;
    int reciprocal_slot_ = -1;
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
    MeshSettings pme_mesh() const { return nonbonded.pme_mesh(); }
    MeshSettings ljpme_mesh() const { return nonbonded.ljpme_mesh(); }
};

}  // namespace trotter
