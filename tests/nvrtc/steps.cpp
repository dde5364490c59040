// The text of thermostats, barostats and integrators compiles for the supported architectures, in every precision.
// SPDX-License-Identifier: MIT
#include <trotter/device.hpp>
#include <trotter/integrators/nested_splitting.hpp>
#include <trotter/trotter.hpp>

#include "catch_compat.hpp"
#include "queue.hpp"

using namespace trotter;

namespace {

/// Seven particles, including a rigid pair and a rigid triangle.
template <class I, class... Forces> void check_steps(I const& integrator, Forces const&... forces) {
    for (auto const types :
         {&device::NumberTypes::of<Single>, &device::NumberTypes::of<Mixed>, &device::NumberTypes::of<Double>}) {
        System<ForceList<HarmonicBondForce, Forces...>> system;
        for (int i = 0; i < 7; ++i) system.add_particle(i + 1);
        system.particles.constraints = {{0, 1, 0.1}, {2, 3, 0.1}, {2, 4, 0.1}, {3, 4, 0.15}};
        system.box = Box::rectangular(3, 3, 3);
        system.add(HarmonicBondForce{.bonds = {{0, 5, 0.1, 1000}}, .periodic = true});
        (system.add(forces), ...);
        auto const before = nvrtc::compiled().size();
        Context context{system, integrator, Nvrtc{types}, Mixed{}};
        context.set_positions(
            {{0, 0, 0}, {0.1, 0, 0}, {0.5, 0, 0}, {0.6, 0, 0}, {0.5, 0.1, 0}, {1, 1, 1}, {1.2, 1.1, 0.9}});
        context.step(2);
        CHECK(nvrtc::compiled().size() > before);
    }
}

}  // namespace

TEST_CASE("text of thermostats", "[nvrtc]") {
    check_steps(VerletIntegrator{.step_size = 0.001}, AndersenThermostat{.temperature = 300, .collision_frequency = 1},
                CMMotionRemover{});
}
TEST_CASE("text of integrators that gather something of all particles", "[nvrtc]") {
    NoseHooverIntegrator nose_hoover{.step_size = 0.001};
    nose_hoover.chains = {{.temperature = 300, .collision_frequency = 1, .particles = {0, 1, 5}},
                          {.temperature = 300, .collision_frequency = 1, .particles = {6}}};
    check_steps(nose_hoover);
    check_steps(VariableVerletIntegrator{});
    check_steps(VariableLangevinIntegrator{.temperature = 300, .friction = 1});
}
TEST_CASE("text of Brownian dynamics", "[nvrtc]") {
    check_steps(BrownianIntegrator{.temperature = 300, .friction = 1, .step_size = 0.001});
}
TEST_CASE("text of several time steps", "[nvrtc]") {
    check_steps(MultipleStepIntegrator<NestedSplitting{"V1 (V0 R O R V0)^2 V1"}>{.temperature = 300, .friction = 1, .step_size = 0.001},
                CMMotionRemover{});
}
TEST_CASE("text of custom integrators", "[nvrtc]") {
    CustomIntegrator integrator{.step_size = 0.001};
    integrator.tabulated_functions = {{.name = "line", .sizes = {3}, .ranges = {{-1, 1}}, .values = {-2, 1, 4}},
                                      {.name = "pick", .sizes = {2}, .values = {5, 7}}};
    integrator.add_global("sum", 0);
    integrator.add_per_dof("a", 0);
    integrator.update_context_state();
    integrator.compute_per_dof("v", "v+dt*(f0+f1)/m+uniform*gaussian");
    integrator.compute_per_dof("a", "select(step(line(x)-pick(v)), min(x, v)^2, max(abs(x), atan2(v, x)))");
    integrator.compute_per_dof("x", "x+dt*cross(v, vector(_x(a), dot(v, a), sum+1e-3))");
    integrator.constrain_positions();
    integrator.constrain_velocities();
    integrator.compute_sum("sum", "m*v*v*erf(a)*energy");
    check_steps(integrator, CMMotionRemover{});
}
TEST_CASE("text of barostats", "[nvrtc]") {
    check_steps(VerletIntegrator{.step_size = 0.001}, MonteCarloBarostat{.temperature = 300, .frequency = 1});
}
