// Constraints in any arrangement: all that share particles are solved together.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <trotter/vec3.hpp>

#include <trotter/host/constraints/cluster.hpp>
#include <trotter/host/constraints/sparse_factors.hpp>

namespace trotter {

/// Lagrange multipliers λ along the pairs' directions r at the start give x_i = X_i + w_i Σ ±λ_p r_p with w the inverse
/// masses, hence edges e_p = E_p + Σ_q c_pq λ_q r_q, where c_pq couples pairs through shared particles. |e_p|² = d_p² is
/// solved by Newton's method, with the Jacobian 2 c_pq e_p·r_q factorized anew only where convergence is slow.
class ConstraintNetwork {
public:
    ConstraintNetwork(std::vector<TiedPair> const& cluster, std::vector<double> const& masses)
        : ConstraintNetwork(in_elimination_order(cluster), masses, Ordered{}) {}

    /// Moves `positions` along the directions at `start` until every distance is right within `tolerance`.
    void apply_to_positions(std::vector<Vec3<>> const& start, std::vector<Vec3<>>& positions, double tolerance) const {
        auto const directions = differences(start), unconstrained = differences(positions);
        auto edges = unconstrained;
        auto factors = factors_;
        std::vector<double> multipliers(pairs_.size(), 0.0), step(pairs_.size());
        double before = 0;
        for (int iteration = 0;; ++iteration) {
            auto const [worst, error] = worst_pair(edges);
            if (error <= tolerance) break;
            if (iteration == max_iterations || std::isnan(error)) throw_unsatisfied(pairs_[worst], norm(edges[worst]), iteration);
            if (iteration == 0 || error > 0.1 * before) factors.factorize(pattern_, products(edges, directions));
            before = error;
            for (std::size_t p = 0; p < pairs_.size(); ++p)
                step[p] = (dot(edges[p], edges[p]) - pairs_[p].distance * pairs_[p].distance) / 2;
            factors.solve(step);
            for (std::size_t p = 0; p < pairs_.size(); ++p) multipliers[p] -= step[p];
            edges = moved(unconstrained, multipliers, directions);
        }
        move_particles(positions, multipliers, directions);
    }

    /// Takes out of `velocities` what would change a distance: a linear problem, refined to rounding.
    void apply_to_velocities(std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& velocities) const {
        auto const directions = differences(positions), unconstrained = differences(velocities);
        auto relative = unconstrained;
        auto factors = factors_;
        factors.factorize(pattern_, products(directions, directions));
        std::vector<double> multipliers(pairs_.size(), 0.0), step(pairs_.size());
        for (double before = INFINITY;;) {
            double worst = 0;
            for (std::size_t p = 0; p < pairs_.size(); ++p) {
                step[p] = dot(directions[p], relative[p]);
                worst = std::max(worst, std::abs(step[p]));
            }
            if (!(worst < 0.5 * before)) break;
            before = worst;
            factors.solve(step);
            for (std::size_t p = 0; p < pairs_.size(); ++p) multipliers[p] -= step[p];
            relative = moved(unconstrained, multipliers, directions);
        }
        move_particles(velocities, multipliers, directions);
    }

private:
    struct Ordered {};
    static constexpr int max_iterations = 60;
    /// Keeps the factors finite where constraints say the same thing twice; iterations take its effect out again.
    static constexpr double regularization = 1e-9;

    ConstraintNetwork(std::vector<TiedPair> pairs, std::vector<double> const& masses, Ordered)
        : pairs_(std::move(pairs)), pattern_(rows_of(pairs_)), factors_(pattern_) {
        for (auto const& pair : pairs_) {
            auto const inverse = [&](int particle) {
                double const mass = masses[static_cast<std::size_t>(particle)];
                return mass > 0 ? 1 / mass : 0;
            };
            inverse_masses_.emplace_back(inverse(pair.particle1), inverse(pair.particle2));
        }
        for (std::size_t p = 0; p < pairs_.size(); ++p)
            for (std::size_t at = pattern_.row_begin[p]; at < pattern_.row_begin[p + 1]; ++at)
                coupling_.push_back(coupling(p, pairs_[pattern_.column[at]]));
    }

    /// For each pair, in ascending order, the pairs that share a particle with it, itself included.
    static std::vector<std::vector<std::size_t>> rows_of(std::vector<TiedPair> const& pairs) {
        std::map<int, std::vector<std::size_t>> pairs_of;
        for (std::size_t p = 0; p < pairs.size(); ++p)
            for (int particle : {pairs[p].particle1, pairs[p].particle2}) pairs_of[particle].push_back(p);
        std::vector<std::vector<std::size_t>> rows(pairs.size());
        for (std::size_t p = 0; p < pairs.size(); ++p)
            std::ranges::set_union(pairs_of[pairs[p].particle1], pairs_of[pairs[p].particle2], std::back_inserter(rows[p]));
        return rows;
    }

    static std::vector<TiedPair> in_elimination_order(std::vector<TiedPair> const& cluster) {
        auto neighbours = rows_of(cluster);
        for (std::size_t p = 0; p < neighbours.size(); ++p) std::erase(neighbours[p], p);
        std::vector<TiedPair> ordered;
        for (std::size_t p : elimination_order(std::move(neighbours))) ordered.push_back(cluster[p]);
        return ordered;
    }

    /// How the edge of pair p changes with the multiplier of pair q.
    double coupling(std::size_t p, TiedPair const& q) const {
        auto const sign = [&q](int particle) { return (particle == q.particle1) - (particle == q.particle2); };
        return inverse_masses_[p].first * sign(pairs_[p].particle1) - inverse_masses_[p].second * sign(pairs_[p].particle2);
    }

    std::vector<Vec3<>> differences(std::vector<Vec3<>> const& of) const {
        std::vector<Vec3<>> result;
        result.reserve(pairs_.size());
        for (auto const& pair : pairs_)
            result.push_back(of[static_cast<std::size_t>(pair.particle1)] - of[static_cast<std::size_t>(pair.particle2)]);
        return result;
    }

    std::pair<std::size_t, double> worst_pair(std::vector<Vec3<>> const& edges) const {
        std::pair<std::size_t, double> worst{0, 0.0};
        for (std::size_t p = 0; p < pairs_.size() && !std::isnan(worst.second); ++p)
            if (double const error = distance_error(dot(edges[p], edges[p]), pairs_[p].distance * pairs_[p].distance);
                !(error <= worst.second))
                worst = {p, error};
        return worst;
    }

    std::vector<double> products(std::vector<Vec3<>> const& left, std::vector<Vec3<>> const& right) const {
        std::vector<double> values(coupling_.size());
        for (std::size_t p = 0; p < pairs_.size(); ++p)
            for (std::size_t at = pattern_.row_begin[p]; at < pattern_.row_begin[p + 1]; ++at) {
                std::size_t const q = pattern_.column[at];
                values[at] = coupling_[at] * dot(left[p], right[q]) * (p == q ? 1 + regularization : 1);
            }
        return values;
    }

    std::vector<Vec3<>> moved(std::vector<Vec3<>> edges, std::vector<double> const& multipliers,
                              std::vector<Vec3<>> const& directions) const {
        for (std::size_t p = 0; p < pairs_.size(); ++p)
            for (std::size_t at = pattern_.row_begin[p]; at < pattern_.row_begin[p + 1]; ++at)
                edges[p] += coupling_[at] * multipliers[pattern_.column[at]] * directions[pattern_.column[at]];
        return edges;
    }

    void move_particles(std::vector<Vec3<>>& values, std::vector<double> const& multipliers,
                        std::vector<Vec3<>> const& directions) const {
        for (std::size_t p = 0; p < pairs_.size(); ++p) {
            Vec3<> const push = multipliers[p] * directions[p];
            values[static_cast<std::size_t>(pairs_[p].particle1)] += inverse_masses_[p].first * push;
            values[static_cast<std::size_t>(pairs_[p].particle2)] -= inverse_masses_[p].second * push;
        }
    }

    std::vector<TiedPair> pairs_;
    std::vector<std::pair<double, double>> inverse_masses_;
    SparsePattern pattern_;
    std::vector<double> coupling_;  // of each place of the pattern
    SparseFactors factors_;
};

/// The clusters that have no solver of their own, one a task.
class ConstraintNetworks {
public:
    bool take(std::vector<TiedPair> const& cluster, std::vector<double> const& masses) {
        networks_.emplace_back(cluster, masses);
        return true;
    }
    int tasks() const { return static_cast<int>(networks_.size()); }

    void apply_to_positions(int task, std::vector<Vec3<>> const& start, std::vector<Vec3<>>& positions, double tolerance) const {
        networks_[static_cast<std::size_t>(task)].apply_to_positions(start, positions, tolerance);
    }
    void apply_to_velocities(int task, std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& velocities) const {
        networks_[static_cast<std::size_t>(task)].apply_to_velocities(positions, velocities);
    }

private:
    std::vector<ConstraintNetwork> networks_;
};

}  // namespace trotter
