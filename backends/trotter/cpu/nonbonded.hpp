// NonbondedForce on the Cpu backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <trotter/cpu/engine.hpp>
#include <trotter/cpu/ewald_sum.hpp>
#include <trotter/cpu/far_apart.hpp>
#include <trotter/cpu/neighbors.hpp>
#include <trotter/cpu/pme.hpp>
#include <trotter/forces/nonbonded_exceptions.hpp>
#include <trotter/forces/nonbonded_parameters.hpp>
#include <trotter/host/excluded_pairs.hpp>
#include <trotter/reference/nonbonded.hpp>
#include <trotter/registration.hpp>

namespace trotter {

namespace cpu {

/// Takes r² - cutoff²/2 for the polynomials' variable, which costs no multiplication.
template <class Real> static void unroll_polynomials(PairConstants<Real>& c, double scale) {
    for (auto* polynomial : {&c.coulomb_force, &c.coulomb_energy, &c.dispersion_force, &c.dispersion_energy})
        polynomial->stretch(scale);
    c.scale = 1;
    c.middle = static_cast<Real>(1 / scale);
    c.is_unrolled = true;
}

/// What the pair loops need to know of a force.
template <class Real>
static PairConstants<Real> pair_constants(DirectSpace const& space) {
    PairConstants<Real> c{};
    auto const& [stated_cutoff, field, switching, alpha, dispersion_alpha] = space;
    double const cutoff = std::min(stated_cutoff, 1e15);
    c.cutoff2 = static_cast<Real>(cutoff * cutoff);
    c.field_k = static_cast<Real>(field.k);
    c.minus_two_field_k = -2 * c.field_k;
    c.field_c = static_cast<Real>(field.c);
    if (switching) {
        c.dispersion = DispersionKind::switched;
        c.switching_start = static_cast<Real>(switching->start);
        c.switching_inverse_width = static_cast<Real>(switching->inverse_width);
    }
    if (alpha == 0) return c;
    c.coulomb = CoulombKind::ewald;
    double const scale = 2 / (cutoff * cutoff);
    c.scale = static_cast<Real>(scale);
    c.middle = 1;
    // Compared with the bare interaction at the cutoff.
    double const tolerance = sizeof(Real) == 4 ? 5e-7 : 1e-13;
    auto const mesh = fitted<Real>([alpha = alpha](double r2) { return mesh_coulomb(1, std::sqrt(r2), alpha).energy; }, cutoff,
                                   tolerance / cutoff);
    c.coulomb_energy = mesh.energy;
    c.coulomb_force = mesh.force_over_r;
    if (dispersion_alpha == 0) {
        if (mesh.force_over_r.degree == unrolled_degree<Real>) unroll_polynomials(c, scale);
        return c;
    }
    c.dispersion = DispersionKind::mesh;
    auto energy = [alpha = dispersion_alpha](double r2) { return mesh_dispersion(1.0, r2, alpha).energy; };
    double const inverse_cutoff6 = std::pow(cutoff, -6);
    auto const dispersion = fitted<Real>(energy, cutoff, tolerance * inverse_cutoff6);
    c.dispersion_energy = dispersion.energy;
    c.dispersion_force = dispersion.force_over_r;
    c.inverse_cutoff6 = static_cast<Real>(inverse_cutoff6);
    c.dispersion_at_cutoff = static_cast<Real>(energy(cutoff * cutoff));
    if (mesh.force_over_r.degree == unrolled_degree<Real> && dispersion.force_over_r.degree == unrolled_degree<Real>)
        unroll_polynomials(c, scale);
    return c;
}

}  // namespace cpu

/// Pairs by a buffered cluster list and SIMD (S. Páll and B. Hess, Comput. Phys. Commun. 184, 2641 (2013)), exceptions
/// in double, reciprocal space on a mesh or by a plain sum.
template <class Arch, Precision P> struct Kernel<NonbondedForce, BasicCpu<Arch>, P> {
    using ThisEngine = Engine<BasicCpu<Arch>, P>;
    using Real = typename P::Real;

    Kernel(NonbondedForce const& force, ThisEngine& engine, Registration who)
        : force_(checked(force, engine.host)),
          who_(who),
          system_box_(engine.host.box),
          neighbors_(force.uses_cutoff() ? force.cutoff_distance : 0, force.is_periodic(),
                     {exclusions(force), force.uses_ewald(), force.exceptions_use_periodic},
                     cpu::list_buffers<Real>(engine.backend, engine.host.size())),
          interacting_(force),
          coulomb_(reciprocal_charges(force, MeshKind::coulomb, system_box_)),
          dispersion_(reciprocal_charges(force, MeshKind::dispersion, system_box_)) {
        for (auto const& parameter : force.global_parameters)
            engine.host.parameters.declare(parameter.name, parameter.default_value);
        if (force.method == NonbondedForce::Method::ewald)
            ewald_.emplace(std::get<EwaldSplitting>(coulomb_->method));
        else if (coulomb_)
            pme_.emplace(coulomb_->mesh(), MeshKind::coulomb, neighbors_.largest_displacement());
        if (dispersion_) ljpme_.emplace(dispersion_->mesh(), MeshKind::dispersion, neighbors_.largest_displacement());
        constants_ = cpu::pair_constants<Real>(direct_space(force, meshes()));
        exceptions_.emplace(engine.register_part(interacting_.terms(force, engine.host.parameters), who));
        take_numbers(engine);
    }

    /// Takes over other numbers of particles, exceptions and offsets.
    void update(NonbondedForce const& force, ThisEngine& engine) {
        check_same_shape(force_, force);
        check_numbers(force);
        bool const are_more = interacting_.take(force);
        auto const exceptions = interacting_.terms(force, engine.host.parameters);
        if (are_more)
            exceptions_.emplace(engine.register_part(exceptions, who_));
        else
            engine.update_part(*exceptions_, exceptions);
        force_ = force;
        take_numbers(engine);
    }

    double compute(ThisEngine& engine, Request const& request) {
        HostEngine& host = engine.host;
        if (parameters_version_ != host.parameters.version()) take_parameters(engine);
        bool const direct = force_.include_direct_space && request.wants(who_.index, force_.force_group);
        bool const reciprocal = coulomb_ && request.wants(who_.index, coulomb_->force_group);
        if (!direct && !reciprocal) return 0;
        if (!force_.uses_cutoff() && cpu::are_too_far_apart<Arch>(host.positions))
            return cpu::compute_by_reference<Arch>(force_, who_, host, request);
        update_neighbors(host);
        double energy = 0;
        if (direct) energy += compute_pairs(host, request.energy);
        if (reciprocal) energy += compute_reciprocal(host, request.energy);
        add_forces(host, direct, reciprocal && pme_);
        if (direct) energy += compute_rest_of_direct_space(engine, request);
        return energy;
    }

    UsedMeshes meshes() const {
        auto const mesh = [](auto const& charges) { return charges ? charges->mesh() : MeshSettings{}; };
        return {mesh(coulomb_), mesh(dispersion_)};
    }

    template <class Archive> void save(Archive& archive) const { neighbors_.save(archive); }
    template <class Archive> void load(Archive& archive) {
        neighbors_.load(archive);
        is_loaded_ = true;
    }

    auto const& neighbors() const { return neighbors_; }

private:
    static NonbondedForce const& checked(NonbondedForce const& force, HostEngine const& host) {
        check(force, host.particles.count(), host.box);
        return force;
    }
    void take_numbers(ThisEngine& engine) {
        neighbors_.set_bare(particles_without_sites());
        dispersion_coefficient_ = dispersion_coefficient(force_);
        take_particles(engine.host);
    }
    /// Whatever the values of the global parameters.
    std::vector<char> particles_without_sites() const {
        std::vector<char> result;
        for (auto const& particle : force_.particles) result.push_back(particle.epsilon == 0);
        for (auto const& offset : force_.particle_offsets) result[static_cast<std::size_t>(offset.index)] = 0;
        return result;
    }
    void take_parameters(ThisEngine& engine) {
        if (!force_.exception_offsets.empty())
            engine.update_part(*exceptions_, interacting_.terms(force_, engine.host.parameters));
        take_particles(engine.host);
    }
    void take_particles(HostEngine const& host) {
        parameters_version_ = host.parameters.version();
        particles_ = effective_particles(force_, host.parameters);
        constant_ = {};
        for (auto* const charges : {&coulomb_, &dispersion_}) {
            if (!*charges) continue;
            (*charges)->charges = charges_for((*charges)->kind, particles_);
            auto const [own, background] = reciprocal_constant(**charges);
            constant_.own += own;
            constant_.background += background;
        }
        are_parameters_placed_ = false;
        kinds_ = {particles_.size(), 3, [&](std::size_t p, Real* numbers) {
                      LennardJonesSite const stated(particles_[p]);
                      auto const site = cpu::loop_site<Real>(stated.half_sigma, stated.root);
                      numbers[0] = 0;  // charges stand beside coordinates
                      numbers[1] = site.half_length;
                      numbers[2] = site.root;
                  }};
        choose_dispersion();
        if (force_.uses_ewald()) return;
        bool const has_charges = std::any_of(particles_.begin(), particles_.end(),
                                             [](auto const& particle) { return particle.charge != 0; });
        constants_.coulomb = has_charges ? cpu::CoulombKind::reaction_field : cpu::CoulombKind::none;
    }

    /// Particles that do not interact at all may be at the place of others, which the plain loops are not made for.
    void choose_dispersion() {
        using Kind = cpu::DispersionKind;
        if (constants_.dispersion == Kind::mesh || direct_space(force_).switching) return;
        bool const has_any = std::any_of(particles_.begin(), particles_.end(), [](auto const& particle) {
            return particle.charge == 0 && particle.epsilon == 0;
        });
        constants_.dispersion = has_any ? Kind::switched : Kind::plain;
        constants_.switching_start = static_cast<Real>(std::sqrt(static_cast<double>(constants_.cutoff2)));
        constants_.switching_inverse_width = 0;
    }

    void update_neighbors(HostEngine& host) {
        bool const sorted = neighbors_.update(host.positions, host.box, host.threads);
        if (!sorted && are_parameters_placed_ && !is_loaded_) return;
        place_parameters(host);
        find_far_pairs();
        are_parameters_placed_ = true;
        is_loaded_ = false;
    }

    /// Excluded pairs that span more than the pair list reaches, or a face of the box: there are none as long as molecules
    /// are whole and small.
    void find_far_pairs() {
        far_pairs_.clear();
        if (!coulomb_) return;
        for (auto const& pair : coulomb_->exclusions)
            if (!neighbors_.exclusions().in_loop(neighbors_.positions_at_build(), neighbors_.clusters.cell,
                                                 pair.particle1, pair.particle2))
                far_pairs_.push_back(pair);
    }
    void place_parameters(HostEngine& host) {
        auto& clusters = neighbors_.clusters;
        std::size_t const places = clusters.particles.size(), stride = cpu::parameter_stride(3);
        double const root_coulomb = std::sqrt(constants::coulomb);
        clusters.parameters.records.assign(stride * clusters.place_count(), Real(0));
        clusters.set_kinds(kinds_, host.threads);
        if (pme_) mesh_forces_.resize(cpu::record_size * places);
        if (pme_) pme_->charges.assign(places, Real(0));
        if (ljpme_) ljpme_->charges.assign(places, Real(0));
        clusters.for_each_place(host.threads, [&](std::size_t place, int particle) {
            if (particle < 0) return;
            auto const& p = particles_[static_cast<std::size_t>(particle)];
            Real* const to = clusters.parameters.records.data() + stride * place;
            to[0] = static_cast<Real>(root_coulomb * p.charge);
            clusters.set_charge(place, to[0]);
            LennardJonesSite const site(p);
            auto const in_loop = cpu::loop_site<Real>(site.half_sigma, site.root);
            to[1] = in_loop.half_length;
            to[2] = in_loop.root;
            if (pme_) pme_->charges[place] = static_cast<Real>(p.charge);
            if (ljpme_) ljpme_->charges[place] = static_cast<Real>(site.dispersion_charge);
        });
    }

    double compute_pairs(HostEngine& host, bool with_energy) {
        auto const profiled = host.threads.profile.part("pairs");
        std::vector<double> energies(static_cast<std::size_t>(neighbors_.task_count()));
        host.threads.run(neighbors_.task_count(), [&](int task) {
            energies[static_cast<std::size_t>(task)] =
                cpu::Loops<Arch, Real>::pairs(neighbors_.view(task), constants_, with_energy);
        });
        double energy = 0;
        for (double part : energies) energy += part;
        return energy;
    }

    double compute_reciprocal(HostEngine& host, bool with_energy) {
        double energy = with_energy ? constant_.energy(host.box.volume()) : 0;
        if (ewald_) energy += ewald_->compute(host.positions, coulomb_->charges, host.box, host.forces, host.threads);
        if (pme_)
            energy += pme_->compute(neighbors_.clusters, mesh_forces_, cpu::MeshForces::put, with_energy, host.threads);
        if (ljpme_)
            energy +=
                ljpme_->compute(neighbors_.clusters, mesh_forces_, cpu::MeshForces::add, with_energy, host.threads);
        return energy;
    }

    double compute_rest_of_direct_space(ThisEngine& engine, Request const& request) {
        HostEngine& host = engine.host;
        auto const part = host.threads.profile.part("exceptions");
        double energy = engine.compute_part(*exceptions_, request);
        for (auto const* const charges : {&coulomb_, &dispersion_})
            if (*charges) energy += take_out_pairs(**charges, far_pairs_, host);
        return energy + dispersion_coefficient_ / host.box.volume();
    }

    void add_forces(HostEngine& host, bool with_pairs, bool with_mesh) {
        auto const part = host.threads.profile.part("sums over tasks");
        neighbors_.add_forces(host.forces, host.threads, with_pairs, with_mesh ? mesh_forces_.data() : nullptr);
    }

    NonbondedForce force_;
    Registration who_;
    Box system_box_;
    cpu::Neighbors<Arch, Real> neighbors_;
    cpu::PairConstants<Real> constants_{};
    InteractingExceptions interacting_;
    std::optional<cpu::Terms<NonbondedExceptions, Arch>> exceptions_;
    std::optional<ReciprocalCharges> coulomb_, dispersion_;  ///< at the present values of the global parameters
    ReciprocalConstant constant_;                            ///< of both
    std::vector<PairSettings::Exclusion> far_pairs_;         ///< that the pair loop does not see to
    std::optional<cpu::EwaldSum<Arch>> ewald_;
    std::optional<cpu::Pme<Arch, Real>> pme_, ljpme_;
    std::vector<NonbondedForce::Particle> particles_;  ///< likewise
    cpu::ParameterKinds<Arch, Real> kinds_;            ///< of their Lennard-Jones sites
    cpu::Aligned<Real> mesh_forces_;
    double dispersion_coefficient_ = 0;
    long parameters_version_ = -1;
    bool are_parameters_placed_ = false, is_loaded_ = false;
};

}  // namespace trotter
