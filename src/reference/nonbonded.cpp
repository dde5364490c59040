// Lennard-Jones and Coulomb interactions, pair by pair.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/forces/nonbonded.hpp>
#include <trotter/forces/nonbonded_exceptions.hpp>
#include <trotter/forces/nonbonded_parameters.hpp>
#include <trotter/forces/pair_energies.hpp>
#include <trotter/reference/ewald.hpp>
#include <trotter/reference/neighbors.hpp>
#include <trotter/reference/nonbonded.hpp>
#include <trotter/reference/pme.hpp>
#include <trotter/term_energy.hpp>

#include "define_kernel.hpp"

namespace trotter::reference {

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

private:
    double alpha_, dispersion_alpha_;
    ReactionField field_;
    std::optional<Switching> switching_;
    double cutoff2_ = 0, mesh_at_cutoff_ = 0;
};

/// Direct space over pairs within the cutoff, exceptions as terms, reciprocal space by an Ewald sum or on meshes.
template <> class CompiledKernel<NonbondedForce>::Implementation {
public:
    Implementation(NonbondedForce const& force, Engine<Reference, Double>& engine, Registration who)
        : force_(checked(force, engine.host)),
          who_(who),
          system_box_(engine.host.box),
          interacting_(force),
          exceptions_(engine.register_part(interacting_.terms(force, engine.host.parameters), who)) {
        if (force.method == NonbondedForce::Method::ewald)
            ewald_.emplace(ewald_splitting(force, system_box_));
        else if (force.uses_ewald())
            pme_.emplace(trotter::pme_mesh(force, system_box_), coulomb_influence, coulomb_influence_slope);
        if (force.method == NonbondedForce::Method::ljpme)
            ljpme_.emplace(trotter::ljpme_mesh(force, system_box_), dispersion_influence, dispersion_influence_slope);
        take_numbers(engine.host);
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto& host = engine.host;
        if (host.parameters.version() != version_) take_parameters(engine);
        int const reciprocal_group =
            force_.reciprocal_force_group >= 0 ? force_.reciprocal_force_group : force_.force_group;
        bool const direct = force_.include_direct_space && request.wants(who_.index, force_.force_group);
        bool const reciprocal = force_.uses_ewald() && request.wants(who_.index, reciprocal_group);
        double energy = 0;
        if (direct) energy += direct_space(host) + engine.compute_part(exceptions_, request);
        if (reciprocal) energy += reciprocal_space(host);
        return energy;
    }

    /// Takes over other numbers of particles, exceptions and offsets.
    void update(NonbondedForce const& force, Engine<Reference, Double>& engine) {
        check_same_shape(force_, force);
        check_numbers(force);
        interacting_.take(force);
        exceptions_ = engine.register_part(interacting_.terms(force, engine.host.parameters), who_);
        force_ = force;
        take_numbers(engine.host);
    }

    std::vector<TermEnergy> term_energies(Engine<Reference, Double>& engine) {
        auto& host = engine.host;
        TermEnergy coulomb{{}, 0, "Coulomb within the cutoff"}, dispersion{{}, 0, "Lennard-Jones within the cutoff"};
        auto const pair = direct_pair();
        for_each_pair(host, [&](std::size_t i, std::size_t j, Vec3<> const&, double r2) {
            coulomb.energy += pair.coulomb(charge_product(i, j), r2, std::sqrt(r2), 1 / std::sqrt(r2)).energy;
            dispersion.energy += pair.dispersion(sites_[i], sites_[j], r2, std::sqrt(r2)).energy;
        });
        std::vector<TermEnergy> result;
        auto const add = [&result](double part, std::string name) { result.push_back({{}, part, std::move(name)}); };
        if (force_.include_direct_space) {
            result = {coulomb, dispersion};
            if (pme_mesh().alpha != 0) add(excluded_pairs(host), "excluded pairs of reciprocal space");
            if (dispersion_coefficient_ != 0)
                add(dispersion_coefficient_ / host.box.volume(), "dispersion correction");
            for (auto& exception : exceptions_.term_energies(host))
                result.push_back({std::move(exception.particles), exception.energy, "exception"});
        }
        if (!force_.uses_ewald()) return result;
        double const constant = reciprocal_constant(host.box.volume());
        add(reciprocal_space(host) - constant, "reciprocal space");
        add(constant, "self energy and background");
        return result;
    }
    double interaction_energy(Engine<Reference, Double>& engine, TwoGroups const& groups) {
        double energy = 0;
        auto const pair = direct_pair();
        for_each_pair(engine.host, [&](std::size_t i, std::size_t j, Vec3<> const&, double r2) {
            if (groups(i, j)) energy += pair(sites_[i], sites_[j], charge_product(i, j), r2).energy;
        });
        for (auto const& exception : exceptions_.term_energies(engine.host))
            if (groups(static_cast<std::size_t>(exception.particles[0]),
                       static_cast<std::size_t>(exception.particles[1])))
                energy += exception.energy;
        return energy;
    }

    MeshSettings pme_mesh() const {
        if (ewald_) return {.alpha = ewald_->alpha()};
        return pme_ ? pme_->mesh() : MeshSettings{};
    }
    MeshSettings ljpme_mesh() const { return ljpme_ ? ljpme_->mesh() : MeshSettings{}; }

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
            engine.update_part(exceptions_, interacting_.terms(force_, engine.host.parameters));
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

    DirectPair direct_pair() const { return {force_, pme_mesh().alpha, ljpme_mesh().alpha}; }
    double charge_product(std::size_t i, std::size_t j) const { return constants::coulomb * charges_[i] * charges_[j]; }
    template <class Visit> void for_each_pair(HostEngine const& host, Visit const& visit) const {
        std::optional<double> const cutoff =
            force_.uses_cutoff() ? std::optional(force_.cutoff_distance) : std::nullopt;
        reference::for_each_pair({cutoff, force_.is_periodic()}, host.positions, host.box,
                                 [&](std::size_t i, std::size_t j, Vec3<> const& d, double r2) {
                                     auto const& excluded = exclusions_[i];
                                     if (!std::binary_search(excluded.begin(), excluded.end(), static_cast<int>(j)))
                                         visit(i, j, d, r2);
                                 });
    }

    double direct_space(HostEngine& host) {
        auto const pair = direct_pair();
        double energy = 0;
        for_each_pair(host, [&](std::size_t i, std::size_t j, Vec3<> const& d, double r2) {
            auto const value = pair(sites_[i], sites_[j], charge_product(i, j), r2);
            energy += value.energy;
            add_force(host, i, j, d * (value.virial / r2), d);
        });
        if (pme_mesh().alpha != 0) energy += excluded_pairs(host);
        if (dispersion_coefficient_ != 0) {
            double const mean = dispersion_coefficient_ / host.box.volume();
            add_mean_energy(host, mean);
            energy += mean;
        }
        return energy;
    }

    // What reciprocal space holds of the pairs with exceptions.
    double excluded_pairs(HostEngine& host) {
        double const alpha = pme_mesh().alpha, dispersion_alpha = ljpme_mesh().alpha;
        double energy = 0;
        for (auto const& exception : force_.exceptions) {
            auto const i = static_cast<std::size_t>(exception.particle1),
                       j = static_cast<std::size_t>(exception.particle2);
            Vec3<> d = host.positions[i] - host.positions[j];
            if (force_.exceptions_use_periodic) d = host.box.minimum_image(d);
            double const r2 = dot(d, d);
            auto value = mesh_pair(i, j, r2, alpha, dispersion_alpha);
            energy -= value.energy;
            if (value.virial != 0) add_force(host, i, j, d * (-value.virial / r2), d);
        }
        return energy;
    }
    PairValue<double> mesh_pair(std::size_t i, std::size_t j, double r2, double alpha, double dispersion_alpha) const {
        auto const coulomb = mesh_coulomb(charge_product(i, j), std::sqrt(r2), alpha);
        if (dispersion_alpha == 0) return coulomb;
        return coulomb + mesh_dispersion(dispersion_charges_[i] * dispersion_charges_[j], r2, dispersion_alpha);
    }

    double reciprocal_constant(double volume) const {
        double const energy = ewald_constant_energy(particles_, pme_mesh().alpha, volume);
        return ljpme_ ? energy + ljpme_constant_energy(particles_, ljpme_->mesh().alpha) : energy;
    }
    double reciprocal_space(HostEngine& host) {
        double energy = ewald_constant_energy(particles_, pme_mesh().alpha, host.box.volume());
        add_mean_energy(
            host,
            energy - ewald_constant_energy(particles_, pme_mesh().alpha, std::numeric_limits<double>::infinity()));
        if (ewald_) energy += add_reciprocal(*ewald_, charges_, host);
        if (pme_) energy += add_reciprocal(*pme_, charges_, host);
        if (ljpme_) {
            energy += add_reciprocal(*ljpme_, dispersion_charges_, host);
            energy += ljpme_constant_energy(particles_, ljpme_->mesh().alpha);
        }
        return energy;
    }

    NonbondedForce force_;
    Registration who_;
    Box system_box_;
    InteractingExceptions interacting_;
    Terms<NonbondedExceptions> exceptions_;
    std::vector<std::vector<int>> exclusions_;
    double dispersion_coefficient_ = 0;
    std::vector<NonbondedForce::Particle>
        particles_;  // at the present values of the global parameters, as are the next
    std::vector<LennardJonesSite> sites_;
    std::vector<double> charges_, dispersion_charges_;
    std::optional<EwaldSum> ewald_;
    std::optional<ParticleMesh> pme_, ljpme_;
    long version_ = -1;
};

template class CompiledKernel<NonbondedForce>;

}  // namespace trotter::reference

namespace trotter {

using NonbondedKernel = Kernel<NonbondedForce, Reference, Double>;

std::vector<TermEnergy> NonbondedKernel::term_energies(Engine<Reference, Double>& engine) {
    return implementation_->term_energies(engine);
}
double NonbondedKernel::interaction_energy(Engine<Reference, Double>& engine, reference::TwoGroups const& groups) {
    return implementation_->interaction_energy(engine, groups);
}
MeshSettings NonbondedKernel::pme_mesh() const { return implementation_->pme_mesh(); }
MeshSettings NonbondedKernel::ljpme_mesh() const { return implementation_->ljpme_mesh(); }

}  // namespace trotter
