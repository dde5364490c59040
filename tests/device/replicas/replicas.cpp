// Tests batches of copies of a System on one device against single Contexts: forces, steps, bits, and errors.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "device/tested_device.hpp"
#include "largest_difference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <trotter/base/archive.hpp>
#include <trotter/device.hpp>
#include <trotter/integrators/nested_splitting.hpp>
#include <trotter/replicas.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

namespace {

using Method = NonbondedForce::Method;
using MoleculeForces = ForceList<HarmonicBondForce, NonbondedForce, GBSAOBCForce, CMMotionRemover>;
using Molecules = System<MoleculeForces>;
using Vectors = std::vector<Vec3<>>;

NonbondedForce nonbonded(Method method) {
    NonbondedForce force{.method = method, .cutoff_distance = 0.6};
    if (method == Method::pme || method == Method::ljpme) force.pme = {.alpha = 4, .nx = 15, .ny = 14, .nz = 12};
    if (method == Method::ljpme) force.ljpme = {.alpha = 4, .nx = 14, .ny = 12, .nz = 15};
    return force;
}

/// Rigid three-particle molecules on a lattice; one additional particle, so that no copy fills its groups.
Molecules molecules(NonbondedForce force, Box const& box, int sites) {
    Molecules system;
    system.box = box;
    HarmonicBondForce bonds;
    for (int m = 0; m < sites; ++m) {
        for (double const mass : {16.0, 1.0, 1.0}) system.add_particle(mass);
        force.particles.insert(force.particles.end(), {{-0.8, 0.3, 0.6}, {0.4, 0.1, 0.1}, {0.4, 0.1, 0.1}});
        int const o = 3 * m;
        for (auto const& [i, j] : {std::pair{o, o + 1}, {o, o + 2}, {o + 1, o + 2}}) force.exceptions.push_back({i, j});
        system.add_constraint(o, o + 1, 0.1);
        system.add_constraint(o, o + 2, 0.1);
        system.add_constraint(o + 1, o + 2, 0.16);
        if (m > 0) bonds.bonds.push_back({o - 3, o, 0.35, 100});
    }
    system.add_particle(20);
    force.particles.push_back({0, 0.3, 0.5});
    system.add(bonds);
    system.add(force);
    return system;
}

/// Different positions for each replica.
Vectors positions(Molecules const& system, int sites, int replica) {
    std::mt19937 bits(static_cast<unsigned>(replica + 1));
    auto uniform = [&] { return static_cast<double>(bits()) / 4294967296.0; };
    int const edge = static_cast<int>(std::ceil(std::cbrt(sites + 1)));
    auto place = [&](int m) {
        Vec3<> const at = system.box.a * ((m % edge + 0.1 * uniform()) / edge)
                          + system.box.b * ((m / edge % edge + 0.1 * uniform()) / edge)
                          + system.box.c * ((m / (edge * edge) + 0.1 * uniform()) / edge);
        return at + system.box.a * (replica % 3);
    };
    Vectors result;
    for (int m = 0; m < sites; ++m) {
        Vec3<> const o = place(m);
        result.insert(result.end(), {o, o + Vec3<>{0.06, 0.08, 0}, o + Vec3<>{0.06, -0.08, 0}});
    }
    result.push_back(place(sites));
    return result;
}

struct MoleculeSample {
    Molecules system;
    std::vector<Vectors> places;

    int count() const { return static_cast<int>(places.size()); }
};

MoleculeSample molecule_sample(Method method, Box const& box, int replicas = 3, int sites = 63) {
    MoleculeSample result{molecules(nonbonded(method), box, sites), {}};
    for (int k = 0; k < replicas; ++k) result.places.push_back(positions(result.system, sites, k));
    return result;
}

Box const cube = Box::rectangular(1.6, 1.5, 1.4), oblique{{1.6, 0, 0}, {0.4, 1.5, 0}, {-0.3, 0.5, 1.4}};

/// The largest difference, relative to the root mean square.
double difference(Vectors const& found, Vectors const& expected) {
    double worst = 0, square = 1e-20;
    for (std::size_t i = 0; i < found.size(); ++i) {
        worst = worst_of(worst, norm(found[i] - expected[i]));
        square += dot(expected[i], expected[i]);
    }
    return worst / std::sqrt(square / static_cast<double>(found.size()));
}

LangevinMiddleIntegrator const langevin{
    .temperature = 300, .friction = 1, .step_size = 1 * fs, .seed = 5, .constraint_tolerance = 1e-10};

template <class I, class P> auto replicas_of(MoleculeSample const& sample, I const& integrator, P precision) {
    Replicas replicas{sample.system, integrator, TestedDevice{}, precision, sample.count(), 3};
    for (int k = 0; k < sample.count(); ++k) replicas.set_positions(k, sample.places[static_cast<std::size_t>(k)]);
    return replicas;
}

/// Each copy's forces agree with those of a single Context.
template <class P> void check_forces(MoleculeSample const& sample, P precision, double tolerance) {
    int const copies = sample.count();
    Context batch{replicate(sample.system, copies), langevin, TestedDevice{.copies = copies}, precision};
    Vectors all;
    for (auto const& some : sample.places) all.insert(all.end(), some.begin(), some.end());
    batch.set_positions(all);
    auto const forces = batch.state(StateData::forces).forces;
    Context single{sample.system, langevin, TestedDevice{}, precision};
    for (auto begin = forces.begin(); auto const& places : sample.places) {
        single.set_positions(places);
        auto const end = begin + static_cast<std::ptrdiff_t>(places.size());
        CHECK(difference({begin, end}, single.state(StateData::forces).forces) < tolerance);
        begin = end;
    }
}

/// Each replica follows a single Context: without noise all of them, with noise the first.
template <class I> void check_steps(MoleculeSample const& sample, I const& integrator, int compared, int steps) {
    auto replicas = replicas_of(sample, integrator, Double{});
    replicas.step(steps);
    CHECK(replicas.step_count() == steps);
    for (int k = 0; k < compared; ++k) {
        auto const& places = sample.places[static_cast<std::size_t>(k)];
        Context single{sample.system, integrator, TestedDevice{}, Double{}, 3};
        single.set_positions(places);
        single.step(steps);
        auto const found = replicas.state(k, Positions | Velocities | Energy),
                   expected = single.state(Positions | Velocities | Energy);
        Vectors moved;
        for (std::size_t i = 0; i < places.size(); ++i)
            moved.push_back(found.positions[i] - expected.positions[i] + places[i]);
        CHECK(difference(moved, places) < 1e-8);
        CHECK(difference(found.velocities, expected.velocities) < 1e-6);
        CHECK(found.potential_energy == Approx(expected.potential_energy).epsilon(1e-8));
        CHECK(found.kinetic_energy == Approx(expected.kinetic_energy).epsilon(1e-6));
        CHECK(found.time == Approx(expected.time));
    }
}

/// Positions of one replica change no bit of the others.
template <class P> void check_apart(MoleculeSample const& sample, P precision) {
    auto after = [&](bool is_moved) {
        auto replicas = replicas_of(sample, langevin, precision);
        if (is_moved) replicas.set_positions(1, positions(sample.system, 63, 7));
        replicas.set_velocities_to_temperature(300);
        replicas.step(30);
        return std::pair{replicas.positions(0), replicas.velocities(2)};
    };
    auto const alone = after(false), beside = after(true);
    CHECK(alone == beside);
}

}  // namespace

TEST_CASE("forces of copies are those of single Systems", "[device][replicas]") {
    for (auto const method : {Method::no_cutoff, Method::cutoff_non_periodic, Method::cutoff_periodic, Method::ljpme})
        check_forces(molecule_sample(method, cube), Double{}, 1e-10);
    check_forces(molecule_sample(Method::pme, oblique), Double{}, 1e-10);
    check_forces(molecule_sample(Method::pme, cube), Mixed{}, 4e-5);
    // More copies than eight bits can number.
    check_forces(molecule_sample(Method::cutoff_periodic, cube, 300, 1), Double{}, 1e-10);
}

TEST_CASE("copies in implicit solvent", "[device][replicas]") {
    for (auto const method : {Method::no_cutoff, Method::cutoff_periodic}) {
        auto solvated = molecule_sample(method, cube);
        GBSAOBCForce solvent{.method = method == Method::no_cutoff ? GBSAOBCForce::Method::no_cutoff
                                                                   : GBSAOBCForce::Method::cutoff_periodic,
                             .cutoff_distance = 0.6};
        for (int i = 0; i < solvated.system.particle_count(); ++i)
            solvent.particles.push_back({i % 3 == 0 ? -0.8 : 0.4, i % 3 == 0 ? 0.15 : 0.12, 0.8});
        solvent.particles.back().charge = 0;
        solvated.system.add(solvent);
        check_forces(solvated, Double{}, 1e-10);
    }
}

TEST_CASE("replicas take the steps of single Systems", "[device][replicas]") {
    check_steps(molecule_sample(Method::pme, cube),
                VerletIntegrator{.step_size = 1 * fs, .constraint_tolerance = 1e-10}, 3, 100);
    auto stopped = molecule_sample(Method::no_cutoff, cube, 4, 21);
    stopped.system.add(CMMotionRemover{});
    check_steps(stopped, VerletIntegrator{.step_size = 1 * fs, .constraint_tolerance = 1e-10}, 4, 100);
    check_steps(stopped, langevin, 1, 50);
}

TEST_CASE("noise and first velocities differ between replicas", "[device][replicas]") {
    auto equal = molecule_sample(Method::no_cutoff, cube, 2, 5);
    equal.places[1] = equal.places[0];
    auto replicas = replicas_of(equal, langevin, Mixed{});
    replicas.step(1);
    CHECK(replicas.positions(0) != replicas.positions(1));
    replicas.set_velocities_to_temperature(300);
    CHECK(replicas.velocities(0) != replicas.velocities(1));
}

TEST_CASE("each replica has a temperature of its own", "[device][replicas]") {
    auto const start = molecule_sample(Method::no_cutoff, cube, 3, 5);
    std::vector<double> const temperatures{100, 0, 500};
    auto const check = [&](auto const& integrator) {
        auto replicas = replicas_of(start, integrator, Double{});
        for (int k = 0; k < start.count(); ++k) replicas.set_temperature(k, temperatures[static_cast<std::size_t>(k)]);
        replicas.step(10);
        Archive archive;
        replicas.save(archive);
        auto again = replicas_of(start, integrator, Double{});
        Archive in(archive.bytes());
        again.load(in);
        again.step(10);
        replicas.step(10);
        for (int k = 0; k < start.count(); ++k) {
            auto all = replicas_of(start, integrator, Double{});
            all.set_temperature(temperatures[static_cast<std::size_t>(k)]);
            all.step(20);
            CHECK(difference(replicas.positions(k), all.positions(k)) < 1e-9);
            CHECK(difference(replicas.velocities(k), all.velocities(k)) < 1e-7);
            CHECK(again.positions(k) == replicas.positions(k));
        }
    };
    check(langevin);
    check(BrownianIntegrator{.temperature = 300, .friction = 100, .step_size = 0.1 * fs, .constraint_tolerance = 1e-10});
    check(MultipleStepIntegrator<NestedSplitting{"V1 (V0 R O R V0)^2 V1"}>{
        .temperature = 300, .friction = 1, .step_size = 1 * fs, .constraint_tolerance = 1e-10});
}

TEST_CASE("no replica changes a bit of another", "[device][replicas]") {
    for (auto const method : {Method::no_cutoff, Method::cutoff_non_periodic, Method::pme})
        check_apart(molecule_sample(method, cube), Mixed{});
    check_apart(molecule_sample(Method::cutoff_periodic, oblique), Double{});
}

TEST_CASE("replicas go on with the same bits from what was saved", "[device][replicas]") {
    auto const start = molecule_sample(Method::pme, cube);
    auto replicas = replicas_of(start, langevin, Mixed{});
    replicas.step(15);
    Archive archive;
    replicas.save(archive);
    replicas.step(15);
    auto again = replicas_of(start, langevin, Mixed{});
    Archive in(archive.bytes());
    again.load(in);
    CHECK(again.step_count() == 15);
    again.step(15);
    for (int k = 0; k < start.count(); ++k) {
        CHECK(again.positions(k) == replicas.positions(k));
        CHECK(again.velocities(k) == replicas.velocities(k));
    }
}

TEST_CASE("a replica that fails is named, and what a batch cannot do is refused", "[device][replicas]") {
    using Catch::Matchers::Contains;
    auto broken = molecule_sample(Method::no_cutoff, cube, 3, 5);
    broken.system.forces<HarmonicBondForce>()[0].bonds[0].k = 1e9;
    auto replicas = replicas_of(broken, VerletIntegrator{.step_size = 10 * fs}, Mixed{});
    CHECK_THROWS_WITH(replicas.step(1000), Contains("of replica") && Contains("particle") && Contains("step"));

    auto const system = molecule_sample(Method::ewald, cube, 1, 5).system;
    CHECK_THROWS_AS((Replicas{system, langevin, TestedDevice{}, Mixed{}, 2}), UnsupportedError);
    auto const open = molecule_sample(Method::no_cutoff, cube, 1, 5).system;
    CHECK_THROWS_WITH((Replicas{open, NoseHooverIntegrator{.step_size = 1 * fs}, TestedDevice{}, Mixed{}, 2}),
                      Contains("NoseHooverIntegrator"));
    CHECK_THROWS_WITH((Replicas{open, langevin, TestedDevice{}, Mixed{}, 0}), Contains("0 replicas"));
    Replicas two{open, langevin, TestedDevice{}, Mixed{}, 2};
    two.set_positions(0, molecule_sample(Method::no_cutoff, cube, 1, 5).places[0]);
    CHECK_THROWS_WITH(two.step(1), Contains("replica 1"));
    CHECK_THROWS_WITH(two.positions(2), Contains("replica 2"));
    CHECK_THROWS_WITH(two.set_state(1, State{.box = Box::rectangular(9, 9, 9)}), Contains("box"));
    using Pressed = System<ForceList<NonbondedForce, MonteCarloBarostat>>;
    Pressed pressed;
    pressed.add_particle(1);
    pressed.add(MonteCarloBarostat{.temperature = 300});
    CHECK_THROWS_WITH((Replicas{pressed, langevin, TestedDevice{}, Mixed{}, 2}), Contains("MonteCarloBarostat"));
}
