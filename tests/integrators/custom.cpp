// CustomIntegrators against OpenMM's Reference platform (data/make_custom.py), and their other properties.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>
#include <vector>

#include "backends.hpp"
#include "catch_compat.hpp"
#include "integrators/custom_helpers.hpp"

#include <trotter/integrators/langevin.hpp>
#include <trotter/integrators/nested_splitting.hpp>

using namespace trotter;
using namespace trotter::testing;

TEMPLATE_LIST_TEST_CASE("Custom integrators take the steps that OpenMM's take", "", TestedBackends) {
    auto const system = read_system<CustomForces>(data_file("custom_system.xml"));
    for (std::string const name : {"velocity_verlet", "nested_groups", "control_flow", "vectors", "derivatives",
                                   "functions", "alternating", "mts", "mts_langevin"}) {
        INFO(name);
        auto const integrator = std::get<CustomIntegrator>(read_integrator(data_file("custom_" + name + ".xml")));
        auto context = make_context<TestType>(system, integrator);
        context.step(20);
        // Twenty steps of stiff springs amplify rounding a few hundred times.
        double const tolerance = TestType::is_double || !TestType::is_on_device ? 1e-10 : 1e-3;
        // Recorded steps do not store the positions before constraints, used only by this variable.
        compare(context, name, tolerance, TestType::is_on_device && name.starts_with("mts") ? "x1" : "");
    }
}

TEST_CASE("A custom integrator evaluates forces when it must, and energies with them where they will be needed") {
    struct Counted {
        int evaluations = 0, energies = 0;
    };
    auto const count = [](CustomIntegrator const& integrator, int steps = 3) {
        TestSimulation<CustomIntegrator> simulation({.masses = {1, 2}}, integrator, harmonic_well(10));
        simulation.host().positions = {{.1, 0, 0}, {0, .1, 0}};
        Counted result;
        auto evaluator = [&](Request const& request) {
            ++result.evaluations;
            result.energies += request.energy;
            return simulation.evaluate();
        };
        auto change = [] {};
        for (int n = 0; n < steps; ++n) {
            simulation.kernel.step(simulation.host(), evaluator, change);
            ++simulation.host().step_count;
        }
        return result;
    };
    auto verlet = CustomIntegrator{.step_size = 0.001};
    verlet.compute_per_dof("v", "v+0.5*dt*f/m");
    verlet.compute_per_dof("x", "x+dt*v");
    verlet.compute_per_dof("v", "v+0.5*dt*f/m");
    CHECK(count(verlet).evaluations == 4);  // at the start, and once per step
    CHECK(count(verlet).energies == 0);

    auto with_energy = verlet;
    with_energy.add_global("e", 0);
    with_energy.begin_if("1 < 2");
    with_energy.compute_per_dof("v", "v");
    with_energy.end_block();
    with_energy.compute_global("e", "energy");
    CHECK(count(with_energy).evaluations == 4);
    CHECK(count(with_energy).energies == 3);

    auto rarely = verlet;
    rarely.add_global("e", 0);
    rarely.begin_if("1 > 2");
    rarely.compute_global("e", "energy");
    rarely.end_block();
    CHECK(count(rarely).energies == 0);

    auto loop = verlet;
    loop.add_global("n", 0);
    loop.compute_global("n", "0");
    loop.begin_while("n < 3");
    loop.compute_global("n", "n+1+energy/1e99");
    loop.end_block();
    CHECK(count(loop).evaluations == 7);  // the loop may not be entered

    auto still = CustomIntegrator{.step_size = 0.001};
    still.add_global("e", 0);
    still.compute_per_dof("v", "v+f+f1+f2");
    still.compute_global("e", "energy1+energy2");
    CHECK(count(still, 5).evaluations == 3);  // three sets of groups, cached
    CHECK(count(still, 5).energies == 2);
}

TEST_CASE("Random numbers of a custom integrator have their distributions and are drawn for every component") {
    CustomIntegrator integrator{.step_size = 0.001, .seed = 5};
    integrator.add_global("g", 0);
    integrator.add_per_dof("u1", 0);
    integrator.add_per_dof("u2", 0);
    integrator.add_per_dof("n", 0);
    integrator.add_per_dof("same", 7);
    integrator.compute_global("g", "uniform");
    integrator.compute_per_dof("u1", "uniform");
    integrator.compute_per_dof("u2", "uniform");
    integrator.compute_per_dof("n", "gaussian");
    integrator.compute_per_dof("same", "uniform-uniform+gaussian-gaussian");
    TestSimulation<CustomIntegrator> simulation({.masses = std::vector<double>(5000, 1.0)}, integrator,
                                                harmonic_well(0));
    auto evaluator = [&](Request const&) { return simulation.evaluate(); };
    auto change = [] {};
    simulation.kernel.step(simulation.host(), evaluator, change);
    double const g = simulation.kernel.global("g");
    CHECK((g > 0 && g < 1));
    auto const& u1 = simulation.kernel.per_dof("u1");
    auto const& u2 = simulation.kernel.per_dof("u2");
    auto const& n = simulation.kernel.per_dof("n");
    double sum = 0, squares = 0, products = 0, normal = 0, normal_squares = 0, fourth = 0, across = 0;
    for (std::size_t i = 0; i < u1.size(); ++i)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double const a = u1[i][axis] - 0.5, b = u2[i][axis] - 0.5, c = n[i][axis];
            CHECK((std::abs(a) < 0.5 && std::abs(b) < 0.5));
            sum += a, squares += a * a, products += a * b, across += (u1[i].x - 0.5) * (u1[i].y - 0.5);
            normal += c, normal_squares += c * c, fourth += c * c * c * c;
            CHECK(simulation.kernel.per_dof("same")[i][axis] == 0);
        }
    // Five standard errors of 15000 numbers.
    double const count = 15000, error = 5 / std::sqrt(count);
    CHECK(std::abs(sum / count) < error * std::sqrt(1. / 12));
    CHECK(std::abs(squares / count - 1. / 12) < error * std::sqrt(1. / 180));
    CHECK(std::abs(products / count) < error / 12);
    CHECK(std::abs(across / count) < error / 12 * std::sqrt(3.));
    CHECK(std::abs(normal / count) < error);
    CHECK(std::abs(normal_squares / count - 1) < error * std::sqrt(2.));
    CHECK(std::abs(fourth / count - 3) < error * std::sqrt(96.));
    auto const before = u1;
    ++simulation.host().step_count;
    simulation.kernel.step(simulation.host(), evaluator, change);
    CHECK(!(simulation.kernel.per_dof("u1")[0] == before[0]));
    CHECK(simulation.kernel.global("g") != g);
}

TEST_CASE("Each derivative in a formula is one of its own") {
    auto const system = read_system<CustomForces>(data_file("custom_system.xml"));
    CustomIntegrator integrator{.step_size = 0.001};
    for (std::string const name : {"by_lambda", "by_mu", "both"}) integrator.add_global(name, 0);
    integrator.compute_global("by_lambda", "deriv(energy1, lambda)");
    integrator.compute_global("by_mu", "deriv(energy1, mu)");
    integrator.compute_global("both", "deriv(energy1, lambda)+deriv(energy1, mu)/2");
    auto context = make_context<TestedBackend<Reference, Double>>(system, integrator);
    context.step(1);
    auto const& kernel = kernel_of(context);
    CHECK(kernel.global("by_lambda") != kernel.global("by_mu"));
    CHECK(kernel.global("both") == kernel.global("by_lambda") + kernel.global("by_mu") / 2);
}

TEST_CASE("A custom integrator's tabulated functions act on numbers and on each component") {
    auto const system = read_system<CustomForces>(data_file("custom_system.xml"));
    CustomIntegrator integrator{.step_size = 0.001};
    integrator.tabulated_functions = {{.name = "line", .sizes = {3}, .ranges = {{-1, 1}}, .values = {-2, 1, 4}},
                                      {.name = "pick", .sizes = {2}, .values = {5, 7}}};
    integrator.add_global("g", 0);
    integrator.add_per_dof("a", 0);
    integrator.add_per_dof("b", 0);
    integrator.compute_global("g", "line(0.5)+pick(1)");
    integrator.compute_per_dof("a", "line(x)");
    integrator.compute_per_dof("b", "cross(line(x), vector(0, 0, 1))");
    auto context = make_context<TestedBackend<Reference, Double>>(system, integrator);
    context.step(1);
    auto const& kernel = kernel_of(context);
    CHECK(kernel.global("g") == Approx(9.5));
    auto const x = context.positions()[1], a = kernel.per_dof("a")[1], b = kernel.per_dof("b")[1];
    for (std::size_t axis = 0; axis < 3; ++axis) CHECK(a[axis] == Approx(1 + 3 * x[axis]));
    CHECK(b.x == Approx(a.y));
    CHECK(b.y == Approx(-a.x));
    CHECK(b.z == 0);
}

TEST_CASE("Threads do not change a bit of a custom integrator's numbers") {
    CustomIntegrator integrator{.step_size = 0.001, .seed = 3};
    integrator.add_global("s", 0);
    integrator.compute_per_dof("v", "v+gaussian+dt*f/m");
    integrator.compute_per_dof("x", "x+dt*cross(v, vector(1,2,3))");
    integrator.compute_sum("s", "m*v*v*uniform");
    auto const run = [&](int threads) {
        std::vector<double> const masses(5000, 2.0);
        TestSimulation<CustomIntegrator> simulation({.masses = masses}, integrator, harmonic_well(10), threads);
        auto evaluator = [&](Request const&) { return simulation.evaluate(); };
        auto change = [] {};
        for (int n = 0; n < 3; ++n) {
            simulation.kernel.step(simulation.host(), evaluator, change);
            ++simulation.host().step_count;
        }
        return std::pair(simulation.kernel.global("s"), simulation.host().positions);
    };
    CHECK(run(1) == run(3));
}

TEST_CASE("Thermostats and the like act where a custom integrator says so") {
    System<CustomForces> system;
    for (int i = 0; i < 2; ++i) system.add_particle(10);
    system.add(CMMotionRemover{.frequency = 2});
    CustomIntegrator without{.step_size = 0.001};
    without.compute_per_dof("x", "x+dt*v");
    auto with = without;
    with.add_per_dof("before", 0);
    with.compute_per_dof("before", "v");
    with.update_context_state();
    auto const drift = [&](CustomIntegrator const& integrator, int steps) {
        Context context(system, integrator, Reference{}, Double{}, 5);
        context.set_positions({{0, 0, 0}, {1, 0, 0}});
        context.set_velocities({{1, 0, 0}, {1, 0, 0}});
        context.step(steps);
        return context.velocities()[0].x;
    };
    CHECK(drift(without, 3) == 1);
    CHECK(drift(with, 1) == 0);  // removed at step 0
    Context context(system, with, Reference{}, Double{}, 5);
    context.set_positions({{0, 0, 0}, {1, 0, 0}});
    context.set_velocities({{1, 0, 0}, {1, 0, 0}});
    context.step(1);
    CHECK(context.visit_integrator([](auto& kernel) { return kernel.per_dof("before")[1].x; }) == 1);
}

TEST_CASE("A custom integrator may change its step size and steps of length 0 are fine") {
    System<CustomForces> system;
    system.add_particle(1);
    CustomIntegrator integrator{.step_size = 0};
    integrator.compute_global("dt", "dt+0.5");
    Context context(system, integrator, Reference{}, Double{}, 5);
    context.set_positions({{0, 0, 0}});
    context.step(2);
    CHECK(context.time() == 1.5);
    CHECK(context.step_size() == 1);
}

TEST_CASE("What a custom integrator holds survives States, checkpoints and reinitialization") {
    auto const system = read_system<CustomForces>(data_file("custom_system.xml"));
    auto integrator = std::get<CustomIntegrator>(read_integrator(data_file("custom_functions.xml")));
    integrator.compute_per_dof("v", "v+0.01*gaussian");
    auto whole = make_context<TestedBackend<Reference, Double>>(system, integrator);
    whole.step(3);
    auto const middle = whole.state(Positions | Velocities | Parameters | IntegratorParameters);
    Archive archive;
    whole.save(archive);
    whole.step(4);

    auto from_state = make_context<TestedBackend<Reference, Double>>(system, integrator);
    from_state.set_state(parse_state(state_to_xml(middle)));
    from_state.step(4);
    CHECK(from_state.positions() == whole.positions());
    CHECK(kernel_of(from_state).per_dof("b") == kernel_of(whole).per_dof("b"));
    CHECK(kernel_of(from_state).global("s") == kernel_of(whole).global("s"));

    auto from_checkpoint = make_context<TestedBackend<Reference, Double>>(system, integrator);
    from_checkpoint.load(archive);
    from_checkpoint.step(2);
    from_checkpoint.reinitialize(true);
    from_checkpoint.step(2);
    CHECK(from_checkpoint.positions() == whole.positions());
    CHECK(from_checkpoint.velocities() == whole.velocities());
    CHECK(kernel_of(from_checkpoint).per_dof("a") == kernel_of(whole).per_dof("a"));
}

TEST_CASE("Custom integrators work side by side in a Compound") {
    auto const system = read_system<CustomForces>(data_file("custom_system.xml"));
    auto const first = std::get<CustomIntegrator>(read_integrator(data_file("custom_vectors.xml")));
    auto const second = std::get<CustomIntegrator>(read_integrator(data_file("custom_alternating.xml")));
    BasicCompoundIntegrator<IntegratorList<CustomIntegrator>> const compound{{first, second}, 1};
    Context context(system, compound, Reference{}, Double{}, 5);
    start(context);
    context.step(20);
    compare(context, "alternating", 1e-10);
    auto const parameters = context.integrator_parameters();
    CHECK(parameters.at("currentIntegrator") == 1);
    CHECK(parameters.at(CustomIntegrator::path_of_globals(0) + "b") == 2);
    CHECK(parameters.at(CustomIntegrator::path_of_value(0, "u", 3, 'y')) == 0.5);
    CHECK(parameters.contains(CustomIntegrator::path_of_value(1, "g", 4, 'z')));
}

namespace {

/// Two rigid molecules, each with a virtual site far behind its heavy atom. A spring connects the sites, softer
/// ones of group 1 connect them to the heavy atoms of the other molecule.
System<CustomForces> molecules_with_sites() {
    System<CustomForces> system;
    HarmonicBondForce stiff{.bonds = {{3, 7, 0.3, 2000}}}, soft{.bonds = {{3, 4, 0.4, 150}, {0, 7, 0.4, 150}}};
    soft.force_group = 1;
    for (int const first : {0, 4}) {
        for (double const mass : {16, 1, 1}) system.add_particle(mass);
        system.set_virtual_site(system.add_particle(0), ThreeParticleAverageSite{first, first + 1, first + 2, 3, -1, -1});
        system.add_constraint(first, first + 1, 0.1);
        system.add_constraint(first, first + 2, 0.1);
        system.add_constraint(first + 1, first + 2, 0.16);
    }
    system.add(stiff);
    system.add(soft);
    return system;
}
template <class TestedBackend, class I> auto molecules_on(I const& integrator) {
    Context context(molecules_with_sites(), integrator, typename TestedBackend::Backend{},
                    typename TestedBackend::Precision{}, 5);
    context.set_positions({{0, 0, 0}, {.1, 0, 0}, {0, .1, 0}, {0, 0, 0}, {.4, .3, .1}, {.4, .4, .1}, {.4, .3, .2}, {0, 0, 0}});
    context.apply_constraints(1e-12);
    context.set_velocities({{.2, 0, .3}, {0, -.4, 0}, {0, 0, .5}, {}, {-.1, .2, 0}, {.4, .3, 0}, {0, -.5, .6}, {}});
    context.apply_velocity_constraints(1e-12);
    return context;
}
template <class Context> double total_energy(Context& context) {
    return context.state(Energy).potential_energy + context.kinetic_energy();
}
void drift_within_constraints(CustomIntegrator& integrator, std::string const& time) {
    integrator.compute_per_dof("x", "x+" + time + "*v");
    integrator.compute_per_dof("x1", "x");
    integrator.constrain_positions();
    integrator.compute_per_dof("v", "v+(x-x1)/" + time);
    integrator.constrain_velocities();
}
CustomIntegrator with_old_positions() {
    CustomIntegrator result{.step_size = 0.001, .constraint_tolerance = 1e-12};
    result.add_per_dof("x1", 0);
    return result;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Forces of a custom integrator act on virtual sites beside the parents that it has moved", "",
                        TestedBackends) {
    auto verlet = with_old_positions();
    verlet.compute_per_dof("v", "v+0.5*dt*f/m");
    drift_within_constraints(verlet, "dt");
    verlet.compute_per_dof("v", "v+0.5*dt*f/m");
    verlet.constrain_velocities();
    // The form of OpenMM's MTSIntegrator, and the same with a computation that is not part of a splitting.
    auto nested = with_old_positions();
    nested.compute_per_dof("v", "v+0.5*(dt/1)*f1/m");
    for (int n = 0; n < 2; ++n) {
        nested.compute_per_dof("v", "v+0.5*(dt/2)*f0/m");
        drift_within_constraints(nested, "(dt/2)");
        nested.compute_per_dof("v", "v+0.5*(dt/2)*f0/m");
    }
    nested.compute_per_dof("v", "v+0.5*(dt/1)*f1/m");
    nested.constrain_velocities();
    REQUIRE(recognize_multiple_steps(nested));
    auto general = nested;
    general.compute_per_dof("v", "v");
    REQUIRE(!recognize_multiple_steps(general));

    double const tolerance = TestType::is_double || !TestType::is_on_device ? 1e-9 : 1e-4;
    auto const check = [&](auto const& one, auto const& same) {
        auto first = molecules_on<TestType>(one), second = molecules_on<TestType>(same);
        double const energy = total_energy(first);
        double drift = 0;
        for (int n = 0; n < 10; ++n) {
            first.step(20);
            second.step(20);
            drift = std::max(drift, std::abs(total_energy(first) - energy));
        }
        CHECK(drift < 0.01 * energy);
        for (std::size_t i = 0; i < 8; ++i) {
            CHECK(norm(first.positions()[i] - second.positions()[i]) < tolerance);
            CHECK(norm(first.velocities()[i] - second.velocities()[i]) < 1000 * tolerance);
        }
    };
    SECTION("velocity Verlet") {
        check(verlet, SplittingIntegrator<Splitting{"V R V"}>{.step_size = 0.001, .constraint_tolerance = 1e-12});
    }
    SECTION("several time steps") {
        MultipleStepIntegrator<NestedSplitting{"V1 (V0 R V0)^2 V1"}> const typed{.step_size = 0.001,
                                                                               .constraint_tolerance = 1e-12};
        check(nested, typed);
        check(general, typed);
    }
    SECTION("an energy in the middle of a step") {
        auto shift = with_old_positions();
        shift.add_global("energy_there", 0);
        shift.compute_per_dof("x", "1.1*x");
        shift.compute_global("energy_there", "energy");
        auto context = molecules_on<TestType>(shift);
        context.step(1);
        CHECK(kernel_of(context).global("energy_there")
              == Approx(context.state(Energy).potential_energy).epsilon(TestType::term_rounding));
    }
}
