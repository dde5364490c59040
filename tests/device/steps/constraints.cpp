// Tests steps with constraints of any shape: they stay on the device and agree with Reference.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <trotter/base/archive.hpp>
#include <trotter/device/constraints/constraints.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/reference.hpp>
#include <trotter/trotter.hpp>

#include "device/tested_device.hpp"
#include "largest_difference.hpp"

using namespace trotter;

namespace {

using Springs = System<ForceList<HarmonicBondForce>>;

struct Shape {
    std::string name;
    std::vector<std::pair<int, int>> pairs;
};
std::vector<Shape> const shapes{
    {"star of four", {{0, 1}, {0, 2}, {0, 3}, {0, 4}}},
    {"chain", {{1, 0}, {0, 2}, {1, 5}}},
    {"ring", {{0, 1}, {1, 5}, {5, 2}, {2, 0}}},
    {"rigid angle with a tail", {{0, 1}, {0, 2}, {1, 2}, {1, 5}}},
    {"tetrahedron", {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},
    {"rigid methyl", {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {2, 3}, {2, 4}, {3, 4}}},
    {"one constraint too many", {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}},
    {"water", {{0, 1}, {0, 2}, {1, 2}}},
    {"pair", {{0, 1}}},
};

/// Points at about atomic distances, far from collinear.
std::vector<Vec3<>> const sites{
    {0, 0, 0}, {0.11, 0, 0}, {-0.03, 0.1, 0.02}, {-0.05, -0.06, 0.09}, {-0.04, -0.05, -0.1}, {0.13, 0.12, 0.04}};

/// Particles joined by springs in their order, with satisfied constraints.
struct Model {
    Springs system;
    std::vector<Vec3<>> positions;

    int add(double mass, Vec3<> const& position) {
        positions.push_back(position);
        return system.add_particle(mass);
    }
    void tie(int i, int j) {
        system.add_constraint(i, j,
                              norm(positions[static_cast<std::size_t>(i)] - positions[static_cast<std::size_t>(j)]));
    }
    void add_springs() {
        HarmonicBondForce bonds;
        for (std::size_t i = 0; i + 1 < positions.size(); ++i) {
            double const length = 1.02 * norm(positions[i] - positions[i + 1]);
            bonds.bonds.push_back({static_cast<int>(i), static_cast<int>(i + 1), length, 2000});
        }
        system.add(bonds);
    }
};

void add_shape(Model& model, Shape const& shape, Vec3<> const& at) {
    int const first = model.system.particle_count();
    int size = 0;
    for (auto const& [i, j] : shape.pairs) size = std::max({size, i + 1, j + 1});
    for (int i = 0; i < size; ++i) model.add(i == 0 ? 12 : 1 + i, sites[static_cast<std::size_t>(i)] + at);
    for (auto const& [i, j] : shape.pairs) model.tie(first + i, first + j);
}

/// A helical chain of heavy particles with two light ones at each, and a ring closed every eight of them.
void add_polymer(Model& model, int length, Vec3<> const& at) {
    int const first = model.system.particle_count();
    for (int n = 0; n < length; ++n) {
        double const turn = 1.9 * n;
        Vec3<> const outwards{std::cos(turn), std::sin(turn), 0},
            centre = at + 0.06 * outwards + Vec3<>{0, 0, 0.11 * n};
        model.add(12, centre);
        model.add(1, centre + 0.09 * outwards + Vec3<>{0, 0, 0.06});
        model.add(1, centre + 0.09 * outwards - Vec3<>{0, 0, 0.06});
        int const heavy = first + 3 * n;
        for (int const light : {1, 2}) model.tie(heavy, heavy + light);
        if (n > 0) model.tie(heavy - 3, heavy);
        if (n % 8 == 7) model.tie(heavy - 12, heavy);
    }
}

/// Each shape three times among free and frozen particles, and two long chains, too large for a small work-group,
/// between shorter ones.
Model every_shape() {
    Model model;
    add_polymer(model, 100, {0, -1, 0});
    for (int copy = 0; copy < 3; ++copy) {
        for (std::size_t n = 0; n < shapes.size(); ++n)
            add_shape(model, shapes[n], {0.4 * static_cast<double>(n), 0.5 * copy, 0.1 * copy});
        model.add(copy == 1 ? 0 : 20, {4, 0.5 * copy, 0});
        add_polymer(model, copy == 2 ? 25 : 5, {0, 2.0 + copy, 0});
    }
    model.add_springs();
    return model;
}

template <class C> void start(C& context, std::vector<Vec3<>> const& positions) {
    context.set_positions(positions);
    context.set_velocities_to_temperature(300, 5);
}

double worst_distance(Particles const& particles, std::vector<Vec3<>> const& x) {
    double worst = 0;
    for (auto const& [i, j, distance] : particles.constraints)
        worst = worst_of(
            worst, std::abs(norm(x[static_cast<std::size_t>(i)] - x[static_cast<std::size_t>(j)]) / distance - 1));
    return worst;
}
double worst_rate(Particles const& particles, std::vector<Vec3<>> const& x, std::vector<Vec3<>> const& v) {
    double worst = 0;
    for (auto const& [i, j, distance] : particles.constraints) {
        auto const a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
        worst = worst_of(worst, std::abs(dot(x[a] - x[b], v[a] - v[b])) / distance);
    }
    return worst;
}

template <class I> void check_steps(Model const& model, I const& integrator) {
    Context expected{model.system, integrator, Reference{}, Double{}};
    start(expected, model.positions);
    expected.step(100);
    Context found{model.system, integrator, TestedDevice{}, Double{}};
    start(found, model.positions);
    found.step(97);
    CHECK(stays_on_device(found));
    found.step(3);
    CHECK(stays_on_device(found));
    CHECK(largest_difference(found.positions(), expected.positions()) < 1e-9);
    CHECK(largest_difference(found.velocities(), expected.velocities()) < 1e-7);
    CHECK(worst_distance(model.system.particles, found.positions()) < 2 * integrator.constraint_tolerance);
}

}  // namespace

TEST_CASE("steps with constraints of every shape stay on the device", "[device]") {
    auto const model = every_shape();
    double const tolerance = 1e-12;
    check_steps(model, VerletIntegrator{.step_size = 2 * fs, .constraint_tolerance = tolerance});
    check_steps(
        model,
        LangevinMiddleIntegrator{
            .temperature = 300, .friction = 5, .step_size = 2 * fs, .seed = 7, .constraint_tolerance = tolerance});
    check_steps(model, SplittingIntegrator<Splitting{"V R V"}>{.step_size = 2 * fs, .constraint_tolerance = tolerance});
    check_steps(
        model,
        SplittingIntegrator<Splitting{"O V R V O"}>{
            .temperature = 300, .friction = 5, .step_size = 2 * fs, .seed = 7, .constraint_tolerance = tolerance});
}
TEST_CASE("steps of other integrators with constraints of every shape stay on the device", "[device]") {
    auto const model = every_shape();
    double const tolerance = 1e-12;
    NoseHooverIntegrator baths{.step_size = 2 * fs, .constraint_tolerance = tolerance};
    baths.chains = {{.temperature = 300, .collision_frequency = 10}};
    check_steps(model, baths);
    check_steps(
        model,
        BrownianIntegrator{
            .temperature = 300, .friction = 500, .step_size = 2 * fs, .seed = 7, .constraint_tolerance = tolerance});
    check_steps(model, VariableVerletIntegrator{.error_tolerance = 1e-4, .constraint_tolerance = tolerance});
}
TEST_CASE("steps with constraints of every shape in single precision", "[device]") {
    auto const model = every_shape();
    VerletIntegrator const integrator{.step_size = 2 * fs, .constraint_tolerance = 1e-6};
    Context expected{model.system, integrator, Reference{}, Double{}};
    start(expected, model.positions);
    expected.step(50);
    Context found{model.system, integrator, TestedDevice{}, Single{}};
    start(found, model.positions);
    found.step(50);
    CHECK(largest_difference(found.positions(), expected.positions()) < 1e-4);
}
TEST_CASE("what a tolerance leaves of an error hardly shows in the velocities of a step", "[device]") {
    auto const model = every_shape();
    auto const velocities = [&](auto backend, double tolerance) {
        Context context{model.system, VerletIntegrator{.step_size = 2 * fs, .constraint_tolerance = tolerance}, backend,
                        Double{}};
        start(context, model.positions);
        context.step(1);
        return context.velocities();
    };
    // A hundredth of what distances of 0.15 nm and this tolerance allow: 1e-5 * 0.15 nm / 2 fs = 7.5e-4 nm/ps.
    CHECK(largest_difference(velocities(TestedDevice{}, 1e-5), velocities(Reference{}, 1e-14)) < 7.5e-6);
}
TEST_CASE("velocities keep the distances after a step that ends with a kick", "[device]") {
    auto const model = every_shape();
    for (double const tolerance : {1e-4, 1e-6, 1e-10}) {
        Context context{model.system,
                        SplittingIntegrator<Splitting{"V R V"}>{.step_size = 2 * fs, .constraint_tolerance = tolerance},
                        TestedDevice{}, Mixed{}};
        start(context, model.positions);
        context.step(20);
        CHECK(worst_distance(model.system.particles, context.positions()) < tolerance + 1e-14);
        CHECK(worst_rate(model.system.particles, context.positions(), context.velocities()) < tolerance + 1e-14);
    }
}
TEST_CASE("constraints as launches of their own do what those of the host do", "[device]") {
    auto const model = every_shape();
    Context context{model.system, VerletIntegrator{.step_size = 2 * fs}, TestedDevice{}, Double{}};
    auto moved = model.positions, velocities = model.positions;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        double const n = static_cast<double>(i);
        velocities[i] = {std::sin(1.7 * n), std::cos(2.2 * n), std::sin(0.9 * n)};
        if (model.system.particles.masses[i] != 0) moved[i] += 0.003 * velocities[i];
    }
    auto& device = context.engine().device;
    device::Constraints constraints(device::Clusters(model.system.particles), device);
    context.set_positions(model.positions);
    context.set_velocities(velocities);
    context.evaluate({});
    device.state.take();
    device::NumberArray const start(device.queue, device.positions.download(device.queue),
                                    device.types.coordinate_is_double);
    context.set_positions(moved);
    device.state.take();
    constraints.constrain_positions(device, start, 1e-12);
    constraints.constrain_velocities(device, device.state.changing_velocities(), 1e-12);
    auto const positions = context.positions(), rates = context.velocities();
    CHECK(device.failed_particle() == -1);
    auto& host = device.host;
    host.constraints.apply_to_positions(model.positions, moved, 1e-14, host.threads);
    host.constraints.apply_to_velocities(moved, velocities, 1e-14, host.threads);
    CHECK(largest_difference(positions, moved) < 1e-11);
    CHECK(largest_difference(rates, velocities) < 1e-10);
}
TEST_CASE("runs with constraints have the same bits, interrupted or not", "[device]") {
    auto const model = every_shape();
    LangevinMiddleIntegrator const integrator{.temperature = 300, .friction = 5, .step_size = 2 * fs, .seed = 7};
    auto const run = [&](int first) {
        Context context{model.system, integrator, TestedDevice{}, Mixed{}};
        start(context, model.positions);
        context.step(first);
        Archive archive;
        context.save(archive);
        Context resumed{model.system, integrator, TestedDevice{}, Mixed{}};
        Archive in(archive.bytes());
        resumed.load(in);
        resumed.step(60 - first);
        return resumed.state(StateData::positions | StateData::velocities);
    };
    auto const expected = run(0);
    for (int const first : {0, 1, 2, 33}) {
        auto const found = run(first);
        CHECK(found.positions == expected.positions);
        CHECK(found.velocities == expected.velocities);
    }
}
TEST_CASE("constraints of a network that cannot be satisfied on the device are an error", "[device]") {
    Springs system;
    for (int i = 0; i < 3; ++i) system.add_particle(1);
    for (auto const& [i, j, distance] : std::vector<Constraint>{{0, 1, 0.1}, {0, 2, 0.1}, {1, 2, 0.3}})
        system.add_constraint(i, j, distance);
    Context context{system, VerletIntegrator{.step_size = 2 * fs}, TestedDevice{}, Mixed{}};
    context.set_positions({{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}});
    CHECK_THROWS_WITH(context.step(1), Catch::Contains("step 1: the constraints of particle"));
}
