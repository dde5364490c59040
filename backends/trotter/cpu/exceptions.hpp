// What pairs with an exception have instead of the usual interaction.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/cpu/pair_search.hpp>
#include <trotter/cpu/polynomial.hpp>
#include <trotter/forces/nonbonded_parameters.hpp>

namespace trotter::cpu {

/// Lennard-Jones and Coulomb of exceptions, and minus what the mesh adds to those that the pair loop leaves out; in
/// double. Each exception's force is computed once, then every particle adds up its own in fixed order.
template <class Arch> class Exceptions {
public:
    /// Which reciprocal sums there are; 0 for none.
    struct Splitting {
        double alpha = 0, dispersion_alpha = 0;
    };

    void set(std::vector<NonbondedForce::Exception> exceptions, std::vector<NonbondedForce::Particle> const& particles, bool periodic,
             Splitting splitting) {
        exceptions_ = std::move(exceptions);
        particles_ = particles;
        periodic_ = periodic;
        splitting_ = splitting;
    }

    /// Chooses the exceptions that act, after a pair list was made from these positions.
    void choose(std::vector<Vec3<>> const& positions, Box const& box, Exclusions const& exclusions) {
        acting_.clear();
        for (auto const& e : exceptions_) {
            bool const screened = splitting_.alpha > 0 && !exclusions.in_loop(positions, box, e.particle1, e.particle2);
            if (e.charge_product != 0 || e.epsilon != 0 || screened) acting_.push_back({e, screened});
        }
        forces_.resize(acting_.size());
        sort_by_particle(positions.size());
    }

    /// Adds forces, returns the energy.
    double compute(std::vector<Vec3<>> const& positions, Box const& box, std::vector<Vec3<>>& forces, Threads& threads) {
        constexpr std::size_t grain = 512;
        std::vector<double> energies((acting_.size() + grain - 1) / grain);
        threads.for_ranges(acting_.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t n = begin; n < end; ++n) energies[begin / grain] += compute(n, positions, box);
        }, grain);
        threads.for_ranges(touched_.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t n = begin; n < end; ++n)
                for (int k = first_[n]; k < first_[n + 1]; ++k) {
                    int const entry = entries_[static_cast<std::size_t>(k)];
                    Vec3<> const f = forces_[static_cast<std::size_t>(entry >> 1)];
                    forces[static_cast<std::size_t>(touched_[n])] += entry & 1 ? -f : f;
                }
        }, grain);
        double energy = 0;
        for (double part : energies) energy += part;
        return energy;
    }

private:
    struct Acting {
        NonbondedForce::Exception exception;
        bool screened;
    };

    double compute(std::size_t n, std::vector<Vec3<>> const& positions, Box const& box) {
        auto const& [e, screened] = acting_[n];
        auto const i = static_cast<std::size_t>(e.particle1), j = static_cast<std::size_t>(e.particle2);
        Vec3<> d = positions[i] - positions[j];
        if (periodic_) d = box.minimum_image(d);
        double const r2 = dot(d, d);
        double energy = 0, force_over_r = 0;
        if (e.charge_product != 0 || e.epsilon != 0) {
            double const inverse2 = 1 / r2, s2 = e.sigma * e.sigma * inverse2, s6 = s2 * s2 * s2;
            double const coulomb = constants::coulomb * e.charge_product * std::sqrt(inverse2);
            energy = coulomb + 4 * e.epsilon * s6 * (s6 - 1);
            force_over_r = (coulomb + 24 * e.epsilon * s6 * (2 * s6 - 1)) * inverse2;
        }
        if (screened) {
            double const charges = constants::coulomb * particles_[i].charge * particles_[j].charge;
            ScreenedCoulomb const mesh{splitting_.alpha};
            energy -= charges * mesh.energy(r2);
            force_over_r -= charges * mesh.force_over_r(r2);
            if (splitting_.dispersion_alpha > 0) {
                double const product = dispersion_charge(particles_[i]) * dispersion_charge(particles_[j]);
                ScreenedDispersion const dispersion{splitting_.dispersion_alpha};
                energy += product * dispersion.energy(r2);
                force_over_r += product * dispersion.force_over_r(r2);
            }
        }
        forces_[n] = d * force_over_r;
        return energy;
    }

    void sort_by_particle(std::size_t particle_count) {
        std::vector<int> count(particle_count + 1);
        for (auto const& a : acting_) {
            ++count[static_cast<std::size_t>(a.exception.particle1)];
            ++count[static_cast<std::size_t>(a.exception.particle2)];
        }
        touched_.clear();
        first_.assign(1, 0);
        for (std::size_t i = 0; i < particle_count; ++i) {
            if (count[i] == 0) continue;
            touched_.push_back(static_cast<int>(i));
            first_.push_back(first_.back() + count[i]);
            count[i] = first_[first_.size() - 2];
        }
        entries_.resize(2 * acting_.size());
        for (std::size_t n = 0; n < acting_.size(); ++n) {
            auto put = [&](int particle, int sign) { entries_[static_cast<std::size_t>(count[static_cast<std::size_t>(particle)]++)] = static_cast<int>(2 * n) + sign; };
            put(acting_[n].exception.particle1, 0);
            put(acting_[n].exception.particle2, 1);
        }
    }

    std::vector<NonbondedForce::Exception> exceptions_;
    std::vector<NonbondedForce::Particle> particles_;
    bool periodic_ = false;
    Splitting splitting_;
    std::vector<Acting> acting_;
    std::vector<Vec3<>> forces_;
    std::vector<int> touched_, first_, entries_;  ///< particles; where their entries begin; 2·acting + (1: the other end)
};

}  // namespace trotter::cpu
