// Constraints of arbitrary topology: all constraints of a cluster are solved together.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <trotter/vec3.hpp>

#include <trotter/common/constraints/cluster.hpp>
#include <trotter/common/constraints/sparse_factors.hpp>

namespace trotter {

/// Multipliers λ along the pairs' directions r at the start move particles by u_i = w_i Σ ±λ_p r_p, where w are the
/// inverse masses, hence the edges e_p by Σ_q c_pq λ_q r_q, where c_pq couples pairs through shared particles. |e_p|² =
/// d_p² is solved by Newton's method; the Jacobian 2 c_pq e_p·r_q is factorized again only if convergence is slow.
class ConstraintNetwork {
public:
    [[gnu::cold]] ConstraintNetwork(std::vector<TiedPair> const& cluster, std::vector<double> const& masses)
        : members_(members_of(cluster)),
          pairs_(in_elimination_order(cluster)),
          ends_(ends_of(pairs_)),
          pattern_(rows_of(ends_)),
          factors_(pattern_) {
        for (std::size_t const member : members_) inverse_masses_.push_back(1 / masses[member]);
        for (std::size_t p = 0; p < pairs_.size(); ++p)
            for (std::size_t at = pattern_.row_begin[p]; at < pattern_.row_begin[p + 1]; ++at)
                coupling_.push_back(coupling(ends_[p], ends_[pattern_.column[at]]));
    }

    /// Moves `positions` along the directions at `start` until every distance is within `tolerance`, and on to a
    /// thousandth of it, unless the constraints contradict each other by more.
    template <class Start>
    void apply_to_positions(Start const& start, Vec3<>* positions, double tolerance) const {
        auto const directions = differences(start), unconstrained = differences(positions);
        auto edges = unconstrained;
        auto factors = factors_;
        std::vector<Vec3<>> moves(members_.size());
        std::vector<double> step(pairs_.size());
        double before = 0;
        for (int iteration = 0, close_iterations = 0;; ++iteration) {
            auto const [worst, error] = worst_pair(edges);
            if (error <= closer(tolerance)) break;
            if (error <= tolerance && ++close_iterations > max_close_iterations) break;
            if (iteration == max_iterations || std::isnan(error))
                throw_unsatisfied(pairs_[worst], norm(edges[worst]), iteration);
            if (iteration == 0 || error > 0.1 * before) factors.factorize(pattern_, products(edges, directions));
            before = error;
            for (std::size_t p = 0; p < pairs_.size(); ++p)
                step[p] = (dot(edges[p], edges[p]) - pairs_[p].distance * pairs_[p].distance) / 2;
            factors.solve(step);
            take_step(step, directions, moves);
            edges = moved(unconstrained, moves);
        }
        add(moves, positions);
    }

    /// Removes the components of `velocities` that change a distance: a linear problem, refined to rounding.
    void apply_to_velocities(Vec3<> const* positions, Vec3<>* velocities) const {
        auto const directions = differences(positions), unconstrained = differences(velocities);
        auto relative = unconstrained;
        auto factors = factors_;
        factors.factorize(pattern_, products(directions, directions));
        std::vector<Vec3<>> changes(members_.size());
        std::vector<double> step(pairs_.size());
        for (double before = INFINITY;;) {
            double worst = 0;
            for (std::size_t p = 0; p < pairs_.size(); ++p) {
                step[p] = dot(directions[p], relative[p]);
                worst = std::max(worst, std::abs(step[p]));
            }
            if (!(worst < 0.5 * before)) break;
            before = worst;
            factors.solve(step);
            take_step(step, directions, changes);
            relative = moved(unconstrained, changes);
        }
        add(changes, velocities);
    }

private:
    struct Ends {
        std::size_t first, second;  // index in members_
    };
    static constexpr int max_iterations = 60, max_close_iterations = 4;
    /// Keeps the factors finite for redundant constraints; the iterations remove its effect.
    static constexpr double regularization = 1e-8;

    /// The particles of the pairs, ascending.
    [[gnu::cold]] static std::vector<std::size_t> members_of(std::vector<TiedPair> const& pairs) {
        std::vector<std::size_t> members;
        for (auto const& pair : pairs)
            for (int particle : {pair.particle1, pair.particle2}) members.push_back(static_cast<std::size_t>(particle));
        std::sort(members.begin(), members.end());
        members.erase(std::unique(members.begin(), members.end()), members.end());
        return members;
    }
    [[gnu::cold]] std::vector<Ends> ends_of(std::vector<TiedPair> const& pairs) const {
        auto const place = [this](int particle) {
            auto const member = static_cast<std::size_t>(particle);
            return static_cast<std::size_t>(std::lower_bound(members_.begin(), members_.end(), member) - members_.begin());
        };
        std::vector<Ends> ends;
        for (auto const& pair : pairs) ends.push_back({place(pair.particle1), place(pair.particle2)});
        return ends;
    }

    /// For each pair, the pairs that share a particle with it, itself included, ascending.
    [[gnu::cold]] std::vector<std::vector<std::size_t>> rows_of(std::vector<Ends> const& ends) const {
        std::vector<std::vector<std::size_t>> pairs_of(members_.size()), rows;
        for (std::size_t p = 0; p < ends.size(); ++p)
            for (std::size_t member : {ends[p].first, ends[p].second}) pairs_of[member].push_back(p);
        for (auto const& [first, second] : ends) rows.push_back(united(pairs_of[first], pairs_of[second]));
        return rows;
    }

    [[gnu::cold]] std::vector<TiedPair> in_elimination_order(std::vector<TiedPair> const& cluster) const {
        auto neighbours = rows_of(ends_of(cluster));
        for (std::size_t p = 0; p < neighbours.size(); ++p)
            neighbours[p].erase(std::find(neighbours[p].begin(), neighbours[p].end(), p));
        std::vector<TiedPair> ordered;
        for (std::size_t p : elimination_order(std::move(neighbours))) ordered.push_back(cluster[p]);
        return ordered;
    }

    /// Change of the pair's edge with the multiplier of `other`.
    double coupling(Ends const& pair, Ends const& other) const {
        auto const sign = [&other](std::size_t member) { return (member == other.first) - (member == other.second); };
        return inverse_masses_[pair.first] * sign(pair.first) - inverse_masses_[pair.second] * sign(pair.second);
    }

    template <class Vectors> std::vector<Vec3<>> differences(Vectors const& of) const {
        std::vector<Vec3<>> result;
        result.reserve(pairs_.size());
        for (auto const& [first, second] : ends_) result.push_back(of[members_[first]] - of[members_[second]]);
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

    void take_step(std::vector<double> const& step, std::vector<Vec3<>> const& directions,
                   std::vector<Vec3<>>& moves) const {
        for (std::size_t p = 0; p < pairs_.size(); ++p) {
            Vec3<> const push = step[p] * directions[p];
            moves[ends_[p].first] -= inverse_masses_[ends_[p].first] * push;
            moves[ends_[p].second] += inverse_masses_[ends_[p].second] * push;
        }
    }

    std::vector<Vec3<>> moved(std::vector<Vec3<>> edges, std::vector<Vec3<>> const& moves) const {
        for (std::size_t p = 0; p < pairs_.size(); ++p) edges[p] += moves[ends_[p].first] - moves[ends_[p].second];
        return edges;
    }

    void add(std::vector<Vec3<>> const& moves, Vec3<>* to) const {
        for (std::size_t i = 0; i < members_.size(); ++i) to[members_[i]] += moves[i];
    }

    std::vector<std::size_t> members_;  // ascending
    std::vector<TiedPair> pairs_;       // in elimination order
    std::vector<Ends> ends_;
    std::vector<double> inverse_masses_;  // of members_
    SparsePattern pattern_;
    std::vector<double> coupling_;  // one per entry of the pattern
    SparseFactors factors_;
};

}  // namespace trotter
