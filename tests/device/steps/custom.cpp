// Tests CustomIntegrators of any form on a device against Reference.
// SPDX-License-Identifier: MIT
#include "device/compare_steps.hpp"

#include <string>

#include <trotter/forces/custom_bond.hpp>

using namespace trotter;

namespace {

CustomIntegrator empty() { return {.step_size = 1 * fs, .seed = 11, .constraint_tolerance = 1e-10}; }

void constrain_positions(CustomIntegrator& integrator) {
    integrator.compute_per_dof("x1", "x");
    integrator.constrain_positions();
    integrator.compute_per_dof("v", "v+(x-x1)/dt");
    integrator.constrain_velocities();
}

/// Velocity Verlet with a sum that prevents its recognition as a splitting.
CustomIntegrator verlet() {
    auto result = empty();
    result.add_per_dof("x1", 0);
    result.add_global("kinetic", 0);
    result.update_context_state();
    result.compute_per_dof("v", "v+0.5*dt*f/m");
    result.compute_per_dof("x", "x+dt*v");
    constrain_positions(result);
    result.compute_per_dof("v", "v+0.5*dt*f/m");
    result.constrain_velocities();
    result.compute_sum("kinetic", "m*v*v/2");
    return result;
}
CustomIntegrator custom_leapfrog() {
    auto result = empty();
    result.add_per_dof("old", 0);
    result.compute_per_dof("v", "v+dt*f/m");
    result.compute_per_dof("old", "x");
    result.compute_per_dof("x", "x+dt*v");
    result.constrain_positions();
    result.compute_per_dof("v", "(x-old)/dt");
    return result;
}
CustomIntegrator custom_langevin() {
    auto result = empty();
    result.add_per_dof("x1", 0);
    result.add_global("a", std::exp(-0.01));
    result.add_global("steps", 0);
    result.compute_global("steps", "steps+1");
    result.compute_per_dof("v", "v+dt*f/m");
    result.constrain_velocities();
    result.compute_per_dof("x", "x+0.5*dt*v");
    result.compute_per_dof("v", "a*v+sqrt((1-a*a)*2.5/m)*gaussian");
    result.compute_per_dof("x", "x+0.5*dt*v");
    constrain_positions(result);
    return result;
}
/// Redraws each velocity component with probability 0.1 per step.
CustomIntegrator collisions() {
    auto result = verlet();
    result.compute_per_dof("v", "select(step(0.1-uniform), sqrt(2.5/m)*gaussian, v)");
    result.constrain_velocities();
    return result;
}
CustomIntegrator metropolis() {
    auto result = empty();
    for (std::string const name : {"before", "after", "taken", "accept"}) result.add_global(name, 0);
    result.add_per_dof("old", 0);
    result.compute_per_dof("old", "x");
    result.compute_global("before", "energy");
    result.compute_per_dof("x", "x+0.003*gaussian*_x(vector(1, 2, 3))");
    result.constrain_positions();
    result.compute_global("after", "energy");
    result.compute_global("accept", "step(exp((before-after)/2.5)-uniform)");
    result.begin_if("accept = 1");
    result.compute_global("taken", "taken+1");
    result.end_block();
    result.begin_if("accept != 1");
    result.compute_per_dof("x", "old");
    result.end_block();
    return result;
}
/// Minimization, with step sizes that are halved while the energy rises.
CustomIntegrator minimizer() {
    auto result = empty();
    for (std::string const name : {"last", "size", "tries"}) result.add_global(name, 0);
    result.add_per_dof("old", 0);
    result.compute_global("size", "1e-5");
    result.compute_global("last", "energy");
    result.compute_per_dof("old", "x");
    result.compute_per_dof("x", "x+size*f");
    result.compute_global("tries", "0");
    result.begin_while("energy > last");
    result.compute_global("size", "size/2");
    result.compute_per_dof("x", "old");
    result.compute_per_dof("x", "x+size*f");
    result.compute_global("tries", "tries+1");
    result.end_block();
    return result;
}
CustomIntegrator two_groups() {
    auto result = empty();
    result.add_global("work", 0);
    result.compute_per_dof("v", "v+0.5*dt*(f0+f1)/m");
    result.compute_sum("work", "dt*(f1-f0)*v");
    result.compute_per_dof("x", "x+dt*v");
    result.compute_per_dof("v", "v+0.5*dt*f1/m");
    result.compute_per_dof("v", "v+0.5*dt*f0/m+1e-6*sqrt(dot(f1, f1))");
    return result;
}
/// Values moved between variables, in an order that must not lose any.
CustomIntegrator exchange() {
    auto result = empty();
    result.add_per_dof("a", 1);
    result.add_per_dof("b", 2);
    result.add_per_dof("c", 3);
    result.compute_per_dof("c", "a");
    result.compute_per_dof("a", "b");
    result.compute_per_dof("b", "c+1e-3*cross(x, v)");
    result.compute_per_dof("v", "v+1e-4*a*vector(_y(b), _z(b), _x(b))");
    result.compute_per_dof("x", "x+dt*v");
    return result;
}

SmallSystem without_constraints() {
    auto system = with_slow_springs();
    system.particles.constraints.clear();
    return system;
}

template <class C> auto& integrator_of(C& context) {
    return context.visit_integrator([](auto& kernel) -> auto& { return kernel; });
}

}  // namespace

TEST_CASE("a custom Verlet integrator with a sum on the device", "[device]") {
    auto system = small_system();
    system.add(CMMotionRemover{.frequency = 3});
    system.add(AndersenThermostat{.temperature = 300, .collision_frequency = 30, .seed = 3});
    check_steps_on_device(system, verlet());
}
TEST_CASE("a custom leapfrog on the device", "[device]") { check_steps_on_device(small_system(), custom_leapfrog()); }
TEST_CASE("a custom Langevin integrator on the device", "[device]") {
    check_steps_on_device(small_system(), custom_langevin());
}
TEST_CASE("a custom integrator whose collisions are drawn on the device", "[device]") {
    check_steps_on_device(small_system(), collisions());
}
TEST_CASE("Metropolis steps of a custom integrator on the device", "[device]") {
    check_steps_on_device(small_system(), metropolis());
}
TEST_CASE("a custom minimizer with a loop on the device", "[device]") {
    check_steps_on_device(without_constraints(), minimizer());
}
TEST_CASE("forces of several groups in one formula on the device", "[device]") {
    check_steps_on_device(without_constraints(), two_groups());
}
TEST_CASE("per-DOF variables that exchange their values on the device", "[device]") {
    check_steps_on_device(without_constraints(), exchange());
}
TEST_CASE("sums over more particles than one group of work-items on the device", "[device]") {
    auto const sum = [](auto backend) {
        System<ForceList<HarmonicBondForce>> system;
        std::vector<Vec3<>> positions;
        for (int i = 0; i < 5000; ++i) {
            system.add_particle(i % 7);
            positions.push_back({0.1 * i, 1.0 / (1 + i), 2});
        }
        auto integrator = empty();
        integrator.add_global("sum", 0);
        integrator.compute_sum("sum", "x*m+uniform");
        Context context{system, integrator, backend, Double{}};
        context.set_positions(positions);
        context.step(1);
        return integrator_of(context).global("sum");
    };
    // A sum of 12857 numbers, about 1500, in another order.
    CHECK(sum(TestedDevice{}) == Approx(sum(Reference{})).epsilon(1e-12));
}
TEST_CASE("per-DOF variables on the device are read and set by the host", "[device]") {
    auto const values = [](auto backend) {
        Context context{without_constraints(), exchange(), backend, Double{}};
        start_small_system(context);
        context.step(3);
        auto& kernel = integrator_of(context);
        auto b = kernel.per_dof("b");
        b[5] = {7, 8, 9};
        kernel.set_per_dof("b", b);
        context.step(2);
        auto result = kernel.per_dof("a");
        for (char const* name : {"b", "c"})
            for (auto const& value : kernel.per_dof(name)) result.push_back(value);
        for (auto const& value : context.positions()) result.push_back(value);
        context.reinitialize(true);
        context.step(1);
        for (auto const& value : integrator_of(context).per_dof("c")) result.push_back(value);
        return result;
    };
    CHECK(largest_difference(values(TestedDevice{}), values(Reference{})) < 1e-10);
}
TEST_CASE("a custom integrator changes parameters, knows derivatives and calls tables on the device", "[device]") {
    auto const values = [](auto backend) {
        System<ForceList<CustomBondForce>> system;
        for (double mass : {3.0, 4.0, 5.0}) system.add_particle(mass);
        CustomBondForce bonds;
        bonds.energy = RuntimeExpression("k*lambda*(r-0.1)^2");
        bonds.parameter_names = {"k"};
        bonds.global_parameters = {{"lambda", 1}};
        bonds.energy_parameter_derivatives = {"lambda"};
        bonds.bonds = {{0, 1, {100}}, {1, 2, {200}}};
        system.add(bonds);
        auto integrator = empty();
        integrator.tabulated_functions = {{.name = "line", .sizes = {3}, .ranges = {{-1, 1}}, .values = {-2, 1, 4}},
                                          {.name = "pick", .sizes = {2}, .values = {5, 7}}};
        integrator.add_global("slope", 0);
        integrator.compute_global("slope", "deriv(energy, lambda)+pick(1)");
        integrator.compute_global("lambda", "lambda*1.01");
        integrator.compute_per_dof("v", "v+dt*f/m*line(x)+1e-3*deriv(energy, lambda)*energy");
        integrator.compute_per_dof("x", "x+dt*v");
        integrator.compute_global("dt", "dt*0.99");
        integrator.kinetic_energy = "m*v*v/2+lambda*f*x";
        Context context{system, integrator, backend, Double{}};
        context.set_positions({{0, 0, 0}, {0.12, 0.01, 0}, {0.1, 0.15, 0.02}});
        std::vector<double> result;
        for (int n = 0; n < 4; ++n) {
            context.step(5);
            result.insert(result.end(),
                          {integrator_of(context).global("slope"), context.parameter("lambda"), context.time(),
                           context.kinetic_energy(), context.positions()[1].y});
        }
        return result;
    };
    auto const found = values(TestedDevice{}), expected = values(Reference{});
    // Forces are rounded to 2^-32 kJ/mol/nm.
    for (std::size_t n = 0; n < expected.size(); ++n) CHECK(found[n] == Approx(expected[n]).epsilon(1e-8));
}
TEST_CASE("virtual sites of a custom integrator on the device", "[device]") {
    auto system = small_system();
    system.set_virtual_site(13, OutOfPlaneSite{3, 7, 12, 0.4, 0.3, 2.5});
    for (auto const& integrator : {verlet(), custom_leapfrog(), metropolis()})
        check_steps_on_device(system, integrator);
}
TEST_CASE("questions between its steps change no bit of a custom integrator's on the device", "[device]") {
    for (auto const& integrator : {two_groups(), minimizer(), custom_langevin()}) {
        auto const run = [&](bool asks) {
            Context context{without_constraints(), integrator, TestedDevice{}, Mixed{}};
            start_small_system(context);
            for (int n = 0; n < 6; ++n) {
                context.step(3);
                if (asks) (void)context.state(all_that_steps_change | Energy | Forces, ForceGroups::only({n % 2}));
            }
            return context.state(all_that_steps_change);
        };
        check_same_bits(run(true), run(false));
    }
}
TEST_CASE("a custom integrator on the device names the particle that gets lost", "[device]") {
    auto integrator = empty();
    integrator.compute_per_dof("x", "x/(1-1)");
    Context context{small_system(), integrator, TestedDevice{}, Mixed{}};
    start_small_system(context);
    CHECK_THROWS_WITH(context.step(1), Catch::Contains("the position of particle 0 is not a finite number"));
}
