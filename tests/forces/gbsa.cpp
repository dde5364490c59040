// GBSAOBCForce: values computed by hand.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include <trotter/physics/gbsa_formula.hpp>

#include "evaluation.hpp"

using namespace trotter;

namespace gbsa_test {

using Method = GBSAOBCForce::Method;
using std::numbers::pi;

namespace {

constexpr double coulomb = 138.935457644382;
double const factor = coulomb * (1 - 1 / 78.3);

GBSAOBCForce ions(std::vector<double> const& charges, Method method, double surface_area_energy) {
    GBSAOBCForce force;
    for (double charge : charges) force.particles.push_back({charge, 0.15, 0.8});
    force.method = method;
    force.surface_area_energy = surface_area_energy;
    return force;
}
Approx close(double expected, double relative) { return Approx(expected).epsilon(relative); }

}  // namespace

TEST_CASE("an ion alone has Born's energy and its surface", "[forces]") {
    auto const platform = each_platform();
    double const born = 0.15 - 0.009;
    CHECK(evaluate(platform, ions({2}, Method::no_cutoff, 0), {{0, 0, 0}}).energy
          == close(-factor * 4 / (2 * born), 10 * platform.rounding));
    double const surface = 4 * pi * 2.25936 * 0.29 * 0.29 * std::pow(0.15 / born, 6);
    CHECK(evaluate(platform, ions({0}, Method::no_cutoff, 2.25936), {{0, 0, 0}}).energy
          == close(surface, 10 * platform.rounding));
}

TEST_CASE("distant ions are screened by the solvent", "[forces]") {
    auto const platform = each_platform();
    auto energy = [&](double q1, double q2, double r) {
        return evaluate(platform, ions({q1, q2}, Method::no_cutoff, 0), {{0, 0, 0}, {0, 0, r}}).energy;
    };
    // E(++) - E(+-) isolates the interaction; the Born radii differ from 1/rho by O(r^-4).
    CHECK((energy(1, 1, 20) - energy(1, -1, 20)) / 2 == close(-factor / 20, platform.is_double ? 1e-12 : 1e-4));
}

TEST_CASE("with a cutoff pairs are shifted, and gone beyond it", "[forces]") {
    auto const platform = each_platform();
    Box const box = Box::rectangular(4, 4, 4);
    for (auto method : {Method::cutoff_non_periodic, Method::cutoff_periodic}) {
        auto interaction = [&](double r, Method m) {
            auto energy = [&](double q) {
                return evaluate(platform, ions({1, q}, m, 0), {{0, 0, 0}, {0, 0, r}}, box).energy;
            };
            return (energy(1) - energy(-1)) / 2;
        };
        CHECK(interaction(0.6, method) - interaction(0.6, Method::no_cutoff)
              == close(factor, platform.is_double ? 1e-11 : 1e-4));
        CHECK(std::abs(interaction(1.1, method)) < 1e3 * platform.rounding);
        if (method == Method::cutoff_periodic)
            CHECK(interaction(3.4, method) == close(interaction(0.6, method), platform.is_double ? 1e-11 : 1e-4));
    }
}

TEST_CASE("two solvents of other numbers are the sum of both", "[forces][devices]") {
    auto const platform = each_platform();
    Vectors const positions{{0, 0, 0}, {0.2, 0, 0}, {0.3, 0.25, 0}, {0, 0.4, 0.3}};
    GBSAOBCForce first{.particles = {{0.4, 0.15, 0.8}, {-0.6, 0.16, 0.8}, {0.3, 0.17, 0.7}, {-0.1, 0.18, 0.8}}}, second = first;
    second.solvent_dielectric = 20;
    second.surface_area_energy = 7;
    second.particles[2] = {-0.3, 0.2, 0.9};
    auto system = system_of(first, positions.size());
    system.add(second);
    auto context = context_of(platform, system, positions);
    auto const both = evaluation(context), of_first = evaluate(reference_platform, first, positions),
               of_second = evaluate(reference_platform, second, positions);
    CHECK(both.energy == Approx(of_first.energy + of_second.energy).epsilon(platform.is_double ? 1e-10 : 1e-5));
    for (std::size_t i = 0; i < positions.size(); ++i)
        CHECK(norm(both.forces[i] - of_first.forces[i] - of_second.forces[i]) < (platform.is_double ? 1e-9 : 3e-5) * rms(both.forces));
}

TEST_CASE("charges and radii of a live solvent can be updated, not its pairs", "[forces][devices]") {
    auto const platform = each_platform();
    Vectors const positions{{0, 0, 0}, {0.3, 0, 0}};
    auto force = ions({1, -1}, Method::cutoff_non_periodic, 2);
    auto context = context_of(platform, system_of(force, positions.size()), positions);
    force.particles = {{0.5, 0.2, 0.7}, {0.3, 0.16, 0.9}};
    context.update(0, force);
    auto const updated = evaluation(context), expected = evaluate(reference_platform, force, positions);
    CHECK(updated.energy == Approx(expected.energy).epsilon(platform.is_double ? 1e-10 : 1e-5));
    for (auto change : {+[](GBSAOBCForce& changed) { changed.cutoff_distance = 0.9; },
                        +[](GBSAOBCForce& changed) { changed.method = Method::no_cutoff; }}) {
        auto changed = force;
        change(changed);
        CHECK_THROWS_WITH(context.update(0, changed), Catch::Matchers::Contains("the method or the cutoff has changed"));
    }
}

TEST_CASE("what spheres outside, overlapping and around take from the Born integral", "[forces]") {
    // H = 2 ∫ f(x)/x² dx: a sphere of radius s at distance r covers the fraction f = (s² - (r-x)²)/(4 r x) of a shell.
    auto by_shells = [](double r, double rho, double s) {
        int const points = 400'000;
        double const lower = std::max(rho, std::abs(r - s)), upper = r + s;
        double sum = 0;
        for (int n = 0; n < points && lower < upper; ++n) {
            double const x = lower + (upper - lower) * (n + 0.5) / points;
            sum += (s * s - (r - x) * (r - x)) / (4 * r * x) / (x * x) * (upper - lower) / points;
        }
        if (rho < s - r) sum += 1 / rho - 1 / (s - r);
        return 2 * sum;
    };
    for (auto const& [r, rho, s] :
         {std::array{0.3, 0.14, 0.12}, {0.2, 0.14, 0.12}, {0.05, 0.03, 0.12}, {0.05, 0.14, 0.05}})
        CHECK(descreening(r, 1 / r, rho, s).value == Approx(by_shells(r, rho, s)).epsilon(1e-8).margin(1e-12));
}

TEST_CASE("the series for distant spheres is the closed form", "[forces]") {
    // After eight terms the remainder is 9^-8 of the first, times its prefactor; the closed form itself loses (r/s)² of
    // its digits.
    for (auto const& [r, s] : {std::array{0.3601, 0.12}, {0.8, 0.2}, {0.9, -0.05}, {1.6, 0.1}}) {
        double const rho = 0.13;
        auto const closed = descreening(r, 1 / r, rho, s), series = distant_descreening<16>(1 / r, s), few = distant_descreening<8>(1 / r, s);
        CHECK(series.value == Approx(closed.value).epsilon(1e-11));
        CHECK(series.slope == Approx(closed.slope).epsilon(1e-11));
        CHECK(few.value == Approx(series.value).epsilon(5e-8));
        CHECK(few.slope == Approx(series.slope).epsilon(3e-7));
    }
}

TEST_CASE("the series for particles near the center of another is the closed form", "[forces]") {
    double const rho = 0.05, s = 0.2;
    for (double const ratio : {33.0, 40.0, 100.0}) {
        double const r = s / ratio;
        auto const closed = descreening(r, 1 / r, rho, s), series = central_descreening(r, rho, s, closed);
        CHECK(series.value == Approx(closed.value).epsilon(1e-12));
        CHECK(series.slope == Approx(closed.slope).epsilon(1e-8));  // of which the closed form loses (s/r)² digits
    }
    // At the center a shell of thickness s - rho is missing: 2 ∫ dx/x² from rho to s.
    CHECK(central_descreening(0.0, rho, s, ValueAndSlope<double>{}).value == Approx(2 / rho - 2 / s).epsilon(1e-15));
    CHECK(central_descreening(0.0, rho, s, ValueAndSlope<double>{}).slope == 0);
}

}  // namespace gbsa_test
