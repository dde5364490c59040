// Energy minimization: known minima, overlaps, constraints, limits.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "catch_compat.hpp"
#include "harness.hpp"

using namespace trotter;

namespace {

/// Lennard-Jones particles with sigma 0.3 nm and epsilon 1 kJ/mol, all pairs.
double lennard_jones_pair(HostState& host) {
    double energy = 0;
    for (std::size_t i = 0; i < host.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            Vec3<> const d = host.positions[i] - host.positions[j];
            double const r2 = dot(d, d), s6 = std::pow(0.09 / r2, 3);
            energy += 4 * s6 * (s6 - 1);
            Vec3<> const force = d * (24 * s6 * (2 * s6 - 1) / r2);
            host.forces[i] += force;
            host.forces[j] -= force;
        }
    return energy;
}

template <class Forces> struct Landscape {
    Landscape(Particles const& particles, Forces f, int threads = 1)
        : engine{HostState(particles, {}, threads, 1)}, forces(f) {}

    MinimizationResult minimize(MinimizationSettings const& settings = {}) {
        auto evaluate = [this](Request const&) {
            engine.host.forces.assign(engine.host.size(), {});
            return forces(engine.host);
        };
        Kernel<LocalEnergyMinimizer, TestBackend, Double> kernel({settings, 1e-6}, engine);
        return kernel.run(engine, evaluate);
    }
    Engine<TestBackend, Double> engine;
    Forces forces;
};

Particles of_mass(std::size_t count) { return {.masses = std::vector<double>(count, 10.0)}; }

}  // namespace

TEST_CASE("A pair goes to its distance of least energy, wherever it stands") {
    for (double shift : {0.0, 50.0}) {
        Landscape pair(of_mass(2), lennard_jones_pair);
        pair.engine.host.positions = {{shift, 0, 0}, {shift + 0.28, 0.05, 0}};
        auto const result = pair.minimize({.tolerance = 1e-6});
        CHECK(norm(pair.engine.host.positions[0] - pair.engine.host.positions[1])
              == Approx(0.3 * std::pow(2, 1.0 / 6)).epsilon(1e-8));
        CHECK(result.energy == Approx(-1).epsilon(1e-12));
        CHECK(result.rms_force <= 1e-6);
        CHECK(result.iterations > 0);
    }
}

TEST_CASE("Particles at one point and particles that nearly touch come apart") {
    Landscape crowd(of_mass(20), lennard_jones_pair);
    RandomStream const random{3, 3};
    for (std::size_t i = 0; i < 20; ++i)
        crowd.engine.host.positions[i] = random.normals(0, static_cast<std::uint32_t>(i)) * 0.1;
    crowd.engine.host.positions[7] = crowd.engine.host.positions[3];
    crowd.engine.host.positions[9] = crowd.engine.host.positions[8] + Vec3<>{1e-7, 0, 0};
    auto const result = crowd.minimize({.tolerance = 1e-3});
    CHECK(result.rms_force <= 1e-3);
    CHECK(result.energy < -40);  // the best cluster of 20 has -77.18; any compact one is far below -40
}

TEST_CASE("Massless particles stay where they are") {
    Landscape pair({.masses = {10, 0}}, lennard_jones_pair);
    pair.engine.host.positions = {{0, 0, 0}, {0.5, 0, 0}};
    pair.minimize({.tolerance = 1e-6});
    CHECK(pair.engine.host.positions[1] == Vec3<>{0.5, 0, 0});
    CHECK(pair.engine.host.positions[0].x == Approx(0.5 - 0.3 * std::pow(2, 1.0 / 6)).epsilon(1e-8));
}

TEST_CASE("Constraints hold in the end") {
    // A rod of 0.2 nm in a well: at the minimum its centre is at the origin, E = k (0.1)².
    Landscape rod({.masses = {10, 10}, .constraints = {{0, 1, 0.2}}}, harmonic_well(1000));
    rod.engine.host.positions = {{0.3, 0, 0}, {0.3, 0.2, 0.1}};
    double last_error = 1;
    auto const result = rod.minimize({.tolerance = 0.01, .report = [&](MinimizationProgress const& p) {
                                          last_error = p.constraint_error;
                                          return false;
                                      }});
    auto const& x = rod.engine.host.positions;
    CHECK(norm(x[0] - x[1]) == Approx(0.2).epsilon(2e-6));
    CHECK(result.energy == Approx(10).epsilon(1e-5));
    CHECK(last_error <= 1e-4);
}

TEST_CASE("Constrained particles at one point come apart") {
    Landscape water({.masses = {16, 1, 1}, .constraints = {{0, 1, 0.1}, {0, 2, 0.1}, {1, 2, 0.16}}},
                    harmonic_well(1000));
    water.engine.host.positions = {{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}};
    water.minimize();
    auto const& x = water.engine.host.positions;
    CHECK(norm(x[0] - x[1]) == Approx(0.1).epsilon(2e-6));
    CHECK(norm(x[0] - x[2]) == Approx(0.1).epsilon(2e-6));
    CHECK(norm(x[1] - x[2]) == Approx(0.16).epsilon(2e-6));
}

TEST_CASE("Constraints that cannot hold are told, unless the search was stopped") {
    Particles const sides{.masses = {10, 10, 10}, .constraints = {{0, 1, 0.1}, {1, 2, 0.1}, {0, 2, 0.5}}};
    Landscape impossible(sides, harmonic_well(1000));
    impossible.engine.host.positions = {{0, 0, 0}, {0.1, 0, 0}, {0.1, 0.1, 0}};
    CHECK_THROWS_WITH(impossible.minimize(), Catch::Contains("after the minimization, constraint"));
    CHECK_THROWS_WITH(impossible.minimize({.max_iterations = 2}),
                      Catch::Contains("after the minimization, constraint"));
    CHECK_NOTHROW(impossible.minimize({.report = [](MinimizationProgress const&) { return true; }}));
}

TEST_CASE("The energy does not end above its start, and limits and reporters stop") {
    Landscape pair(of_mass(2), lennard_jones_pair);
    pair.engine.host.positions = {{0, 0, 0}, {0.25, 0, 0}};
    double const start = lennard_jones_pair(pair.engine.host);
    auto const limited = pair.minimize({.tolerance = 1e-6, .max_iterations = 1});
    CHECK(limited.iterations == 1);
    CHECK(limited.energy < start);
    std::vector<double> energies;
    auto const stopped = pair.minimize({.tolerance = 1e-9, .report = [&](MinimizationProgress const& p) {
                                            energies.push_back(p.energy);
                                            return p.iteration == 3;
                                        }});
    CHECK(stopped.iterations == 3);
    CHECK(std::is_sorted(energies.rbegin(), energies.rend()));
    // At the minimum it stops at once.
    pair.minimize({.tolerance = 1e-9});
    auto const before = pair.engine.host.positions;
    CHECK(pair.minimize({.tolerance = 1e-3}).iterations == 0);
    CHECK(pair.engine.host.positions == before);
}

TEST_CASE("Minimization refuses a tolerance without sense, and a start without a finite energy") {
    Landscape broken(of_mass(2), [](HostState& host) {
        host.forces[1].x = std::numeric_limits<double>::quiet_NaN();
        return 0.0;
    });
    CHECK_THROWS_WITH(broken.minimize(), Catch::Contains("the force on particle 1"));
    CHECK_THROWS_WITH(broken.minimize({.tolerance = 0}),
                      "the tolerance of the minimization is 0.000000, expected a positive number");
    CHECK_THROWS_WITH(broken.minimize({.max_iterations = -1}),
                      "the number of iterations of the minimization is -1, expected 0 or more");
}

TEST_CASE("The number of threads changes no bit of a minimization") {
    auto run = [](int threads) {
        Landscape crowd(of_mass(600), harmonic_well(100), threads);
        for (std::size_t i = 0; i < 600; ++i)
            crowd.engine.host.positions[i] = Vec3<>{0.01, 0.02, 0.03} * static_cast<double>(i);
        crowd.minimize({.tolerance = 1});
        return crowd.engine.host.positions;
    };
    auto const one = run(1);
    CHECK(run(2) == one);
    CHECK(run(7) == one);
}

TEST_CASE("Constraints that carry strong forces are found in few steps") {
    // A chain of rods of 0.1 nm, its ends pulled apart: at the minimum it is straight, and all carry the pull.
    constexpr std::size_t count = 12;
    constexpr double pull = 4000;
    Particles particles = of_mass(count);
    for (int i = 0; i + 1 < static_cast<int>(count); ++i) particles.constraints.push_back({i, i + 1, 0.1});
    Landscape chain(particles, [](HostState& host) {
        host.forces.front().x = -pull, host.forces.back().x = pull;
        return pull * (host.positions.front().x - host.positions.back().x);
    });
    for (std::size_t i = 0; i < count; ++i)
        chain.engine.host.positions[i] = {0.08 * static_cast<double>(i), i % 2 == 0 ? 0.0 : 0.06, 0};
    double last_error = 1;
    auto const result = chain.minimize({.tolerance = 1, .report = [&](MinimizationProgress const& p) {
                                            last_error = p.constraint_error;
                                            return false;
                                        }});
    CHECK(result.rms_force <= 1);  // the tolerance; the minimizer aims at half of it, but may stop earlier
    CHECK(result.energy == Approx(-pull * 1.1).epsilon(1e-6));
    CHECK(last_error <= 3e-4);
    CHECK(result.iterations < 150);
}
