// Tests steps on the device against Reference: splittings, noise, and constraints of small clusters.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <vector>

#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/reference.hpp>
#include <trotter/trotter.hpp>

#include "device/tested_device.hpp"
#include "largest_difference.hpp"

using namespace trotter;

namespace {

using Chain = System<ForceList<HarmonicBondForce, CMMotionRemover>>;

/// A rigid water, stars of one, two and three hydrogens, a free particle and a massless one, joined by springs.
Chain clusters() {
    Chain system;
    for (double mass : {16, 1, 1, 12, 1, 1, 1, 12, 1, 12, 1, 1, 40, 0}) system.add_particle(mass);
    for (auto const& [i, j, distance] : std::vector<Constraint>{{0, 1, 0.09572}, {0, 2, 0.09572}, {1, 2, 0.15139}, {3, 4, 0.109}, {3, 5, 0.109},
                                                                {3, 6, 0.109}, {7, 8, 0.109}, {9, 10, 0.109}, {9, 11, 0.109}})
        system.add_constraint(i, j, distance);
    HarmonicBondForce bonds;
    for (int i = 0; i < 13; ++i) bonds.bonds.push_back({i, i + 1, 0.3, 5000});
    system.add(bonds);
    return system;
}

template <class I, class B, class P> State after_steps(Chain const& system, I const& integrator, B backend, P precision) {
    Context context{system, integrator, backend, precision};
    std::vector<Vec3<>> positions;
    for (int i = 0; i < 14; ++i) positions.push_back({0.15 * i, 0.1 * std::sin(i * 2.1), 0.1 * std::cos(i * 3.3)});
    context.set_positions(positions);
    context.apply_constraints(1e-10);
    context.set_velocities_to_temperature(300, 5);
    context.step(20);
    context.step(30);
    return context.state(StateData::positions | StateData::velocities);
}

template <class I> void check_steps(Chain const& system, I const& integrator) {
    auto const expected = after_steps(system, integrator, Reference{}, Double{});
    // Fixed-point forces are rounded to 2^-32 kJ/mol/nm; float ones to 6e-8 of about 1000. Fifty steps amplify that.
    auto const in_double = after_steps(system, integrator, TestedDevice{}, Double{}), in_mixed = after_steps(system, integrator, TestedDevice{}, Mixed{}),
               in_single = after_steps(system, integrator, TestedDevice{}, Single{});
    CHECK(largest_difference(in_double.positions, expected.positions) < 1e-11);
    CHECK(largest_difference(in_double.velocities, expected.velocities) < 1e-9);
    CHECK(largest_difference(in_mixed.positions, expected.positions) < 1e-6);
    CHECK(largest_difference(in_single.positions, expected.positions) < 2e-6);
    auto const again = after_steps(system, integrator, TestedDevice{}, Mixed{});
    CHECK(again.positions == in_mixed.positions);
    CHECK(again.velocities == in_mixed.velocities);
}

}  // namespace

TEST_CASE("a leapfrog step on the device", "[device]") { check_steps(clusters(), VerletIntegrator{.step_size = 2 * fs, .constraint_tolerance = 1e-10}); }
TEST_CASE("Langevin dynamics on the device", "[device]") {
    check_steps(clusters(), LangevinMiddleIntegrator{.temperature = 300, .friction = 5, .step_size = 2 * fs, .seed = 7, .constraint_tolerance = 1e-10});
}
TEST_CASE("a splitting that needs forces within the step", "[device]") {
    check_steps(clusters(), SplittingIntegrator<Splitting{"V R O R V"}>{
                             .temperature = 300, .friction = 5, .step_size = 2 * fs, .seed = 7, .constraint_tolerance = 1e-10});
}
TEST_CASE("the centre of mass is stopped on the device", "[device]") {
    auto system = clusters();
    system.add(CMMotionRemover{.frequency = 3});
    check_steps(system, VerletIntegrator{.step_size = 2 * fs, .constraint_tolerance = 1e-10});
}
TEST_CASE("looking at the forces of one group between steps changes no step", "[device]") {
    auto check = [](Chain const& system) {
        auto positions_after = [&](bool looks) {
            SplittingIntegrator<Splitting{"V R V"}> const integrator{.step_size = 1 * fs, .constraint_tolerance = 1e-10};
            Context context{system, integrator, TestedDevice{}, Double{}};
            std::vector<Vec3<>> positions;
            for (int i = 0; i < context.system().particle_count(); ++i) positions.push_back({0.15 * i, 0.1 * std::sin(i * 2.1), 0.1 * std::cos(i * 3.3)});
            context.set_positions(positions);
            context.apply_constraints(1e-10);
            for (int n = 0; n < 10; ++n) {
                context.step(3);
                if (looks) (void)context.state(StateData::forces, ForceGroups::only({1}));
            }
            return context.positions();
        };
        CHECK(positions_after(true) == positions_after(false));
    };
    auto system = clusters();
    system.add(HarmonicBondForce{.bonds = {{0, 5, 0.2, 800}}, .force_group = 1});
    check(system);
    system.add_particle(0);  // whose force is distributed, and must be cleared like all others
    system.particles.virtual_sites[14] = TwoParticleAverageSite{3, 12, 0.5, 0.5};
    check(system);
}
TEST_CASE("a step on the device that fails names step and particle", "[device]") {
    using Catch::Matchers::Contains;
    Chain system;
    system.add_particle(1), system.add_particle(1);
    system.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 1e9}}});
    Context context{system, VerletIntegrator{.step_size = 1}, TestedDevice{}, Mixed{}};
    context.set_positions({{0, 0, 0}, {0.2, 0, 0}});
    CHECK_THROWS_WITH(context.step(1000), Contains("step") && Contains("particle") && Contains("HarmonicBondForce"));
}
