// Generalized Born solvent on the Cpu backend.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <trotter/cpu/neighbor_list/neighbor_list.hpp>
#include <trotter/cpu/stages.hpp>
#include <trotter/physics/gbsa_formula.hpp>

namespace trotter::cpu {

/// Three passes over one pair list: Born integrals (Born radii are the only value of a particle), pair energies, and
/// forces from the change of the radii.
template <class Arch, class Real> class Stages<GBSAOBCForce, Arch, Real> {
public:
    Stages(GBSAOBCForce const& force, PairListBuffers const& buffers)
        : force_(force),
          neighbor_list_(force.uses_cutoff() ? force.cutoff_distance : 0, force.is_periodic(), {}, buffers, 1) {
        update_parameters();
    }

    void update_parameters() {
        double const cutoff = force_.uses_cutoff() ? force_.cutoff_distance : 1e15;
        constants_ = {static_cast<Real>(cutoff * cutoff), static_cast<Real>(force_.prefactor()),
                      static_cast<Real>(force_.uses_cutoff() ? 1 / cutoff : 0)};
        are_parameters_filled_ = false;
    }
    void begin(HostState& host) {
        bool const sorted = neighbor_list_.update(host.positions, host.box, host.threads);
        if (sorted || !are_parameters_filled_) fill_parameters(host.threads);
    }

    static std::size_t value_count() { return 1; }
    void find_values(std::size_t, HostState& host) {
        pass(host, BornPass::integrals, of_radii_);
        own_energy_ = find_radii(host.threads);
    }
    double add_energies(HostState& host) {
        double const energy = own_energy_ + pass(host, BornPass::energies, of_energies_);
        add_pair_forces(host);
        return energy;
    }
    void pass_on(std::size_t, HostState& host) {
        pass(host, BornPass::chain, of_radii_);
        neighbor_list_.add_forces(host.forces, host.threads);
    }
    static std::vector<double> by_global() { return {}; }

    template <class Archive> void save(Archive& archive) const { neighbor_list_.save(archive); }
    template <class Archive> void load(Archive& archive) {
        neighbor_list_.load(archive);
        are_parameters_filled_ = false;
    }

private:
    static constexpr std::size_t stride = parameter_stride(4);

    /// Distance beyond which this particle's pairs may use the descreening series. The larger one of a pair counts:
    /// beyond it also r >= rho + s, for any rho and s of the two.
    static double distance_of_series(double rho, double scaled_rho) {
        return std::max(series_reach * std::abs(scaled_rho), 2 * rho);
    }

    void fill_parameters(Threads& threads) {
        auto& clusters = neighbor_list_.clusters;
        of_radii_.records.assign(stride * clusters.slot_count(), Real(0));
        of_energies_.records.assign(stride * clusters.slot_count(), Real(0));
        radii_.resize(force_.particles.size());
        by_radius_.resize(force_.particles.size());
        clusters.for_each_slot(threads, [&](std::size_t slot, int particle) {
            if (particle < 0) return;
            auto const& p = force_.particles[static_cast<std::size_t>(particle)];
            double const rho = p.reduced_radius(), scaled_rho = p.scaled_radius();
            Real* const to = of_radii_.records.data() + stride * slot;
            to[0] = static_cast<Real>(rho);
            to[1] = static_cast<Real>(scaled_rho);
            to[3] = static_cast<Real>(distance_of_series(rho, scaled_rho));
            of_energies_.records[stride * slot] = static_cast<Real>(p.charge);
        });
        are_parameters_filled_ = true;
    }

    double pass(HostState& host, BornPass pass, SlotParameters<Arch, Real> const& parameters) {
        auto const profiled = host.threads.profile.part("pairs");
        std::vector<double> energies(static_cast<std::size_t>(neighbor_list_.task_count()));
        host.threads.run(neighbor_list_.task_count(), [&](int task) {
            energies[static_cast<std::size_t>(task)] =
                loops<Arch, Real>().born(neighbor_list_.view(task, parameters), constants_, pass);
        });
        double energy = 0;
        for (double part : energies) energy += part;
        return energy;
    }

    /// Computes Born radii from their integrals; returns the sum of the single-particle energies.
    double find_radii(Threads& threads) {
        double const prefactor = force_.prefactor();
        std::vector<double> energies(static_cast<std::size_t>(neighbor_list_.reduction_block_count()));
        threads.run(neighbor_list_.reduction_block_count(), [&](int g) {
            std::array<double, slots_per_block> integrals{};
            neighbor_list_.sum_sums(g, integrals);
            neighbor_list_.for_sums(g, integrals, [&](std::size_t slot, std::size_t particle, double integral) {
                auto const& p = force_.particles[particle];
                auto const born = radii_[particle] = born_radius(integral, p.radius);
                auto const own = self_energy(prefactor, force_.surface_area_energy, p.charge, p.radius, born.value);
                energies[static_cast<std::size_t>(g)] += own.value;
                by_radius_[particle] = own.slope;
                of_energies_.records[stride * slot + 1] = static_cast<Real>(born.value);
                of_energies_.records[stride * slot + 2] = static_cast<Real>(0.5 / born.value);
            });
        });
        double energy = 0;
        for (double part : energies) energy += part;
        return energy;
    }

    /// After the second pass: adds pair forces and computes each particle's dE/dI for the third.
    void add_pair_forces(HostState& host) {
        host.threads.run(neighbor_list_.reduction_block_count(), [&](int g) {
            std::array<double, slots_per_block> slopes{};
            neighbor_list_.sum_sums(g, slopes);
            neighbor_list_.for_sums(g, slopes, [&](std::size_t slot, std::size_t particle, double slope) {
                double const by_radius = by_radius_[particle] + slope / radii_[particle].value;
                of_radii_.records[stride * slot + 2] = static_cast<Real>(by_radius * radii_[particle].slope);
            });
        });
        neighbor_list_.add_forces(host.forces, host.threads);
    }

    GBSAOBCForce const& force_;
    NeighborList<Arch, Real> neighbor_list_;
    BornConstants<Real> constants_{};
    SlotParameters<Arch, Real> of_radii_, of_energies_;  ///< input of passes 1 and 3, and of pass 2
    std::vector<ValueAndSlope<double>> radii_;
    std::vector<double> by_radius_;
    double own_energy_ = 0;
    bool are_parameters_filled_ = false;
};

}  // namespace trotter::cpu
