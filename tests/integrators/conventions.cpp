// OpenMM's conventions of a step: order of operations, forces used, and unchanged input.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <utility>
#include <vector>

#include "catch_compat.hpp"

#include <trotter/context.hpp>
#include <trotter/forces/andersen_thermostat.hpp>
#include <trotter/forces/cm_motion_remover.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/forces/monte_carlo_barostats.hpp>
#include <trotter/reference.hpp>
#include <trotter/system.hpp>

using namespace trotter;

namespace {

using MovingForces = ForceList<HarmonicBondForce, CMMotionRemover, AndersenThermostat, MonteCarloBarostat>;
using Vectors = std::vector<Vec3<>>;

/// A spring between two particles of 10 amu, in a box.
System<MovingForces> spring(int group = 0) {
    System<MovingForces> system;
    for (int i = 0; i < 2; ++i) system.add_particle(10);
    system.box = Box::rectangular(3, 3, 3);
    system.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 1000}}, .force_group = group, .periodic = true});
    return system;
}
template <class I> auto make_context(System<MovingForces> const& system, I const& integrator) {
    Context context(system, integrator, Reference{}, Double{}, 5);
    Vectors positions(static_cast<std::size_t>(system.particle_count()));
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i].x = 0.15 * static_cast<double>(i);
    context.set_positions(positions);
    return context;
}
VerletIntegrator const leapfrog{.step_size = 0.001};

}  // namespace

TEST_CASE("State-changing forces act in the order in which the System lists them") {
    auto momentum = [](bool remover_last) {
        System<MovingForces> system;
        for (int i = 0; i < 3; ++i) system.add_particle(10);
        if (!remover_last) system.add(CMMotionRemover{});
        system.add(AndersenThermostat{.temperature = 300, .collision_frequency = 1e9});
        if (remover_last) system.add(CMMotionRemover{});
        auto context = make_context(system, leapfrog);
        context.step(1);
        auto const& v = context.velocities();
        return norm(v[0] + v[1] + v[2]);
    };
    CHECK(momentum(true) < 1e-14);
    CHECK(momentum(false) > 1e-3);
}

TEST_CASE("A State after a step does not show what acts before the next one") {
    auto system = spring();
    system.add(CMMotionRemover{.frequency = 2});
    auto context = make_context(system, leapfrog);
    context.set_velocities({{1, 0, 0}, {1, 0, 0}});
    auto const drift = [&] { return (context.velocities()[0] + context.velocities()[1]).x / 2; };
    context.set_step_count(1);
    context.step(1);
    CHECK(context.step_count() == 2);
    CHECK(drift() == Approx(1).epsilon(1e-12));
    context.step(1);
    CHECK(std::abs(drift()) < 1e-12);
}

TEST_CASE("Integrators feel their force groups alone, and so does a barostat; a State shows all forces") {
    auto moved = [](bool included, double k) {
        System<MovingForces> system;
        for (int i = 0; i < 2; ++i) system.add_particle(10);
        system.box = Box::rectangular(3, 3, 3);
        system.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, k}}, .force_group = 3, .periodic = true});
        system.add(MonteCarloBarostat{
            .pressure = 0, .temperature = 300, .frequency = 1, .scale_molecules_as_rigid = false, .seed = 3});
        auto integrator = leapfrog;
        if (!included) integrator.force_groups = ForceGroups::only({0, 1, 2});
        auto context = make_context(system, integrator);
        context.set_positions({{0, 0, 0}, {1.4, 0, 0}});
        context.step(100);
        CHECK((context.state(Energy).potential_energy > 0) == (k > 0));
        CHECK(context.state(Energy, ForceGroups::only({0})).potential_energy == 0);
        return std::pair{context.box(), context.positions()};
    };
    CHECK(moved(false, 1000) == moved(false, 0));
    CHECK(moved(true, 1000).first != moved(true, 0).first);
    CHECK(moved(true, 1000).second != moved(true, 0).second);
    CHECK(moved(true, 0) == moved(false, 0));
}

TEST_CASE("The kinetic energy is that of the integrator's force groups, whichever a State is asked for") {
    auto context = make_context(spring(3), leapfrog);
    context.set_velocities({{1, 0, 0}, {-1, 0, 0}});
    double const v = 1 + 0.0005 * 1000 * 0.05 / 10;  // half a step with the force of the spring
    CHECK(context.state(Energy).kinetic_energy == Approx(10 * v * v).epsilon(1e-12));
    CHECK(context.state(Energy, ForceGroups::only({0})).kinetic_energy == Approx(10 * v * v).epsilon(1e-12));
    auto blind = leapfrog;
    blind.force_groups = ForceGroups::only({0});
    auto other = make_context(spring(3), blind);
    other.set_velocities({{1, 0, 0}, {-1, 0, 0}});
    CHECK(other.state(Energy).kinetic_energy == Approx(10).epsilon(1e-12));
}

TEST_CASE("Velocities are drawn for the first integrator of a Compound, whichever is current") {
    auto drawn = [](auto first, auto second, int current) {
        BasicCompoundIntegrator<> both{.integrators = {first, second}};
        auto context = make_context(spring(), both);
        context.set_current_integrator(current);
        context.set_velocities_to_temperature(300, 8);
        return context.velocities();
    };
    NoseHooverIntegrator const full_step{.step_size = 0.001};
    CHECK(drawn(leapfrog, full_step, 1) == drawn(leapfrog, full_step, 0));
    CHECK(drawn(full_step, leapfrog, 1) == drawn(full_step, leapfrog, 0));
    // Shifted by half a step with the force of the spring, 50 kJ/mol/nm.
    Vec3<> const shift = drawn(full_step, leapfrog, 0)[0] - drawn(leapfrog, full_step, 0)[0];
    CHECK(norm(shift - Vec3<>{0.0005 * 50 / 10, 0, 0}) < 1e-14);
}

TEST_CASE("Virtual sites move with a step and when asked to, and neither when set nor when looked at") {
    auto system = spring();
    int const site = system.add_particle(0);
    system.particles.virtual_sites[site] = TwoParticleAverageSite{0, 1, 0.5, 0.5};
    auto context = make_context(system, leapfrog);
    Vec3<> const elsewhere{9, 9, 9};
    context.set_positions({{0, 0, 0}, {0.15, 0, 0}, elsewhere});
    CHECK(context.state(Positions | Energy | Forces).positions[2] == elsewhere);
    context.compute_virtual_sites();
    CHECK(context.positions()[2] == Vec3<>{0.075, 0, 0});
    context.set_positions({{0, 0, 0}, {0.15, 0, 0}, elsewhere});
    context.step(1);
    CHECK(norm(context.positions()[2] - (context.positions()[0] + context.positions()[1]) * 0.5) < 1e-15);
}

TEST_CASE("Frozen particles feel forces, are moved by no integrator, but by a barostat") {
    auto system = spring();
    system.particles.masses[1] = 0;
    auto context = make_context(system, LangevinMiddleIntegrator{.temperature = 300, .friction = 10, .step_size = 0.001});
    context.step(20);
    CHECK(context.positions()[1] == Vec3<>{0.15, 0, 0});
    CHECK(context.positions()[0] != Vec3<>{});
    CHECK(context.state(Forces).forces[1] != Vec3<>{});
    system.add(MonteCarloBarostat{.pressure = 0, .temperature = 300, .frequency = 1});
    auto pressed = make_context(system, leapfrog);
    pressed.step(20);
    CHECK(pressed.box().volume() != 27);
    CHECK(pressed.positions()[1] != Vec3<>{0.15, 0, 0});
}
