// Integrators that are splittings: steps worked by hand, conserved quantities, temperature, threads.
// SPDX-License-Identifier: MIT
#include <cmath>

#include "catch_compat.hpp"
#include "host/harness.hpp"

#include <trotter/integrators/langevin.hpp>
#include <trotter/integrators/verlet.hpp>

using namespace trotter;

TEST_CASE("A Verlet step is a kick and a drift") {
    Simulation simulation({.masses = {2, 0}}, VerletIntegrator{.step_size = 0.5}, harmonic_well(3));
    simulation.host().positions = {{1, 0, -2}, {5, 5, 5}};
    simulation.host().velocities = {{0, 1, 0}, {1, 1, 1}};
    simulation.step();
    // v = v - 3 x 0.5/2, x = x + 0.5 v
    CHECK(simulation.host().velocities[0] == Vec3<>{-0.75, 1, 1.5});
    CHECK(simulation.host().positions[0] == Vec3<>{0.625, 0.5, -1.25});
    CHECK(simulation.host().positions[1] == Vec3<>{5, 5, 5});
    CHECK(simulation.host().velocities[1] == Vec3<>{1, 1, 1});
    CHECK(simulation.host().time == 0.5);
    // Kinetic energy at the time of the positions: v + dt/2 F/m
    Vec3<> const v{-0.75 - 0.25 * 1.5 * 0.625, 1 - 0.25 * 1.5 * 0.5, 1.5 + 0.25 * 1.5 * 1.25};
    CHECK(simulation.kinetic_energy() == Approx(dot(v, v)).epsilon(1e-14));
    CHECK(simulation.kernel.velocity_offset() == 0.25);
}
