// Local energy minimization: L-BFGS on the energy of forces and of springs in place of constraints.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <trotter/common/minimization/lbfgs.hpp>
#include <trotter/common/minimization/minimizer.hpp>
#include <trotter/common/threads/sums.hpp>
#include <trotter/error.hpp>

namespace trotter {

namespace {

/// Energy of forces and constraints as a function of the positions of massive particles. A constraint of length d adds
/// m (r - d) + k/2 (r - d)². With the multiplier m at its final value, the force in the constraint, the minimum
/// satisfies the constraint for any k, so that k need not grow (M. J. D. Powell, in Optimization, Academic Press 1969,
/// p. 283).
class SprungEnergy {
public:
    SprungEnergy(HostState& host, ForceEvaluator evaluate) : host_(host), evaluate_(evaluate) {
        for (auto const& constraint : host.particles.constraints)
            if (mass(constraint.particle1) > 0 && mass(constraint.particle2) > 0) constraints_.push_back(constraint);
        multipliers_.resize(constraints_.size());
        for (double m : host.particles.masses) movable_ += m > 0;
    }

    void operator()(LbfgsPoint& point) const {
        host_.positions = point.x;
        point.value = of_forces();
        point.gradient.resize(host_.size());
        host_.threads.for_each(host_.size(), [&](std::size_t i) {
            point.gradient[i] = host_.inverse_masses[i] > 0 ? -host_.forces[i] : Vec3<>{};
        });
        for (std::size_t n = 0; n < constraints_.size(); ++n) {
            auto const [i, j, distance] = constraints_[n];
            Vec3<> const difference = between(point.x, i, j);
            double const length = norm(difference), stretch = length - distance;
            point.value += (multipliers_[n] + 0.5 * spring_constant * stretch) * stretch;
            double const tension = multipliers_[n] + spring_constant * stretch;
            Vec3<> const pull = length > 0 ? difference * (tension / length) : Vec3<>{};
            point.gradient[static_cast<std::size_t>(i)] += pull;
            point.gradient[static_cast<std::size_t>(j)] -= pull;
        }
    }
    /// Energy of the forces alone, at the engine's positions, with virtual sites placed.
    double of_forces() const {
        host_.virtual_sites.place(host_.positions, host_.box);
        return evaluate_({host_.integration_groups, true});
    }
    double of_springs(LbfgsPoint const& point) const {
        double sum = 0;
        for (std::size_t n = 0; n < constraints_.size(); ++n) {
            double const stretch = stretch_of(n, point);
            sum += (multipliers_[n] + 0.5 * spring_constant * stretch) * stretch;
        }
        return sum;
    }
    /// Adds the tension of each spring to its multiplier.
    void take_over_tensions(LbfgsPoint const& point) {
        for (std::size_t n = 0; n < constraints_.size(); ++n) multipliers_[n] += spring_constant * stretch_of(n, point);
    }
    bool has_constraints() const { return !constraints_.empty(); }
    /// Per particle: whether it coincides with one it is constrained to.
    std::vector<bool> undirected(LbfgsPoint const& point) const {
        std::vector<bool> result(host_.size());
        for (auto const& [i, j, distance] : constraints_)
            if (norm(between(point.x, i, j)) == 0)
                result[static_cast<std::size_t>(i)] = result[static_cast<std::size_t>(j)] = true;
        return result;
    }
    double constraint_error(LbfgsPoint const& point) const {
        double largest = 0;
        for (std::size_t n = 0; n < constraints_.size(); ++n)
            largest = std::max(largest, std::abs(stretch_of(n, point)) / constraints_[n].distance);
        return largest;
    }
    double rms_gradient(LbfgsPoint const& point) const {
        double const square = ordered_sum(host_.threads, point.gradient.size(),
                                          [&](std::size_t i) { return dot(point.gradient[i], point.gradient[i]); });
        return movable_ > 0 ? std::sqrt(square / movable_) : 0;
    }

    double spring_constant = 0;

private:
    double mass(int particle) const { return host_.particles.masses[static_cast<std::size_t>(particle)]; }
    static Vec3<> between(std::vector<Vec3<>> const& x, int i, int j) {
        return x[static_cast<std::size_t>(i)] - x[static_cast<std::size_t>(j)];
    }

    double stretch_of(std::size_t n, LbfgsPoint const& point) const {
        auto const& [i, j, distance] = constraints_[n];
        return norm(between(point.x, i, j)) - distance;
    }

    HostState& host_;
    ForceEvaluator evaluate_;
    std::vector<Constraint> constraints_;
    std::vector<double> multipliers_;  ///< [kJ/mol/nm]
    int movable_ = 0;
};

/// Result, and whether the user stopped the search.
struct Search : MinimizationResult {
    bool stopped = false;
};

class Minimizer {
public:
    Minimizer(LocalEnergyMinimizer const& minimizer, double epsilon)
        : settings_(minimizer.settings), constraint_tolerance_(minimizer.constraint_tolerance), epsilon_(epsilon) {}

    MinimizationResult run(HostState& host, ForceEvaluator evaluate) const {
        SprungEnergy energy(host, evaluate);
        energy.spring_constant = first_spring_constant;
        bool const start_holds = !apply_constraints(host);
        LbfgsPoint point{.x = host.positions, .gradient = {}, .value = 0};
        energy(point);
        separate(host, energy, point);
        auto const start = point.x;
        double const start_energy = point.value - energy.of_springs(point);

        Search result;
        Lbfgs lbfgs(host.threads);
        descend_with_constraints(lbfgs, energy, point, result);
        result.rms_force = energy.rms_gradient(point);
        host.positions = point.x;
        auto const broken = apply_constraints(host);
        // A stopped search may not have reached the constraints yet.
        if (broken && !start_holds && !result.stopped) throw SimulationError("after the minimization, " + *broken);
        result.energy = energy.of_forces();
        if (start_holds && (broken || !(result.energy <= start_energy))) {
            host.positions = start;
            result.energy = energy.of_forces();
        }
        return result;
    }

private:
    static constexpr double first_spring_constant = 1e6, last_spring_constant = 1e8;  // [kJ/mol/nm²]
    /// Fraction of the tolerance to aim for: energies still decrease fast near it, and a few more steps are cheap.
    static constexpr double reserve = 0.5;

    double good_error() const { return std::max(3e-4, constraint_tolerance_); }

    /// The first descent finds approximate multipliers, later ones move particles little: rounds stay few and short.
    void descend_with_constraints(Lbfgs& lbfgs, SprungEnergy& energy, LbfgsPoint& point, Search& result) const {
        constexpr int most_rounds = 12;
        constexpr double coarse = 10;
        double const aim = reserve * settings_.tolerance;
        if (!energy.has_constraints()) {
            descend(lbfgs, energy, point, aim, result);
            return;
        }
        double last_error = std::numeric_limits<double>::infinity();
        for (int round = 0; round < most_rounds; ++round) {
            if (!descend(lbfgs, energy, point, round == 0 ? coarse * aim : aim, result)) return;
            double const error = energy.constraint_error(point);
            if (round > 0 && error <= good_error()) return;
            energy.take_over_tensions(point);
            if (error > 0.5 * last_error && energy.spring_constant < last_spring_constant) energy.spring_constant *= 10;
            last_error = error;
            energy(point);
            lbfgs.forget();
        }
    }

    /// Detects stagnation: rounding limits energies and forces, and the search would never end.
    struct Progress {
        static constexpr int patience = 50;
        double resolution;  ///< relative

        bool goes_on(double value, double rms) {
            if (value < lowest - resolution * std::max(1.0, std::abs(lowest)) || rms < 0.99 * smallest) {
                lowest = std::min(lowest, value), smallest = std::min(smallest, rms);
                idle = 0;
            }
            return ++idle <= patience;
        }
        double lowest = std::numeric_limits<double>::max(), smallest = std::numeric_limits<double>::max();
        int idle = 0;
    };

    /// Iterates until the force is below `aim` or no progress is made; returns false if a limit or the user stops it.
    /// Once the force is within the tolerance and constraints hold, does not leave this region: a long descent may
    /// follow a flat one.
    bool descend(Lbfgs& lbfgs, SprungEnergy const& energy, LbfgsPoint& point, double aim, Search& result) const {
        Progress progress{10 * epsilon_};
        std::optional<LbfgsPoint> small_enough;
        for (double rms; (rms = energy.rms_gradient(point)) > aim;) {
            if (rms <= settings_.tolerance && energy.constraint_error(point) <= good_error())
                small_enough = point;
            else if (small_enough) {
                point = *small_enough;
                return true;
            }
            if (!progress.goes_on(point.value, rms)) return true;
            if (settings_.max_iterations > 0 && result.iterations >= settings_.max_iterations) return false;
            if ((result.stopped = settings_.stop.stop_requested())) return false;
            if (!lbfgs.iterate(point, energy)) return true;
            ++result.iterations;
            if (!settings_.report) continue;
            double const springs = energy.of_springs(point);
            result.stopped = settings_.report({.iteration = result.iterations,
                                               .energy = point.value - springs,
                                               .rms_force = energy.rms_gradient(point),
                                               .spring_energy = springs,
                                               .spring_constant = energy.spring_constant,
                                               .constraint_error = energy.constraint_error(point),
                                               .positions = point.x,
                                               .gradient = point.gradient});
            if (result.stopped) return false;
        }
        return true;
    }

    /// Applies constraints; if positions are too far from them for the solver, leaves these unchanged and returns the
    /// solver's message.
    std::optional<std::string> apply_constraints(HostState& host) const {
        auto const before = host.positions;
        try {
            host.constraints.apply_to_positions(before, host.positions, constraint_tolerance_, host.threads);
            return {};
        } catch (SimulationError const& error) {
            host.positions = before;
            return error.what();
        }
    }

    /// Separates coinciding particles, whose forces are not finite or whose constraint has no direction, by random
    /// displacements that grow with each attempt.
    static void separate(HostState const& host, SprungEnergy const& energy, LbfgsPoint& point) {
        constexpr int most_attempts = 20;
        RandomStream const random{1, streams::velocities};
        for (int attempt = 1;; ++attempt) {
            std::size_t bad = host.size();
            auto const undirected = energy.undirected(point);
            for (std::size_t i = host.size(); i-- > 0;) {
                if (std::isfinite(dot(point.gradient[i], point.gradient[i])) && !undirected[i]) continue;
                bad = i;
                point.x[i] += random.normals(static_cast<std::uint64_t>(attempt), static_cast<std::uint32_t>(i))
                              * (1e-3 * attempt);
            }
            if (bad == host.size() && std::isfinite(point.value)) return;
            if (attempt == most_attempts || bad == host.size())
                throw NotFiniteError("", bad == host.size()
                                             ? "the energy is not finite at the start of the minimization"
                                             : "the force on particle " + std::to_string(bad)
                                                   + " is not finite at the start of the minimization, nor near by");
            energy(point);
        }
    }

    MinimizationSettings const& settings_;
    double constraint_tolerance_, epsilon_;
};

}  // namespace

void check(MinimizationSettings const& settings) {
    if (!(settings.tolerance > 0))
        throw InputError("the tolerance of the minimization is " + std::to_string(settings.tolerance)
                         + ", expected a positive number");
    if (settings.max_iterations < 0)
        throw InputError("the number of iterations of the minimization is " + std::to_string(settings.max_iterations)
                         + ", expected 0 or more");
}

MinimizationResult run_minimizer(LocalEnergyMinimizer const& minimizer, HostState& host, ForceEvaluator evaluate,
                                 double epsilon) {
    return Minimizer(minimizer, epsilon).run(host, evaluate);
}

}  // namespace trotter
