// GayBerneForce: values computed by hand, gradients, and invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <string>

#include <trotter/forces/gay_berne.hpp>

#include "finite_differences.hpp"

using namespace trotter;

namespace gay_berne_test {

using Method = GayBerneForce::Method;

namespace {

double lennard_jones(double sigma, double epsilon, double r) {
    return 4 * epsilon * (std::pow(sigma / r, 12) - std::pow(sigma / r, 6));
}

GayBerneForce::Particle sphere(double size, double epsilon = 1) { return {size, epsilon, -1, -1, size, size, size}; }
GayBerneForce::Particle const carrier = sphere(0.1, 0);  // of an axis

/// Ellipsoids of three particles each, with general positions and shapes.
GayBerneForce ellipsoids(int count, Method method) {
    GayBerneForce force{.method = method};
    for (int i = 0; i < count; ++i) {
        int const first = 3 * i;
        force.particles.push_back(
            i % 3 == 0   ? sphere(0.3)
            : i % 3 == 1 ? GayBerneForce::Particle{0.3, 1.2, first + 1, -1, 0.5, 0.32, 0.32, 1.6, 0.9, 0.9}
                         : GayBerneForce::Particle{0.28, 0.8, first + 1, first + 2, 0.45, 0.3, 0.36, 1.6, 0.8, 1.1});
        force.particles.insert(force.particles.end(), {carrier, carrier});
    }
    force.exceptions = {{0, 3, 0.25, 0.6}, {3, 6, 0, 0}, {1, 4, 0.2, 0.5}};
    return force;
}
Vectors places(int count, Box const& box, double apart, unsigned seed) {
    Vectors result;
    auto const arms = scattered(static_cast<std::size_t>(2 * count), Box::rectangular(0.4, 0.4, 0.4), 0.02, seed + 1);
    for (auto const& center : scattered(static_cast<std::size_t>(count), box, apart, seed)) {
        result.push_back(center);
        for (int n = 0; n < 2; ++n)
            result.push_back(center + arms[result.size() % arms.size()] - Vec3<>{0.2, 0.2, 0.2});
    }
    return result;
}

std::string refusal(GayBerneForce const& force) {
    try {
        context_of(reference_platform, system_of(force, 3));
    } catch (InputError const& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("equal spheres are Lennard-Jones particles whose surfaces are sigma apart", "[forces][devices]") {
    auto const platform = each_platform();
    GayBerneForce force{.particles = {sphere(0.3), sphere(0.3, 4)}};
    double const r = 0.35;
    auto energy = [&] { return evaluate(platform, force, {{0, 0, 0}, {0, 0, r}}).energy; };
    CHECK(energy() == Approx(lennard_jones(0.3, 2, r)).epsilon(1e-12));
    auto const forces = evaluate(platform, force, {{0, 0, 0}, {0, 0, r}}).forces;
    CHECK(forces[0] == -forces[1]);
    force.particles[1].sigma = 0.2;
    CHECK(energy() == Approx(lennard_jones(0.25, 2, r - 0.3 + 0.25)).epsilon(1e-12));
    force.exceptions = {{1, 0, 0.1, 0.5}};
    CHECK(energy() == Approx(lennard_jones(0.1, 0.5, r - 0.3 + 0.1)).epsilon(1e-12));
    force.exceptions = {{1, 0, 0.1, 0}};
    CHECK(energy() == 0);
}

TEST_CASE("equal ellipsoids side by side and end to end", "[forces][devices]") {
    auto const platform = each_platform();
    // With equal parallel axes eta is 2 s/(8 a² b² c²)^(1/2) with s = (ab + c²) sqrt(ab), and chi is e² of the axis
    // between them.
    double const a = 0.25, b = 0.15, sigma = 0.3;
    GayBerneForce force;
    for (int i = 0; i < 2; ++i) {
        force.particles.push_back({sigma, 2, 2 * i + 1, -1, 2 * a, 2 * b, 2 * b, 1.44, 0.81, 0.81});
        force.particles.push_back(carrier);
    }
    double const s = (a * b + b * b) * std::sqrt(a * b), eta = std::sqrt(2 * s * s / (8 * a * a * b * b * b * b));
    auto energy = [&](Vec3<> const& apart) {
        return evaluate(platform, force, {{0, 0, 0}, {0.3, 0, 0}, apart, apart + Vec3<>{-0.2, 0, 0}}).energy;
    };
    // chi = (2 u·B⁻¹u)² with B = 2/sqrt(e) along the line: chi = e.
    CHECK(energy({0.6, 0, 0}) == Approx(1.44 * eta * lennard_jones(sigma, 2, 0.6 - 2 * a + sigma)).epsilon(1e-12));
    CHECK(energy({0, 0.4, 0}) == Approx(0.81 * eta * lennard_jones(sigma, 2, 0.4 - 2 * b + sigma)).epsilon(1e-12));
}

TEST_CASE("forces between ellipsoids are the gradient, whatever scales and axes", "[forces][devices]") {
    auto const platform = each_platform();
    for (auto const method : {Method::no_cutoff, Method::cutoff_non_periodic, Method::cutoff_periodic}) {
        auto force = ellipsoids(9, method);
        force.cutoff_distance = 0.95;
        force.use_switching_function = method == Method::cutoff_periodic;
        force.switching_distance = 0.5;
        auto const positions = places(9, skewed_box, 0.55, 21);
        auto context = context_of(platform, system_of(force, positions.size(), skewed_box), positions);
        auto const forces = evaluation(context).forces;
        INFO(static_cast<int>(method));
        CHECK(rms(forces) > 0.5);
        // Fourth order with steps of 1e-4 nm, where forces vary over 0.02 nm.
        CHECK(largest_difference(forces, numerical_forces(context, positions)) < 1e-6 * rms(forces));
    }
}

TEST_CASE("a GayBerneForce can be updated", "[forces]") {
    auto force = ellipsoids(3, Method::no_cutoff);
    auto const positions = places(3, small_box, 0.5, 4);
    auto context = context_of(reference_platform, system_of(force, 9), positions);
    force.particles[0].epsilon = 3;
    force.exceptions.clear();
    context.update(0, force);
    CHECK(evaluation(context).energy == evaluate(reference_platform, force, positions).energy);
}

TEST_CASE("a GayBerneForce refuses what makes no sense", "[forces]") {
    auto with = [](GayBerneForce::Particle const& particle,
                   std::vector<GayBerneForce::Exception> const& exceptions = {}) {
        return refusal(GayBerneForce{.particles = {particle, carrier, carrier}, .exceptions = exceptions});
    };
    auto const round = sphere(0.3);
    std::string const begin = "force 0 (GayBerneForce): ";
    CHECK(refusal(GayBerneForce{.particles = {round}})
          == begin + "there are parameters of 1 particles, expected 3 as in the System");
    CHECK(with({-0.3, 1}) == begin + "particle 0: sigma is -0.300000, expected a number that is not negative");
    CHECK(with({0.3, -1}) == begin + "particle 0: epsilon is -1.000000, expected a number that is not negative");
    CHECK(with({0.3, 1, -1, -1, 0, 0, 0}) == begin + "particle 0: size_x is 0.000000, expected a positive number");
    CHECK(with({0.3, 1, -1, -1, 1, 1, 1, 0, 0, 0})
          == begin + "particle 0: scale_x is 0.000000, expected a positive number");
    CHECK(with({0.3, 1, 7})
          == begin + "particle 0, its x axis: there is no particle 7; the System has 3 particles, counted from 0");
    CHECK(with({0.3, 1, 1, -2})
          == begin + "particle 0, its y axis: there is no particle -2; the System has 3 particles, counted from 0");
    CHECK(with({0.3, 1, 0}) == begin + "particle 0: an axis points from the particle to itself");
    CHECK(with({0.3, 1, -1, 1}) == begin + "particle 0: there is no x particle, but y particle 1");
    CHECK(with({0.3, 1, 1, 1}) == begin + "particle 0: x and y axis point from the same particle 1");
    CHECK(with({0.3, 1, 1, -1, 0.3, 0.2, 0.3})
          == begin + "particle 0: sizes and scales along y and z are 0.200000, 0.300000 and 1.000000, 1.000000, expected equal ones "
                     "without a y particle");
    CHECK(with({0.3, 1, -1, -1, 0.3, 0.2, 0.2})
          == begin + "particle 0: sizes and scales along x and y are 0.300000, 0.200000 and 1.000000, 1.000000, expected equal ones "
                     "without an x particle");
    CHECK(with(round, {{0, 3}})
          == begin + "exception 0: there is no particle 3; the System has 3 particles, counted from 0");
    CHECK(with(round, {{1, 1}}) == begin + "exception 0 pairs particle 1 with itself");
    CHECK(with(round, {{0, 1}, {1, 0}}) == begin + "exception 1 repeats the pair of particles 1 and 0 of exception 0");
    CHECK(with(round, {{0, 1, -1}})
          == begin + "exception 0: sigma is -1.000000, expected a number that is not negative");
    CHECK(with(round, {{0, 1, 1, -1}})
          == begin + "exception 0: epsilon is -1.000000, expected a number that is not negative");
    GayBerneForce far{
        .particles = {round, carrier, carrier}, .method = Method::cutoff_periodic, .cutoff_distance = 1.1};
    CHECK(refusal(far)
          == begin + "the cutoff is 1.100000 nm, expected at most 1.000000 nm, half of the System's shortest periodic box width");
    far.cutoff_distance = 0;
    CHECK(refusal(far) == begin + "the cutoff is 0.000000 nm, expected a positive number");
    far.cutoff_distance = far.switching_distance = 1;
    far.use_switching_function = true;
    CHECK(
        refusal(far)
        == begin
               + "the switching distance is 1.000000 nm, expected a number from 0 to below the cutoff of 1.000000 nm");
}

}  // namespace gay_berne_test
