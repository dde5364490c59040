// Lennard-Jones and Coulomb interactions, pair by pair.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trotter/forces/nonbonded.hpp>
#include <trotter/forces/nonbonded_exceptions.hpp>
#include <trotter/forces/nonbonded_parameters.hpp>
#include <trotter/forces/pair_energies.hpp>
#include <trotter/reference/neighbors.hpp>
#include <trotter/reference/nonbonded.hpp>
#include <trotter/reference/reciprocal_sum.hpp>
#include <trotter/term_energy.hpp>

#include "define_kernel.hpp"

namespace trotter::reference {

/// The interaction of two particles within the cutoff.
class DirectPair {
public:
    explicit DirectPair(DirectSpace const& space)
        : space_(space), cutoff2_(space.cutoff_distance * space.cutoff_distance) {
        if (space.dispersion_alpha != 0)
            mesh_at_cutoff_ = mesh_dispersion(1.0, cutoff2_, space.dispersion_alpha).energy;
    }

    PairValue<double> operator()(LennardJonesSite const& a, LennardJonesSite const& b, double qq, double r2) const {
        double const r = std::sqrt(r2), inverse_r = 1 / r;
        return dispersion(a, b, r2, r) + coulomb(qq, r2, r, inverse_r);
    }

    PairValue<double> coulomb(double qq, double r2, double r, double inverse_r) const {
        if (qq == 0) return {0, 0};
        if (space_.alpha == 0) return coulomb_with_field(qq, inverse_r, r2, space_.field.k, space_.field.c);
        double const x = space_.alpha * r;
        return screened_coulomb(qq, inverse_r, x, std::erfc(x), std::exp(-x * x));
    }
    PairValue<double> dispersion(LennardJonesSite const& a, LennardJonesSite const& b, double r2, double r) const {
        double const sigma = a.half_sigma + b.half_sigma, sigma2 = sigma * sigma, four_epsilon = a.root * b.root;
        auto at = [&](double distance2) {
            double const s2 = sigma2 / distance2;
            return lennard_jones(s2 * s2 * s2, four_epsilon);
        };
        if (four_epsilon == 0) return {0, 0};
        if (auto const& s = space_.switching) return switched(at(r2), r, s->start, s->inverse_width);
        if (space_.dispersion_alpha == 0) return at(r2);
        // The mesh holds its own C6 at all distances; the rest is shifted to zero at the cutoff.
        double const c6 = a.dispersion_charge * b.dispersion_charge;
        auto result = at(r2) - mesh_dispersion(c6, r2, space_.dispersion_alpha);
        result.energy -= at(cutoff2_).energy - c6 * mesh_at_cutoff_;
        return result;
    }

private:
    DirectSpace space_;
    double cutoff2_, mesh_at_cutoff_ = 0;
};

/// Pairs within the cutoff, exceptions as terms, and sums over wave vectors.
template <> class CompiledKernel<NonbondedForce>::Implementation {
public:
    Implementation(NonbondedForce const& force, Engine<Reference, Double>& engine, Registration who)
        : force_(checked(force, engine.host)),
          who_(who),
          system_box_(engine.host.box),
          interacting_(force),
          exceptions_(engine.register_part(interacting_.terms(force, engine.host.parameters), who)) {
        for (auto const kind : {MeshKind::coulomb, MeshKind::dispersion})
            if (auto const charges = reciprocal_charges(force, kind, system_box_))
                sums_.emplace_back(*charges, engine.host, who);
        take_numbers(engine.host);
    }

    double compute(Engine<Reference, Double>& engine, Request const& request) {
        auto& host = engine.host;
        if (host.parameters.version() != version_) take_parameters(engine);
        double energy = 0;
        if (force_.include_direct_space && request.wants(who_.index, force_.force_group))
            energy += add_pairs(host) + engine.compute_part(exceptions_, request);
        for (auto& sum : sums_) energy += engine.compute_part(sum, request);
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
            double of_excluded = 0;
            for (auto& sum : sums_) of_excluded += sum.take_out_exclusions(host);
            if (!sums_.empty()) add(of_excluded, "excluded pairs of reciprocal space");
            if (dispersion_coefficient_ != 0)
                add(dispersion_coefficient_ / host.box.volume(), "dispersion correction");
            for (auto& exception : exceptions_.term_energies(host))
                result.push_back({std::move(exception.particles), exception.energy, "exception"});
        }
        double constant = 0, of_waves = 0;
        for (auto& sum : sums_) {
            double const own = sum.constant_energy(host.box.volume());
            constant += own;
            of_waves += sum.add_sum(host) - own;
        }
        if (!sums_.empty()) {
            add(of_waves, "reciprocal space");
            add(constant, "self energy and background");
        }
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

    UsedMeshes meshes() const { return {mesh_of(MeshKind::coulomb), mesh_of(MeshKind::dispersion)}; }

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
        for (auto const& particle : particles_) sites_.emplace_back(particle);
        for (auto& sum : sums_) sum.set_charges(charges_for(sum.charges().kind, particles_));
    }

    MeshSettings mesh_of(MeshKind kind) const {
        for (auto const& sum : sums_)
            if (sum.charges().kind == kind) return sum.charges().mesh();
        return {};
    }
    DirectPair direct_pair() const { return DirectPair(trotter::direct_space(force_, meshes())); }
    double charge_product(std::size_t i, std::size_t j) const {
        return constants::coulomb * particles_[i].charge * particles_[j].charge;
    }
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

    double add_pairs(HostEngine& host) {
        auto const pair = direct_pair();
        double energy = 0;
        for_each_pair(host, [&](std::size_t i, std::size_t j, Vec3<> const& d, double r2) {
            auto const value = pair(sites_[i], sites_[j], charge_product(i, j), r2);
            energy += value.energy;
            add_force(host, i, j, d * (value.virial / r2), d);
        });
        if (dispersion_coefficient_ != 0) {
            double const mean = dispersion_coefficient_ / host.box.volume();
            add_mean_energy(host, mean);
            energy += mean;
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
    std::vector<NonbondedForce::Particle> particles_;  // at the present values of the global parameters, as are the next
    std::vector<LennardJonesSite> sites_;
    std::deque<ReciprocalSum> sums_;
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
UsedMeshes NonbondedKernel::meshes() const { return implementation_->meshes(); }

}  // namespace trotter
