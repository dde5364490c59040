// NonbondedForce on the Cpu backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <trotter/cpu/engine.hpp>
#include <trotter/cpu/ewald_sum.hpp>
#include <trotter/cpu/exceptions.hpp>
#include <trotter/cpu/neighbors.hpp>
#include <trotter/cpu/pme.hpp>
#include <trotter/forces/nonbonded_parameters.hpp>

namespace trotter {

namespace cpu {

/// What the pair loops need to know of a force.
template <class Real> PairConstants<Real> pair_constants(NonbondedForce const& force, double alpha, double dispersion_alpha) {
    PairConstants<Real> c;
    double const cutoff = force.uses_cutoff() ? force.cutoff_distance : 1e15;
    c.cutoff2 = static_cast<Real>(cutoff * cutoff);
    auto const field = reaction_field(force);
    c.field_k = static_cast<Real>(field.k);
    c.field_c = static_cast<Real>(field.c);
    if (auto const switched = switching(force)) {
        c.dispersion = DispersionKind::switched;
        c.switching_start = static_cast<Real>(switched->start);
        c.switching_inverse_width = static_cast<Real>(switched->inverse_width);
    }
    if (!force.uses_ewald()) return c;
    c.coulomb = CoulombKind::ewald;
    c.scale = static_cast<Real>(2 / (cutoff * cutoff));
    // Compared with the bare Coulomb force and energy at the cutoff.
    double const tolerance = sizeof(Real) == 4 ? 2e-7 : 1e-13;
    ScreenedCoulomb const coulomb{alpha};
    c.coulomb_force = fitted_polynomial<Real>([&](double r2) { return coulomb.force_over_r(r2); }, cutoff, tolerance / (cutoff * cutoff * cutoff));
    c.coulomb_energy = fitted_polynomial<Real>([&](double r2) { return coulomb.energy(r2); }, cutoff, tolerance / cutoff);
    if (dispersion_alpha == 0) return c;
    c.dispersion = DispersionKind::mesh;
    ScreenedDispersion const dispersion{dispersion_alpha};
    double const scale = tolerance * std::pow(cutoff, -6);
    c.dispersion_force = fitted_polynomial<Real>([&](double r2) { return dispersion.force_over_r(r2); }, cutoff, scale / (cutoff * cutoff));
    c.dispersion_energy = fitted_polynomial<Real>([&](double r2) { return dispersion.energy(r2); }, cutoff, scale);
    c.inverse_cutoff6 = static_cast<Real>(std::pow(cutoff, -6));
    c.dispersion_at_cutoff = static_cast<Real>(dispersion.energy(cutoff * cutoff));
    return c;
}

}  // namespace cpu

/// Pairs by a buffered cluster list and SIMD (S. Páll and B. Hess, Comput. Phys. Commun. 184, 2641 (2013)), exceptions in
/// double, reciprocal space on a mesh or by a plain sum.
template <class Arch, Precision P> struct Kernel<NonbondedForce, BasicCpu<Arch>, P> {
    using ThisEngine = Engine<BasicCpu<Arch>, P>;
    using Real = typename P::Real;
    using Method = NonbondedForce::Method;

    Kernel(NonbondedForce const& force, ThisEngine& engine)
        : force_(force), neighbors_(force.uses_cutoff() ? force.cutoff_distance : 0, force.is_periodic(), exclusions_of(force)) {
        Box const& box = engine.host.box;
        check(force, engine.host.particles.count(), box);
        for (auto const& parameter : force.global_parameters) engine.host.parameters.declare(parameter.name, parameter.default_value);
        if (force.method == Method::ewald) {
            auto const splitting = ewald_splitting(force, box);
            splitting_.alpha = splitting.alpha;
            ewald_.emplace(splitting);
        } else if (force.uses_ewald()) {
            auto const mesh = pme_mesh(force, box);
            splitting_.alpha = mesh.alpha;
            pme_.emplace(mesh, cpu::MeshKind::coulomb);
            if (force.method == Method::ljpme) {
                auto const dispersion = ljpme_mesh(force, box);
                splitting_.dispersion_alpha = dispersion.alpha;
                dispersion_pme_.emplace(dispersion, cpu::MeshKind::dispersion);
            }
        }
        constants_ = cpu::pair_constants<Real>(force, splitting_.alpha, splitting_.dispersion_alpha);
        dispersion_coefficient_ = dispersion_coefficient(force_);
        set_parameters(engine);
    }

    /// Takes over new parameters; methods, meshes and the pairs with exceptions stay as they are.
    void update(NonbondedForce const& force, ThisEngine& engine) {
        check(force, engine.host.particles.count(), engine.host.box);
        if (force.exceptions.size() != force_.exceptions.size())
            throw InputError("NonbondedForce has " + std::to_string(force.exceptions.size()) + " exceptions after the update, expected "
                             + std::to_string(force_.exceptions.size()) + " as before");
        for (std::size_t n = 0; n < force.exceptions.size(); ++n)
            if (force.exceptions[n].particle1 != force_.exceptions[n].particle1 || force.exceptions[n].particle2 != force_.exceptions[n].particle2)
                throw InputError("NonbondedForce, exception " + std::to_string(n) + ": its particles changed, but an update can only change numbers");
        force_.particles = force.particles;
        force_.exceptions = force.exceptions;
        force_.particle_offsets = force.particle_offsets;
        force_.exception_offsets = force.exception_offsets;
        dispersion_coefficient_ = dispersion_coefficient(force_);
        set_parameters(engine);
    }

    double compute(ThisEngine& engine, Request const& request) {
        bool const direct = force_.include_direct_space && request.groups.contains(force_.force_group);
        bool const reciprocal = force_.uses_ewald() && request.groups.contains(reciprocal_group());
        if (!direct && !reciprocal) return 0;
        HostEngine& host = engine.host;
        if (force_.is_periodic()) check_present_box("NonbondedForce", force_.cutoff_distance, host.box);
        if (parameters_version_ != host.parameters.version() && has_offsets()) set_parameters(engine);
        update_neighbors(host);
        double energy = 0;
        if (direct) energy += compute_pairs(host, request.energy);
        if (reciprocal) energy += compute_reciprocal(host, request.energy);
        add_forces(host, direct);
        if (direct) energy += exceptions_.compute(host.positions, host.box, host.forces, host.threads);
        if (direct) energy += dispersion_coefficient_ / host.box.volume();
        return energy;
    }

    template <class Archive> void save(Archive& archive) const { neighbors_.save(archive); }
    template <class Archive> void load(Archive& archive) {
        neighbors_.load(archive);
        is_loaded_ = true;
    }

    NonbondedForce const& force() const { return force_; }
    auto const& neighbors() const { return neighbors_; }

private:
    static cpu::Exclusions exclusions_of(NonbondedForce const& force) {
        for (auto const& e : force.exceptions)
            for (int particle : {e.particle1, e.particle2}) check_particle(particle, static_cast<int>(force.particles.size()), "NonbondedForce, an exception");
        return {exclusions(force), force.uses_ewald(), force.exceptions_use_periodic, 0};
    }
    int reciprocal_group() const { return force_.reciprocal_force_group < 0 ? force_.force_group : force_.reciprocal_force_group; }
    bool has_offsets() const { return !force_.particle_offsets.empty() || !force_.exception_offsets.empty(); }

    void set_parameters(ThisEngine& engine) {
        parameters_version_ = engine.host.parameters.version();
        particles_ = effective_particles(force_, engine.host.parameters);
        exceptions_.set(effective_exceptions(force_, engine.host.parameters), particles_, force_.exceptions_use_periodic, splitting_);
        are_parameters_placed_ = false;
    }

    void update_neighbors(HostEngine& host) {
        bool const sorted = neighbors_.update(host.positions, host.box, host.threads);
        if (!sorted && are_parameters_placed_ && !is_loaded_) return;
        place_parameters(host);
        exceptions_.choose(neighbors_.positions_at_build(), neighbors_.clusters.cell, neighbors_.exclusions());
        are_parameters_placed_ = true;
        is_loaded_ = false;
    }

    void place_parameters(HostEngine& host) {
        auto& clusters = neighbors_.clusters;
        auto const width = static_cast<std::size_t>(clusters.j_size);
        std::size_t const places = clusters.particles.size();
        double const root_coulomb = std::sqrt(constants::coulomb);
        clusters.parameters.assign(3 * places, Real(0));
        mesh_forces_.resize(3 * places);
        if (pme_) pme_->charges.assign(places, Real(0));
        if (dispersion_pme_) dispersion_pme_->charges.assign(places, Real(0));
        clusters.for_each_place(host.threads, [&](std::size_t place, int particle) {
            if (particle < 0) return;
            auto const& p = particles_[static_cast<std::size_t>(particle)];
            Real* const to = clusters.parameters.data() + place / width * 3 * width + place % width;
            to[0] = static_cast<Real>(root_coulomb * p.charge);
            to[width] = static_cast<Real>(p.sigma / 2);
            to[2 * width] = static_cast<Real>(2 * std::sqrt(p.epsilon));
            if (pme_) pme_->charges[place] = static_cast<Real>(root_coulomb * p.charge);
            if (dispersion_pme_) dispersion_pme_->charges[place] = static_cast<Real>(dispersion_charge(p));
        });
    }

    double compute_pairs(HostEngine& host, bool with_energy) {
        std::array<double, 9> const box = box_vectors(host.box);
        std::vector<double> energies(static_cast<std::size_t>(neighbors_.task_count()));
        host.threads.run(neighbors_.task_count(), [&](int task) {
            energies[static_cast<std::size_t>(task)] = cpu::Loops<Arch, Real>::pairs(neighbors_.view(task, box.data()), constants_, with_energy);
        });
        double energy = 0;
        for (double part : energies) energy += part;
        return energy;
    }

    double compute_reciprocal(HostEngine& host, bool with_energy) {
        std::fill(mesh_forces_.begin(), mesh_forces_.end(), Real(0));
        double energy = ewald_constant_energy(particles_, splitting_.alpha, host.box.volume());
        if (ewald_) energy += ewald_->compute(host.positions, particles_, host.box, host.forces, host.threads);
        if (pme_) energy += pme_->compute(neighbors_.clusters, host.box, mesh_forces_, with_energy, host.threads);
        if (dispersion_pme_) {
            energy += ljpme_constant_energy(particles_, splitting_.dispersion_alpha);
            energy += dispersion_pme_->compute(neighbors_.clusters, host.box, mesh_forces_, with_energy, host.threads);
        }
        has_mesh_forces_ = true;
        return energy;
    }

    void add_forces(HostEngine& host, bool with_pairs) {
        host.threads.run(neighbors_.granule_count(), [&](int g) {
            std::array<double, 3 * 8 * cpu::granule> sum{};
            if (with_pairs) neighbors_.sum_forces(g, sum);
            if (has_mesh_forces_) {
                Real const* const mesh = mesh_forces_.data() + 3 * static_cast<std::size_t>(g) * cpu::granule * static_cast<std::size_t>(neighbors_.clusters.j_size);
                for (std::size_t n = 0; n < neighbors_.granule_size(g); ++n) sum[n] += mesh[n];
            }
            neighbors_.for_granule(g, sum, [&](std::size_t, std::size_t particle, Vec3<> const& force) { host.forces[particle] += force; });
        });
        has_mesh_forces_ = false;
    }

    static std::array<double, 9> box_vectors(Box const& box) {
        return {box.a.x, box.a.y, box.a.z, box.b.x, box.b.y, box.b.z, box.c.x, box.c.y, box.c.z};
    }

    NonbondedForce force_;
    cpu::Neighbors<Arch, Real> neighbors_;
    typename cpu::Exceptions<Arch>::Splitting splitting_;
    cpu::PairConstants<Real> constants_;
    cpu::Exceptions<Arch> exceptions_;
    std::optional<cpu::EwaldSum<Arch>> ewald_;
    std::optional<cpu::Pme<Arch, Real>> pme_, dispersion_pme_;
    std::vector<NonbondedForce::Particle> particles_;
    cpu::Aligned<Real> mesh_forces_;
    double dispersion_coefficient_ = 0;
    long parameters_version_ = 0;
    bool are_parameters_placed_ = false, has_mesh_forces_ = false, is_loaded_ = false;
};

}  // namespace trotter
