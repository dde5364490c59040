// NonbondedForce: values computed by hand, and the effect of its settings.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <numbers>

#include <trotter/physics/nonbonded_parameters.hpp>

#include "evaluation.hpp"

using namespace trotter;

namespace nonbonded_test {

using Catch::Matchers::Contains;
using Method = NonbondedForce::Method;
using std::numbers::pi;

namespace {

constexpr double coulomb = 138.935457644382;
constexpr Method all_methods[] = {
    Method::no_cutoff, Method::cutoff_non_periodic, Method::cutoff_periodic, Method::ewald, Method::pme, Method::ljpme};

NonbondedForce force_of(std::vector<NonbondedForce::Particle> particles, Method method, double cutoff = 1) {
    NonbondedForce force;
    force.particles = std::move(particles);
    force.method = method;
    force.cutoff_distance = cutoff;
    force.use_dispersion_correction = false;
    return force;
}
NonbondedForce argon(std::size_t count, Method method) {
    return force_of(std::vector<NonbondedForce::Particle>(count, {0, 0.34, 1}), method);
}
Approx close(double expected, double relative) { return Approx(expected).epsilon(relative).margin(relative); }
Box const cube = Box::rectangular(4, 4, 4);

}  // namespace

TEST_CASE("two charges", "[forces]") {
    auto const platform = each_platform();
    auto const result = evaluate(platform, force_of({{1, 1, 0}, {1, 1, 0}}, Method::no_cutoff), {{0, 0, 0}, {0, 1, 0}});
    CHECK(result.energy == close(coulomb, platform.rounding));
    CHECK(result.forces[1].y == close(coulomb, platform.rounding));
    CHECK(result.forces[0].y == close(-coulomb, platform.rounding));
}

TEST_CASE("Lennard-Jones has its minimum at the sixth root of two, with mean parameters", "[forces]") {
    auto const platform = each_platform();
    double const r = std::pow(2, 1.0 / 6) * 0.35;
    auto const result =
        evaluate(platform, force_of({{0, 0.3, 4}, {0, 0.4, 1}}, Method::no_cutoff), {{0, 0, 0}, {r, 0, 0}});
    CHECK(result.energy == close(-2, 10 * platform.rounding));
    CHECK(std::abs(result.forces[0].x) < 1e3 * platform.rounding);
}

TEST_CASE("the reaction field acts with both plain cutoffs", "[forces]") {
    auto const platform = each_platform();
    // k = (eps-1)/((2 eps+1) rc³), c = 3 eps/((2 eps+1) rc) with eps = 4, rc = 1: 1/3 and 4/3.
    for (auto method : {Method::cutoff_non_periodic, Method::cutoff_periodic}) {
        auto force = force_of({{1, 1, 0}, {-2, 1, 0}}, method);
        force.reaction_field_dielectric = 4;
        auto const result = evaluate(platform, force, {{0, 0, 0}, {0.5, 0, 0}}, cube);
        CHECK(result.energy == close(-2 * coulomb * (2 + 0.25 / 3 - 4.0 / 3), 10 * platform.rounding));
        CHECK(result.forces[0].x == close(2 * coulomb * (4 - 1.0 / 3), 10 * platform.rounding));
    }
}

TEST_CASE("the switch multiplies Lennard-Jones alone", "[forces]") {
    auto const platform = each_platform();
    Vectors const positions{{0, 0, 0}, {0.9, 0, 0}};  // halfway: the switching function is 1/2 with slope -15/8 per width
    auto force = force_of({{1, 0.3, 1}, {1, 0.3, 1}}, Method::cutoff_periodic);
    force.reaction_field_dielectric = 1;
    auto const plain = evaluate(platform, force, positions, cube);
    double const s6 = std::pow(0.3 / 0.9, 6), lj = 4 * (s6 * s6 - s6), charges = coulomb * (1 / 0.9 - 1);
    CHECK(plain.energy == close(charges + lj, 10 * platform.rounding));
    force.use_switching_function = true;
    force.switching_distance = 0.8;
    auto const switched = evaluate(platform, force, positions, cube);
    CHECK(switched.energy == close(charges + lj / 2, 10 * platform.rounding));
    double const lj_force = 4 * (12 * s6 * s6 - 6 * s6) / 0.9;
    CHECK(switched.forces[1].x - plain.forces[1].x
          == close(-lj_force / 2 + lj * 15 / 8 / 0.2, 1e3 * platform.rounding));
    for (auto method : {Method::no_cutoff, Method::ljpme}) {
        force.method = method;
        force.use_switching_function = true;
        double const with_flag = evaluate(platform, force, positions, cube).energy;
        force.use_switching_function = false;
        CHECK(evaluate(platform, force, positions, cube).energy == with_flag);
    }
}

TEST_CASE("the cutoff is inclusive and counts a pair at half the box once", "[forces]") {
    auto const platform = each_platform();
    auto const force = argon(2, Method::cutoff_periodic);
    double const s6 = std::pow(0.34, 6), at_cutoff = 4 * (s6 * s6 - s6);
    Box const box = Box::rectangular(2, 2, 2);
    CHECK(evaluate(platform, force, {{0, 0, 0}, {1, 0, 0}}, box).energy == close(at_cutoff, 10 * platform.rounding));
    CHECK(evaluate(platform, force, {{0, 0, 0}, {1 + 1e-5, 0.01, 0}}, box).energy == 0);
    CHECK(evaluate(platform, argon(2, Method::cutoff_non_periodic), {{0, 0, 0}, {1, 0, 0}}, box).energy
          == close(at_cutoff, 10 * platform.rounding));
}

TEST_CASE("an exception replaces the pair at any distance, whatever the method", "[forces]") {
    auto const platform = each_platform();
    for (auto method : all_methods)
        for (bool is_periodic : {false, true}) {
            auto force = force_of({{0, 0.3, 0}, {0, 0.3, 0}}, method);
            force.exceptions = {{0, 1, 0.5, 0.3, 2}};
            force.exceptions_use_periodic = is_periodic;
            // Periodic methods use the image at 1.5 nm if exceptions_use_periodic is set.
            double const r = is_periodic && force.is_periodic() ? 1.5 : 2.5, s6 = std::pow(0.3 / r, 6);
            double const expected = coulomb * 0.5 / r + 8 * (s6 * s6 - s6);
            CHECK(evaluate(platform, force, {{0, 0, 0}, {2.5, 0, 0}}, cube).energy
                  == close(expected, 10 * platform.rounding));
        }
}

TEST_CASE("an excluded pair may coincide: the mesh's share is taken out", "[forces]") {
    auto const platform = each_platform();
    for (auto method : {Method::ewald, Method::pme, Method::ljpme}) {
        auto pair = force_of({{0.3, 0.3, 0}, {0.5, 0.3, 0}, {-1, 0.3, 0}}, method);
        pair.exceptions = {{0, 1, 0, 1, 0}};
        auto const two = evaluate(platform, pair, {{1, 1, 1}, {1, 1, 1}, {1.5, 1, 1}}, cube);
        auto const one =
            evaluate(platform, force_of({{0.8, 0.3, 0}, {-1, 0.3, 0}}, method), {{1, 1, 1}, {1.5, 1, 1}}, cube);
        CHECK(two.energy == close(one.energy, 100 * platform.rounding));
        CHECK(norm(two.forces[0] + two.forces[1] - one.forces[0]) < 1e3 * platform.rounding * norm(one.forces[0]));
    }
}

TEST_CASE("rock salt has its Madelung constant", "[forces]") {
    auto const platform = each_platform();
    double const edge = 0.5;
    std::vector<NonbondedForce::Particle> ions;
    Vectors positions;
    for (int x = 0; x < 4; ++x)
        for (int y = 0; y < 4; ++y)
            for (int z = 0; z < 4; ++z) {
                ions.push_back({(x + y + z) % 2 == 0 ? 1.0 : -1.0, 0.1, 0});
                positions.push_back({x * edge, y * edge, z * edge});
            }
    double const expected = -1.7475645946331822 * coulomb / edge * 32;
    for (auto method : {Method::ewald, Method::pme}) {
        auto force = force_of(ions, method, 0.99);
        force.ewald_error_tolerance = 1e-8;
        force.pme = {.alpha = 4.5, .nx = 64, .ny = 64, .nz = 64};
        // Truncation errors of the sums are about their tolerance.
        CHECK(evaluate(platform, force, positions, Box::rectangular(2, 2, 2)).energy
              == close(expected, platform.is_double ? 1e-7 : 5e-6));
    }
}

TEST_CASE("a lone charge sees its images and the background", "[forces]") {
    auto const platform = each_platform();
    // B. A. Luty, W. F. van Gunsteren, J. Phys. Chem. 100, 2581 (1996): -2.837297 q²/(8 pi eps0 L).
    for (auto method : {Method::ewald, Method::pme}) {
        auto force = force_of({{2, 0.1, 0}}, method, 0.9);
        force.ewald_error_tolerance = 1e-7;
        double const energy = evaluate(platform, force, {{0.1, 0.2, 0.3}}, Box::rectangular(2, 2, 2)).energy;
        CHECK(energy == close(-2.837297479480620 * coulomb * 4 / 2 / 2, platform.is_double ? 2e-6 : 1e-5));
    }
}

TEST_CASE("direct and reciprocal space can have groups of their own", "[forces]") {
    auto const platform = each_platform();
    auto force = force_of({{1, 0.3, 0.5}, {-1, 0.3, 0.5}, {0.5, 0.2, 0.1}}, Method::pme);
    force.exceptions = {{0, 2, 0.1, 0.2, 0.3}};
    force.use_dispersion_correction = true;
    Vectors const positions{{0.1, 0.2, 0.3}, {0.6, 0.4, 0.3}, {0.3, 3.7, 0.3}};
    double const whole = evaluate(platform, force, positions, cube).energy;
    force.force_group = 1;
    force.reciprocal_force_group = 2;
    auto context = context_of(platform, system_of(force, 3, cube), positions);
    auto const direct = evaluation(context, ForceGroups::only({1})),
               reciprocal = evaluation(context, ForceGroups::only({2}));
    CHECK(direct.energy + reciprocal.energy == close(whole, 10 * platform.rounding));
    CHECK(evaluation(context, ForceGroups::only({0, 3})).energy == 0);
    auto const both = evaluation(context);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(norm(direct.forces[i] + reciprocal.forces[i] - both.forces[i])
              < 10 * platform.rounding * rms(both.forces));
    force.include_direct_space = false;
    CHECK(evaluate(platform, force, positions, cube).energy == close(reciprocal.energy, platform.rounding));
}

TEST_CASE("the dispersion correction", "[forces]") {
    auto const platform = each_platform();
    auto force = argon(10, Method::cutoff_periodic);
    force.use_dispersion_correction = true;
    Vectors positions;
    for (int i = 0; i < 10; ++i) positions.push_back({0.5 * i, 1.5 * (i % 2), 3.0 * (i % 3)});
    Box const box = Box::rectangular(10, 10, 10);
    auto correction = [&](NonbondedForce f) {
        double const with = evaluate(platform, f, positions, box).energy;
        f.use_dispersion_correction = false;
        return with - evaluate(platform, f, positions, box).energy;
    };
    double const s6 = std::pow(0.34, 6), plain = 8 * pi * 100 / 1000 * (s6 * s6 / 9 - s6 / 3);
    double const tolerance = platform.is_double ? 1e-11 : 1e-4;
    CHECK(correction(force) == close(plain, tolerance));

    // With a switching function from rs to rc, J(6) - 1/(3 rc³) = ∫ (1 - S) r^-4 dr, here by the midpoint rule.
    force.use_switching_function = true;
    force.switching_distance = 0.8;
    double extra6 = 0, extra12 = 0;
    int const points = 200'000;
    for (int n = 0; n < points; ++n) {
        double const t = (n + 0.5) / points, r = 0.8 + 0.2 * t, lost = t * t * t * (10 - 15 * t + 6 * t * t);
        extra6 += lost * std::pow(r, -4) * 0.2 / points;
        extra12 += lost * std::pow(r, -10) * 0.2 / points;
    }
    double const switched = plain + 8 * pi * 100 / 1000 * (s6 * s6 * extra12 - s6 * extra6);
    CHECK(correction(force) == close(switched, platform.is_double ? 1e-9 : 1e-4));

    for (auto method : {Method::no_cutoff, Method::cutoff_non_periodic, Method::ljpme}) {
        force.method = method;
        CHECK(correction(force) == 0);
    }
}

TEST_CASE("offsets by global parameters", "[forces]") {
    auto const platform = each_platform();
    auto force = force_of({{0.5, 1, 0}, {1, 1, 0}, {0, 1, 0}}, Method::no_cutoff);
    force.global_parameters = {{"lambda", 0.25}, {"mu", 1}};
    force.particle_offsets = {{"lambda", 0, 2, 0, 0}};
    force.exceptions = {{0, 2, 0, 1, 0}};
    force.exception_offsets = {{"mu", 0, 0.5, 0, 0}};
    Vectors const positions{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
    auto energy = [&](ParameterValues const& values) {
        return evaluate(platform, force, positions, {}, values).energy;
    };
    CHECK(energy({}) == close(coulomb * (1 + 0.25), 10 * platform.rounding));
    CHECK(energy({{"lambda", 1}}) == close(coulomb * (2.5 + 0.25), 10 * platform.rounding));
    CHECK(energy({{"mu", 0}}) == close(coulomb, 10 * platform.rounding));
    // Several offsets of one particle or exception for one parameter add up.
    force.particle_offsets.push_back({"lambda", 0, 4, 0, 0});
    CHECK(energy({}) == close(coulomb * (2 + 0.25), 10 * platform.rounding));
    force.exception_offsets.push_back({"mu", 0, 0.25, 0, 0});
    CHECK(energy({}) == close(coulomb * (2 + 0.375), 10 * platform.rounding));
    // Exceptions use epsilon without a root, so that it may be negative: here 4·(-1)·(2⁻¹² - 2⁻⁶).
    force.exception_offsets = {{"mu", 0, 0, 0, -1}};
    CHECK(energy({}) == close(coulomb * 2 + 4 * (1.0 / 64 - 1.0 / 4096), 10 * platform.rounding));
    force.particle_offsets.push_back({"lambda", 1, 0, 0, -1});
    CHECK_THROWS_WITH(energy({}), Contains("particle 1: epsilon becomes -0.25"));
}

TEST_CASE("offsets enter the dispersion correction with default values", "[forces]") {
    auto const platform = each_platform();
    auto force = argon(2, Method::cutoff_periodic);
    force.use_dispersion_correction = true;
    force.global_parameters = {{"scale", 0}};
    force.particle_offsets = {{"scale", 0, 0, 0, 3}};
    Vectors const far{{0, 0, 0}, {2, 2, 2}};
    double const before = evaluate(platform, force, far, cube).energy;
    CHECK(before < 0);
    CHECK(evaluate(platform, force, far, cube, {{"scale", 1}}).energy == before);
}

TEST_CASE("open systems do not see the box", "[forces]") {
    auto const platform = each_platform();
    for (auto method : {Method::no_cutoff, Method::cutoff_non_periodic}) {
        auto force = force_of({{1, 0.3, 1}, {1, 0.3, 1}}, method, 5);
        force.exceptions = {{0, 1, 1, 0.3, 0}};
        force.exceptions_use_periodic = true;
        CHECK(evaluate(platform, force, {{0, 0, 0}, {3.9, 0, 0}}, cube).energy
              == close(coulomb / 3.9, 10 * platform.rounding));
    }
}

TEST_CASE("the numbers of a live force can be updated", "[forces]") {
    auto const platform = each_platform();
    auto force = force_of({{1, 1, 0}, {1, 1, 0}, {0, 1, 0}}, Method::no_cutoff);
    force.exceptions = {{0, 2, 1, 1, 0}};
    auto context = context_of(platform, system_of(force, 3), {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}});
    force.particles[0].charge = 3;
    force.exceptions[0].charge_product = 4;
    context.update(0, force);
    CHECK(evaluation(context).energy == close(coulomb * (3 + 2), 10 * platform.rounding));
    force.exceptions[0].particle2 = 1;
    CHECK_THROWS_WITH(context.update(0, force), Contains("exception 0 is of something else than before"));
    force.exceptions.clear();
    CHECK_THROWS_WITH(context.update(0, force), Contains("the number of exceptions has changed from 1 to 0"));
    force.method = Method::cutoff_non_periodic;
    CHECK_THROWS_WITH(context.update(0, force), Contains("the method or one of its settings has changed"));
}

TEST_CASE("exceptions that begin and cease to interact", "[forces]") {
    auto const platform = each_platform();
    auto force = force_of({{1, 1, 0}, {1, 1, 0}, {0, 1, 0}}, Method::no_cutoff);
    force.exceptions = {{0, 1, 0, 1, 0}, {0, 2, 0, 1, 0}};
    auto context = context_of(platform, system_of(force, 3), {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}});
    auto const update = [&](double first, double second) {
        force.exceptions[0].charge_product = first;
        force.exceptions[1].charge_product = second;
        context.update(0, force);
        auto const found = evaluation(context);
        CHECK(found.energy == close(coulomb * (first + second / 2), 10 * platform.rounding));
        CHECK(found.forces[0].x == close(-coulomb * first, 10 * platform.rounding));
        CHECK(found.forces[0].y == close(-coulomb * second / 4, 10 * platform.rounding));
    };
    CHECK(evaluation(context).energy == 0);
    update(0, 4);
    update(3, 4);
    update(3, 0);
    update(0, 0);
    update(1, 2);
}

TEST_CASE("a box that shrinks below twice the cutoff stops the simulation", "[forces]") {
    auto const platform = each_platform();
    auto context = context_of(platform, system_of(argon(2, Method::cutoff_periodic), 2, Box::rectangular(2, 2, 2)),
                                        {{0, 0, 0}, {0.5, 0, 0}});
    context.set_box(Box::rectangular(2, 1.9999999, 2));  // within the rounding tolerance
    CHECK(std::isfinite(evaluation(context).energy));
    context.set_box(Box::rectangular(2, 1.99, 2));
    CHECK_THROWS_AS(evaluation(context), SimulationError);
    CHECK_THROWS_WITH(evaluation(context), Contains("1.99") && Contains("less than twice the cutoff"));
}

TEST_CASE("splitting and mesh are chosen from the System's box, for good", "[forces]") {
    auto const platform = each_platform();
    auto force = force_of({{1, 0.3, 0.5}, {-1, 0.3, 0.5}}, Method::pme);
    Vectors const positions{{0.1, 0.2, 0.3}, {0.6, 0.4, 0.3}};
    Box const larger = Box::rectangular(4.7, 4.5, 5.1);
    auto context = context_of(platform, system_of(force, 2, cube), positions);
    context.set_box(larger);
    force.pme = reciprocal_charges(force, MeshKind::coulomb, cube)->mesh();
    CHECK(evaluation(context).energy == close(evaluate(platform, force, positions, larger).energy, platform.rounding));
}

}  // namespace nonbonded_test
