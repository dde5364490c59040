// Tests integrators other than fixed-step splittings on a device against Reference.
// SPDX-License-Identifier: MIT
#include "device/compare_steps.hpp"

using namespace trotter;

namespace {

NoseHooverIntegrator nose_hoover() {
    NoseHooverIntegrator result{.step_size = 2 * fs, .constraint_tolerance = 1e-10};
    result.chains.push_back({.temperature = 300, .collision_frequency = 30});
    return result;
}

}  // namespace

TEST_CASE("a Nosé-Hoover chain on the device", "[device]") { check_steps_on_device(small_system(), nose_hoover()); }
TEST_CASE("several Nosé-Hoover chains on the device", "[device]") {
    auto integrator = nose_hoover();
    auto& first = integrator.chains.front();
    first.particles = {0, 1, 2, 12};
    first.yoshida_suzuki_steps = 3;
    integrator.chains.push_back({.temperature = 100,
                                 .collision_frequency = 50,
                                 .chain_length = 1,
                                 .multiple_time_steps = 1,
                                 .yoshida_suzuki_steps = 1,
                                 .particles = {3, 4, 5, 6, 7, 8}});  // 9, 10 and 11 have none
    auto system = small_system();
    system.add(CMMotionRemover{});
    check_steps_on_device(system, integrator);
}
TEST_CASE("what a Nosé-Hoover chain on the device holds is conserved, and as on Reference", "[device]") {
    auto const values = [](auto backend) {
        Context context{small_system(), nose_hoover(), backend, Double{}};
        start_small_system(context);
        std::vector<double> result;
        for (int n = 0; n < 10; ++n) {
            context.step(10);
            result.push_back(context.visit_integrator([](auto& kernel) { return kernel.heat_bath_energy(); }));
        }
        for (auto const& [name, value] : context.integrator_parameters()) result.push_back(value);
        return result;
    };
    auto const found = values(TestedDevice{}), expected = values(Reference{});
    REQUIRE(found.size() == 16);
    for (std::size_t n = 0; n < found.size(); ++n) CHECK(found[n] == Approx(expected[n]).epsilon(1e-9));
}
TEST_CASE("beads of a Nosé-Hoover chain on the device are taken from a State", "[device]") {
    Context first{small_system(), nose_hoover(), TestedDevice{}, Double{}},
        second{small_system(), nose_hoover(), TestedDevice{}, Double{}};
    start_small_system(first);
    first.step(20);
    auto const state = first.state(all_that_steps_change);
    first.step(20);
    second.set_state(state);
    second.step(20);
    CHECK(first.positions() == second.positions());
    second.set_integrator_parameters({});
    for (auto const& [name, value] : second.integrator_parameters()) CHECK(value == 0);
}
TEST_CASE("pairs with a temperature of their own have their steps taken on the host", "[device]") {
    auto integrator = nose_hoover();
    integrator.chains.front().pairs.push_back({12, 7});
    integrator.chains.front().particles = {0, 1, 2};
    integrator.chains.front().relative_temperature = 1;
    auto system = small_system();
    system.particles.constraints.erase(system.particles.constraints.begin() + 6);
    auto const positions_after = [&](auto backend) {
        Context context{system, integrator, backend, Double{}};
        start_small_system(context);
        context.step(20);
        return context.positions();
    };
    CHECK(largest_difference(positions_after(TestedDevice{}), positions_after(Reference{})) < 1e-10);
}
TEST_CASE("a Nosé-Hoover chain on a device refuses numbers that make no sense", "[device]") {
    auto integrator = nose_hoover();
    integrator.chains.front().temperature = 0;
    Context context{small_system(), integrator, TestedDevice{}, Double{}};
    start_small_system(context);
    CHECK_THROWS_WITH(context.step(1), Catch::Contains("temperature of NoseHooverIntegrator is 0"));
}

TEST_CASE("Brownian dynamics on the device", "[device]") {
    check_steps_on_device(
        small_system(),
        BrownianIntegrator{
            .temperature = 300, .friction = 50, .step_size = 2 * fs, .seed = 7, .constraint_tolerance = 1e-10});
}
TEST_CASE("a leapfrog of variable step on the device", "[device]") {
    check_steps_on_device(small_system(),
                          VariableVerletIntegrator{.error_tolerance = 2e-4, .constraint_tolerance = 1e-10});
}
TEST_CASE("Langevin dynamics of variable step on the device", "[device]") {
    VariableLangevinIntegrator integrator{
        .temperature = 300, .friction = 5, .error_tolerance = 2e-4, .seed = 7, .constraint_tolerance = 1e-10};
    check_steps_on_device(small_system(), integrator);
    integrator.maximum_step_size = 0.5 * fs;
    check_steps_on_device(small_system(), integrator);
}
TEST_CASE("the kinetic energy at the time of the positions is summed on the device", "[device]") {
    auto system = small_system();
    system.add_constraint(10, 11, 0.178);  // a network, with two others
    auto const energies = [&](auto integrator, auto backend, auto precision, bool asks) {
        Context context{system, integrator, backend, precision};
        start_small_system(context);
        std::vector<double> result;
        for (int n = 0; n < 3; ++n) {
            context.step(5);
            if (!asks) continue;
            result.push_back(context.kinetic_energy());
            context.evaluate({ForceGroups::all(), false});
            result.push_back(context.kinetic_energy(true));
            if constexpr (requires { context.engine().device; }) CHECK(context.engine().is_state_on_device());
        }
        for (auto const& v : context.velocities()) result.insert(result.end(), {v.x, v.y, v.z});
        return result;
    };
    auto const check = [&](auto integrator) {
        auto const expected = energies(integrator, Reference{}, Double{}, true);
        auto const in_double = energies(integrator, TestedDevice{}, Double{}, true),
                   in_mixed = energies(integrator, TestedDevice{}, Mixed{}, true);
        for (std::size_t n = 0; n < 6; ++n) {
            CHECK(in_double[n] == Approx(expected[n]).epsilon(1e-9));
            CHECK(in_mixed[n] == Approx(expected[n]).epsilon(2e-4));
        }
        CHECK(in_double[0] == in_double[1]);
        CHECK(std::vector(in_double.begin() + 6, in_double.end()) == energies(integrator, TestedDevice{}, Double{}, false));
    };
    check(VerletIntegrator{.step_size = 1 * fs, .constraint_tolerance = 1e-10});
    check(VariableVerletIntegrator{.error_tolerance = 2e-4, .constraint_tolerance = 1e-10});
}
TEST_CASE("time and size of steps that a device chooses", "[device]") {
    auto const times = [](auto backend) {
        auto system = small_system();
        system.add(AndersenThermostat{.temperature = 300, .collision_frequency = 30, .seed = 3});  // needs the size
        Context context{system, VariableVerletIntegrator{.error_tolerance = 2e-4, .constraint_tolerance = 1e-10},
                        backend, Double{}};
        start_small_system(context);
        std::vector<double> result;
        for (int n = 0; n < 5; ++n) {
            context.step(4);
            result.insert(result.end(), {context.step_size(), context.time()});
        }
        context.set_time(context.time() + 1);
        context.visit_integrator([](auto& kernel) { kernel.set_step_size(1e-5); });
        context.step(2);
        result.insert(result.end(), {context.step_size(), context.time(), context.kinetic_energy()});
        return result;
    };
    auto const found = times(TestedDevice{}), expected = times(Reference{});
    REQUIRE(found.size() == expected.size());
    for (std::size_t n = 0; n < found.size(); ++n) CHECK(found[n] == Approx(expected[n]).epsilon(1e-10));
}
TEST_CASE("a step that a device chooses ends where it has to", "[device]") {
    Context context{small_system(), VariableVerletIntegrator{.error_tolerance = 2e-4}, TestedDevice{}, Double{}};
    start_small_system(context);
    context.step(1);
    auto evaluate = [&](Request const& request) { return context.evaluate(request); };
    while (context.time() < 0.01)
        context.visit_integrator(
            [&](auto& kernel) { kernel.step_towards(0.01, context.engine().host, ForceEvaluator(evaluate)); });
    CHECK(context.time() == 0.01);
}
TEST_CASE("a step on a device without forces needs a limit", "[device]") {
    System<ForceList<HarmonicBondForce>> system;
    system.add_particle(1);
    auto const take_steps = [&](VariableVerletIntegrator const& integrator) {
        Context context{system, integrator, TestedDevice{}, Mixed{}};
        context.set_positions({{0, 0, 0}});
        context.step(2);
        return context.time();
    };
    CHECK_THROWS_WITH(take_steps({}), Catch::Contains("the forces give VariableVerletIntegrator a step size of inf"));
    CHECK(take_steps({.maximum_step_size = 0.25}) == 0.5);
}
TEST_CASE("Brownian dynamics on a device refuses numbers that make no sense", "[device]") {
    Context context{small_system(), BrownianIntegrator{.temperature = 300, .friction = 0, .step_size = 1 * fs}, TestedDevice{},
                    Double{}};
    start_small_system(context);
    CHECK_THROWS_WITH(context.step(1), Catch::Contains("friction of BrownianIntegrator is 0"));
}
