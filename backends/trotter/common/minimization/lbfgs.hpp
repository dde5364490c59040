// L-BFGS minimization of a function of many positions.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include <trotter/common/threads/sums.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// A point with the function's value and gradient.
struct LbfgsPoint {
    std::vector<Vec3<>> x, gradient;
    double value = 0;
};

/// J. Nocedal, Math. Comput. 35, 773 (1980), with a line search for the Wolfe conditions by bracketing and
/// interpolation. The displacement of a particle per step is limited, and nonfinite values count as too high: so the
/// search is robust near poles.
class Lbfgs {
public:
    explicit Lbfgs(Threads& threads) : threads_(threads) {}

    /// Moves `point` to one of lower value; returns false if none is found. `evaluate(LbfgsPoint&)` computes value and
    /// gradient.
    template <class Evaluate> bool iterate(LbfgsPoint& point, Evaluate const& evaluate) {
        if (search(point, evaluate)) return true;
        if (pairs_.empty()) return false;
        pairs_.clear();  // retry along the gradient
        return search(point, evaluate);
    }
    void forget() { pairs_.clear(); }

private:
    struct Pair {
        std::vector<Vec3<>> s, y;  // changes of x and of the gradient
        double inverse_product = 0;
    };
    static constexpr std::size_t memory = 16;
    static constexpr double step_limit = 0.1, first_step = 0.002;  // [nm]
    static constexpr double sufficient_decrease = 1e-4, sufficient_flattening = 0.9;
    static constexpr int most_trials = 40;

    double product(std::vector<Vec3<>> const& a, std::vector<Vec3<>> const& b) {
        return ordered_sum(threads_, a.size(), [&](std::size_t i) { return dot(a[i], b[i]); });
    }
    void add(std::vector<Vec3<>>& a, double factor, std::vector<Vec3<>> const& b) {
        threads_.for_each(a.size(), [&](std::size_t i) { a[i] += b[i] * factor; });
    }

    /// Fills `direction_` by the two-loop recursion: minus an approximate inverse Hessian times the gradient.
    void choose_direction(LbfgsPoint const& point) {
        direction_ = point.gradient;
        std::vector<double> weights(pairs_.size());
        for (std::size_t n = pairs_.size(); n-- > 0;) {
            weights[n] = product(pairs_[n].s, direction_) * pairs_[n].inverse_product;
            add(direction_, -weights[n], pairs_[n].y);
        }
        if (!pairs_.empty()) {
            double const scale = 1 / (pairs_.back().inverse_product * product(pairs_.back().y, pairs_.back().y));
            for (auto& d : direction_) d *= scale;
        }
        for (std::size_t n = 0; n < pairs_.size(); ++n)
            add(direction_, weights[n] - product(pairs_[n].y, direction_) * pairs_[n].inverse_product, pairs_[n].s);
        for (auto& d : direction_) d = -d;
    }

    template <class Evaluate> bool search(LbfgsPoint& point, Evaluate const& evaluate) {
        choose_direction(point);
        double const slope = product(point.gradient, direction_);
        double longest = 0;
        for (auto const& d : direction_) longest = std::max(longest, norm(d));
        if (!(slope < 0) || !std::isfinite(longest)) return false;
        double const largest = step_limit / longest;
        double low = 0, high = std::numeric_limits<double>::infinity();
        double step = pairs_.empty() ? first_step / longest : std::min(1.0, largest);
        bool found = false;  // `best_` decreased sufficiently, at `low`
        for (int trial = 0; trial < most_trials; ++trial) {
            move(point, step, evaluate);
            double const new_slope = product(trial_.gradient, direction_);
            bool const fell =
                std::isfinite(new_slope) && trial_.value <= point.value + sufficient_decrease * step * slope;
            if (!fell) {
                high = step;
                step = low + (high - low) * (found ? 0.5 : shrinking(point.value, trial_.value, slope, step));
                continue;
            }
            std::swap(best_, trial_);
            found = true;
            low = step;
            if (new_slope >= sufficient_flattening * slope || step >= largest) break;
            step = std::isfinite(high) ? 0.5 * (low + high) : std::min(2.5 * step, largest);
        }
        if (found) accept(point);
        return found;
    }
    template <class Evaluate> void move(LbfgsPoint const& point, double step, Evaluate const& evaluate) {
        trial_.x = point.x;
        add(trial_.x, step, direction_);
        evaluate(trial_);
    }
    /// Minimum of the parabola through value and slope at 0 and the value at `step`, as a fraction of the step.
    static double shrinking(double value, double new_value, double slope, double step) {
        double const share = -0.5 * slope * step / (new_value - value - slope * step);
        return std::isfinite(share) ? std::clamp(share, 0.1, 0.5) : 0.1;
    }
    void accept(LbfgsPoint& point) {
        Pair pair;
        if (pairs_.size() == memory) {
            pair = std::move(pairs_.front());
            pairs_.pop_front();
        }
        pair.s = best_.x, pair.y = best_.gradient;
        add(pair.s, -1, point.x);
        add(pair.y, -1, point.gradient);
        double const curvature = product(pair.s, pair.y);
        if (curvature > 1e-12 * product(pair.y, pair.y)) {
            pair.inverse_product = 1 / curvature;
            pairs_.push_back(std::move(pair));
        }
        std::swap(point, best_);
    }

    Threads& threads_;
    std::deque<Pair> pairs_;
    std::vector<Vec3<>> direction_;
    LbfgsPoint trial_, best_;
};

}  // namespace trotter
