// Splittings with multiple time steps, as types and recognized in formulas of CustomIntegrators.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include "backends.hpp"
#include "catch_compat.hpp"
#include "integrators/custom_helpers.hpp"

#include <trotter/integrators/nested_splitting.hpp>

using namespace trotter;
using namespace trotter::testing;

namespace {

CustomIntegrator from_file(std::string const& name) {
    auto integrator = std::get<CustomIntegrator>(read_integrator(data_file("custom_" + name + ".xml")));
    integrator.seed = 9;
    return integrator;
}
/// The same with a computation without effect, which prevents recognition as a splitting.
CustomIntegrator in_general(CustomIntegrator integrator) {
    integrator.compute_per_dof("v", "v");
    return integrator;
}

constexpr NestedSplitting respa{"V2 (V1 (V0 R V0)^2 V1)^2 V2"};
static_assert(respa.size == 18 && respa.is_symmetric() && !respa.is_stochastic());
static_assert(respa.count({'V', 0}) == 8 && respa.count({'V', 2}) == 2 && respa.share(2) == 1. / 8);
static_assert(!NestedSplitting{"V1 V0 R"}.is_symmetric());
static_assert(NestedSplitting{"V1 (V0 R O R V0)^3 V1"}.is_stochastic());

}  // namespace

TEST_CASE("The products that OpenMM's MTS integrators are, and no others, are recognized") {
    auto const mts = recognize_multiple_steps(from_file("mts"));
    REQUIRE(mts);
    CHECK(mts->changes_state);
    CHECK(mts->unconstrained == 0);
    auto const& sequence = mts->sequence;
    CHECK(sequence.sets == std::vector{ForceGroups::only({2}), ForceGroups::only({1}), ForceGroups::only({0})});
    std::string letters;
    double drift = 0, kicks = 0;
    for (auto const& each : sequence.operators) {
        letters += each.letter;
        if (each.constrains_positions) letters += 'p';
        if (each.constrains_velocities) letters += 'c';
        drift += each.letter == 'R' ? each.share : 0;
        kicks += each.letter == 'V' ? each.share : 0;
    }
    // Consecutive kicks with the same forces are merged.
    CHECK(letters == "VVVRpcVRpcVVRpcVRpcVVVc");
    CHECK(drift == 1);
    CHECK(kicks == 3);
    auto const langevin = recognize_multiple_steps(from_file("mts_langevin"));
    REQUIRE(langevin);
    CHECK(langevin->decay == 0);
    CHECK(langevin->thermal_energy == 2);
    CHECK(!recognize_multiple_steps(in_general(from_file("mts"))));
    for (std::string const name : {"velocity_verlet", "nested_groups", "control_flow", "vectors"})
        CHECK(!recognize_multiple_steps(from_file(name)));
    auto other = from_file("mts");
    other.computations[1].expression = "v+0.5*(dt/1)*f2/x1";
    CHECK(!recognize_multiple_steps(other));
    other.computations[1].expression = " v + 0.5*(dt / 1)*f2/m";
    CHECK(recognize_multiple_steps(other));
}

TEMPLATE_LIST_TEST_CASE("A recognized product takes the steps of its formulas", "", TestedBackends) {
    auto const system = read_system<CustomForces>(data_file("custom_system.xml"));
    for (bool const constrained : {true, false})
        for (std::string const name : {"mts", "mts_langevin"}) {
            INFO(name << constrained);
            auto own = system;
            if (!constrained) own.particles.constraints.clear();
            auto integrator = from_file(name);
            for (auto& global : integrator.globals)
                if (global.name == "kT") global.value = 2.5;
            auto product = make_context<TestType>(own, integrator);
            auto general = make_context<TestType>(own, in_general(integrator));
            product.step(10);
            general.step(10);
            // Rounding of each step, some hundred times; constraints are solved in each.
            double const tolerance = TestType::is_double || !TestType::is_on_device ? 1e-11 : 1e-4;
            for (std::size_t i = 0; i < 5; ++i) {
                CHECK(norm(product.positions()[i] - general.positions()[i]) < tolerance);
                CHECK(norm(product.velocities()[i] - general.velocities()[i]) < 1000 * tolerance);
                CHECK(norm(kernel_of(product).per_dof("x1")[i] - kernel_of(general).per_dof("x1")[i]) < tolerance);
            }
            CHECK(product.time() == general.time());
        }
}

TEST_CASE("A nested splitting as a type takes the steps of the formulas that say the same") {
    auto system = read_system<CustomForces>(data_file("custom_system.xml"));
    System<CustomForces> still;  // the formulas remove center-of-mass motion before the step, the type does not
    still.particles = system.particles;
    system.for_each_force([&]<class F>(int, F const& force) {
        if constexpr (!std::same_as<F, CMMotionRemover>) still.add(force);
    });
    Context typed(still, MultipleStepIntegrator<respa>{.step_size = 0.001, .constraint_tolerance = 1e-12}, Reference{},
                  Double{}, 5);
    start(typed);
    auto custom = make_context<TestedBackend<Reference, Double>>(still, from_file("mts"));
    typed.step(20);
    custom.step(20);
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(norm(typed.positions()[i] - custom.positions()[i]) < 1e-11);
        CHECK(norm(typed.velocities()[i] - custom.velocities()[i]) < 1e-8);
    }
}

TEST_CASE("A product evaluates each group's forces once where particles stand") {
    CustomIntegrator const integrator = from_file("mts");
    TestSimulation<CustomIntegrator> simulation({.masses = {1, 2}}, integrator, harmonic_well(10));
    simulation.host().positions = {{.1, 0, 0}, {0, .1, 0}};
    int evaluations = 0;
    auto evaluator = [&](Request const&) { return ++evaluations, simulation.evaluate(); };
    auto change = [] {};
    for (int n = 0; n < 3; ++n) {
        simulation.kernel.step(simulation.host(), evaluator, change);
        ++simulation.host().step_count;
    }
    CHECK(evaluations == 3 + 3 * (4 + 2 + 1));
}

TEST_CASE("A typed product conserves energy to second order in its longest step") {
    // Two springs of different stiffness on one particle: groups 0 and 1.
    System<ForceList<HarmonicBondForce>> system;
    system.add_particle(1);
    system.add_particle(0);
    system.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 40000}}});
    system.add(HarmonicBondForce{.bonds = {{0, 1, 0.15, 1000}}, .force_group = 1});
    auto const deviation = [&](double dt) {
        Context context(system, MultipleStepIntegrator<NestedSplitting{"V1 (V0 R V0)^4 V1"}>{.step_size = dt}, Reference{},
                        Double{}, 5);
        context.set_positions({{.1, 0, 0}, {0, 0, 0}});
        context.set_velocities({{1, 0, 0}, {0, 0, 0}});
        double const first = context.evaluate({}) + context.kinetic_energy();
        double most = 0;
        for (int n = 0; n * dt < 1; ++n) {
            context.step(1);
            most = std::max(most, std::abs(context.evaluate({}) + context.kinetic_energy() - first));
        }
        return most;
    };
    CHECK(deviation(0.002) / deviation(0.001) == Approx(4).epsilon(0.2));
}
