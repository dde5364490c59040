// Moves Drude particles to the minimum of the energy.
// SPDX-License-Identifier: MIT
#include <trotter/drude/relaxation.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <trotter/common/threads/sums.hpp>

namespace trotter::drude {
namespace {

using Vectors = std::vector<Vec3<>>;

constexpr std::size_t memory = 8;      // changes kept
constexpr int most_steps = 100;        // of one kind
constexpr double longest_move = 0.05;  // of a particle in a full step [nm]; polarization displaces them by 0.01

double product(Vectors const& a, Vectors const& b, Threads& threads) {
    return ordered_sum(threads, a.size(), [&](std::size_t i) { return dot(a[i], b[i]); });
}
double root_mean_square(Vectors const& a, Threads& threads) {
    return a.empty() ? 0 : std::sqrt(product(a, a, threads) / static_cast<double>(a.size()));
}
void add(Vectors& a, double factor, Vectors const& b, Threads& threads) {
    threads.for_each(a.size(), [&](std::size_t i) { a[i] += b[i] * factor; });
}
double longest(Vectors const& a) {
    double square = 0;
    for (auto const& each : a) square = std::max(square, dot(each, each));
    return std::sqrt(square);
}

}  // namespace

Relaxation::Relaxation(std::vector<Springs::Spring> const& springs, double epsilon)
    : springs_(springs), epsilon_(epsilon) {}

/// Where a pair crosses a cutoff the force jumps, and may nowhere be smaller than the tolerance: once full steps have
/// reduced it, they need not find such a place.
void Relaxation::run(HostState& host, ForceEvaluator const& evaluate, double tolerance) {
    constexpr double reduced = 0.1;
    LbfgsPoint point{.x = positions(host), .gradient = {}};
    evaluate_at(point, false, host, evaluate);
    double const aim = std::max(tolerance, resolution(host)), first = root_mean_square(point.gradient, host.threads);
    bool const is_done = take_full_steps(point, host, evaluate, aim) || take_full_steps(point, host, evaluate, aim);
    if (!is_done && root_mean_square(point.gradient, host.threads) > reduced * first)
        search(point, host, evaluate, aim);
    place(point.x, host);
}

/// Returns whether the force is small enough; else `point` is the best one found.
bool Relaxation::take_full_steps(LbfgsPoint& point, HostState& host, ForceEvaluator const& evaluate, double aim) {
    auto& threads = host.threads;
    changes_.clear();
    double force = root_mean_square(point.gradient, threads);
    LbfgsPoint next;
    for (int n = 0; n < most_steps && force > aim; ++n) {
        auto const step = full_step(point.gradient, threads);
        if (!(longest(step) <= longest_move)) return false;
        next.x = point.x;
        add(next.x, 1, step, threads);
        evaluate_at(next, false, host, evaluate);
        double const next_force = root_mean_square(next.gradient, threads);
        if (!(next_force < force)) return false;
        remember(point, next, threads);
        std::swap(point, next);
        force = next_force;
    }
    return !(force > aim);
}

/// Minimizes the energy by a line search in each step, until several have not decreased the force.
void Relaxation::search(LbfgsPoint& point, HostState& host, ForceEvaluator const& evaluate, double aim) const {
    constexpr int patience = 3;
    constexpr double noticeable = 0.9;
    auto const with_energy = [&](LbfgsPoint& at) { evaluate_at(at, true, host, evaluate); };
    with_energy(point);
    Lbfgs lbfgs(host.threads);
    double least = root_mean_square(point.gradient, host.threads), force = least;
    for (int n = 0, idle = 0; n < most_steps && idle < patience && force > aim; ++n) {
        if (!lbfgs.iterate(point, with_energy)) return;
        force = root_mean_square(point.gradient, host.threads);
        idle = force < noticeable * least ? 0 : idle + 1;
        least = std::min(least, force);
    }
}

Vectors Relaxation::positions(HostState const& host) const {
    Vectors x;
    for (auto const& spring : springs_) x.push_back(host.positions[static_cast<std::size_t>(spring.drude)]);
    return x;
}
void Relaxation::place(Vectors const& x, HostState& host) const {
    for (std::size_t n = 0; n < x.size(); ++n) host.positions[static_cast<std::size_t>(springs_[n].drude)] = x[n];
    if (!host.virtual_sites.empty()) host.virtual_sites.place(host.positions, host.box, host.threads);
}
void Relaxation::evaluate_at(LbfgsPoint& point, bool energy, HostState& host, ForceEvaluator const& evaluate) const {
    place(point.x, host);
    point.value = evaluate({host.integration_groups, energy});
    point.gradient.resize(springs_.size());
    for (std::size_t n = 0; n < springs_.size(); ++n)
        point.gradient[n] = -host.forces[static_cast<std::size_t>(springs_[n].drude)];
}
/// Rounding error of the forces on Drude particles, of which those of the springs are typical.
double Relaxation::resolution(HostState& host) const {
    constexpr double accumulated = 100;  // errors of the many forces on a particle
    Vectors pulls;
    for (auto const& [drude, parent, k] : springs_)
        pulls.push_back(
            (host.positions[static_cast<std::size_t>(drude)] - host.positions[static_cast<std::size_t>(parent)]) * k);
    return accumulated * epsilon_ * root_mean_square(pulls, host.threads);
}

/// Minus an approximate inverse of the second derivatives times the gradient, by the two-loop recursion.
Vectors Relaxation::full_step(Vectors const& gradient, Threads& threads) const {
    auto step = gradient;
    std::vector<double> weights(changes_.size());
    for (std::size_t n = changes_.size(); n-- > 0;) {
        weights[n] = product(changes_[n].x, step, threads) * changes_[n].inverse_product;
        add(step, -weights[n], changes_[n].gradient, threads);
    }
    for (std::size_t n = 0; n < springs_.size(); ++n) step[n] *= springs_[n].k > 0 ? 1 / springs_[n].k : 0;
    for (std::size_t n = 0; n < changes_.size(); ++n) {
        double const found = product(changes_[n].gradient, step, threads) * changes_[n].inverse_product;
        add(step, weights[n] - found, changes_[n].x, threads);
    }
    for (auto& each : step) each = -each;
    return step;
}
void Relaxation::remember(LbfgsPoint const& before, LbfgsPoint const& after, Threads& threads) {
    Change change{after.x, after.gradient, 0};
    add(change.x, -1, before.x, threads);
    add(change.gradient, -1, before.gradient, threads);
    double const curvature = product(change.x, change.gradient, threads);
    if (!(curvature > 0)) return;
    change.inverse_product = 1 / curvature;
    if (changes_.size() == memory) changes_.pop_front();
    changes_.push_back(std::move(change));
}

}  // namespace trotter::drude
