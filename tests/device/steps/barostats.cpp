// Tests Monte Carlo barostats on a device against Reference: the same attempts, decisions and boxes, and no transfers.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <trotter/base/archive.hpp>
#include <trotter/reference.hpp>
#include <trotter/trotter.hpp>

#include "device/tested_device.hpp"
#include "largest_difference.hpp"

using namespace trotter;

namespace {

constexpr int pair_size = 2, chain_length = 70, pair_count = 100;

/// A hundred rigid pairs, and a chain longer than a work-group.
template <class Barostat> auto fluid(Barostat const& barostat) {
    System<ForceList<NonbondedForce, HarmonicBondForce, Barostat, CMMotionRemover>> system;
    system.box = {{3.2, 0, 0}, {0.3, 3.3, 0}, {-0.2, 0.4, 3.4}};
    NonbondedForce force{.method = NonbondedForce::Method::cutoff_periodic, .cutoff_distance = 0.9};
    HarmonicBondForce bonds{.periodic = true};
    for (int i = 0; i < pair_size * pair_count + chain_length; ++i) {
        system.add_particle(10);
        force.particles.push_back({i % 2 == 0 ? 0.1 : -0.1, 0.2, 0.3});
        bool const is_first = i < pair_size * pair_count ? i % pair_size == 0 : i == pair_size * pair_count;
        if (is_first) continue;
        force.exceptions.push_back({i - 1, i});
        if (i < pair_size * pair_count)
            system.add_constraint(i - 1, i, 0.12);
        else
            bonds.bonds.push_back({i - 1, i, 0.2, 5000});
    }
    system.add(force);
    system.add(bonds);
    system.add(barostat);
    system.add(CMMotionRemover{.frequency = 1});
    return system;
}

/// The pairs on a lattice, and the chain in rows of 14 between its layers, with two particles between rows.
std::vector<Vec3<>> start() {
    std::vector<Vec3<>> result;
    for (int n = 0; n < pair_count; ++n) {
        Vec3<> const at{0.64 * (n % 5), 0.66 * (n / 5 % 5), 0.84 * (n / 25)};
        result.push_back(at);
        result.push_back(at + Vec3<>{0.12 * std::cos(n), 0.12 * std::sin(n), 0});
    }
    for (int n = 0; n < chain_length; ++n) {
        int const row = n / 16, place = std::min(n % 16, 13), beyond = std::max(n % 16 - 13, 0);
        result.push_back({0.2 * (row % 2 == 0 ? place : 13 - place), 0.6 * row + 0.2 * beyond, 0.42});
    }
    return result;
}

struct Outcome {
    State state;
    std::vector<double> volumes;  ///< after each step
    int changes() const {
        int count = 0;
        for (std::size_t n = 1; n < volumes.size(); ++n) count += volumes[n] != volumes[n - 1];
        return count;
    }
};

constexpr int steps = 100, frequency = 5;

template <class S, class B, class P>
Outcome run(S const& system, B backend, P precision, int interrupted_after = steps) {
    VerletIntegrator const integrator{.step_size = 1 * fs, .constraint_tolerance = 1e-10};
    auto make = [&] { return Context{system, integrator, backend, precision}; };
    auto context = make();
    context.set_positions(start());
    context.apply_constraints(1e-10);
    context.set_velocities_to_temperature(300, 5);
    Outcome outcome;
    std::pair<std::uint64_t, std::uint64_t> version;
    auto take_steps = [&](auto& taking, int first, int end) {
        for (int n = first; n < end; ++n) {
            taking.step(1);
            outcome.volumes.push_back(taking.box().volume());
            if constexpr (requires { taking.engine().device; }) {
                if (n == first + 1) version = version_of_steps(taking);  // lists have their final sizes
                if (n > first + 1) CHECK(version_of_steps(taking) == version);
                CHECK(taking.engine().is_state_on_device());
            }
        }
        outcome.state = taking.state(StateData::positions | StateData::velocities);
    };
    take_steps(context, 0, interrupted_after);
    if (interrupted_after == steps) return outcome;
    Archive archive;
    context.save(archive);
    auto resumed = make();
    Archive in(archive.bytes());
    resumed.load(in);
    in.expect_end();
    take_steps(resumed, interrupted_after, steps);
    return outcome;
}

template <class Barostat> void check_barostat(Barostat barostat) {
    barostat.temperature = 300;
    barostat.frequency = frequency;
    barostat.seed = 11;
    for (bool const rigid : {true, false}) {
        INFO(Barostat::name << (rigid ? " with rigid molecules" : ""));
        barostat.scale_molecules_as_rigid = rigid;
        auto const system = fluid(barostat);
        auto const expected = run(system, Reference{}, Double{}), in_double = run(system, TestedDevice{}, Double{}),
                   in_mixed = run(system, TestedDevice{}, Mixed{}), again = run(system, TestedDevice{}, Mixed{}),
                   resumed = run(system, TestedDevice{}, Mixed{}, 62);
        CHECK(expected.changes() > 0);
        CHECK(expected.changes() < steps / frequency);  // some were rejected
        for (std::size_t n = 0; n < steps; ++n)
            CHECK(in_double.volumes[n] == Approx(expected.volumes[n]).epsilon(1e-10));
        CHECK(largest_difference(in_double.state.positions, expected.state.positions) < 1e-9);
        CHECK(in_double.state.box->c.x == Approx(expected.state.box->c.x).epsilon(1e-9));
        // In mixed precision, only marginal decisions may differ.
        CHECK(in_mixed.volumes.back() == Approx(expected.volumes.back()).epsilon(1e-10));
        CHECK(largest_difference(in_mixed.state.positions, expected.state.positions) < 2e-5);
        for (auto const& other : {again, resumed}) {
            CHECK(other.volumes == in_mixed.volumes);
            CHECK(other.state.positions == in_mixed.state.positions);
            CHECK(other.state.velocities == in_mixed.state.velocities);
        }
    }
}

}  // namespace

TEST_CASE("a barostat that keeps the shape of the box on a device", "[device]") {
    check_barostat(MonteCarloBarostat{.pressure = 300});
}
TEST_CASE("a barostat of single axes on a device", "[device]") {
    check_barostat(MonteCarloAnisotropicBarostat{.pressure = {300, 200, 100}});
}
TEST_CASE("a barostat of membranes on a device", "[device]") {
    check_barostat(MonteCarloMembraneBarostat{.pressure = 300, .surface_tension = 20});
}
TEST_CASE("a barostat that changes all of the box on a device", "[device]") {
    check_barostat(MonteCarloFlexibleBarostat{.pressure = 300});
}
TEST_CASE("a barostat on a device that moves particles one by one places virtual sites anew", "[device]") {
    auto const volumes = [](auto backend) {
        auto system = fluid(MonteCarloBarostat{
            .pressure = 300, .temperature = 300, .frequency = 2, .scale_molecules_as_rigid = false, .seed = 11});
        auto positions = start();
        system.add_particle(0);
        system.template forces<NonbondedForce>()[0].particles.push_back({0, 0.2, 0});
        system.particles.virtual_sites[static_cast<int>(positions.size())] = TwoParticleAverageSite{0, 1, 0.5, 0.5};
        positions.push_back({});
        Context context{system, VerletIntegrator{.step_size = 1 * fs, .constraint_tolerance = 1e-10}, backend,
                        Double{}};
        context.set_positions(positions);
        context.apply_constraints(1e-10);
        std::vector<double> result;
        for (int n = 0; n < 20; ++n) {
            context.step(1);
            result.push_back(context.box().volume());
        }
        if constexpr (requires { context.engine().is_state_on_device(); }) CHECK(context.engine().is_state_on_device());
        Vec3<> const off = context.positions().back() - (context.positions()[0] + context.positions()[1]) * 0.5;
        CHECK(norm(off) < 1e-12);
        return result;
    };
    auto const found = volumes(TestedDevice{}), expected = volumes(Reference{});
    for (std::size_t n = 0; n < found.size(); ++n) CHECK(found[n] == Approx(expected[n]).epsilon(1e-10));
}
TEST_CASE("a box that is set between steps on a device", "[device]") {
    auto const state = [](bool by_way_of_host) {
        Context context{fluid(MonteCarloBarostat{.temperature = 300, .frequency = 1000}),
                        VerletIntegrator{.step_size = 1 * fs, .constraint_tolerance = 1e-10}, TestedDevice{}, Mixed{}};
        context.set_positions(start());
        context.apply_constraints(1e-10);
        context.step(5);
        Box box = context.box();
        for (auto* vector : {&box.a, &box.b, &box.c}) *vector *= 1.01;
        context.set_box(box);
        if (by_way_of_host) context.set_velocities(context.velocities());
        context.step(3);
        return context.state(StateData::positions | StateData::velocities);
    };
    auto const found = state(false), expected = state(true);
    CHECK(found.positions == expected.positions);
    CHECK(found.velocities == expected.velocities);
}
TEST_CASE("the present pressure on a device", "[device]") {
    auto const pressure = [](auto backend) {
        Context context{fluid(MonteCarloBarostat{.pressure = 300, .temperature = 300, .frequency = 2, .seed = 11}),
                        VerletIntegrator{.step_size = 1 * fs, .constraint_tolerance = 1e-10}, backend, Double{}};
        context.set_positions(start());
        context.apply_constraints(1e-10);
        context.step(9);
        auto evaluate = [&](Request const& request) { return context.evaluate(request); };
        double result = 0;
        context.for_each_kernel([&](int, auto& kernel) {
            if constexpr (requires { kernel.current_pressure(context.engine(), evaluate); })
                result = kernel.current_pressure(context.engine(), evaluate);
        });
        return result;
    };
    CHECK(pressure(TestedDevice{}) == Approx(pressure(Reference{})).epsilon(1e-6));
}
