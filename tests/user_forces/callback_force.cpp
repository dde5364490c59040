// CallbackForce, and requirements of every fallback kernel, on every backend.
// SPDX-License-Identifier: MIT
#include <trotter/trotter.hpp>

#include <cmath>
#include <functional>
#include <limits>

#include <trotter/replicas.hpp>

#include "own_contexts.hpp"

using namespace trotter;

namespace {

/// A spring between its first and its last particle.
struct Spring {
    double length = 0.1;

    double operator()(Configuration const& at, std::span<Vec3<>> forces) const {
        double const k = at.parameters.has("k") ? at.parameters.value("k") : 1000;
        Vec3<> const d = at.positions.back() - at.positions.front();
        double const r = norm(d), stretch = r - length;
        forces.front() += d * (k * stretch / r);
        forces.back() -= d * (k * stretch / r);
        return k * stretch * stretch / 2;
    }
};
using SpringForce = CallbackForce<Spring>;
using SpringForces = ForceList<HarmonicBondForce, SpringForce, MonteCarloBarostat>;

System<SpringForces> chain(int particles) {
    System<SpringForces> system;
    for (int i = 0; i < particles; ++i) system.add_particle(12);
    return system;
}
Vectors const bent{{0, 0, 0}, {0.12, 0, 0}, {0.12, 0.15, 0}};
VerletIntegrator const spring_leapfrog{.step_size = 0.001};
template <class TestedBackend> auto context_in(System<SpringForces> const& system) {
    return Context{system, spring_leapfrog, typename TestedBackend::Backend{}, typename TestedBackend::Precision{}};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a function's energy and forces are those of a force", "[forces][devices]", TestedBackends) {
    auto system = chain(3);
    system.add(SpringForce{.particles = {2, 1}, .force_group = 3});
    system.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 1000}}});
    system.add(SpringForce{.global_parameters = {{"k", 500}}});  // on all particles: between 0 and 2
    auto context = context_in<TestType>(system);
    context.set_positions(bent);
    double const close = TestType::term_rounding, r = std::hypot(0.12, 0.15), stretch = r - 0.1;
    CHECK(context.state(Energy).potential_energy == Approx(1.25 + 0.2 + 250 * stretch * stretch).epsilon(close));
    CHECK(context.energies()[0] == Approx(1.25));
    CHECK(context.energies()[2] == Approx(250 * stretch * stretch));
    auto const forces = context.state(Forces).forces;
    CHECK(forces[2].y == Approx(-50 - 500 * stretch * 0.15 / r).epsilon(10 * close));
    CHECK(forces[0].x == Approx(20 + 500 * stretch * 0.12 / r).epsilon(10 * close));
    CHECK(context.state(Energy, ForceGroups::only({3})).potential_energy == Approx(1.25));
    CHECK(context.state(Forces, ForceGroups::only({3})).forces[0] == Vec3<>{});
    CHECK(context.evaluate_one(0) == Approx(1.25));
    CHECK_THROWS_WITH(context.update(0, SpringForce{.global_parameters = {{"c", 1}}}),
                      Catch::StartsWith("the global parameter 'c' is new"));
    context.set_parameter("k", 0);
    CHECK(context.state(Energy).potential_energy == Approx(1.45).epsilon(close));
    context.update(0, SpringForce{.function = {.length = 0.05}, .particles = {2, 1}, .force_group = 3});
    CHECK(context.state(Energy).potential_energy == Approx(5.2).epsilon(close));
}

TEMPLATE_LIST_TEST_CASE("steps with a function are those with a formula", "[forces][devices]", TestedBackends) {
    auto with_formula = chain(3), with_function = with_formula;
    with_formula.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 1000}, {1, 2, 0.1, 1000}}});
    with_function.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 1000}}});
    with_function.add(SpringForce{.particles = {1, 2}});
    auto run = [](System<SpringForces> const& system) {
        auto context = context_in<TestType>(system);
        context.set_positions(bent);
        context.step(40);
        return context.state(Positions | Velocities);
    };
    auto const a = run(with_formula), b = run(with_function);
    // Forces of 100 kJ/mol/nm with the rounding of a term; in 40 fs they move a particle by 10^-3 nm.
    CHECK(largest_difference(a.positions, b.positions) < 100 * TestType::term_rounding);
    CHECK(norm(b.positions[0] - bent[0]) > 1e-3);
    CHECK(run(with_function).positions == b.positions);
}

TEMPLATE_LIST_TEST_CASE("a function's forces on virtual sites go to the particles behind them", "[forces][devices]",
                        TestedBackends) {
    auto system = chain(3);
    system.add_particle(0);
    system.set_virtual_site(3, TwoParticleAverage<double>{1, 2, 0.5, 0.5});
    system.add(SpringForce{.particles = {0, 3}});
    auto context = context_in<TestType>(system);
    context.set_positions({{0, 0, 0}, {0.2, 0, 0}, {0.4, 0, 0}, {0.3, 0, 0}});
    auto const forces = context.state(Forces).forces;
    CHECK(forces[0].x == Approx(200));
    CHECK(forces[1].x == Approx(-100));
    CHECK(forces[2].x == Approx(-100));
}

TEMPLATE_LIST_TEST_CASE("a function is asked in the box that a barostat tries", "[forces][devices]", TestedBackends) {
    auto system = chain(4);
    system.box = Box::rectangular(2, 2, 2);
    system.add(SpringForce{.function = {0.8}, .periodic = true});
    system.add(MonteCarloBarostat{
        .pressure = 1e4, .temperature = 300, .frequency = 1, .scale_molecules_as_rigid = false, .seed = 7});
    auto run = [&](auto backend, auto precision) {
        Context context{system, spring_leapfrog, backend, precision};
        context.set_positions({{0, 0, 0}, {0.5, 0.5, 0.5}, {1, 1, 1}, {1.5, 1.2, 1}});
        context.step(30);
        return context.box().volume();
    };
    double const volume = run(typename TestType::Backend{}, typename TestType::Precision{});
    CHECK(volume != 8);
    CHECK(volume == Approx(run(Reference{}, Double{})).epsilon(TestType::is_double ? 1e-9 : 1e-5));
}

namespace {

struct NotANumber {
    double operator()(Configuration const&, std::span<Vec3<>> forces) const {
        forces[1].y = std::numeric_limits<double>::quiet_NaN();
        return 0;
    }
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("a function that gives a NaN is named", "[forces][devices]", TestedBackends) {
    System<ForceList<CallbackForce<NotANumber>>> system;
    for (int i = 0; i < 3; ++i) system.add_particle(1);
    system.add(CallbackForce<NotANumber>{});
    Context context{system, spring_leapfrog, typename TestType::Backend{}, typename TestType::Precision{}};
    context.set_positions(bent);
    CHECK_THROWS_WITH(context.step(60), Catch::Contains("particle 1") && Catch::Contains("force 0 (CallbackForce)"));
}

TEMPLATE_LIST_TEST_CASE("what a function throws arrives, and the Context stays readable", "[forces][devices]",
                        TestedBackends) {
    using Any = CallbackForce<std::function<double(Configuration const&, std::span<Vec3<>>)>>;
    System<ForceList<Any>> system;
    for (int i = 0; i < 3; ++i) system.add_particle(1);
    bool is_bad = false;
    system.add(Any{.function = [&](Configuration const&, std::span<Vec3<>>) {
        if (is_bad) throw InputError("no such bias");
        return 1.5;
    }});
    Context context{system, spring_leapfrog, typename TestType::Backend{}, typename TestType::Precision{}};
    context.set_positions(bent);
    CHECK(context.state(Energy).potential_energy == 1.5);
    context.step(3);
    is_bad = true;
    CHECK_THROWS_WITH(context.step(3), "no such bias");
    CHECK(largest_difference(context.positions(), bent) < 1e-6);
    is_bad = false;
    CHECK(context.state(Energy).potential_energy == 1.5);
}

TEMPLATE_LIST_TEST_CASE("a callback force refuses particles that make no sense", "[forces][devices]", TestedBackends) {
    auto refusal = [](std::vector<int> const& particles) {
        auto system = chain(3);
        system.add(SpringForce{.particles = particles});
        try {
            context_in<TestType>(system);
        } catch (InputError const& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(refusal({0, 7})
          == "force 0 (CallbackForce): entry 1: there is no particle 7; the System has 3 particles, counted from 0");
    CHECK(refusal({2, 1, 2})
          == "force 0 (CallbackForce): entry 2: particle 2 is named twice, expected distinct particles");
}

TEMPLATE_LIST_TEST_CASE("replicas with a function run, or are refused in a sentence", "[forces][devices]",
                        TestedBackends) {
    System<ForceList<SpringForce>> system;
    for (int i = 0; i < 3; ++i) system.add_particle(1);
    system.add(SpringForce{});
    auto make = [&] {
        return Replicas{system, spring_leapfrog, typename TestType::Backend{}, typename TestType::Precision{}, 2};
    };
    if constexpr (TestType::is_on_device) {
        CHECK_THROWS_WITH(make(), Catch::Contains("force 0 (CallbackForce) cannot act in a batch of replicas"));
    } else {
        auto replicas = make();
        replicas.set_state({.positions = bent});
        replicas.step(3);
        CHECK(replicas.positions(0) == replicas.positions(1));
    }
}
