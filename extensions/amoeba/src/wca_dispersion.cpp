// AmoebaWcaDispersionForce: dispersion with water, integrated in closed form.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <trotter/amoeba/wca_dispersion.hpp>
#include <trotter/common/fallback/define_host_kernel.hpp>
#include <trotter/core/range_check.hpp>

namespace trotter {
namespace amoeba {
namespace {

using std::numbers::pi;

/// Coefficients of x, x² and x³ in the area of a shell of radius x.
using Area = std::array<double, 3>;

/// Σ_n area[n] ∫ x^(n + 1 - power) dx from `low` to `high`. No exponent is -1: `power` is 0, 7 or 14.
template <int power> double moment(Area const& area, double low, double high) {
    auto antiderivative = [&](double x) {
        constexpr int first = 2 - power;  // exponent of the antiderivative of x^(1 - power)
        double const y = first > 0 ? x : 1 / x;  // 0 at infinity
        double const y2 = y * y, y4 = y2 * y2;
        if constexpr (power == 0) return y2 * (area[0] / 2 + y * (area[1] / 3 + y * (area[2] / 4)));
        else if constexpr (power == 7) return -y2 * y * (area[2] / 3 + y * (area[1] / 4 + y * (area[0] / 5)));
        else return -y4 * y4 * y2 * (area[2] / 10 + y * (area[1] / 11 + y * (area[0] / 12)));
    };
    return antiderivative(high) - antiderivative(low);
}

/// The well of a particle with one atom of water.
struct Well {
    double minimum = 0, depth = 0;  ///< [nm], [kJ/mol]
    double begin = 0;  ///< distance at which water begins [nm]
    double repulsion = 0, attraction = 0;  ///< depth minimum^14, 2 depth minimum^7

    Well() = default;
    /// By AMOEBA's combining rules.
    Well(AmoebaWcaDispersionForce::Particle const& particle, double radius, double epsilon, double offset) {
        if (particle.radius == 0 || particle.epsilon == 0 || epsilon == 0) return;
        double const a = particle.radius, b = radius, roots = std::sqrt(particle.epsilon) + std::sqrt(epsilon);
        minimum = 2 * (a * a * a + b * b * b) / (a * a + b * b);
        depth = 4 * particle.epsilon * epsilon / (roots * roots);
        begin = minimum / 2 + offset;
        double const minimum7 = std::pow(minimum, 7);
        repulsion = depth * minimum7 * minimum7;
        attraction = 2 * depth * minimum7;
    }
    /// ∫ u(x) area(x) dx from `low` to `high`.
    double integral(Area const& area, double low, double high) const {
        double sum = 0;
        if (low < minimum) sum -= depth * moment<0>(area, low, std::min(high, minimum));
        if (high > minimum) {
            double const from = std::max(low, minimum);
            sum += repulsion * moment<14>(area, from, high) - attraction * moment<7>(area, from, high);
        }
        return sum;
    }
    /// Over all space beyond `begin`.
    double whole_integral() const {
        return depth == 0 ? 0 : integral({0, 4 * pi, 0}, begin, std::numeric_limits<double>::infinity());
    }
};

/// An integral and its derivative by the distance of two particles.
struct Overlap {
    double value = 0, slope = 0;
};

/// The integral over the part of a sphere at the distance `r` that is beyond `well.begin`. A shell of radius x has the
/// area (pi x/r)(s² - (r - x)²) in the sphere of radius s. It is 0 where limits depend on r, so that the derivative is
/// that of the integrand.
Overlap overlap(Well const& well, double r, double s) {
    double const low = std::max(well.begin, r - s), high = r + s;
    if (well.depth == 0 || s == 0 || !(low < high)) return {};
    double const a = pi / r, b = pi / (r * r);
    return {well.integral({a * (s * s - r * r), 2 * pi, -a}, low, high),
            well.integral({-b * (s * s + r * r), 0, b}, low, high)};
}

}  // namespace
}  // namespace amoeba

void check(AmoebaWcaDispersionForce const& force, int particle_count) {
    check_particle_number(force.particles.size(), particle_count);
    for (std::size_t i = 0; i < force.particles.size(); ++i)
        check_fields(AmoebaWcaDispersionForce::fields, force.particles[i], Numbered{"Particle", i});
    check_fields(AmoebaWcaDispersionForce::water_fields, force, std::string("water"));
}

template <> class HostKernel<AmoebaWcaDispersionForce>::Implementation {
public:
    Implementation(AmoebaWcaDispersionForce const& force, HostState& host, Registration) { update(force, host); }

    double compute(HostEvaluation const& evaluation) {
        sums_.resize(blocks);
        evaluation.host.threads.run(blocks, [&](int block) { add_block(block, evaluation.positions); });
        double integral = whole_;
        for (auto const& sum : sums_) integral -= sum.integral;
        evaluation.host.threads.for_each(evaluation.forces.size(), [&](std::size_t i) {
            for (auto const& sum : sums_) evaluation.forces[i] += sum.forces[i];
        });
        return factor_ * integral;
    }

    /// Updates all parameters.
    void update(AmoebaWcaDispersionForce const& force, HostState& host) {
        check(force, host.particles.count());
        factor_ = force.energy_scale * force.water_density;
        sites_.clear();
        whole_ = 0;
        for (auto const& particle : force.particles) {
            Site const site{{particle, force.radius_oxygen, force.epsilon_oxygen, force.dispersion_offset},
                            {particle, force.radius_hydrogen, force.epsilon_hydrogen, force.dispersion_offset},
                            particle.radius * force.descreening_scale};
            whole_ += site.oxygen.whole_integral() + 2 * site.hydrogen.whole_integral();
            sites_.push_back(site);
        }
    }

private:
    static constexpr int blocks = 16;  // of pairs, each with sums of its own

    struct Site {
        amoeba::Well oxygen, hydrogen;
        double radius;  // of the sphere that displaces water
    };
    struct Sums {
        double integral;
        std::vector<Vec3<>> forces;
    };

    void add_block(int block, std::vector<Vec3<>> const& positions) {
        auto& [integral, forces] = sums_[static_cast<std::size_t>(block)];
        integral = 0;
        forces.assign(positions.size(), {});
        for (auto i = static_cast<std::size_t>(block); i < sites_.size(); i += blocks)
            for (std::size_t j = i + 1; j < sites_.size(); ++j) {
                Vec3<> const d = positions[i] - positions[j];
                double const r = norm(d);
                if (std::isinf(r)) continue;  // no overlap can be computed, and none matters
                auto const both = both_ways(sites_[i], sites_[j], r);
                integral += both.value;
                Vec3<> const force = d * (factor_ * both.slope / r);
                forces[i] += force;
                forces[j] -= force;
            }
    }
    static amoeba::Overlap both_ways(Site const& a, Site const& b, double r) {
        auto const a_oxygen = amoeba::overlap(a.oxygen, r, b.radius),
                   a_hydrogen = amoeba::overlap(a.hydrogen, r, b.radius),
                   b_oxygen = amoeba::overlap(b.oxygen, r, a.radius),
                   b_hydrogen = amoeba::overlap(b.hydrogen, r, a.radius);
        return {a_oxygen.value + b_oxygen.value + 2 * (a_hydrogen.value + b_hydrogen.value),
                a_oxygen.slope + b_oxygen.slope + 2 * (a_hydrogen.slope + b_hydrogen.slope)};
    }

    std::vector<Site> sites_;
    double factor_ = 1, whole_ = 0;
    std::vector<Sums> sums_;
};

template class HostKernel<AmoebaWcaDispersionForce>;

}  // namespace trotter
