// A central particle with one, two or three others at constrained distances, like the hydrogens of a carbon.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <trotter/host/constraints/cluster.hpp>
#include <trotter/host/constraints/lanes.hpp>
#include <trotter/host/constraints/shapes.hpp>

namespace trotter {

/// Solves A x = b for a few unknowns; A needs no pivoting, as its diagonal outweighs the rest.
template <class T, std::size_t K> std::array<T, K> solve_small(std::array<std::array<T, K>, K> a, std::array<T, K> b) {
    for (std::size_t k = 0; k < K; ++k) {
        T const inverse = 1.0 / a[k][k];
        for (std::size_t i = k + 1; i < K; ++i) {
            T const factor = a[i][k] * inverse;
            for (std::size_t j = k + 1; j < K; ++j) a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
        b[k] *= inverse;
        for (std::size_t j = k + 1; j < K; ++j) a[k][j] *= inverse;
    }
    for (std::size_t k = K; k-- > 0;)
        for (std::size_t j = k + 1; j < K; ++j) b[k] -= a[k][j] * b[j];
    return b;
}

/// How the multiplier of constraint j moves arm i of a star along left: (w_centre + δ_ij w_j) left_i · right_j.
template <class T, std::size_t K>
std::array<std::array<T, K>, K> star_products(T const& centre_inverse_mass, std::array<T, K> const& end_inverse_masses,
                                              std::array<Vec3<T>, K> const& left, std::array<Vec3<T>, K> const& right) {
    std::array<std::array<T, K>, K> matrix;
    for (std::size_t i = 0; i < K; ++i)
        for (std::size_t j = 0; j < K; ++j) {
            T const mobility = i == j ? centre_inverse_mass + end_inverse_masses[i] : centre_inverse_mass;
            matrix[i][j] = mobility * dot(left[i], right[j]);
        }
    return matrix;
}

/// Stars of K constraints. SHAKE's equations (Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23, 327 (1977)), solved
/// by Newton's method for all constraints of a star together (M-SHAKE; Kräutler, van Gunsteren & Hünenberger, J.
/// Comput. Chem. 22, 501 (2001)).
template <std::size_t K> class Stars {
public:
    static constexpr std::size_t groups_in_task = 64;

    /// Takes the cluster if all its K constraints share a particle, and says whether it did.
    bool take(std::vector<TiedPair> const& cluster, std::vector<double> const& masses) {
        if (cluster.size() != K) return false;
        auto const star = as_star(cluster);
        if (star) add(*star, masses);
        return star.has_value();
    }

    int tasks() const { return static_cast<int>((groups_.size() + groups_in_task - 1) / groups_in_task); }

    void apply_to_positions(int task, std::vector<Vec3<>> const& start, std::vector<Vec3<>>& positions,
                            double tolerance) const {
        for_groups(task, [&](Group const& group) {
            auto const directions = gather_arms(group, start), unconstrained = gather_arms(group, positions);
            auto arms = unconstrained;
            std::array<Lanes, K> multipliers{};
            for (int iteration = 0; !satisfied(group, arms, closer(tolerance), iteration); ++iteration) {
                std::array<Lanes, K> excess;
                for (std::size_t i = 0; i < K; ++i)
                    excess[i] = 0.5 * (group.distances[i] * group.distances[i] - dot(arms[i], arms[i]));
                auto const step = solve_small(products(group, arms, directions), excess);
                for (std::size_t i = 0; i < K; ++i) multipliers[i] += step[i];
                arms = moved(group, unconstrained, multipliers, directions);
            }
            move_particles(group, positions, multipliers, directions);
        });
    }

    void apply_to_velocities(int task, std::vector<Vec3<>> const& positions, std::vector<Vec3<>>& velocities) const {
        for_groups(task, [&](Group const& group) {
            auto const directions = gather_arms(group, positions), relative = gather_arms(group, velocities);
            std::array<Lanes, K> change;
            for (std::size_t i = 0; i < K; ++i) change[i] = -dot(directions[i], relative[i]);
            move_particles(group, velocities, solve_small(products(group, directions, directions), change), directions);
        });
    }

private:
    using Arms = std::array<Vec3<Lanes>, K>;
    struct Group {
        LaneParticles centre;
        std::array<LaneParticles, K> ends;
        std::array<Lanes, K> distances, end_inverse_masses;
        Lanes centre_inverse_mass;
        std::array<std::array<int, Lanes::count>, K> constraints;
    };
    static constexpr int max_iterations = 60;

    void add(StarOfParticles const& star, std::vector<double> const& masses) {
        std::size_t const lane = size_++ % Lanes::count;
        if (lane == 0) groups_.emplace_back();
        Group& group = groups_.back();
        for (std::size_t rest = lane; rest < Lanes::count; ++rest) {
            group.centre[rest] = static_cast<std::size_t>(star.centre);
            group.centre_inverse_mass.set(rest, 1 / masses[group.centre[rest]]);
            for (std::size_t i = 0; i < K; ++i) {
                group.ends[i][rest] = static_cast<std::size_t>(star.ends[i]);
                group.end_inverse_masses[i].set(rest, 1 / masses[group.ends[i][rest]]);
                group.distances[i].set(rest, star.distances[i]);
                group.constraints[i][rest] = star.constraints[i];
            }
        }
    }

    template <class Body> void for_groups(int task, Body const& body) const {
        std::size_t const begin = static_cast<std::size_t>(task) * groups_in_task;
        for (std::size_t n = begin; n < std::min(begin + groups_in_task, groups_.size()); ++n) body(groups_[n]);
    }

    static Arms gather_arms(Group const& group, std::vector<Vec3<>> const& from) {
        Vec3<Lanes> const centre = gather(from, group.centre);
        Arms arms;
        for (std::size_t i = 0; i < K; ++i) arms[i] = gather(from, group.ends[i]) - centre;
        return arms;
    }

    static std::array<std::array<Lanes, K>, K> products(Group const& group, Arms const& left, Arms const& right) {
        return star_products<Lanes, K>(group.centre_inverse_mass, group.end_inverse_masses, left, right);
    }

    static Arms moved(Group const& group, Arms arms, std::array<Lanes, K> const& multipliers, Arms const& directions) {
        Vec3<Lanes> sum{};
        for (std::size_t i = 0; i < K; ++i) {
            sum += multipliers[i] * directions[i];
            arms[i] += (group.end_inverse_masses[i] * multipliers[i]) * directions[i];
        }
        for (auto& arm : arms) arm += group.centre_inverse_mass * sum;
        return arms;
    }

    static void move_particles(Group const& group, std::vector<Vec3<>>& values, std::array<Lanes, K> const& multipliers,
                               Arms const& directions) {
        Vec3<Lanes> centre = gather(values, group.centre);
        for (std::size_t i = 0; i < K; ++i) {
            Vec3<Lanes> const push = multipliers[i] * directions[i];
            centre -= group.centre_inverse_mass * push;
            scatter(gather(values, group.ends[i]) + group.end_inverse_masses[i] * push, values, group.ends[i]);
        }
        scatter(centre, values, group.centre);
    }

    static bool satisfied(Group const& group, Arms const& arms, double tolerance, int iteration) {
        for (std::size_t i = 0; i < K; ++i) {
            Lanes const square = dot(arms[i], arms[i]);
            for (std::size_t lane = 0; lane < Lanes::count; ++lane) {
                double const wanted = group.distances[i][lane], error = distance_error(square[lane], wanted * wanted);
                if (error <= tolerance) continue;
                if (iteration < max_iterations && !std::isnan(error)) return false;
                throw_unsatisfied({static_cast<int>(group.centre[lane]), static_cast<int>(group.ends[i][lane]), wanted,
                                   group.constraints[i][lane]},
                                  std::sqrt(square[lane]), iteration);
            }
        }
        return true;
    }

    std::size_t size_ = 0;
    std::vector<Group> groups_;
};

}  // namespace trotter
