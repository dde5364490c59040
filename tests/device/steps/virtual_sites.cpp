// Tests steps with virtual sites: they stay on the device and agree with Reference.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <trotter/base/archive.hpp>
#include <trotter/device/pairs/nonbonded.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/reference.hpp>
#include <trotter/trotter.hpp>

#include "device/tested_device.hpp"
#include "largest_difference.hpp"

using namespace trotter;

namespace {

using Sites = System<ForceList<HarmonicBondForce, NonbondedForce>>;

double const root = std::sqrt(0.75);
std::array<Vec3<>, 3> const third_of_a_turn{Vec3<>{-0.5, -root, 0}, Vec3<>{root, -0.5, 0}, Vec3<>{0, 0, 1}};

struct Case {
    std::string name;
    std::vector<VirtualSite> sites;  // of particles 7, 8, …; 0 to 3 are free, 4 to 6 a rigid water
};
std::vector<Case> const cases{
    {"average of two", {TwoParticleAverageSite{0, 1, 0.3, 0.7}}},
    {"average of three", {ThreeParticleAverageSite{4, 5, 6, 0.8, 0.1, 0.1}}},
    {"out of plane", {OutOfPlaneSite{0, 1, 2, 0.4, 0.3, 2.5}}},
    {"local coordinates of two", {LocalCoordinatesSite{{3, 1}, {0.5, 0.5}, {1, -1}, {0, 0}, {0.1, 0.2, 0.3}}}},
    {"local coordinates of three",
     {LocalCoordinatesSite{{0, 1, 2}, {0.2, 0.3, 0.5}, {-1, 0.5, 0.5}, {0, -1, 1}, {0.06, -0.04, 0.08}}}},
    {"local coordinates of four",
     {LocalCoordinatesSite{
         {0, 1, 2, 3}, {0.1, 0.2, 0.3, 0.4}, {-1, 0.3, 0.3, 0.4}, {0.2, -1, 0.4, 0.4}, {-0.05, 0.07, 0.03}}}},
    {"symmetry in nm", {SymmetrySite{3, third_of_a_turn, {0.1, 0.25, -0.3}, false}}},
    {"symmetry of the box", {SymmetrySite{2, third_of_a_turn, {0.2, -0.1, 0.5}, true}}},
    // Depths 1, 2, 3, 1, 1: the second and the third depend on sites; the third precedes one of its parents.
    {"sites of sites",
     {OutOfPlaneSite{0, 1, 2, 0.4, 0.3, 2.5}, TwoParticleAverageSite{7, 4, 0.5, 0.5},
      OutOfPlaneSite{8, 7, 10, -0.4, 0.6, 1.5}, TwoParticleAverageSite{3, 5, 0.25, 0.75},
      LocalCoordinatesSite{{3, 1}, {0.5, 0.5}, {1, -1}, {0, 0}, {0.1, 0.2, 0.3}}}},
};

/// Four particles and a rigid water, with sites that repel each other, followed by a frozen particle.
Sites system_of(Case const& example) {
    Sites system;
    system.box = {{3, 0, 0}, {0.4, 2.8, 0}, {-0.3, 0.5, 2.9}};
    for (double const mass : {12, 14, 16, 30, 16, 1, 1}) system.add_particle(mass);
    for (auto const& site : example.sites) system.set_virtual_site(system.add_particle(0), site);
    int const frozen = system.add_particle(0);
    for (auto const& [i, j, distance] : std::vector<Constraint>{{4, 5, 0.09572}, {4, 6, 0.09572}, {5, 6, 0.15139}})
        system.add_constraint(i, j, distance);
    HarmonicBondForce bonds;
    for (int i = 0; i < frozen; ++i) bonds.bonds.push_back({i, i + 1, 0.25, 800});
    system.add(bonds);
    NonbondedForce charges{.method = NonbondedForce::Method::cutoff_periodic, .cutoff_distance = 1.2};
    for (int i = 0; i <= frozen; ++i) charges.particles.push_back({i % 2 == 0 ? 0.3 : -0.3, 0.15, 0.01});
    // Excludes pairs that could come close to each other.
    for (int i = 0; i < frozen; ++i)
        for (int j = i + 1; j < frozen; ++j)
            if ((i < 4) == (j < 4) || i >= 4) charges.exceptions.push_back({i, j});
    system.add(charges);
    return system;
}

template <class C> void start_with_sites(C& context) {
    std::vector<Vec3<>> positions{{0.3, 0.2, 0.1}, {0.45, 0.2, 0.12}, {0.3, 0.36, 0.05}, {0.2, 0.22, 0.3},
                                  {0.7, 0.7, 0.6}, {0.79, 0.72, 0.6}, {0.66, 0.78, 0.63}};
    positions.resize(static_cast<std::size_t>(context.system().particle_count()), {1, 0.9, 0.2});
    context.set_positions(positions);
    context.apply_constraints(1e-11);
    context.set_velocities_to_temperature(300, 5);
}

template <class I> void check_steps(Case const& example, I const& integrator, int steps) {
    CAPTURE(example.name);
    auto const system = system_of(example);
    Context expected{system, integrator, Reference{}, Double{}};
    start_with_sites(expected);
    expected.step(steps);
    Context found{system, integrator, TestedDevice{}, Double{}};
    start_with_sites(found);
    found.step(steps - 10);
    CHECK(stays_on_device(found));
    found.step(10);
    CHECK(stays_on_device(found));
    CHECK(largest_difference(found.positions(), expected.positions()) < 1e-10);
    CHECK(largest_difference(found.velocities(), expected.velocities()) < 1e-8);
    auto const forces = found.state(StateData::forces).forces, own = expected.state(StateData::forces).forces;
    CHECK(largest_difference(forces, own) < 1e-6);  // the positions differ by 1e-10 nm, and bonds have 800 kJ/mol/nm²
    // Sites are where the host would place them.
    auto placed = found.positions();
    found.compute_virtual_sites();
    CHECK(largest_difference(placed, found.positions()) < 1e-14);
    Context single{system, integrator, TestedDevice{}, Single{}};
    start_with_sites(single);
    single.step(steps);
    CHECK(largest_difference(single.positions(), expected.positions()) < 1e-4);
}

}  // namespace

TEST_CASE("steps with virtual sites of each kind stay on the device", "[device]") {
    for (auto const& example : cases)
        check_steps(example, VerletIntegrator{.step_size = 1 * fs, .constraint_tolerance = 1e-12}, 100);
}
TEST_CASE("virtual sites are placed wherever a splitting moves positions", "[device]") {
    for (auto const n : {1u, 8u}) {
        check_steps(
            cases[n],
            SplittingIntegrator<Splitting{"R V R O R V R"}>{
                .temperature = 300, .friction = 5, .step_size = 1 * fs, .seed = 7, .constraint_tolerance = 1e-12},
            50);
        check_steps(
            cases[n],
            LangevinMiddleIntegrator{
                .temperature = 300, .friction = 5, .step_size = 1 * fs, .seed = 7, .constraint_tolerance = 1e-12},
            100);
    }
}
TEST_CASE("steps of other integrators with virtual sites stay on the device", "[device]") {
    NoseHooverIntegrator baths{.step_size = 1 * fs, .constraint_tolerance = 1e-12};
    baths.chains = {{.temperature = 300, .collision_frequency = 10}};
    check_steps(cases.back(), baths, 50);
    check_steps(cases.back(), VariableVerletIntegrator{.error_tolerance = 1e-4, .constraint_tolerance = 1e-12}, 50);
}
TEST_CASE("runs with virtual sites have the same bits, interrupted or not", "[device]") {
    LangevinMiddleIntegrator const integrator{.temperature = 300, .friction = 5, .step_size = 1 * fs, .seed = 7};
    auto const system = system_of(cases.back());
    auto const run = [&](int first, bool looks) {
        Context context{system, integrator, TestedDevice{}, Mixed{}};
        start_with_sites(context);
        context.step(first);
        Archive archive;
        context.save(archive);
        Context resumed{system, integrator, TestedDevice{}, Mixed{}};
        Archive in(archive.bytes());
        resumed.load(in);
        for (int n = first; n < 60; ++n) {
            if (looks) resumed.state(StateData::forces | StateData::energy);
            resumed.step(1);
        }
        return resumed.state(StateData::positions | StateData::velocities);
    };
    auto const expected = run(0, false);
    for (int const first : {1, 2, 33})
        for (bool const looks : {false, true}) {
            auto const found = run(first, looks);
            CHECK(found.positions == expected.positions);
            CHECK(found.velocities == expected.velocities);
        }
}
