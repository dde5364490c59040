// CustomCVForce and ATMForce: values computed by hand, gradients, nested containers, updates, invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <cstddef>
#include <string>

#include <trotter/base/archive.hpp>
#include <trotter/core/molecules.hpp>
#include <trotter/expression/runtime_expression.hpp>
#include <trotter/forces/andersen_thermostat.hpp>
#include <trotter/forces/atm.hpp>
#include <trotter/forces/cm_motion_remover.hpp>
#include <trotter/forces/custom_bond.hpp>
#include <trotter/forces/custom_centroid_bond.hpp>
#include <trotter/forces/custom_cv.hpp>
#include <trotter/forces/custom_nonbonded.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/forces/rg.hpp>
#include <trotter/integrators/langevin.hpp>

#include "finite_differences.hpp"

using namespace trotter;

namespace containers_test {

using Catch::Matchers::Contains;

namespace {

using CV = CustomCVForce;
using ATM = ATMForce;

constexpr std::size_t count = 12;
Box const box = Box::rectangular(2.1, 2.2, 2.3);

CustomBondForce deviation(int i, int j) {
    return {.energy = RuntimeExpression("abs(r-r0)"),
            .global_parameters = {{"r0", 0.3}},
            .energy_parameter_derivatives = {"r0"},
            .bonds = {{i, j, {}}}};
}
HarmonicBondForce spring(int i, int j, double k = 2) { return {.bonds = {{i, j, 0.5, k}}}; }
/// The length of a bond.
CustomBondForce length(int i, int j) { return {.energy = RuntimeExpression("r"), .bonds = {{i, j, {}}}}; }

NonbondedForce ions() {
    NonbondedForce force{.method = NonbondedForce::Method::pme, .cutoff_distance = 0.9};
    for (std::size_t i = 0; i < count; ++i) force.particles.push_back({i % 2 ? 0.5 : -0.5, 0.2, 0.4});
    force.exceptions = {{0, 1, 0, 0.2, 0}, {2, 3, 0.1, 0.2, 0.3}};
    return force;
}
CustomNonbondedForce repulsion() {
    CustomNonbondedForce force{.energy = RuntimeExpression("scale*exp(-3*r)"),
                               .global_parameters = {{"scale", 2}},
                               .energy_parameter_derivatives = {"scale"}};
    force.particles.resize(count);
    force.pairs = {
        .method = PairSettings::Method::cutoff_periodic, .cutoff_distance = 0.8, .exclusions = {{0, 1}, {4, 7}}};
    return force;
}

template <class F> StandardSystem with(F const& force, std::size_t particles = count) {
    StandardSystem system;
    system.box = box;
    for (std::size_t i = 0; i < particles; ++i) system.add_particle(1);
    system.add(force);
    return system;
}
template <Force F>
auto context_with(TestPlatform const& platform, F const& force, Vectors const& positions) {
    return context_of(platform, with(force, positions.size()), positions);
}
template <class F> std::string refusal(F const& force, std::size_t particles = count) {
    try {
        context_of(reference_platform, with(force, particles));
    } catch (InputError const& error) {
        return error.what();
    }
    return {};
}

/// Checks that energies equal Reference's, and that forces and parameter derivatives are derivatives of these.
template <Force F>
void check_derivatives(TestPlatform const& platform, F const& force, std::vector<std::string> const& parameters, double tolerance) {
    auto const positions = scattered(count, box, 0.25, 11);
    auto here = context_with(platform, force, positions);
    auto there = context_with(reference_platform, force, positions);
    auto const found = evaluation(here);
    CHECK(found.energy == Approx(there.evaluate({})).epsilon(tolerance));
    auto const expected = numerical_forces(there, positions);
    CHECK(rms(expected) > 0.01);
    CHECK(largest_difference(found.forces, expected) < tolerance * rms(expected));
    there.set_positions(positions);
    for (auto const& name : parameters) {
        double const at = there.parameter(name);
        auto const energy = [&](double shift) {
            there.set_parameter(name, at + shift);
            return there.evaluate({});
        };
        double const numerical = (energy(1e-4) - energy(-1e-4)) / 2e-4;
        energy(0);
        INFO(name);
        CHECK(found.derivatives.at(name) == Approx(numerical).epsilon(std::max(tolerance, 1e-6)));
    }
}
/// Rounding error of energies and forces computed by pair kernels.
double pair_rounding(TestPlatform const& platform) { return platform.is_double ? 3e-7 : 5e-5; }

CV metadynamics_like() {
    CV force{.tabulated_functions = {{.name = "hill", .sizes = {4}, .ranges = {{0, 3}}, .values = {0, 2, 1, 5}}},
             .global_parameters = {{"height", 0.5}},
             .energy_parameter_derivatives = {"height"}};
    force.energy = CV::formula("height*hill(a) + 3*b*a", force.tabulated_functions);
    force.add_variable("a", length(0, 1));
    force.add_variable("b", deviation(1, 2));
    return force;
}

ATM swap() {
    ATM force{.energy = RuntimeExpression("u0 + lambda*(u1-u0) + 0.01*u0*u1"),
              .global_parameters = {{"lambda", 0.3}},
              .energy_parameter_derivatives = {"lambda"},
              .particles = std::vector<Displacement>(count)};
    force.particles[2] = FixedDisplacement{{0.3, -0.1, 0.2}, {0, 0.1, 0}};
    force.particles[5] = ParticleOffsetDisplacement{.destination1 = 3, .origin1 = 8, .destination0 = 1, .origin0 = 2};
    force.particles[7] = ParticleOffsetDisplacement{.destination1 = 10, .origin1 = 4};
    return force;
}

}  // namespace

TEST_CASE("an energy of collective variables", "[forces][devices]") {
    auto const platform = each_platform();
    CV force{.energy = CV::formula("k*a^2 + sin(b)*u"),
             .global_parameters = {{"k", 4}, {"u", 1}},
             .energy_parameter_derivatives = {"k", "u"},
             .force_group = 3};
    force.add_variable("a", deviation(0, 1));
    force.add_variable("b", spring(0, 2));
    Vectors const positions{{0, 0, 0}, {1, 0, 0}, {0, 1.5, 0}};
    auto context = context_with(platform, force, positions);
    double const a = 0.7, b = 1;
    auto const found = evaluation(context);
    double const rounding = platform.term_rounding;
    CHECK(found.energy == Approx(4 * a * a + std::sin(b)).epsilon(rounding));
    CHECK(found.forces[1].x == Approx(-8 * a).epsilon(rounding).margin(0x1p-32));
    CHECK(found.forces[2].y == Approx(-2 * std::cos(b)).epsilon(rounding).margin(0x1p-32));
    CHECK(found.forces[0].x == Approx(8 * a).epsilon(rounding).margin(0x1p-32));
    CHECK(found.derivatives.at("k") == Approx(a * a).epsilon(rounding));
    CHECK(found.derivatives.at("u") == Approx(std::sin(b)).epsilon(rounding));
    CHECK(found.derivatives.at("r0") == Approx(-8 * a).epsilon(rounding));
    auto const values = context.ask<CV>(0);
    REQUIRE(values.size() == 2);
    CHECK(values[0] == Approx(a).epsilon(rounding));
    CHECK(values[1] == Approx(b).epsilon(rounding));
    context.set_parameter("r0", 0.6);
    CHECK(evaluation(context).energy == Approx(4 * 0.16 + std::sin(b)).epsilon(rounding));
    CHECK(evaluation(context, ForceGroups::only({0})).energy == 0);
    CHECK(rms(evaluation(context, ForceGroups::only({0})).forces) == 0);
    CHECK_THROWS_WITH(context.ask<ATM>(0), Contains("force 0 is not a ATMForce"));
}

TEST_CASE("there may be any number of variables, and none", "[forces][devices]") {
    auto const platform = each_platform();
    // Forces without a formula: OpenCL compilers for CPUs take minutes for dozens of formulas in one program.
    CV many, none{.energy = CV::formula("2 + k"), .global_parameters = {{"k", 1}}};
    auto const positions = scattered(count, box, 0.2, 4);
    std::string text = "0";
    double sum = 0;
    Vectors forces(count);
    for (int n = 0; n < 70; ++n) {
        RGForce const radius{.particles = {n % 5, 5 + n % 7, (n + 1) % 5}};
        many.add_variable("d" + std::to_string(n), radius);
        text += "+" + std::to_string(n) + "*d" + std::to_string(n);
        auto const one = evaluate(reference_platform, radius, positions, box);
        sum += n * one.energy;
        for (std::size_t i = 0; i < count; ++i) forces[i] += one.forces[i] * n;
    }
    many.energy = CV::formula(text);
    auto context = context_with(platform, many, positions);
    auto const found = evaluation(context);
    CHECK(found.energy == Approx(sum).epsilon(1e-12));
    CHECK(largest_difference(found.forces, forces) < 1e-12 * rms(forces) + 0x1p-32);  // the fixed-point unit of forces on devices
    auto empty = context_with(platform, none, positions);
    CHECK(evaluation(empty).energy == 3);
}

TEST_CASE("forces of variables keep their digits however small they are", "[forces][devices]") {
    auto const platform = each_platform();
    auto const positions = scattered(count, box, 0.2, 4);
    auto const check = [&](auto const& small, double rounding) {
        CV force{.energy = CV::formula("1e7*v")};
        force.add_variable("v", small);
        auto context = context_with(platform, force, positions);
        auto there = context_with(reference_platform, force, positions);
        auto const expected = evaluation(there).forces;
        // Only the sum is rounded to units of 2^-32.
        CHECK(largest_difference(evaluation(context).forces, expected) < rounding * rms(expected) + 0x1p-32);
    };
    check(spring(0, 1, 1e-6), platform.term_rounding);
    CustomCentroidBondForce const distance{.groups_per_bond = 2,
                                           .energy = CustomCentroidBondForce::formula("1e-6*distance(g1, g2)"),
                                           .groups = {{{0, 1, 2}, {}}, {{3, 4, 5, 6}, {}}},
                                           .bonds = {{{0, 1}, {}}}};
    check(distance, platform.term_rounding);
    CV radius{.energy = CV::formula("1e-6*rg")};
    radius.add_variable("rg", RGForce{});
    check(radius, platform.term_rounding);
    auto pairs = repulsion();
    pairs.energy = RuntimeExpression("1e-6*scale*exp(-3*r)");
    check(pairs, pair_rounding(platform));
}

TEST_CASE("variables of pairs, meshes and structures have the forces of their formula", "[forces][devices]") {
    auto const platform = each_platform();
    CV force{.energy = CV::formula("0.01*e^2 + k*e*w*rg"),
             .global_parameters = {{"k", 0.3}},
             .energy_parameter_derivatives = {"k"}};
    force.add_variable("e", ions());
    force.add_variable("w", repulsion());
    force.add_variable("rg", RGForce{});
    check_derivatives(platform, force, {"k", "scale"}, pair_rounding(platform));
    check_derivatives(platform, metadynamics_like(), {"height", "r0"}, pair_rounding(platform));
}

TEST_CASE("containers hold containers", "[forces][devices]") {
    auto const platform = each_platform();
    CV inner{.energy = CV::formula("k*a^2"), .global_parameters = {{"k", 4}}, .energy_parameter_derivatives = {"k"}};
    inner.add_variable("a", deviation(2, 7));
    ATM middle = swap();
    middle.forces->add(inner);
    middle.forces->add(repulsion());
    CV outer{.energy = CV::formula("x + 0.1*x^2 + k*y"),
             .global_parameters = {{"k", 4}},
             .energy_parameter_derivatives = {"k"}};
    outer.add_variable("x", middle);
    outer.add_variable("y", spring(0, 1));
    check_derivatives(platform, outer, {"k", "r0", "lambda", "scale"}, pair_rounding(platform));
}

TEST_CASE("live updates of containers", "[forces][devices]") {
    auto const platform = each_platform();
    auto force = metadynamics_like();
    Vectors const positions{{0, 0, 0}, {1, 0, 0}, {1, 0.5, 0}};
    auto context = context_with(platform, force, positions);
    double const rounding = 10 * platform.term_rounding;
    CHECK(evaluation(context).energy == Approx(0.5 * 2 + 3 * 0.2).epsilon(rounding));
    force.tabulated_functions[0].values = {0, 7, 1, 5};
    force.energy = CV::formula("height*hill(a) + 4*b*a", force.tabulated_functions);
    context.update(0, force);
    CHECK(evaluation(context).energy == Approx(0.5 * 7 + 4 * 0.2).epsilon(rounding));

    auto const refused = [&](CV const& changed) {
        std::string message;
        try {
            context.update(0, changed);
        } catch (InputError const& error) {
            message = error.what();
        }
        CHECK(evaluation(context).energy == Approx(0.5 * 7 + 4 * 0.2).epsilon(rounding));
        return message;
    };
    CV const before = force;
    force.variable_names[0] = "c";
    CHECK_THAT(refused(force), Contains("the names of the variables are not what they were before"));
    force = before;
    force.global_parameters[0].name = "high";
    force.energy_parameter_derivatives.clear();
    force.energy = CV::formula("a*b*high");
    CHECK_THAT(refused(force), Contains("parameters of the Context cannot be updated"));
    force = before;
    force.variables = {};
    force.variables->add(spring(0, 1));
    force.variables->add(deviation(1, 2));
    CHECK_THAT(refused(force), Contains("inner force 0 (HarmonicBondForce) was of another type before"));
    force.variables = {};
    CHECK_THAT(refused(force), Contains("2 names of variables, but 0 forces behind them"));

    ATM moved{.energy = RuntimeExpression("u0 + 2*u1"), .particles = std::vector<Displacement>(3)};
    moved.forces->add(spring(0, 1, 2));
    auto other = context_with(platform, moved, positions);
    CHECK(evaluation(other).energy == Approx(3 * 0.25).epsilon(rounding));
    moved.particles[1] = FixedDisplacement{{1, 0, 0}, {0.5, 0, 0}};
    moved.forces = {};
    moved.forces->add(spring(0, 1, 4));
    other.update(0, moved);
    CHECK(evaluation(other).energy == Approx(2 * 1.0 + 2 * 2 * 2.25).epsilon(rounding));
    auto const states = other.ask<ATM>(0);
    CHECK(states.u0 == Approx(2).epsilon(rounding));
    CHECK(states.u1 == Approx(4.5).epsilon(rounding));
    CHECK(states.energy == Approx(11).epsilon(rounding));
}

TEST_CASE("displaced particles and those that they follow feel the gradient", "[forces][devices]") {
    auto const platform = each_platform();
    ATM force = swap();
    force.forces->add(repulsion());
    force.forces->add(deviation(5, 6));
    force.forces->add(spring(7, 2));
    check_derivatives(platform, force, {"lambda", "scale", "r0"}, pair_rounding(platform));
    force.forces->add(ions());
    check_derivatives(platform, force, {"lambda"}, pair_rounding(platform));
}

TEST_CASE("the alchemical transfer energy with a soft core", "[forces]") {
    AlchemicalTransfer const transfer{.lambda1 = 0.2,
                                      .lambda2 = 0.5,
                                      .alpha = 0.1,
                                      .uh = 110,
                                      .w0 = 0.5,
                                      .umax = 200,
                                      .ubcore = 100,
                                      .acore = 0.0625};
    auto const energy = [](AlchemicalTransfer const& transfer, double u0, double u1) {
        auto force = ATM::standard(transfer);
        force.particles = {FixedDisplacement{}, FixedDisplacement{{1, 0, 0}, {}}};
        force.forces->add(CustomBondForce{.energy = RuntimeExpression("select(step(r-1), b, a)"),
                                          .global_parameters = {{"a", u0}, {"b", u1}},
                                          .bonds = {{0, 1, {}}}});
        return evaluate(reference_platform, force, {{0, 0, 0}, {0.5, 0, 0}}).energy;
    };
    auto const expected = [](AlchemicalTransfer const& t, double from, double to) {
        double u = to - from;
        if (t.acore > 0 && u > t.ubcore) {
            double const y = (u - t.ubcore) / (t.umax - t.ubcore), x = y / t.acore, z = 1 + 2 * x + 2 * x * x;
            double const power = std::pow(z, t.acore);
            u = (t.umax - t.ubcore) * (power - 1) / (power + 1) + t.ubcore;
        }
        double const logarithm = t.lambda1 == t.lambda2
                                     ? 0
                                     : (t.lambda2 - t.lambda1) / t.alpha * std::log1p(std::exp(-t.alpha * (u - t.uh)));
        return from + logarithm + t.lambda2 * u + t.w0;
    };
    for (double const difference : {-60.0, 20.0, 100.0, 180.0, 1e9}) {
        INFO(difference);
        CHECK(energy(transfer, 7, 7 + difference) == Approx(expected(transfer, 7, 7 + difference)).epsilon(1e-12));
        auto back = transfer;
        back.direction = -1;
        CHECK(energy(back, 7 + difference, 7) == Approx(expected(transfer, 7, 7 + difference)).epsilon(1e-12));
        auto hard = transfer;
        hard.acore = 0, hard.lambda1 = hard.lambda2;
        CHECK(energy(hard, 7, 7 + difference) == Approx(expected(hard, 7, 7 + difference)).epsilon(1e-12));
    }
    // Far below uh, where the exponential overflows.
    CHECK(energy(transfer, 1e5, 0) == Approx(1e5 + 0.3 * (1e5 + 110) - 0.5 * 1e5 + 0.5).epsilon(1e-12));
}

TEST_CASE("where the slope by a state is 0, that state may clash", "[forces]") {
    ATM force{.energy = RuntimeExpression("u0 + 0*u1"), .particles = std::vector<Displacement>(2)};
    force.forces->add(CustomBondForce{.energy = RuntimeExpression("1/r"), .bonds = {{0, 1, {}}}});
    force.particles[1] = FixedDisplacement{{-0.5, 0, 0}, {}};
    auto const found = evaluate(reference_platform, force, {{0, 0, 0}, {0.5, 0, 0}});
    CHECK(found.energy == Approx(2));
    CHECK(found.forces[1].x == Approx(4));
    auto const moved = force.particles;
    force = ATM::standard({.umax = 200, .ubcore = 100, .acore = 0.0625});
    force.forces->add(CustomBondForce{.energy = RuntimeExpression("1/r"), .bonds = {{0, 1, {}}}});
    force.particles = moved;
    CHECK(evaluate(reference_platform, force, {{0, 0, 0}, {0.5, 0, 0}}).energy == Approx(2));
    force.energy = RuntimeExpression("u0 + 0.5*u1");
    CHECK_THROWS_WITH(evaluate(reference_platform, force, {{0, 0, 0}, {0.5, 0, 0}}),
                      Contains("the energy of force 0 (ATMForce) is not a finite number"));
}

TEST_CASE("inner forces connect molecules and make a System periodic", "[forces]") {
    ATM middle;
    middle.forces->add(spring(3, 4));
    CV force;
    force.add_variable("a", length(0, 2));
    force.add_variable("b", middle);
    CHECK(find_molecules(with(force, 5)) == std::vector<std::vector<int>>{{0, 2}, {1}, {3, 4}});
    CHECK_FALSE(is_periodic(with(force, 5)));
    force.add_variable("c", repulsion());
    CHECK(is_periodic(with(force, 5)));
}

TEST_CASE("steps go on from a checkpoint with the same bits", "[forces][devices]") {
    auto const platform = each_platform();
    CV variables{.energy = CV::formula("e + 0.1*w^2")};
    variables.add_variable("e", ions());
    variables.add_variable("w", repulsion());
    ATM states = swap();
    states.forces->add(repulsion());
    auto system = with(variables);
    system.add(states);
    LangevinMiddleIntegrator const integrator{.temperature = 300, .friction = 1, .step_size = 0.001, .seed = 5};
    auto make = [&] {
        return AnyContext(system, integrator, platform.choice());
    };
    auto whole = make(), begun = make(), resumed = make();
    for (auto* context : {&whole, &begun}) context->set_positions(scattered(count, box, 0.3, 9));
    whole.step(30);
    begun.step(17);
    Archive archive;
    begun.save(archive);
    Archive in(archive.bytes());
    resumed.load(in);
    in.expect_end();
    resumed.step(13);
    CHECK(resumed.positions() == whole.positions());
    CHECK(resumed.velocities() == whole.velocities());
    CHECK(rms(whole.velocities()) > 0.01);
}

TEST_CASE("containers refuse what makes no sense", "[forces]") {
    std::string const begin = "force 0 (CustomCVForce): ";
    auto const cv = [](std::string const& text, std::vector<std::string> const& names) {
        CV force{.energy = CV::formula(text), .global_parameters = {{"k", 1}}};
        for (auto const& name : names) force.add_variable(name, spring(0, 1));
        return force;
    };
    CHECK(refusal(cv("a+q", {"a"}))
          == begin + "the formula has the name 'q', which is neither collective variable nor a global parameter of the force");
    CHECK(refusal(cv("a", {"a", "b", "a"}))
          == begin + "collective variable 2 has the name 'a', as collective variable 0 has");
    CHECK(refusal(cv("a", {"a", "k"})) == begin + "global parameter 0 has the name 'k', as collective variable 1 has");
    auto derived = cv("a", {"a"});
    derived.energy_parameter_derivatives = {"a"};
    CHECK(refusal(derived) == begin + "a derivative by 'a' is asked for, which is no global parameter of the force");
    derived = cv("a", {});
    derived.add_variable("a", spring(0, 12));
    CHECK(refusal(derived)
          == begin + "inner force 0 (HarmonicBondForce): Bond 0: there is no particle 12; the System has 12 particles, counted from 0");
    derived = cv("a", {});
    derived.add_variable("a", AndersenThermostat{.temperature = 300, .collision_frequency = 1});
    CHECK(refusal(derived)
          == begin + "inner force 0 (AndersenThermostat): it changes the state between steps, which no force in a container can");
    derived.variables = {};
    derived.variables->add(CMMotionRemover{});
    CHECK(refusal(derived).empty());

    std::string const atm = "force 0 (ATMForce): ";
    auto force = swap();
    force.particles.pop_back();
    CHECK(refusal(force) == atm + "there are displacements of 11 particles, expected 12 as particles in the System");
    force = swap();
    force.particles[4] = ParticleOffsetDisplacement{.destination1 = 3, .origin1 = -1};
    CHECK(
        refusal(force)
        == atm
               + "the displacement of particle 4: there is no particle -1; the System has 12 particles, counted from "
                 "0");
    force.particles[4] = FixedDisplacement{{0, NAN, 0}, {}};
    CHECK(refusal(force) == atm + "the displacement of particle 4 is not of finite numbers");
    force = swap();
    force.energy = RuntimeExpression("u0+u2");
    CHECK(refusal(force)
          == atm + "the formula has the name 'u2', which is neither energy of a state nor a global parameter of the force");
    AlchemicalTransfer const good{.lambda2 = 1, .alpha = 1, .umax = 2, .ubcore = 1};
    auto transfer = good;
    transfer.umax = 0.5;
    CHECK_THROWS_WITH(ATM::standard(transfer),
                      "ATMForce: Umax is 0.500000, expected no less than Ubcore, which is 1.000000");
    transfer = good, transfer.alpha = -1;
    CHECK_THROWS_WITH(ATM::standard(transfer), "ATMForce: Alpha is -1.000000, expected a number that is not negative");
    transfer = good, transfer.acore = -1;
    CHECK_THROWS_WITH(ATM::standard(transfer), "ATMForce: Acore is -1.000000, expected a number that is not negative");
    transfer = good, transfer.direction = 0.5;
    CHECK_THROWS_WITH(ATM::standard(transfer), "ATMForce: Direction is 0.500000, expected 1 or -1");
    transfer = good, transfer.uh = NAN;
    CHECK_THROWS_WITH(ATM::standard(transfer), "ATMForce: Uh is not a finite number");
}

}  // namespace containers_test
