// Lennard-Jones and Coulomb interactions, pair by pair.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <trotter/forces/nonbonded.hpp>
#include <trotter/forces/nonbonded_exceptions.hpp>
#include <trotter/forces/nonbonded_parameters.hpp>
#include <trotter/forces/pair_energies.hpp>
#include <trotter/reference/engine.hpp>
#include <trotter/reference/ewald.hpp>
#include <trotter/reference/neighbors.hpp>
#include <trotter/reference/pme.hpp>

namespace trotter {

namespace reference {

/// The interaction of two particles of a NonbondedForce within the cutoff, that is in direct space.
class DirectPair {
public:
    DirectPair(NonbondedForce const& force, double alpha, double dispersion_alpha)
        : alpha_(alpha),
          dispersion_alpha_(dispersion_alpha),
          field_(reaction_field(force)),
          switching_(switching(force)) {
        if (dispersion_alpha != 0) {
            double const cutoff2 = force.cutoff_distance * force.cutoff_distance;
            cutoff2_ = cutoff2;
            mesh_at_cutoff_ = mesh_dispersion(1.0, cutoff2, dispersion_alpha).energy;
        }
    }

    PairValue<double> operator()(LennardJonesSite const& a, LennardJonesSite const& b, double qq, double r2) const {
        double const r = std::sqrt(r2), inverse_r = 1 / r;
        return dispersion(a, b, r2, r) + coulomb(qq, r2, r, inverse_r);
    }

private:
    PairValue<double> coulomb(double qq, double r2, double r, double inverse_r) const {
        if (qq == 0) return {0, 0};
        if (alpha_ == 0) return coulomb_with_field(qq, inverse_r, r2, field_.k, field_.c);
        double const x = alpha_ * r;
        return screened_coulomb(qq, inverse_r, x, std::erfc(x), std::exp(-x * x));
    }
    PairValue<double> dispersion(LennardJonesSite const& a, LennardJonesSite const& b, double r2, double r) const {
        double const sigma = a.half_sigma + b.half_sigma, sigma2 = sigma * sigma, four_epsilon = a.root * b.root;
        auto at = [&](double distance2) {
            double const s2 = sigma2 / distance2;
            return lennard_jones(s2 * s2 * s2, four_epsilon);
        };
        if (four_epsilon == 0) return {0, 0};
        if (switching_) return switched(at(r2), r, switching_->start, switching_->inverse_width);
        if (dispersion_alpha_ == 0) return at(r2);
        // The mesh holds its own C6 at all distances; the rest is shifted to zero at the cutoff.
        double const c6 = a.dispersion_charge * b.dispersion_charge;
        auto result = at(r2) - mesh_dispersion(c6, r2, dispersion_alpha_);
        result.energy -= at(cutoff2_).energy - c6 * mesh_at_cutoff_;
        return result;
    }

    double alpha_, dispersion_alpha_;
    ReactionField field_;
    std::optional<Switching> switching_;
    double cutoff2_ = 0, mesh_at_cutoff_ = 0;
};

}  // namespace reference

/// Direct space over pairs within the cutoff, exceptions as terms, reciprocal space by an Ewald sum or on meshes.
template <> class Kernel<NonbondedForce, Reference, Double> {
public:
    Kernel(NonbondedForce const& force, Engine<Reference, Double>& engine)
        : force_(checked(force, engine.host)),
          index_(engine.host.next_force),
          system_box_(engine.host.box),
          exceptions_(engine.register_parts(exceptions_as_terms(force, engine.host.parameters))) {
        if (force.method == NonbondedForce::Method::ewald)
            ewald_.emplace(ewald_splitting(force, system_box_));
        else if (force.uses_ewald())
            pme_.emplace(trotter::pme_mesh(force, system_box_), coulomb_influence);
        if (force.method == NonbondedForce::Method::ljpme)
            ljpme_.emplace(trotter::ljpme_mesh(force, system_box_), dispersion_influence);
        take_numbers(engine.host);
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto& host = engine.host;
        if (host.parameters.version() != version_) take_parameters(engine);
        int const reciprocal_group =
            force_.reciprocal_force_group >= 0 ? force_.reciprocal_force_group : force_.force_group;
        bool const direct = force_.include_direct_space && request.wants(index_, force_.force_group);
        bool const reciprocal = force_.uses_ewald() && request.wants(index_, reciprocal_group);
        if ((direct || reciprocal) && force_.is_periodic())
            check_present_box(force_, host.box);
        double energy = 0;
        if (direct) energy += direct_space(host) + engine.compute_parts(exceptions_, request);
        if (reciprocal) energy += reciprocal_space(host);
        return energy;
    }

    /// Takes over other numbers of particles, exceptions and offsets.
    void update(NonbondedForce const& force, Engine<Reference, Double>& engine) {
        check(force, engine.host.particles.count(), system_box_);
        check_same_shape(force_, force);
        engine.update_parts(exceptions_, exceptions_as_terms(force, engine.host.parameters));
        force_ = force;
        take_numbers(engine.host);
    }

    /// Splitting and mesh as used; alpha is 0 for methods without.
    NonbondedForce::Mesh pme_mesh() const {
        if (ewald_) return {.alpha = ewald_->alpha()};
        return pme_ ? pme_->mesh() : NonbondedForce::Mesh{};
    }
    NonbondedForce::Mesh ljpme_mesh() const { return ljpme_ ? ljpme_->mesh() : NonbondedForce::Mesh{}; }

private:
    static NonbondedForce const& checked(NonbondedForce const& force, HostEngine& host) {
        check(force, host.particles.count(), host.box);
        for (auto const& parameter : force.global_parameters)
            host.parameters.declare(parameter.name, parameter.default_value);
        return force;
    }
    void take_numbers(HostEngine const& host) {
        exclusions_ = exclusions(force_);
        dispersion_coefficient_ = dispersion_coefficient(force_);
        take_particles(host);
    }
    void take_parameters(Engine<Reference, Double>& engine) {
        if (!force_.exception_offsets.empty())
            engine.update_parts(exceptions_, exceptions_as_terms(force_, engine.host.parameters));
        take_particles(engine.host);
    }
    void take_particles(HostEngine const& host) {
        particles_ = effective_particles(force_, host.parameters);
        version_ = host.parameters.version();
        sites_.clear();
        charges_.clear();
        dispersion_charges_.clear();
        for (auto const& particle : particles_) {
            sites_.emplace_back(particle);
            charges_.push_back(particle.charge);
            dispersion_charges_.push_back(dispersion_charge(particle));
        }
    }

    double direct_space(HostEngine& host) {
        double const alpha = pme_mesh().alpha, dispersion_alpha = ljpme_mesh().alpha;
        reference::DirectPair const pair(force_, alpha, dispersion_alpha);
        std::optional<double> const cutoff =
            force_.uses_cutoff() ? std::optional(force_.cutoff_distance) : std::nullopt;
        double energy = 0;
        reference::for_each_pair(
            {cutoff, force_.is_periodic()}, host.positions, host.box,
            [&](std::size_t i, std::size_t j, Vec3<> const& d, double r2) {
                if (std::binary_search(exclusions_[i].begin(), exclusions_[i].end(), static_cast<int>(j))) return;
                auto const value = pair(sites_[i], sites_[j], constants::coulomb * charges_[i] * charges_[j], r2);
                energy += value.energy;
                add_force(host, i, j, d * (value.virial / r2));
            });
        if (alpha != 0) energy += excluded_pairs(host, alpha, dispersion_alpha);
        if (dispersion_coefficient_ != 0) energy += dispersion_coefficient_ / host.box.volume();
        return energy;
    }

    // What reciprocal space holds of the pairs with exceptions.
    double excluded_pairs(HostEngine& host, double alpha, double dispersion_alpha) {
        double energy = 0;
        for (auto const& exception : force_.exceptions) {
            auto const i = static_cast<std::size_t>(exception.particle1),
                       j = static_cast<std::size_t>(exception.particle2);
            Vec3<> d = host.positions[i] - host.positions[j];
            if (force_.exceptions_use_periodic) d = host.box.minimum_image(d);
            double const r2 = dot(d, d);
            auto value = mesh_pair(i, j, r2, alpha, dispersion_alpha);
            energy -= value.energy;
            if (value.virial != 0) add_force(host, i, j, d * (-value.virial / r2));
        }
        return energy;
    }
    PairValue<double> mesh_pair(std::size_t i, std::size_t j, double r2, double alpha, double dispersion_alpha) const {
        auto const coulomb = mesh_coulomb(constants::coulomb * charges_[i] * charges_[j], std::sqrt(r2), alpha);
        if (dispersion_alpha == 0) return coulomb;
        return coulomb + mesh_dispersion(dispersion_charges_[i] * dispersion_charges_[j], r2, dispersion_alpha);
    }

    double reciprocal_space(HostEngine& host) {
        double energy = ewald_constant_energy(particles_, pme_mesh().alpha, host.box.volume());
        if (ewald_) energy += ewald_->add(charges_, host.positions, host.box, host.forces);
        if (pme_) energy += pme_->add(charges_, host.positions, host.box, host.forces);
        if (ljpme_) {
            energy += ljpme_->add(dispersion_charges_, host.positions, host.box, host.forces);
            energy += ljpme_constant_energy(particles_, ljpme_->mesh().alpha);
        }
        return energy;
    }

    NonbondedForce force_;
    int index_;
    Box system_box_;
    reference::Terms<NonbondedExceptions> exceptions_;
    std::vector<std::vector<int>> exclusions_;
    double dispersion_coefficient_ = 0;
    std::vector<NonbondedForce::Particle>
        particles_;  // at the present values of the global parameters, as are the next
    std::vector<LennardJonesSite> sites_;
    std::vector<double> charges_, dispersion_charges_;
    std::optional<reference::EwaldSum> ewald_;
    std::optional<reference::ParticleMesh> pme_, ljpme_;
    long version_ = -1;
};

}  // namespace trotter
