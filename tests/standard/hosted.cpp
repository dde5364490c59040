// Members of AnyContext for programs that control the simulation: unchecked steps, changes of the state, moves of
// molecules, variables of integrators, functions as forces.
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <trotter/any_context.hpp>
#include <trotter/error.hpp>
#include <trotter/platforms.hpp>

#include "catch_compat.hpp"

using namespace trotter;
using Catch::Matchers::Contains;

namespace {

constexpr int particles = 64;

/// Attractive diatomic molecules on a lattice in a periodic box.
StandardSystem molecules() {
    StandardSystem system;
    system.box = Box::rectangular(2.4, 2.4, 2.4);
    NonbondedForce force{.method = NonbondedForce::Method::pme, .cutoff_distance = 0.9};
    HarmonicBondForce bonds;
    for (int i = 0; i < particles; ++i) {
        system.add_particle(20 + i % 3);
        force.particles.push_back({i % 2 == 0 ? 0.2 : -0.2, 0.25, 0.6});
        if (i % 2 == 1) {
            bonds.bonds.push_back({i - 1, i, 0.15, 2000});
            force.exceptions.push_back({i - 1, i, 0, 1, 0});
        }
    }
    system.add(force);
    system.add(bonds);
    return system;
}

State lattice() {
    State state;
    for (int i = 0; i < particles / 2; ++i)
        for (double const shift : {0.0, 0.16})
            state.positions.push_back({0.6 * (i % 4) + shift, 0.6 * (i / 4 % 4), 1.1 * (i / 16) + 0.01 * i});
    return state;
}

std::vector<BackendChoice> places() {
    std::vector<BackendChoice> result{{.platform = "reference"}, {.platform = "cpu", .precision = "mixed"}};
    for (auto const& device : list_devices())
        if (device.platform != result.back().platform) result.push_back({.platform = device.platform, .precision = "mixed"});
    return result;
}

template <class I> AnyContext made(BackendChoice const& choice, I const& integrator) {
    AnyContext context(molecules(), integrator, choice);
    context.set_state(lattice());
    return context;
}
VerletIntegrator const verlet{.step_size = 0.001};

}  // namespace

TEST_CASE("Steps ahead are the steps of `step`, and say later what failed") {
    for (auto const& choice : places()) {
        INFO(choice.platform);
        auto ahead = made(choice, verlet), other = made(choice, verlet);
        for (int n = 0; n < 7; ++n) ahead.step_ahead(1);
        ahead.check();
        other.step(7);
        CHECK(ahead.step_count() == 7);
        CHECK(ahead.positions() == other.positions());

        auto velocities = ahead.velocities();
        velocities[5].x = 1e200;  // moves the particle in the next step
        ahead.set_velocities(velocities);
        CHECK_THROWS_AS((ahead.step_ahead(3), ahead.check()), Error);
    }
}

TEST_CASE("A function changes the state in every step, and evaluates there") {
    for (auto const& choice : places()) {
        INFO(choice.platform);
        auto context = made(choice, verlet);
        int calls = 0;
        double energy = 0;
        context.set_state_change([&] {
            ++calls;
            energy = context.evaluate({});
            context.set_velocities(std::vector<Vec3<>>(particles));
        });
        context.step(3);
        context.set_state_change({});
        CHECK(calls == 3);
        CHECK(std::isfinite(energy));
        auto still = made(choice, verlet);
        for (int n = 0; n < 3; ++n) {
            still.set_velocities(std::vector<Vec3<>>(particles));
            still.step(1);
        }
        CHECK(context.positions() == still.positions());
    }
}

TEST_CASE("Positions are scaled by molecules or particles, and restored to the bit") {
    for (auto const& choice : places())
        for (bool const rigid : {true, false}) {
            INFO(choice.platform << ", rigid " << rigid);
            auto context = made(choice, verlet);
            context.step(3);
            auto const before = context.positions();
            auto const box = context.box();
            double const energy = context.evaluate({});
            std::array<Vec3<>, 3> const images{Vec3<>{1.1, 0, 0}, Vec3<>{0.2, 0.9, 0}, Vec3<>{0.1, 0.3, 1.2}};
            context.set_box({{box.a.x * 1.1, 0, 0}, {0.3, box.b.y * 0.9, 0}, {0.1, 0.2, box.c.z * 1.2}});
            context.scale_positions(images, rigid);
            auto const moved = context.positions();
            for (std::size_t i = 0; i < moved.size(); ++i) {
                auto const even = i / 2 * 2;
                auto const center = rigid ? (before[even] + before[even + 1]) * 0.5 : before[i];
                auto const to = images[0] * center.x + images[1] * center.y + images[2] * center.z;
                CHECK(norm(moved[i] - (rigid ? before[i] - center + to : to)) < 1e-12);
            }
            CHECK(context.evaluate_unchecked({}) != energy);
            context.set_box(box);
            context.restore_positions();
            CHECK(context.positions() == before);
            CHECK(context.evaluate({}) == Approx(energy).epsilon(2e-6));  // pair lists have been rebuilt
        }
    auto context = made({.platform = "reference"}, verlet);
    CHECK_THROWS_WITH(context.restore_positions(), "there are no positions to restore: none were scaled");
}

TEST_CASE("An AnyContext knows velocities at other times, kinetic tensors and meshes") {
    for (auto const& choice : places()) {
        INFO(choice.platform);
        auto context = made(choice, verlet);
        context.set_velocities_to_temperature(300);
        context.evaluate({.energy = false});
        auto const forces = context.forces();
        auto const velocities = context.velocities(), shifted = context.shifted_velocities(0.5);
        for (std::size_t i = 0; i < shifted.size(); ++i)
            CHECK(norm(shifted[i] - velocities[i] - forces[i] * (0.5 / (20 + static_cast<double>(i % 3)))) < 1e-9);
        double trace = 0;
        for (std::size_t i = 0; i < velocities.size(); ++i)
            trace += (20 + static_cast<double>(i % 3)) * dot(velocities[i], velocities[i]);
        auto const tensor = context.kinetic_tensor(false), of_molecules = context.kinetic_tensor();
        CHECK(tensor[0] + tensor[1] + tensor[2] == Approx(trace));
        CHECK(of_molecules[0] + of_molecules[1] + of_molecules[2] < trace);
        CHECK(context.meshes(0).pme.alpha > 0);
        CHECK(context.meshes(0).pme.nx > 0);
        CHECK(context.meshes(0).ljpme.nx == 0);
        CHECK(context.meshes(1).pme.nx == 0);
    }
}

namespace {

CustomIntegrator custom_verlet(std::string const& kinetic_energy) {
    CustomIntegrator integrator{.step_size = 0.001};
    integrator.add_global("total", 0);
    integrator.compute_per_dof("v", "v + dt*f/m");
    integrator.compute_per_dof("x", "x + dt*v");
    integrator.compute_sum("total", "m*v*v/2");
    integrator.kinetic_energy = kinetic_energy;
    return integrator;
}

/// The kinetic energy of the velocities shifted by `offset`.
double kinetic_energy_of(AnyContext& context, double offset) {
    double result = 0;
    auto const velocities = context.shifted_velocities(offset);
    for (std::size_t i = 0; i < velocities.size(); ++i)
        result += 0.5 * (20 + static_cast<double>(i % 3)) * dot(velocities[i], velocities[i]);
    return result;
}

template <class I> void check_kinetic_energy(BackendChoice const& choice, I const& integrator, double offset) {
    auto context = made(choice, integrator), asked = made(choice, integrator);
    for (int n = 0; n < 8; ++n) {
        context.step(1);
        asked.step(1);
        double const energy = asked.kinetic_energy();
        CHECK(energy > 0);
        if (n % 3 == 0) CHECK(asked.state(Energy).kinetic_energy == Approx(energy).epsilon(1e-10));
        if (n == 5) {
            CHECK(energy == Approx(kinetic_energy_of(asked, offset)).epsilon(1e-7));
            CHECK(energy == Approx(kinetic_energy_of(context, offset)).epsilon(1e-7));
        }
    }
    CHECK(asked.positions() == context.positions());
    CHECK(asked.velocities() == context.velocities());
}

}  // namespace

TEST_CASE("The kinetic energy is the same wherever the velocities are, and whoever asks changes no bit") {
    for (auto const& choice : places()) {
        INFO(choice.platform);
        check_kinetic_energy(choice, verlet, 0.0005);
        check_kinetic_energy(choice, LangevinMiddleIntegrator{.temperature = 300, .friction = 1, .step_size = 0.001}, 0);
        check_kinetic_energy(choice, BrownianIntegrator{.temperature = 300, .friction = 90, .step_size = 0.001}, 0);
        check_kinetic_energy(choice, NoseHooverIntegrator{.chains = {{.temperature = 300, .collision_frequency = 20}}, .step_size = 0.001}, 0);
        check_kinetic_energy(choice, custom_verlet("m*v*v/2"), 0);
        check_kinetic_energy(choice, custom_verlet("m*v1*v1/2; v1 = v + 0.5*dt*f/m"), 0.0005);
    }
}

TEST_CASE("An AnyContext has the variables of a CustomIntegrator, and no others") {
    CustomIntegrator integrator{.step_size = 0.001};
    integrator.add_global("total", 0);
    integrator.add_per_dof("old", 0);
    integrator.compute_per_dof("old", "x");
    integrator.compute_per_dof("v", "v + dt*f/m");
    integrator.compute_per_dof("x", "x + dt*v");
    integrator.compute_sum("total", "m*v*v/2");
    for (auto const& choice : places()) {
        INFO(choice.platform);
        auto context = made(choice, integrator);
        auto const before = context.positions();
        context.step(1);
        CHECK(context.global_variable("total") > 0);
        CHECK(context.per_dof_variable("old")[3].x == Approx(before[3].x));
        context.set_global_variable("total", 5);
        CHECK(context.global_variable("total") == 5);
        context.set_per_dof_variable("old", std::vector<Vec3<>>(particles, Vec3<>{1, 2, 3}));
        CHECK(context.per_dof_variable("old")[7] == Vec3<>{1, 2, 3});
        CHECK_THROWS_AS(context.global_variable("none"), InputError);
        CHECK_THROWS_WITH(context.adapted_friction(0),
                          "the integrator is a CustomIntegrator, expected a QTBIntegrator");
    }
    auto context = made({.platform = "reference"}, verlet);
    CHECK_THROWS_WITH(context.global_variable("total"),
                      "the integrator is a VerletIntegrator, expected a CustomIntegrator");
}

TEST_CASE("A variable step ends at a time") {
    for (auto const& choice : places()) {
        INFO(choice.platform);
        auto context = made(choice, VariableVerletIntegrator{.error_tolerance = 1e-4});
        while (context.time() < 0.02) context.step_towards(0.02);
        CHECK(context.time() == 0.02);
        context.step(1);
        CHECK(context.time() > 0.02);
    }
}

TEST_CASE("A minimization begins where steps have ended") {
    for (auto const& choice : places()) {
        INFO(choice.platform);
        auto context = made(choice, verlet);
        context.set_velocities_to_temperature(2000);
        context.step_ahead(100);
        auto const result = context.minimize({.tolerance = 1});
        CHECK(result.energy < -100);
        CHECK(context.evaluate({}) == Approx(result.energy).epsilon(1e-5));
        CHECK(result.rms_force <= 1);
    }
}

TEST_CASE("The adapted friction of a quantum bath is read and set by particle") {
    auto context = made({.platform = "cpu"}, QTBIntegrator{.temperature = 100, .friction = 10, .step_size = 0.001,
                                                           .segment_length = 0.1});
    auto friction = context.adapted_friction(3);
    for (double& one : friction) one += 1;
    context.set_adapted_friction(3, friction);
    CHECK(context.adapted_friction(3) == friction);
    CHECK_THROWS_AS(context.set_adapted_friction(3, {1, 2}), InputError);
    CHECK_THROWS_AS(context.adapted_friction(particles), InputError);
}

TEST_CASE("A function is a force of a StandardSystem") {
    for (auto const& choice : places()) {
        INFO(choice.platform);
        auto system = molecules();
        CallbackForce<> springs{.particles = {2, 9}, .global_parameters = {{"k", 3}}};
        springs.function = [](Configuration const& configuration, std::span<Vec3<>> forces) {
            double energy = 0;
            double const k = configuration.parameters.value("k");
            for (std::size_t n = 0; n < forces.size(); ++n) {
                energy += k / 2 * dot(configuration.positions[n], configuration.positions[n]);
                forces[n] = configuration.positions[n] * -k;
            }
            return energy;
        };
        int const index = system.add(springs);
        AnyContext context(system, verlet, choice);
        context.set_state(lattice());
        auto const positions = lattice().positions;
        context.set_parameter("k", 5);
        CHECK(context.evaluate_one(index) == Approx(2.5 * (dot(positions[2], positions[2]) + dot(positions[9], positions[9]))));
        CHECK(norm(context.forces()[9] + positions[9] * 5) < 1e-8);
        springs.function = [](Configuration const&, std::span<Vec3<>>) { return 7.0; };
        context.update(index, springs);
        CHECK(context.evaluate_one(index) == 7);
        context.step(2);
    }
    StandardSystem empty = molecules();
    empty.add(CallbackForce<>{});
    CHECK_THROWS_WITH(AnyContext(empty, verlet), Contains("there is no function to call"));
}
