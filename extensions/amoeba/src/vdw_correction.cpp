// Integrates the energy of AmoebaVdwForce beyond the cutoff.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include <trotter/amoeba/vdw/dispersion_correction.hpp>
#include <trotter/amoeba/vdw/pair_energy.hpp>

namespace trotter::amoeba {
namespace {

constexpr double end = 20;           // of the integral [nm]
constexpr double steps_per_nm = 200;

// Distances of the midpoint rule and their weights r² dr (1 - taper).
struct Rule {
    explicit Rule(double cutoff) {
        Taper<double> const taper(cutoff);
        if (taper.begin() >= end) return;  // nothing is left out
        int const steps = static_cast<int>(steps_per_nm * (end - taper.begin()));
        if (steps == 0) return;
        double const step = (end - taper.begin()) / steps;
        for (int n = 0; n < steps; ++n) {
            double const r = taper.begin() + (n + 0.5) * step;
            distances.push_back(r);
            weights.push_back(r * r * step * (r < cutoff ? 1 - taper({1, 0}, r).energy : 1));
        }
    }
    double integral(AmoebaVdwForce::Potential potential, SigmaAndEpsilon const& pair) const {
        double sum = 0;
        for (std::size_t n = 0; n < distances.size(); ++n)
            sum += weights[n]
                   * (potential == AmoebaVdwForce::Potential::lennard_jones
                          ? lennard_jones(distances[n], pair.sigma, pair.epsilon).energy
                          : buffered_14_7(distances[n], pair.inverse_sigma, pair.epsilon, 0.0).energy);
        return sum;
    }

    std::vector<double> distances, weights;
};

/// The integral of pairs with epsilon = 1 as a Chebyshev series in sigma: an analytic function, whose nearest
/// singularities are at |sigma| = 1.35 r.
class IntegralBySigma {
public:
    IntegralBySigma(Rule const& rule, AmoebaVdwForce::Potential potential, double low, double high)
        : middle_((low + high) / 2), half_width_(std::max((high - low) / 2, 1e-9 * high)) {
        for (int k = 0; k < terms; ++k) {
            double const angle = std::numbers::pi * (k + 0.5) / terms;
            double const value = rule.integral(potential, {middle_ + half_width_ * std::cos(angle), 1});
            for (int n = 0; n < terms; ++n)
                coefficients_[static_cast<std::size_t>(n)] += (n == 0 ? 1 : 2) * value * std::cos(n * angle) / terms;
        }
    }
    /// By Clenshaw's recurrence.
    double operator()(double sigma) const {
        double const x = (sigma - middle_) / half_width_;
        double next = 0, after = 0;
        for (std::size_t n = terms - 1; n > 0; --n)
            after = std::exchange(next, coefficients_[n] + 2 * x * next - after);
        return coefficients_[0] + x * next - after;
    }

private:
    static constexpr int terms = 64;

    double middle_, half_width_;
    std::array<double, terms> coefficients_{};
};

// With more types, integrals are interpolated: pairs of types are many, and each integral is a sum of thousands.
constexpr int most_integrated = 256;

/// The integral of each pair of types.
class Integrals {
public:
    Integrals(AmoebaVdwForce const& force, PairParameters const& parameters)
        : rule_(force.cutoff_distance), potential_(force.potential) {
        int const types = static_cast<int>(parameters.type_count());
        if (types <= most_integrated) return;
        double low = std::numeric_limits<double>::max(), high = 0;
        for (int type1 = 0; type1 < types; ++type1)
            for (int type2 = 0; type2 <= type1; ++type2) {
                double const sigma = parameters(type1, type2).sigma;
                low = std::min(low, sigma);
                high = std::max(high, sigma);
            }
        by_sigma_.emplace(rule_, potential_, low, high);
    }
    double operator()(SigmaAndEpsilon const& pair) const {
        return by_sigma_ ? pair.epsilon * (*by_sigma_)(pair.sigma) : rule_.integral(potential_, pair);
    }

private:
    Rule rule_;
    AmoebaVdwForce::Potential potential_;
    std::optional<IntegralBySigma> by_sigma_;
};

}  // namespace

double dispersion_correction(AmoebaVdwForce const& force, PairParameters const& parameters, Threads& threads) {
    if (!force.is_periodic() || !force.use_dispersion_correction) return 0;
    Integrals const integral(force, parameters);
    std::vector<double> counts(parameters.type_count()), sums(parameters.type_count());
    for (int const type : parameters.types_of_particles()) ++counts[static_cast<std::size_t>(type)];
    int const types = static_cast<int>(counts.size());
    threads.run(types, [&](int type1) {
        for (int type2 = 0; type2 <= type1; ++type2) {
            double const pairs = counts[static_cast<std::size_t>(type1)] * counts[static_cast<std::size_t>(type2)];
            if (pairs == 0) continue;
            double const orders = type1 == type2 ? 1 : 2;
            sums[static_cast<std::size_t>(type1)] += orders * pairs * integral(parameters(type1, type2));
        }
    });
    double sum = 0;
    for (double const of_type : sums) sum += of_type;
    return 2 * std::numbers::pi * sum;
}

}  // namespace trotter::amoeba
