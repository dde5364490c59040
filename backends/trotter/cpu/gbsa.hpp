// Generalized Born solvent on the Cpu backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <trotter/cpu/neighbors.hpp>
#include <trotter/cpu/stages.hpp>
#include <trotter/forces/gbsa_formula.hpp>

namespace trotter::cpu {

/// Three sweeps over one pair list: Born integrals, whose radii are the one value of a particle, energies of pairs, and
/// the forces from the change of the radii.
template <class Arch, class Real> class Stages<GBSAOBCForce, Arch, Real> {
public:
    Stages(GBSAOBCForce const& force, ListBuffers const& buffers)
        : force_(force),
          neighbors_(force.uses_cutoff() ? force.cutoff_distance : 0, force.is_periodic(), {}, buffers, 1) {
        take_numbers();
    }

    void take_numbers() {
        double const cutoff = force_.uses_cutoff() ? force_.cutoff_distance : 1e15;
        constants_ = {static_cast<Real>(cutoff * cutoff), static_cast<Real>(force_.prefactor()),
                      static_cast<Real>(force_.uses_cutoff() ? 1 / cutoff : 0)};
        are_parameters_placed_ = false;
    }
    void begin(HostEngine& host) {
        bool const sorted = neighbors_.update(host.positions, host.box, host.threads);
        if (sorted || !are_parameters_placed_) place_parameters(host.threads);
    }

    static std::size_t value_count() { return 1; }
    void find_values(std::size_t, HostEngine& host) {
        sweep(host, BornSweep::integrals, of_radii_);
        own_energy_ = find_radii(host.threads);
    }
    double add_energies(HostEngine& host) {
        double const energy = own_energy_ + sweep(host, BornSweep::energies, of_energies_);
        add_pair_forces(host);
        return energy;
    }
    void pass_on(std::size_t, HostEngine& host) {
        sweep(host, BornSweep::chain, of_radii_);
        neighbors_.add_forces(host.forces, host.threads);
    }
    static std::vector<double> by_global() { return {}; }

    template <class Archive> void save(Archive& archive) const { neighbors_.save(archive); }
    template <class Archive> void load(Archive& archive) {
        neighbors_.load(archive);
        are_parameters_placed_ = false;
    }

private:
    static constexpr std::size_t stride = parameter_stride(4);

    /// From this distance on, the series holds for what two particles do to each other, if the other's is no longer:
    /// then also r >= rho + s, for any rho and s of the two.
    static double distance_of_series(double rho, double scaled_rho) {
        return std::max(series_reach * std::abs(scaled_rho), 2 * rho);
    }

    void place_parameters(Threads& threads) {
        auto& clusters = neighbors_.clusters;
        of_radii_.records.assign(stride * clusters.place_count(), Real(0));
        of_energies_.records.assign(stride * clusters.place_count(), Real(0));
        radii_.resize(force_.particles.size());
        by_radius_.resize(force_.particles.size());
        clusters.for_each_place(threads, [&](std::size_t place, int particle) {
            if (particle < 0) return;
            auto const& p = force_.particles[static_cast<std::size_t>(particle)];
            double const rho = p.reduced_radius(), scaled_rho = p.scaled_radius();
            Real* const to = of_radii_.records.data() + stride * place;
            to[0] = static_cast<Real>(rho);
            to[1] = static_cast<Real>(scaled_rho);
            to[3] = static_cast<Real>(distance_of_series(rho, scaled_rho));
            of_energies_.records[stride * place] = static_cast<Real>(p.charge);
        });
        are_parameters_placed_ = true;
    }

    double sweep(HostEngine& host, BornSweep sweep, PlacedParameters<Arch, Real> const& parameters) {
        auto const profiled = host.threads.profile.part("pairs");
        std::vector<double> energies(static_cast<std::size_t>(neighbors_.task_count()));
        host.threads.run(neighbors_.task_count(), [&](int task) {
            energies[static_cast<std::size_t>(task)] =
                loops<Arch, Real>().born(neighbors_.view(task, parameters), constants_, sweep);
        });
        double energy = 0;
        for (double part : energies) energy += part;
        return energy;
    }

    /// Born radii from their integrals; returns the energies that particles have by themselves.
    double find_radii(Threads& threads) {
        double const prefactor = force_.prefactor();
        std::vector<double> energies(static_cast<std::size_t>(neighbors_.granule_count()));
        threads.run(neighbors_.granule_count(), [&](int g) {
            std::array<double, granule_places> integrals{};
            neighbors_.sum_sums(g, integrals);
            neighbors_.for_sums(g, integrals, [&](std::size_t place, std::size_t particle, double integral) {
                auto const& p = force_.particles[particle];
                auto const born = radii_[particle] = born_radius(integral, p.radius);
                auto const own = own_energy(prefactor, force_.surface_area_energy, p.charge, p.radius, born.value);
                energies[static_cast<std::size_t>(g)] += own.value;
                by_radius_[particle] = own.slope;
                of_energies_.records[stride * place + 1] = static_cast<Real>(born.value);
                of_energies_.records[stride * place + 2] = static_cast<Real>(0.5 / born.value);
            });
        });
        double energy = 0;
        for (double part : energies) energy += part;
        return energy;
    }

    /// After the second sweep: forces of pairs, and dE/dI of each particle for the third.
    void add_pair_forces(HostEngine& host) {
        host.threads.run(neighbors_.granule_count(), [&](int g) {
            std::array<double, granule_places> slopes{};
            neighbors_.sum_sums(g, slopes);
            neighbors_.for_sums(g, slopes, [&](std::size_t place, std::size_t particle, double slope) {
                double const by_radius = by_radius_[particle] + slope / radii_[particle].value;
                of_radii_.records[stride * place + 2] = static_cast<Real>(by_radius * radii_[particle].slope);
            });
        });
        neighbors_.add_forces(host.forces, host.threads);
    }

    GBSAOBCForce const& force_;
    Neighbors<Arch, Real> neighbors_;
    BornConstants<Real> constants_{};
    PlacedParameters<Arch, Real> of_radii_, of_energies_;  ///< what the sweeps read: the second, charges and Born radii
    std::vector<ValueAndSlope<double>> radii_;
    std::vector<double> by_radius_;
    double own_energy_ = 0;
    bool are_parameters_placed_ = false;
};

}  // namespace trotter::cpu
