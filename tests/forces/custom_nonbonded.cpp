// CustomNonbondedForce and its long-range correction: against the built-in force and analytic integrals.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include <trotter/forces/custom_nonbonded.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/replicas/replicate.hpp>

#include "evaluation.hpp"

using namespace trotter;

namespace custom_nonbonded_test {

using Catch::Matchers::Contains;
using Method = PairSettings::Method;

namespace {

constexpr std::size_t count = 14;
constexpr double cutoff = 0.9;
Box const box{{2, 0, 0}, {0.3, 2.2, 0}, {-0.2, 0.1, 2.1}};
double tolerance(TestPlatform const& platform) { return platform.is_double ? 1e-9 : 2e-5; }

CustomNonbondedForce force_of(std::string const& formula, PairSettings const& settings) {
    CustomNonbondedForce force{.energy = RuntimeExpression(formula), .parameter_names = {"s", "e"}, .pairs = settings};
    for (std::size_t i = 0; i < count; ++i)
        force.particles.push_back({0.25 + 0.01 * static_cast<double>(i % 4), 0.5 + 0.1 * static_cast<double>(i % 3)});
    return force;
}
PairSettings settings(bool is_switched, bool is_corrected = true) {
    return {.method = Method::cutoff_periodic,
            .cutoff_distance = cutoff,
            .use_switching_function = is_switched,
            .switching_distance = 0.6,
            .use_long_range_correction = is_corrected};
}
Vectors const positions = scattered(count, box, 0.27, 1);

/// The energy of the long-range correction.
double tail_of(TestPlatform const& platform, CustomNonbondedForce force) {
    double const with = evaluate(platform, force, positions, box).energy;
    force.pairs.use_long_range_correction = false;
    return with - evaluate(platform, force, positions, box).energy;
}
std::string const formula_of_lennard_jones = "4*sqrt(e1*e2)*((s/r)^12-(s/r)^6); s=(s1+s2)/2";

}  // namespace

TEST_CASE("the tail of a Lennard-Jones formula is the built-in dispersion correction", "[forces][devices]") {
    auto const platform = each_platform();
    for (bool const is_switched : {true, false}) {
        auto force = force_of(formula_of_lennard_jones, settings(is_switched));
        NonbondedForce built_in{.method = NonbondedForce::Method::cutoff_periodic,
                                .cutoff_distance = cutoff,
                                .use_switching_function = is_switched,
                                .switching_distance = 0.6};
        for (auto const& row : force.particles) built_in.particles.push_back({0, row[0], row[1]});
        auto const expected = evaluate(reference_platform, built_in, positions, box);
        auto const result = evaluate(platform, force, positions, box);
        CHECK(result.energy == Approx(expected.energy).epsilon(tolerance(platform)));
        CHECK(largest_difference(result.forces, expected.forces) <= tolerance(platform) * rms(expected.forces));
        CHECK(std::abs(tail_of(reference_platform, force)) > 1e-3 * std::abs(expected.energy));
        if (platform.is_on_device) return;  // slow compilers
    }
}

TEST_CASE("tails are the integrals beyond the cutoff", "[forces]") {
    double const n = static_cast<double>(count), scale = 2 * std::numbers::pi * n * n / box.volume(), c = cutoff;
    CHECK(tail_of(reference_platform, force_of("exp(-3*r)", settings(false)))
          == Approx(scale * std::exp(-3 * c) * (c * c / 3 + 2 * c / 9 + 2.0 / 27)).epsilon(1e-10));
    CHECK(tail_of(reference_platform, force_of("1/r^4", settings(false))) == Approx(scale / c).epsilon(1e-10));
    CHECK(tail_of(reference_platform, force_of("r^-3.5", settings(false)))
          == Approx(scale * 2 / std::sqrt(c)).epsilon(1e-7));
    // Means over all pairs of particles, including self pairs.
    double sum = 0;
    auto const force = force_of("e1*e2/r^4", settings(false));
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j <= i; ++j) sum += force.particles[i][1] * force.particles[j][1];
    CHECK(tail_of(reference_platform, force) == Approx(scale / c * sum / (n * (n + 1) / 2)).epsilon(1e-10));
    CHECK(tail_of(reference_platform, force_of("0", settings(true))) == 0);
    auto plain = force_of("1/r^4", settings(false));
    for (auto const method : {Method::no_cutoff, Method::cutoff_non_periodic}) {
        plain.pairs.method = method;
        CHECK(tail_of(reference_platform, plain) == 0);
    }
}

TEST_CASE("tails follow box, parameters and numbers of particles", "[forces][devices]") {
    auto const platform = each_platform();
    auto force = force_of("lambda^2*e1*e2/r^5", settings(true));
    force.global_parameters = {{"lambda", 1}};
    force.energy_parameter_derivatives = {"lambda"};
    auto context = context_of(platform, system_of(force, count, box), positions);
    double const close = tolerance(platform);
    auto const expect = [&](double lambda, Box const& now) {
        force.global_parameters[0].default_value = lambda;
        auto const expected = evaluate(reference_platform, force, positions, now);
        auto const result = evaluation(context);
        CHECK(result.energy == Approx(expected.energy).epsilon(close));
        CHECK(result.derivatives.at("lambda") == Approx(2 * expected.energy / lambda).epsilon(close));
    };
    expect(1, box);
    context.set_parameter("lambda", 1.5);
    expect(1.5, box);
    Box const larger{box.a * 1.25, box.b * 1.25, box.c * 1.25};
    context.set_box(larger);
    context.set_positions(positions);
    expect(1.5, larger);
    force.global_parameters[0].default_value = 1;
    for (auto& row : force.particles) row[1] *= 1.1;
    context.update(0, force);
    expect(1.5, larger);
}

TEST_CASE("discrete tables have the value at the nearest of their integers", "[forces][devices]") {
    auto const platform = each_platform();
    std::vector<TabulatedFunction> const tables{
        {.name = "strength", .sizes = {3, 4}, .values = {1, -2, 3, 0.5, 7, -4, 2, 5, 6, -1, 0.3, 2.5}},
        {.name = "shell", .sizes = {4}, .values = {2, 1, 3, -1}}};
    std::string const formula = "(strength(t1, t2) + strength(t2, t1))*(1 + shell(9*r + u1*u2))/r";
    CustomNonbondedForce force{.energy = CustomNonbondedForce::formula(formula, tables),
                               .parameter_names = {"t", "u"},
                               .tabulated_functions = tables,
                               .pairs = settings(false, false)};
    // Between integers, below the first type and above the last.
    for (double const type : {0.0, 1.0, 2.0, 1.2, 0.9, -3.0, 8.0, 2.4, 1.6, 0.1, 1.0, 2.0, 0.0, 3.0})
        force.particles.push_back({type, type / 2});
    auto context = context_of(platform, system_of(force, count, box), positions);
    auto const check = [&] {
        auto const result = evaluation(context), expected = evaluate(reference_platform, force, positions, box);
        CHECK(result.energy == Approx(expected.energy).epsilon(tolerance(platform)));
        CHECK(largest_difference(result.forces, expected.forces) <= tolerance(platform) * rms(expected.forces));
    };
    check();
    for (auto& particle : force.particles) particle[0] = 2 - particle[0];
    context.update(0, force);
    check();
}

TEST_CASE("senseless formulas of a CustomNonbondedForce are refused", "[forces][devices]") {
    auto const platform = each_platform();
    auto const make = [&](CustomNonbondedForce const& force) { context_of(platform, system_of(force, count, box)); };
    CHECK_THROWS_WITH(make(force_of("e1*e2/r", settings(false))),
                      Contains("force 0 (CustomNonbondedForce)") && Contains("falls off too slowly"));
    if (!platform.is_on_device) CHECK_NOTHROW(make(force_of("e1*e2/r", settings(false, false))));
    CHECK_THROWS_WITH(make(force_of("step(1.3-r)", settings(false))), Contains("does not converge"));
    CHECK_THROWS_WITH(make(force_of("1/r^6 + log(10-r)/r^9", settings(false))), Contains("not finite"));
    CHECK_THROWS_WITH(make(force_of("q1*q2/r^6", settings(false))), Contains("unknown name 'q1'"));
    auto twice = force_of("e1*e2/r^6", settings(false));
    twice.parameter_names[0] = "e";
    CHECK_THROWS_WITH(make(twice), Contains("parameters 0 and 1 of particles have the same name 'e'"));
}

TEST_CASE("computed values are what formulas say of each particle", "[forces][devices]") {
    auto const platform = each_platform();
    auto force = force_of("c1*c2/r^6 + x1*x2*r; x = 5", settings(true));
    force.global_parameters = {{"lambda", 0.3}};
    force.energy_parameter_derivatives = {"lambda"};
    // Definitions local to a computed value, one of them with the name of a parameter.
    force.computed_values = {{"c", RuntimeExpression("half + s*e; half = (1-lambda)*e; e = s + 2*lambda")},
                             {"x", RuntimeExpression("e^2*lambda")}};
    auto plain = force_of("c1*c2/r^6 + x1*x2*r; c1 = (1-lambda)*f1 + s1*f1; f1 = s1 + 2*lambda; x1 = e1^2*lambda;"
                          "c2 = (1-lambda)*f2 + s2*f2; f2 = s2 + 2*lambda; x2 = e2^2*lambda",
                          settings(true));
    plain.global_parameters = force.global_parameters;
    plain.energy_parameter_derivatives = force.energy_parameter_derivatives;
    for (auto* each : {&force, &plain}) each->pairs.use_long_range_correction = false;
    auto context = context_of(platform, system_of(force, count, box), positions);
    for (double const lambda : {0.3, 0.8}) {
        context.set_parameter("lambda", lambda);
        auto const result = evaluation(context);
        auto const expected = evaluate(reference_platform, plain, positions, box, {{"lambda", lambda}});
        CHECK(result.energy == Approx(expected.energy).epsilon(tolerance(platform)));
        CHECK(largest_difference(result.forces, expected.forces) <= tolerance(platform) * rms(expected.forces));
        CHECK(result.derivatives.at("lambda")
              == Approx(expected.derivatives.at("lambda")).epsilon(tolerance(platform)));
    }
}

TEST_CASE("only pairs of interaction groups interact, once for each group", "[forces][devices]") {
    auto const platform = each_platform();
    auto force = force_of(formula_of_lennard_jones, settings(true, false));
    force.pairs.exclusions = {{0, 5}, {1, 2}};
    force.particles[13] = {0, -1};  // invalid in the formula, but in no group
    force.interaction_groups = {{{0, 1, 2, 3}, {2, 3, 4, 5, 6}}, {{7}, {8, 9, 10, 11, 12}}, {{5, 6}, {0, 3}}};
    // Each interacting pair as a separate System.
    auto const in = [](std::set<int> const& set, std::size_t i) { return set.contains(static_cast<int>(i)); };
    double energy = 0;
    Vectors forces(count);
    auto const excluded = excluded_partners(force.pairs, count);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < i; ++j)
            for (auto const& [set1, set2] : force.interaction_groups) {
                bool const is_met = (in(set1, i) && in(set2, j)) || (in(set1, j) && in(set2, i));
                bool const is_left_out =
                    std::binary_search(excluded[i].begin(), excluded[i].end(), static_cast<int>(j));
                if (!is_met || is_left_out) continue;
                auto two = force_of(formula_of_lennard_jones, settings(true, false));
                two.particles = {force.particles[i], force.particles[j]};
                auto const pair = evaluate(reference_platform, two, {positions[i], positions[j]}, box);
                energy += pair.energy;
                forces[i] += pair.forces[0];
                forces[j] += pair.forces[1];
            }
    auto const result = evaluate(platform, force, positions, box);
    // The correction averages over pairs of different particles.
    auto tailed = force_of("e1*e2/r^4", settings(false));
    tailed.interaction_groups = {{{0, 4}, {0, 4}}, {{1}, {2}}, {{2}, {2}}};
    double const n = static_cast<double>(count), product = force.particles[0][1] * force.particles[4][1]
                                                           + force.particles[1][1] * force.particles[2][1];
    CHECK(tail_of(reference_platform, tailed)
          == Approx(4 * std::numbers::pi * n / (n + 1) / box.volume() / cutoff * product).epsilon(1e-9));
    CHECK(result.energy == Approx(energy).epsilon(tolerance(platform)));
    CHECK(largest_difference(result.forces, forces) <= tolerance(platform) * rms(forces));
}

TEST_CASE("interaction groups act in every copy of a System", "[forces]") {
    auto force = force_of("e1*e2/r^6", settings(false, false));
    force.interaction_groups = {{{0, 3}, {2}}};
    force.pairs.exclusions = {{0, 2}};
    auto const copies = replicate(force, static_cast<int>(count), 2);
    CHECK(copies.particles.size() == 2 * count);
    CHECK(copies.interaction_groups[0].set1 == std::set{0, 3, 14, 17});
    CHECK(copies.interaction_groups[0].set2 == std::set{2, 16});
    CHECK(copies.pairs.exclusions.back() == PairSettings::Exclusion{14, 16});
}

TEST_CASE("senseless computed values and groups are refused", "[forces]") {
    auto const make = [](CustomNonbondedForce const& force) {
        context_of(reference_platform, system_of(force, count, box));
    };
    auto const force = force_of("e1*e2/r^6", settings(false));
    auto changed = force;
    changed.computed_values = {{"c", RuntimeExpression("s*q")}};
    CHECK_THROWS_WITH(make(changed), Contains("computed value 'c' has the unknown name 'q'; known: s, e"));
    changed.computed_values = {{"c", RuntimeExpression("s")}, {"c", RuntimeExpression("e")}};
    CHECK_THROWS_WITH(make(changed), Contains("two computed values have the same name 'c'"));
    changed = force;
    changed.interaction_groups = {{{0}, {1}}, {{2}, {14}}};
    CHECK_THROWS_WITH(make(changed), Contains("interaction group 1: there is no particle 14"));
    changed.interaction_groups = {{{0}, {1}}};
    changed.particles[3].pop_back();
    CHECK_THROWS_WITH(make(changed), Contains("particle 3 has 1 parameters, expected 2"));
}

}  // namespace custom_nonbonded_test
