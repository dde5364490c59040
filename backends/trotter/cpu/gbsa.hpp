// Generalized Born solvent on the Cpu backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <trotter/cpu/engine.hpp>
#include <trotter/cpu/far_apart.hpp>
#include <trotter/cpu/neighbors.hpp>
#include <trotter/error.hpp>
#include <trotter/forces/gbsa_formula.hpp>
#include <trotter/reference/gbsa.hpp>
#include <trotter/registration.hpp>

namespace trotter {

/// Three sweeps over one pair list: Born integrals, energies of pairs, and the forces from the change of the radii.
template <class Arch, Precision P> struct Kernel<GBSAOBCForce, BasicCpu<Arch>, P> {
    using ThisEngine = Engine<BasicCpu<Arch>, P>;
    using Real = typename P::Real;

    Kernel(GBSAOBCForce const& force, ThisEngine& engine, Registration who)
        : who_(who),
          system_box_(engine.host.box),
          neighbors_(checked(force, engine.host, system_box_).uses_cutoff() ? force.cutoff_distance : 0,
                     force.is_periodic(), {}, cpu::list_buffers<Real>(engine.backend, engine.host.size()), 1) {
        update(force, engine);
    }

    /// Takes over other numbers of the particles. Throws InputError where the method or cutoff changed.
    void update(GBSAOBCForce const& force, ThisEngine& engine) {
        checked(force, engine.host, system_box_);
        if (!force_.particles.empty()
            && (force.method != force_.method || force.cutoff_distance != force_.cutoff_distance))
            throw InputError("the method or the cutoff has changed; only numbers can be updated");
        force_ = force;
        double const cutoff = force.uses_cutoff() ? force.cutoff_distance : 1e15;
        constants_ = {static_cast<Real>(cutoff * cutoff), static_cast<Real>(born_prefactor(force)),
                      static_cast<Real>(force.uses_cutoff() ? 1 / cutoff : 0)};
        are_parameters_placed_ = false;
    }

    double compute(ThisEngine& engine, Request const& request) {
        HostEngine& host = engine.host;
        if (!request.wants(who_.index, force_.force_group)) return 0;
        if (!force_.uses_cutoff() && cpu::are_too_far_apart<Arch>(host.positions))
            return cpu::compute_by_reference<Arch>(force_, who_, host, request);
        bool const sorted = neighbors_.update(host.positions, host.box, host.threads);
        if (sorted || !are_parameters_placed_) place_parameters(host.threads);
        sweep(host, cpu::BornSweep::integrals);
        double energy = find_radii(host.threads);
        std::swap(neighbors_.clusters.parameters.records, of_energies_);
        energy += sweep(host, cpu::BornSweep::energies);
        std::swap(neighbors_.clusters.parameters.records, of_energies_);
        add_pair_forces(host);
        sweep(host, cpu::BornSweep::chain);
        neighbors_.add_forces(host.forces, host.threads);
        return energy;
    }

    template <class Archive> void save(Archive& archive) const { neighbors_.save(archive); }
    template <class Archive> void load(Archive& archive) {
        neighbors_.load(archive);
        are_parameters_placed_ = false;
    }

private:
    static GBSAOBCForce const& checked(GBSAOBCForce const& force, HostEngine const& host, Box const& box) {
        check(force, host.particles.count(), box);
        return force;
    }

    static constexpr std::size_t stride = cpu::parameter_stride(4);

    /// From this distance on, the series holds for what two particles do to each other, if the other's is no longer:
    /// then also r >= rho + s, for any rho and s of the two.
    static double distance_of_series(double rho, double scaled_rho) {
        return std::max(cpu::series_reach * std::abs(scaled_rho), 2 * rho);
    }

    void place_parameters(Threads& threads) {
        auto& clusters = neighbors_.clusters;
        clusters.parameters.records.assign(stride * clusters.place_count(), Real(0));
        of_energies_.assign(stride * clusters.place_count(), Real(0));
        radii_.resize(force_.particles.size());
        by_radius_.resize(force_.particles.size());
        clusters.for_each_place(threads, [&](std::size_t place, int particle) {
            if (particle < 0) return;
            auto const& p = force_.particles[static_cast<std::size_t>(particle)];
            double const rho = p.radius - dielectric_offset;
            clusters.parameters.records[stride * place] = static_cast<Real>(rho);
            clusters.parameters.records[stride * place + 1] = static_cast<Real>(p.scale_factor * rho);
            clusters.parameters.records[stride * place + 3] = static_cast<Real>(distance_of_series(rho, p.scale_factor * rho));
            of_energies_[stride * place] = static_cast<Real>(p.charge);
        });
        are_parameters_placed_ = true;
    }

    double sweep(HostEngine& host, cpu::BornSweep sweep) {
        auto const profiled = host.threads.profile.part("pairs");
        std::vector<double> energies(static_cast<std::size_t>(neighbors_.task_count()));
        host.threads.run(neighbors_.task_count(), [&](int task) {
            energies[static_cast<std::size_t>(task)] =
                cpu::Loops<Arch, Real>::born(neighbors_.view(task), constants_, sweep);
        });
        double energy = 0;
        for (double part : energies) energy += part;
        return energy;
    }

    /// Born radii from their integrals; returns the energies that particles have by themselves.
    double find_radii(Threads& threads) {
        double const prefactor = born_prefactor(force_);
        std::vector<double> energies(static_cast<std::size_t>(neighbors_.granule_count()));
        threads.run(neighbors_.granule_count(), [&](int g) {
            std::array<double, cpu::granule_places> integrals{};
            neighbors_.sum_sums(g, integrals);
            neighbors_.for_sums(g, integrals, [&](std::size_t place, std::size_t particle, double integral) {
                auto const& p = force_.particles[particle];
                auto const born = radii_[particle] = born_radius(integral, p.radius);
                double const self = prefactor * p.charge * p.charge / (2 * born.value);
                auto const surface = surface_energy(force_.surface_area_energy, p.radius, born.value);
                energies[static_cast<std::size_t>(g)] += self + surface.value;
                by_radius_[particle] = surface.slope - self / born.value;
                of_energies_[stride * place + 1] = static_cast<Real>(born.value);
                of_energies_[stride * place + 2] = static_cast<Real>(0.5 / born.value);
            });
        });
        double energy = 0;
        for (double part : energies) energy += part;
        return energy;
    }

    /// After the second sweep: forces of pairs, and dE/dI of each particle for the third.
    void add_pair_forces(HostEngine& host) {
        auto& clusters = neighbors_.clusters;
        host.threads.run(neighbors_.granule_count(), [&](int g) {
            std::array<double, cpu::granule_places> slopes{};
            neighbors_.sum_sums(g, slopes);
            neighbors_.for_sums(g, slopes, [&](std::size_t place, std::size_t particle, double slope) {
                double const by_radius = by_radius_[particle] + slope / radii_[particle].value;
                clusters.parameters.records[stride * place + 2] = static_cast<Real>(by_radius * radii_[particle].slope);
            });
        });
        neighbors_.add_forces(host.forces, host.threads);
    }

    Registration who_;
    Box system_box_;
    GBSAOBCForce force_;
    cpu::Neighbors<Arch, Real> neighbors_;
    cpu::BornConstants<Real> constants_{};
    cpu::Aligned<Real> of_energies_;  ///< charges and Born radii, in the place of the other parameters
    std::vector<ValueAndSlope<double>> radii_;
    std::vector<double> by_radius_;
    bool are_parameters_placed_ = false;
};

}  // namespace trotter
