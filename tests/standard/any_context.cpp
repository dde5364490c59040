// AnyContext: invalid input, and bitwise continuation of another Context's state.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <trotter/any_context.hpp>
#include <trotter/any_replicas.hpp>
#include <trotter/cpu/dispatch_table.hpp>
#include <trotter/error.hpp>
#include <trotter/platforms.hpp>
#include <trotter/units.hpp>

#include "catch_compat.hpp"

using namespace trotter;

namespace {

constexpr int particles = 125;

/// Attractive particles on a lattice in a periodic box.
StandardSystem fluid() {
    StandardSystem system;
    system.box = Box::rectangular(2.5, 2.5, 2.5);
    NonbondedForce force{.method = NonbondedForce::Method::cutoff_periodic, .cutoff_distance = 0.9};
    for (int i = 0; i < particles; ++i) {
        system.add_particle(40);
        force.particles.push_back({0, 0.3, 1});
    }
    system.add(force);
    system.add(CMMotionRemover{});
    return system;
}

State lattice() {
    State state;
    for (int i = 0; i < particles; ++i) state.positions.push_back({0.5 * (i % 5), 0.5 * (i / 5 % 5), 0.49 * (i / 25)});
    return state;
}

AnyContext moving(BackendChoice const& choice) {
    AnyContext context(fluid(), LangevinMiddleIntegrator{.temperature = 120, .friction = 1, .step_size = 0.004},
                       choice);
    context.set_state(lattice());
    context.set_velocities_to_temperature(120);
    return context;
}

std::string refusal(BackendChoice const& choice) {
    try {
        AnyContext const context(fluid(), VerletIntegrator{.step_size = 0.001}, choice);
    } catch (Error const& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("AnyContext refuses what this build does not have") {
    for (std::string const platform : {"opencl", "cuda"}) {
        auto const built = list_platforms();
        if (std::find(built.begin(), built.end(), platform) == built.end())
            CHECK(refusal({.platform = platform}).starts_with("this build has no backend '" + platform + "'; it has reference"));
        else
            CHECK(refusal({.platform = platform, .device = 9999}).starts_with("there is no "));
    }
    CHECK(refusal({.platform = "gpu"}) == "there is no platform 'gpu', expected reference, cpu, opencl or cuda");
    CHECK(refusal({.precision = "half"}) == "there is no precision 'half', expected single, mixed or double");
    CHECK(refusal({.platform = "cpu", .threads = -2}) == "the number of threads is -2, expected 0 or more");
    CHECK(refusal({.platform = "cpu", .copies = 5})
          == "the backend 'cpu' does not batch copies of a System, but 5 were asked for");
    CHECK_THROWS_AS(moving({.platform = "cpu", .instruction_set = "abacus"}), UnsupportedError);
}

TEST_CASE("AnyContext counts degrees of freedom and describes where it computes") {
    auto const context = moving({.platform = "reference", .precision = "single", .seed = 5});

    CHECK(context.degrees_of_freedom() == 3 * particles - 3);
    CHECK(context.molecules().size() == particles);
    CHECK(context.platform().platform == "reference");
    CHECK(context.platform().precision == "double");
    CHECK(context.seed() == 5);
}

TEST_CASE("An AnyContext that loads what another saved goes on with the same bits, for each platform and precision") {
    for (BackendChoice const& choice : {BackendChoice{.platform = "reference"},
                                        {.platform = "cpu", .precision = "mixed"},
                                        {.platform = "cpu", .precision = "double", .threads = 2}}) {
        auto first = moving(choice);
        first.step(13);
        Archive saved;
        first.save(saved);
        AnyContext second(fluid(), LangevinMiddleIntegrator{.temperature = 120, .friction = 1, .step_size = 0.004},
                          choice);
        Archive bytes(saved.bytes());
        second.load(bytes);
        first.step(20);
        second.step(20);

        CHECK(bytes.at_end());
        CHECK(second.step_count() == 33);
        CHECK(first.positions() == second.positions());
        auto const moved = std::move(first);
        CHECK(moved.positions() == second.positions());
    }
}

TEST_CASE("An AnyContext refuses what a Context refuses, and changes what it changes") {
    auto context = moving({.platform = "cpu"});
    CHECK_THROWS_WITH(context.evaluate_one(5), "there is no force 5; the System has 2");
    CHECK_THROWS_WITH(context.set_step_count(-7), "the step count is -7, expected 0 or more");
    CHECK_THROWS_WITH(context.step(-5), "the number of steps is -5, expected 0 or more");
    context.set_temperature(90);
    context.set_friction(2);
    context.set_step_size(0.002);
    context.step(1);
    CHECK(context.time() == Approx(0.002));
    Archive saved;
    context.save(saved);
    Archive bytes(saved.bytes());
    auto reference = moving({.platform = "reference"});
    CHECK_THROWS_WITH(reference.load(bytes), "the checkpoint is of another simulation: it has the platform Cpu, this "
                                             "Context the platform Reference");
    auto precise = moving({.platform = "cpu", .precision = "double"});
    bytes = Archive(saved.bytes());
    CHECK_THROWS_WITH(precise.load(bytes), "the checkpoint is of another simulation: it has the precision mixed, this "
                                           "Context the precision double");
    auto const moved = std::move(context);
    CHECK_THROWS_WITH(context.step(1), "this AnyContext has been moved from");
    CHECK_THROWS_WITH(context.step_count(), "this AnyContext has been moved from");
}

TEST_CASE("AnyReplicas change what Replicas change") {
    AnyReplicas replicas(fluid(), LangevinMiddleIntegrator{.temperature = 120, .friction = 1, .step_size = 0.004},
                         {.platform = "reference"}, 2);
    replicas.set_state(lattice());
    auto changed = moving({.platform = "reference"});
    changed.set_state(lattice());
    changed.set_velocities(std::vector<Vec3<>>(particles));
    changed.set_temperature(90);
    changed.set_friction(2);
    changed.set_step_size(0.002);
    changed.step(5);
    replicas.set_temperature(300);
    replicas.set_temperature(0, 90);
    replicas.set_friction(2);
    replicas.set_step_size(0.002);
    replicas.step(5);
    CHECK(replicas.time() == Approx(0.01));
    CHECK(replicas.state(0, Positions).positions == changed.positions());
    CHECK(replicas.state(1, Positions).positions != changed.positions());
    CHECK_THROWS_WITH(replicas.set_temperature(2, 90), "there is no replica 2; there are 2, counted from 0");
}

TEST_CASE("What an AnyContext computes on request is Reference's, whatever its platform") {
    auto reference = moving({.platform = "reference"});
    reference.step(5);
    auto const state = reference.state(Positions | Velocities | Energy);
    for (BackendChoice const& choice : {BackendChoice{.platform = "reference"}, {.platform = "cpu"}}) {
        auto context = moving(choice);
        context.set_state(state);
        Tensor const virial = context.virial(), pressure = context.pressure_tensor();
        // Each particle is a molecule: P V = Σ m v⊗v + W. Both are computed from the same positions, in double.
        Vec3<> sum;
        for (auto const& v : state.velocities) sum += v * (40 * v.x);
        CHECK(pressure[0].x * (2.5 * 2.5 * 2.5) * constants::bar == Approx(sum.x + virial[0].x).epsilon(1e-12));
        CHECK(pressure[0].y * (2.5 * 2.5 * 2.5) * constants::bar == Approx(sum.y + virial[0].y).epsilon(1e-12));
        CHECK(virial.trace() == Approx(reference.virial().trace()).epsilon(1e-12));
        CHECK(context.virial(ForceGroups::only({1})).trace() == 0);
        double energy = 0, of_pairs = 0;
        for (auto const& [ends, value, part] : context.term_energies(0)) {
            energy += value;
            if (part != "dispersion correction") of_pairs += value;
        }
        CHECK(energy == Approx(state.potential_energy).epsilon(1e-12));
        std::vector<int> all;
        for (int i = 0; i < particles; ++i) all.push_back(i);
        CHECK(context.interaction_energy(0, all, all) == Approx(of_pairs).epsilon(1e-12));
        CHECK(context.positions() == state.positions);
    }
}

TEST_CASE("Results depend on the instruction set by rounding alone, and a named one gives its bits again") {
    double const energy = moving({.platform = "cpu"}).state(Energy).potential_energy;
    for (auto const& name : cpu::instruction_sets()) {
        BackendChoice const choice{.platform = "cpu", .instruction_set = std::string(name)};
        auto context = moving(choice), again = moving(choice);
        CHECK(context.platform().instruction_set == name);
        CHECK(std::abs(context.state(Energy).potential_energy - energy) < 1e-6 * std::abs(energy));  // for float forces and energies
        context.step(20);
        again.step(20);
        CHECK(context.positions() == again.positions());
    }
    cpu::use_instruction_set(cpu::instruction_sets().front());  // the default: the best
}

TEST_CASE("AnyContext takes over positions, a box and the numbers of a force") {
    AnyContext context(fluid(), VerletIntegrator{.step_size = 0.001}, {.platform = "reference"});
    context.set_positions(lattice().positions);
    double const before = context.evaluate({});
    auto force = fluid().forces<NonbondedForce>()[0];
    for (auto& particle : force.particles) particle.epsilon *= 3;
    context.update(0, force);
    CHECK(context.evaluate({}) == Approx(3 * before));
    CHECK(context.evaluate_one(1) == 0);
    CHECK(context.force_count() == 2);
    CHECK(context.integrator_count() == 1);
    CHECK(context.current_integrator() == 0);
    CHECK_THROWS_WITH(context.set_integrator_parameters({{"temperature", 310}}),
                      Catch::Contains("keeps a number of the name 'temperature'"));
    context.reinitialize(true);
    CHECK(context.evaluate({}) == Approx(3 * before));
    context.set_box(Box::rectangular(20, 20, 20));
    CHECK(context.evaluate({}) != Approx(3 * before));
    context.set_time(7);
    context.set_step_count(70);
    CHECK(context.time() == 7);
    CHECK(context.step_count() == 70);
    context.set_velocities(lattice().positions);
    CHECK(context.velocities() == lattice().positions);
    std::vector<double> numbers;
    for (auto const& [x, y, z] : lattice().positions) numbers.insert(numbers.end(), {x, y, z});
    context.set_velocities(std::vector<Vec3<>>(particles));
    context.set_velocities(numbers);
    CHECK(context.velocities() == lattice().positions);
    numbers.pop_back();
    CHECK_THROWS_WITH(context.set_positions(numbers), "374 numbers were given as positions, expected three for each particle");

    CHECK_THROWS_WITH(context.set_positions({}), "0 positions were given for a System of 125 particles");
    CHECK_THROWS_WITH(context.update(0, HarmonicBondForce{}), "force 0 is not a HarmonicBondForce");
    CHECK_THROWS_WITH(context.update(2, force), "there is no force 2; the System has 2");
    CHECK_THROWS_AS(context.update(1, CMMotionRemover{}), UnsupportedError);
    CHECK_THROWS_WITH(context.ask<CustomCVForce>(0), "force 0 is not a CustomCVForce");
    CHECK_THROWS_WITH(context.parameter("k"), Catch::Contains("there is no global parameter 'k'"));
    force.particles.pop_back();
    CHECK_THROWS_AS(context.update(0, force), InputError);
    CHECK(std::isfinite(context.evaluate({})));
}
