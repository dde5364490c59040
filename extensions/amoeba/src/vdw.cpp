// AmoebaVdwForce: energies and forces of all pairs of sites.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <trotter/amoeba/vdw/dispersion_correction.hpp>
#include <trotter/amoeba/vdw/nearest_images.hpp>
#include <trotter/amoeba/vdw/neighbor_list.hpp>
#include <trotter/amoeba/vdw/pair_energy.hpp>
#include <trotter/amoeba/vdw/pair_parameters.hpp>
#include <trotter/amoeba/vdw/sites.hpp>
#include <trotter/common/fallback/define_host_kernel.hpp>
#include <trotter/common/forces/box_virial.hpp>
#include <trotter/parts/least_distance.hpp>

namespace trotter {
namespace amoeba {
namespace {

// Particles that each one does not interact with, itself included: those that it or they exclude.
std::vector<std::vector<int>> excluded_partners(AmoebaVdwForce const& force) {
    std::vector<std::vector<int>> partners(force.particles.size());
    for (std::size_t i = 0; i < partners.size(); ++i) {
        partners[i].push_back(static_cast<int>(i));
        for (int const j : force.particles[i].exclusions) {
            partners[i].push_back(j);
            partners[static_cast<std::size_t>(j)].push_back(static_cast<int>(i));
        }
    }
    for (auto& of_particle : partners) {
        std::ranges::sort(of_particle);
        of_particle.erase(std::unique(of_particle.begin(), of_particle.end()), of_particle.end());
    }
    return partners;
}

}  // namespace
}  // namespace amoeba

template <> class HostKernel<AmoebaVdwForce>::Implementation {
public:
    Implementation(AmoebaVdwForce const& force, HostState& host, Registration) : system_box_(host.box) {
        host.parameters.declare(AmoebaVdwForce::lambda, 1);
        update(force, host);
    }

    double compute(HostEvaluation const& evaluation) {
        place_sites(evaluation.positions, evaluation.host.threads);
        auto const softening = softening_at(evaluation.host.parameters.value(AmoebaVdwForce::lambda));
        neighbors_.update(evaluation.positions, evaluation.host.box, evaluation.host.threads);
        sums_.resize(sites_.size());
        evaluation.host.threads.for_ranges(
            sites_.size(),
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) sums_[i] = interactions_of(i, softening, evaluation);
            },
            32);
        for (std::size_t i = 0; i < sums_.size(); ++i)
            amoeba::add_site_force(force_, i, sums_[i].force, evaluation.forces);
        double const correction = force_.is_periodic() ? correction_ / evaluation.host.box.volume() : 0;
        add_mean_energy(evaluation.host, correction);
        double energy = 0;
        for (auto const& sum : sums_) {
            energy += sum.energy;
            if (evaluation.host.box_virial) *evaluation.host.box_virial += sum.virial;
        }
        return energy / 2 + correction;  // pairs were counted twice
    }

    /// All parameters and settings may have changed.
    void update(AmoebaVdwForce const& force, HostState& host) {
        check(force, host.particles.count(), system_box_);
        force_ = force;
        parameters_ = amoeba::PairParameters(force);
        correction_ = amoeba::dispersion_correction(force, parameters_, host.threads);
        sites_.clear();
        for (std::size_t i = 0; i < force.particles.size(); ++i)
            sites_.push_back({{}, force.particles[i].scale, parameters_.types_of_particles()[i],
                              force.particles[i].is_alchemical});
        neighbors_ = amoeba::NeighborList(force.is_periodic() ? std::optional(force.cutoff_distance) : std::nullopt,
                                          amoeba::excluded_partners(force));
    }

private:
    /// A particle in the loop over pairs.
    struct Site {
        Vec3<> place;
        double scale;
        int type;
        bool is_alchemical;
    };
    /// Factors of the pairs that are softened.
    struct Softening {
        double epsilon_factor, shift;
    };
    /// Sums over the pairs of a site.
    struct Sums {
        double energy = 0;
        Vec3<> force{};
        Tensor virial{};  ///< half of the part of periodic images
    };

    Softening softening_at(double lambda) const {
        return {std::pow(lambda, force_.softcore_power), force_.softcore_alpha * (1 - lambda) * (1 - lambda)};
    }
    bool is_softened(Site const& a, Site const& b) const {
        switch (force_.alchemy) {
            case AmoebaVdwForce::Alchemy::decouple: return a.is_alchemical != b.is_alchemical;
            case AmoebaVdwForce::Alchemy::annihilate: return a.is_alchemical || b.is_alchemical;
            default: return false;
        }
    }

    void place_sites(std::vector<Vec3<>> const& positions, Threads& threads) {
        threads.for_each(positions.size(),
                         [&](std::size_t i) { sites_[i].place = amoeba::site_of(force_, i, positions); });
    }

    Sums interactions_of(std::size_t i, Softening const& softening, HostEvaluation const& evaluation) const {
        if (force_.is_periodic()) return near_interactions_of(i, softening, evaluation);
        return all_interactions_of(i, softening);
    }
    Sums near_interactions_of(std::size_t i, Softening const& softening, HostEvaluation const& evaluation) const {
        Sums sums;
        amoeba::NearestImages const nearest(evaluation.host.box);
        bool const wants_virial = evaluation.host.box_virial.has_value();
        amoeba::Taper<double> const taper(force_.cutoff_distance);
        double const cutoff2 = force_.cutoff_distance * force_.cutoff_distance;
        Vec3<> const here = evaluation.positions[i];
        neighbors_.for_each(i, [&](std::size_t j) {
            Vec3<> const apart = nearest(here - evaluation.positions[j]);
            if (!(dot(apart, apart) <= cutoff2)) return;
            Vec3<> const direct = sites_[i].place - sites_[j].place, d = nearest(direct);
            Vec3<> const force = add_pair(i, j, d, softening, sums, taper);
            if (wants_virial) sums.virial += outer(force, d - direct) * 0.5;
        });
        return sums;
    }
    Sums all_interactions_of(std::size_t i, Softening const& softening) const {
        Sums sums;
        auto const whole = [](auto const& value, double) { return value; };
        neighbors_.for_each(i, [&](std::size_t j) {
            add_pair(i, j, sites_[i].place - sites_[j].place, softening, sums, whole);
        });
        return sums;
    }

    /// Returns the force on `i` of the pair at the distance `d`.
    template <class Tapered>
    Vec3<> add_pair(std::size_t i, std::size_t j, Vec3<> const& d, Softening const& softening, Sums& sums,
                    Tapered const& taper) const {
        auto const &a = sites_[i], &b = sites_[j];
        auto const [sigma, depth, inverse_sigma] = parameters_(a.type, b.type);
        bool const is_soft = is_softened(a, b);
        double const epsilon = depth * a.scale * b.scale * (is_soft ? softening.epsilon_factor : 1);
        double const r = std::sqrt(dot(d, d) + least_square<double>());
        auto const value = taper(force_.potential == AmoebaVdwForce::Potential::lennard_jones
                                     ? amoeba::lennard_jones(r, sigma, epsilon)
                                     : amoeba::buffered_14_7(r, inverse_sigma, epsilon, is_soft ? softening.shift : 0),
                                 r);
        Vec3<> const force = d * (-value.slope / r);
        sums.energy += value.energy;
        sums.force += force;
        return force;
    }

    Box system_box_;
    AmoebaVdwForce force_;
    amoeba::PairParameters parameters_;
    double correction_ = 0;  // times the volume
    amoeba::NeighborList neighbors_;
    std::vector<Site> sites_;
    std::vector<Sums> sums_;  // of each site
};

template class HostKernel<AmoebaVdwForce>;

}  // namespace trotter
