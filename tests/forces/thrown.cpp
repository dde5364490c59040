// Forces that move particles faster than light in a step are errors; fast but legitimate motion is not.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <trotter/forces/nonbonded.hpp>
#include <trotter/integrators/brownian.hpp>
#include <trotter/integrators/custom.hpp>
#include <trotter/integrators/langevin.hpp>
#include <trotter/integrators/verlet.hpp>

#include "evaluation.hpp"

using namespace trotter;

namespace thrown_test {

using Catch::Matchers::Contains;

namespace {

/// Argon atoms, one for each position.
AnyContext atoms(TestPlatform const& platform, AnyIntegrator const& integrator, Vectors const& positions,
                 NonbondedForce::Method method = NonbondedForce::Method::no_cutoff, double mass = 40) {
    StandardSystem system;
    system.box = Box::rectangular(3, 3, 3);
    NonbondedForce force{.method = method};
    for (std::size_t n = 0; n < positions.size(); ++n) {
        system.add_particle(mass);
        force.particles.push_back({0, 0.34, 1});
    }
    system.add(force);
    AnyContext context(system, integrator, platform.choice());
    context.set_positions(positions);
    return context;
}

CustomIntegrator velocity_verlet() {
    CustomIntegrator result{.step_size = 0.001};
    result.compute_per_dof("v", "v+0.5*dt*f/m");
    result.compute_per_dof("x", "x+dt*v");
    result.compute_per_dof("v", "v+0.5*dt*f/m");
    return result;
}

Vectors const apart{{0.5, 0.5, 0.5}, {1.5, 0.5, 0.5}, {2.5, 2.5, 1.5}};

}  // namespace

TEST_CASE("particles that a force throws faster than light are named with step and force", "[forces]") {
    auto const platform = each_platform();
    for (double const distance : {1e-2, 1e-4, 1e-6})
        for (AnyIntegrator const& integrator :
             {AnyIntegrator(VerletIntegrator{.step_size = 0.001}),
              AnyIntegrator(LangevinMiddleIntegrator{.temperature = 300, .friction = 1, .step_size = 0.001}),
              AnyIntegrator(BrownianIntegrator{.temperature = 300, .friction = 10, .step_size = 0.001}),
              AnyIntegrator(velocity_verlet())})
            for (auto const method : {NonbondedForce::Method::no_cutoff, NonbondedForce::Method::cutoff_non_periodic,
                                      NonbondedForce::Method::cutoff_periodic}) {
                CAPTURE(distance, static_cast<int>(method));
                auto const positions = Vectors{apart[0], apart[1], apart[1] + Vec3<>{0, distance, 0}};
                auto context = atoms(platform, integrator, positions, method);
                CHECK_THROWS_WITH(context.step(100), Contains("step 0: ") && Contains("particle 1")
                                                         && Contains("force 0 (NonbondedForce); the nearest particle is 2"));
            }
    auto context = atoms(reference_platform, VerletIntegrator{.step_size = 0.001}, {apart[0], apart[0] + Vec3<>{1e-6, 0, 0}});
    CHECK_THROWS_WITH(context.step(1), Contains("step 0: particle 0 was thrown ") && Contains("farther than light gets"));
}

TEST_CASE("particles of next to no mass are thrown, too", "[forces]") {
    auto const platform = each_platform();
    VerletIntegrator const verlet{.step_size = 0.001};
    for (auto const method :
         {NonbondedForce::Method::no_cutoff, NonbondedForce::Method::cutoff_periodic, NonbondedForce::Method::pme})
        for (double const mass : {1e-12, 1e-100, 1e-300}) {
            CAPTURE(mass);
            auto context = atoms(platform, verlet, {{0, 0, 0}, {0.35, 0, 0}, {1, 0.1, 1}}, method, mass);
            CHECK_THROWS_WITH(context.step(10), Contains("step 0: ") && Contains("force 0 (NonbondedForce)"));
        }
}

TEST_CASE("what no force throws may go as far as it likes", "[forces]") {
    auto const platform = each_platform();
    // An ideal gas with arbitrary velocities.
    auto gas = atoms(platform, VerletIntegrator{.step_size = 0.001}, apart, NonbondedForce::Method::cutoff_non_periodic);
    gas.set_velocities({{1e12, 0, 0}, {0, -1e12, 0}, {0, 0, 1e12}});
    gas.step(100);
    CHECK(gas.positions()[0].x == Approx(1e11));
    // An integrator that sets positions, and steepest descent with steps independent of the size of forces.
    CustomIntegrator places{.step_size = 0.001};
    places.compute_per_dof("x", "x+1e6");
    auto placed = atoms(platform, places, apart);
    placed.step(10);
    CHECK(placed.positions()[0].x == Approx(1e7));
    CustomIntegrator downhill{.step_size = 0.001};
    downhill.compute_per_dof("x", "x+0.01*f/(1+abs(f))");
    auto going = atoms(platform, downhill, {{0, 0, 0}, {1e-3, 2e-3, 3e-3}});
    going.step(40);
    CHECK(norm(going.positions()[1] - going.positions()[0]) > 0.3);
}

TEST_CASE("an integrator that shortens its steps is not refused for strong forces", "[forces]") {
    auto const platform = each_platform();
    auto context = atoms(platform, VariableVerletIntegrator{.error_tolerance = 1e-4}, {{0, 0, 0}, {0.05, 0, 0}});
    context.step(100);
    CHECK(norm(context.positions()[1] - context.positions()[0]) > 0.05);
}

TEST_CASE("positions that a user sets are nobody's throw", "[forces]") {
    auto const platform = each_platform();
    auto context = atoms(platform, VerletIntegrator{.step_size = 0.001}, {{0, 0, 0}, {1e-2, 0, 0}});
    CHECK_THROWS(context.step(1));
    context.set_positions({{1e6, 0, 0}, {-1e6, 0, 0}});
    context.set_velocities({{0, 0, 0}, {0, 0, 0}});
    context.step(10);
    CHECK(context.positions()[0].x == Approx(1e6));
}

}  // namespace thrown_test
