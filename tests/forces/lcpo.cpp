// LCPOForce: values computed by hand, gradients, and invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include <trotter/forces/lcpo.hpp>

#include "finite_differences.hpp"

using namespace trotter;

namespace lcpo_test {

using std::numbers::pi;

namespace {

// The area of a sphere of radius r covered by one of radius s at distance d.
double covered(double r, double s, double d) { return 2 * pi * r * (r - d / 2 - (r * r - s * s) / (2 * d)); }

LCPOForce::Particle const carbon{0.31, 0.7, -0.28, -0.0013, 0.4}, oxygen{0.25, 0.5, -0.11, -0.02, 0.3};
LCPOForce many(std::size_t count) {
    LCPOForce force{.surface_tension = 2};
    for (std::size_t i = 0; i < count; ++i)
        force.particles.push_back(i % 5 == 4 ? LCPOForce::Particle{} : i % 2 == 0 ? carbon : oxygen);
    return force;
}
std::string refusal(LCPOForce const& force) {
    try {
        context_of(reference_platform, system_of(force, 2));
    } catch (InputError const& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("areas of one, two and three spheres", "[forces][devices]") {
    auto const platform = each_platform();
    double const alone = 0.7 * 4 * pi * 0.31 * 0.31, r = 0.31, s = 0.25;
    CHECK(evaluate(platform, LCPOForce{.particles = {carbon}, .surface_tension = 3}, {{1, 1, 1}}).energy
          == Approx(3 * alone));
    double const two = alone + 0.5 * 4 * pi * s * s - 0.28 * covered(r, s, 0.4) - 0.11 * covered(s, r, 0.4);
    LCPOForce force{.particles = {carbon, oxygen}};
    CHECK(evaluate(platform, force, {{0, 0, 0}, {0.4, 0, 0}}).energy == Approx(two).epsilon(1e-12));
    CHECK(evaluate(platform, force, {{0, 0, 0}, {0.56, 0, 0}}).energy
          == Approx(alone + 0.5 * 4 * pi * s * s).epsilon(1e-12));
    // A third sphere of radius 0 has no effect; one whose parameters are 0 covers others.
    force.particles.push_back({0, 5, 5, 5, 5});
    CHECK(evaluate(platform, force, {{0, 0, 0}, {0.4, 0, 0}, {0.2, 0, 0}}).energy == Approx(two).epsilon(1e-12));
    force.particles[2] = {0.2, 0, 0, 0, 0};
    double const a01 = covered(r, s, 0.4), a10 = covered(s, r, 0.4), a02 = covered(r, 0.2, 0.3),
                 a20 = covered(0.2, r, 0.3), a12 = covered(s, 0.2, 0.25), a21 = covered(0.2, s, 0.25);
    double const x = (0.4 * 0.4 + 0.3 * 0.3 - 0.25 * 0.25) / 0.8;
    double const three = two - 0.28 * a02 - 0.0013 * (a12 + a21) + 0.4 * (a01 * a12 + a02 * a21) - 0.11 * a12
                         - 0.02 * (a02 + a20) + 0.3 * (a10 * a02 + a12 * a20);
    CHECK(evaluate(platform, force, {{0, 0, 0}, {0.4, 0, 0}, {x, std::sqrt(0.09 - x * x), 0}}).energy
          == Approx(three).epsilon(1e-12));
}

TEST_CASE("forces of areas are the gradient", "[forces][devices]") {
    auto const platform = each_platform();
    for (bool const periodic : {false, true}) {
        auto force = many(40);
        force.periodic = periodic;
        auto const positions = scattered(40, Box::rectangular(1.3, 1.3, 1.3), 0.15, 8);
        Box const box = Box::rectangular(1.3, 1.3, 1.3);
        auto context = context_of(platform, system_of(force, 40, box), positions);
        auto const forces = evaluation(context).forces;
        // Second derivatives of areas are discontinuous where spheres touch, within 4e-4 nm for some pairs.
        CHECK(largest_difference(forces, numerical_forces(context, positions)) < 1e-6 * rms(forces));
    }
}

TEST_CASE("areas of many particles take no more than their neighbours", "[forces]") {
    auto const force = many(3000);
    Vectors positions;
    for (int i = 0; i < 3000; ++i) positions.push_back({0.25 * (i % 15), 0.25 * (i / 15 % 15), 0.25 * (i / 225)});
    auto context = context_of(reference_platform, system_of(force, 3000), positions);
    Vec3<> sum;
    for (auto const& f : evaluation(context).forces) sum += f;
    CHECK(norm(sum) < 1e-9);
}

TEST_CASE("an LCPOForce can be updated", "[forces]") {
    auto force = many(6);
    auto const positions = scattered(6, Box::rectangular(0.7, 0.7, 0.7), 0.2, 3);
    auto context = context_of(reference_platform, system_of(force, 6), positions);
    force.particles[0] = {0.4, 1, 2, 3, 4};
    force.surface_tension = -1;
    context.update(0, force);
    CHECK(evaluation(context).energy == evaluate(reference_platform, force, positions).energy);
}

TEST_CASE("an LCPOForce refuses what makes no sense", "[forces]") {
    std::string const begin = "force 0 (LCPOForce): ";
    CHECK(refusal({.particles = {carbon}})
          == begin + "there are parameters of 1 particles, expected 2 as in the System");
    CHECK(refusal({.particles = {carbon, {-0.1}}})
          == begin + "particle 1: radius is -0.100000, expected a number that is not negative");
    CHECK(refusal({.particles = {carbon, {0.1, NAN}}}) == begin + "particle 1: p1 is nan, expected a finite number");
    CHECK(refusal({.particles = {carbon, carbon}, .surface_tension = INFINITY})
          == begin + "the surface tension is inf, expected a finite number");
    CHECK(refusal({.particles = {carbon, {0.6}}, .periodic = true})
          == begin + "the largest radius is 0.600000 nm, expected at most a quarter of the 2.000000 nm of the System's shortest "
                     "periodic box width");
}

}  // namespace lcpo_test
