// Contexts: setting and reading the state, validation, and error messages, on every backend and precision.
// SPDX-License-Identifier: MIT
#include <trotter/base/archive.hpp>
#include <trotter/trotter.hpp>

#include <array>
#include <cmath>
#include <span>

#include "backends.hpp"
#include "catch_compat.hpp"

using namespace trotter;

namespace {

/// A bond with two global parameters, and the derivative of its energy with respect to one of them.
struct ScaledBondForce {
    static constexpr std::string_view name = "ScaledBondForce";
    struct Bond {
        int particle1 = 0, particle2 = 0;
        double length = 0;
    };
    std::vector<Bond> bonds;
    std::vector<GlobalParameter> global_parameters{{"scale", 2}, {"offset", 0.01}};
    std::vector<std::string> energy_parameter_derivatives{"scale"};
    int force_group = 0;

    static constexpr auto terms = &ScaledBondForce::bonds;
    static constexpr std::string_view term_name = "Bond";
    static constexpr auto particles = std::tuple{&Bond::particle1, &Bond::particle2};
    static constexpr auto variables = std::tuple{Distance{"r", {0, 1}}};
    static constexpr auto fields = std::tuple{Field{"length", "d", &Bond::length}};
    static constexpr Expression<"scale*(r - length - offset)^2"> energy{};
};

using ChainForces = ForceList<HarmonicBondForce, ScaledBondForce, CMMotionRemover>;

System<ChainForces> chain() {
    System<ChainForces> system;
    for (int i = 0; i < 3; ++i) system.add_particle(10);
    system.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 1000}}, .force_group = 1});
    system.add(ScaledBondForce{.bonds = {{1, 2, 0.1}}, .force_group = 2});
    return system;
}
std::vector<Vec3<>> const stretched{{0, 0, 0}, {0.12, 0, 0}, {0.12, 0.15, 0}};
VerletIntegrator const verlet_integrator{.step_size = 0.001};

template <class BackendType> auto make_context(System<ChainForces> const& system) {
    return Context{system, verlet_integrator, typename BackendType::Backend{}, typename BackendType::Precision{}};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a Context describes what it computes with", "", TestedBackends) {
    auto const context = make_context<TestType>(chain());
    auto const description = context.description();
    CHECK(description.platform == platform_name(TestType::Backend::name));
    CHECK(description.precision == TestType::Precision::name);
    CHECK(description.instruction_set.empty() == (description.platform != "cpu"));
    CHECK(description.accelerator.empty() == !TestType::is_on_device);
    CHECK(description.threads >= 1);
    CHECK_FALSE(description.device.empty());
}

TEMPLATE_LIST_TEST_CASE("energies come by group and by force, derivatives and parameters by name", "", TestedBackends) {
    auto context = make_context<TestType>(chain());
    context.set_positions(stretched);
    double const close = TestType::term_rounding;
    CHECK(context.state(Energy).potential_energy == Approx(0.2 + 2 * 0.04 * 0.04).epsilon(close));
    CHECK(context.energies()[0] == Approx(0.2).epsilon(close));
    CHECK(context.energies()[1] == Approx(0.0032).epsilon(close));
    CHECK(context.state(Energy, ForceGroups::only({1})).potential_energy == Approx(0.2).epsilon(close));
    CHECK(context.state(Energy, ForceGroups::mask(4)).potential_energy == Approx(0.0032).epsilon(close));
    CHECK(context.state(ParameterDerivatives).parameter_derivatives->at("scale") == Approx(0.0016).epsilon(close));
    context.set_parameter("scale", 5);
    CHECK(context.state(Energy).potential_energy == Approx(0.2 + 5 * 0.0016).epsilon(close));
    CHECK(context.state(Parameters).parameters->at("offset") == 0.01);
    auto const forces = context.state(Forces, ForceGroups::only({2})).forces;
    CHECK(forces[0] == Vec3<>{});
    // Devices sum forces in units of 2^-32 kJ/mol/nm.
    CHECK(forces[2].y == Approx(-2 * 5 * 0.04).epsilon(10 * close).margin(3e-10));
    CHECK(context.evaluate_one(0) == Approx(0.2).epsilon(close));
}

TEMPLATE_LIST_TEST_CASE("a Context refuses what makes no sense in one sentence", "", TestedBackends) {
    auto context = make_context<TestType>(chain());
    CHECK_THROWS_WITH(context.step(1), "the positions of the particles have not been set");
    std::vector<Vec3<>> const too_few{{0, 0, 0}}, not_finite{{0, 0, 0}, {1, std::nan(""), 0}, {0, 0, 0}};
    CHECK_THROWS_WITH(context.set_positions(too_few), "1 positions were given for a System of 3 particles");
    CHECK_THROWS_WITH(context.set_positions(not_finite), Catch::Contains("particle 1"));
    std::vector<double> const few_numbers(8), many_numbers(12);
    CHECK_THROWS_WITH(context.set_positions(few_numbers), "8 numbers were given as positions, expected three for each particle");
    CHECK_THROWS_WITH(context.set_velocities(many_numbers), "4 velocities were given for a System of 3 particles");
    CHECK_THROWS_WITH(context.set_parameter("lambda", 1), "there is no global parameter 'lambda'; known: offset, scale");
    Box const left_handed{{1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
    CHECK_THROWS_WITH(context.set_box(left_handed), Catch::Contains("must be positive"));
    CHECK_THROWS_WITH(context.set_current_integrator(1), "there is no integrator 1; the Context has 1");

    auto conflicting = chain();
    ScaledBondForce other_default{.bonds = {{0, 1, 0.1}}};
    other_default.global_parameters[0].default_value = 3;
    conflicting.add(other_default);
    CHECK_THROWS_WITH(make_context<TestType>(conflicting), Catch::Contains("global parameter 'scale' different default values"));
    auto out_of_range = chain();
    out_of_range.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 1}, {0, 3, 0.1, 1}}});
    CHECK_THROWS_WITH(make_context<TestType>(out_of_range),
                      Catch::Contains("force 2 (HarmonicBondForce)") && Catch::Contains("there is no particle 3"));
    auto const refusal_of = [](auto const& force) {
        auto system = chain();
        system.add(force);
        return [system] { make_context<TestType>(system); };
    };
    ScaledBondForce endless{.bonds = {{0, 1, 0.1}}};
    endless.global_parameters.push_back({"endless", std::numeric_limits<double>::infinity()});
    CHECK_THROWS_WITH(refusal_of(endless)(), "force 2 (ScaledBondForce): the default value of the global parameter "
                                             "'endless' is inf, expected a finite number");
    CHECK_THROWS_WITH(refusal_of(HarmonicBondForce{.force_group = -1})(),
                      "force 2 (HarmonicBondForce): the force group is -1, expected 0 or more");
    CHECK_THROWS_WITH(make_context<TestType>(System<ChainForces>{}), "the System has no particles");
}

TEMPLATE_LIST_TEST_CASE("positions and velocities come out of arrays of any owner", "", TestedBackends) {
    auto context = make_context<TestType>(chain());
    std::array<double, 9> const numbers{0, 0, 0, 0.12, 0, 0, 0.12, 0.15, 0};
    context.set_positions(numbers);
    CHECK(context.positions() == stretched);
    context.set_velocities(std::span<double const>(numbers));
    CHECK(context.velocities() == stretched);
    std::vector<Vec3<>> moved = stretched;
    moved[2].z = 0.01;
    context.set_positions(std::span<Vec3<>>(moved));
    CHECK(context.positions() == moved);
    context.set_positions({{0, 0, 0}, {0.12, 0, 0}, {0.12, 0.15, 0}});
    CHECK(context.positions() == stretched);
}

TEMPLATE_LIST_TEST_CASE("a number that is not finite is caught with its step, particle and force", "", TestedBackends) {
    auto system = chain();
    auto context = make_context<TestType>(system);
    context.set_positions(stretched);
    context.step(3);
    CHECK_THROWS_WITH(context.set_parameter("scale", std::numeric_limits<double>::infinity()),
                      "the global parameter 'scale' is inf, expected a finite number");
    // An infinite force with finite parameters.
    context.set_parameter("scale", 1e10);
    context.set_parameter("offset", 1e308);
    CHECK_THROWS_AS(context.step(1), NotFiniteError);
    CHECK_THROWS_WITH(context.step(1), Catch::Contains("step ") && Catch::Contains("particle ")
                                           && Catch::Contains("force 1 (ScaledBondForce), Bond 0"));
    // Devices are checked after a call's steps, and every 50 steps: step and particle in the message may be later ones.
    if (TestType::is_on_device) return;
    try {
        context.step(1);
        FAIL("a step with a force that is NaN");
    } catch (NotFiniteError const& error) {
        CHECK(error.where == "step 3: ");
        CHECK_THAT(error.sentence, Catch::Contains("particle 1"));
        CHECK(error.what() == error.where + error.sentence);
    }
    CHECK(std::isfinite(context.positions()[1].x));
}

TEMPLATE_LIST_TEST_CASE("an energy that is not finite is told with its force and term", "", TestedBackends) {
    auto context = make_context<TestType>(chain());
    context.set_positions(stretched);
    // The square overflows, its derivative does not.
    context.set_parameter("offset", TestType::is_on_device && !TestType::is_double ? 1e30 : 1e200);
    context.set_parameter("scale", 1e-10);
    std::string const sentence = "the energy of force 1 (ScaledBondForce), Bond 0 is not a finite number";
    if (TestType::is_double || !TestType::is_on_device) {
        CHECK_THROWS_WITH(context.state(Energy), sentence);
        CHECK_THROWS_WITH(context.evaluate({}), sentence);
        CHECK_THROWS_WITH(context.evaluate_one(1), sentence);
        CHECK_THROWS_AS(context.evaluate({}), NotFiniteError);
        CHECK_THROWS_WITH(context.state(ParameterDerivatives), "the derivative of the energy by 'scale' is not a finite "
                                                               "number; it comes from force 1 (ScaledBondForce)");
    } else
        CHECK_THROWS_WITH(context.state(Energy), Catch::Contains("force 1 (ScaledBondForce)"));
    CHECK(context.evaluate_one(0) == Approx(0.2).epsilon(TestType::term_rounding));
    context.set_parameter("offset", 0.01);
    CHECK(std::isfinite(context.state(Energy).potential_energy));
}

TEMPLATE_LIST_TEST_CASE("temperature, friction and step size of a live Context can be changed", "", TestedBackends) {
    LangevinMiddleIntegrator const warm{.temperature = 300, .friction = 1, .step_size = 0.001},
        cold{.temperature = 10, .friction = 5, .step_size = 0.002};
    auto const context_with = [](LangevinMiddleIntegrator const& integrator) {
        Context context{chain(), integrator, typename TestType::Backend{}, typename TestType::Precision{}};
        context.set_positions(stretched);
        return context;
    };
    auto changed = context_with(warm), other = context_with(cold);
    changed.step(3);
    changed.set_temperature(10);
    changed.set_friction(5);
    changed.set_step_size(0.002);
    CHECK(changed.step_size() == 0.002);
    auto const state = changed.state(Positions | Velocities);
    other.set_state(state);
    changed.step(5);
    other.step(5);
    CHECK(changed.positions() == other.positions());
    // They are in a checkpoint, too.
    Archive saved;
    changed.save(saved);
    auto loaded = context_with(warm);
    Archive bytes(saved.bytes());
    loaded.load(bytes);
    changed.step(3);
    loaded.step(3);
    CHECK(bytes.at_end());
    CHECK(changed.positions() == loaded.positions());

    CHECK_THROWS_WITH(changed.set_temperature(-1), "the temperature of LangevinMiddleIntegrator is -1.000000, expected "
                                                   "a finite number that is not negative");
    CHECK_THROWS_WITH(changed.set_friction(std::nan("")), Catch::Contains("friction of LangevinMiddleIntegrator is nan"));
    CHECK_THROWS_WITH(changed.set_step_size(-1), Catch::Contains("step size of LangevinMiddleIntegrator is -1"));
    auto without = make_context<TestType>(chain());
    CHECK_THROWS_WITH(without.set_temperature(300), "VerletIntegrator has no temperature that can be changed");
}

TEMPLATE_LIST_TEST_CASE("a force's numbers change in a live Context, its shape does not", "", TestedBackends) {
    auto system = chain();
    system.add(CMMotionRemover{});
    auto context = make_context<TestType>(system);
    CHECK_THROWS_WITH(context.update(2), "force 2 (CMMotionRemover) takes no other numbers in a live Context; use "
                                         "reinitialize()");
    context.set_positions(stretched);
    context.update(0, HarmonicBondForce{.bonds = {{0, 1, 0.1, 3000}}, .force_group = 1});
    CHECK(context.state(Energy, ForceGroups::only({1})).potential_energy == Approx(0.6).epsilon(TestType::term_rounding));
    HarmonicBondForce const empty;
    CHECK_THROWS_WITH(context.update(0, empty), Catch::Contains("number of terms has changed"));
    CHECK_THROWS_WITH(context.update(1, empty), "force 1 is not a HarmonicBondForce");

    auto& bonds = context.system().template force<HarmonicBondForce>(0).bonds;
    bonds[0].k = 6000;
    CHECK(context.state(Energy, ForceGroups::only({1})).potential_energy == Approx(0.6).epsilon(TestType::term_rounding));
    context.update(0);
    CHECK(context.state(Energy, ForceGroups::only({1})).potential_energy == Approx(1.2).epsilon(TestType::term_rounding));
    bonds.clear();
    CHECK_THROWS_WITH(context.update(0), Catch::Contains("number of terms has changed"));
}

TEMPLATE_LIST_TEST_CASE("reinitialize takes the System as it is now, and keeps the state if asked to", "",
                        TestedBackends) {
    auto context = make_context<TestType>(chain());
    context.set_positions(stretched);
    context.step(10);
    context.system().template force<HarmonicBondForce>(0).bonds[0].k = 0;
    auto const before = context.state(Positions | Velocities);
    context.reinitialize(true);
    auto const after = context.state(Positions | Velocities);
    CHECK(after.positions == before.positions);
    CHECK(after.velocities == before.velocities);
    CHECK(after.time == before.time);
    CHECK(after.step_count == 10);
    CHECK(context.state(Energy, ForceGroups::only({1})).potential_energy == 0);
    context.reinitialize();
    CHECK(context.time() == 0);
    CHECK_THROWS_WITH(context.step(1), "the positions of the particles have not been set");
}

TEMPLATE_LIST_TEST_CASE("Contexts of one System do not touch each other, and a State carries one to the other", "",
                        TestedBackends) {
    auto const system = chain();
    auto first = make_context<TestType>(system), second = make_context<TestType>(system);
    first.set_positions(stretched);
    second.set_positions(stretched);
    first.step(20);
    CHECK(second.positions() == stretched);
    second.step(7);
    second.set_state(first.state(Positions | Velocities | Parameters));
    first.step(20);
    second.step(20);
    CHECK(first.positions() == second.positions());
    CHECK(first.time() == second.time());
    CHECK(first.step_count() == second.step_count());
}

TEMPLATE_LIST_TEST_CASE("integrators of a Compound take turns, each with its own step", "", TestedBackends) {
    BasicCompoundIntegrator<> both;
    for (double step_size : {0.001, 0.002}) both.integrators.emplace_back(VerletIntegrator{.step_size = step_size});
    Context context{chain(), both, typename TestType::Backend{}, typename TestType::Precision{}};
    both.integrators.clear();
    CHECK_THROWS_WITH((Context{chain(), both, typename TestType::Backend{}, typename TestType::Precision{}}),
                      "the CompoundIntegrator holds no integrator");
    context.set_positions(stretched);
    context.step(2);
    context.set_current_integrator(1);
    context.step(3);
    CHECK(context.time() == Approx(0.008).epsilon(1e-14));
    CHECK(context.step_count() == 5);
}

TEST_CASE("drawn velocities have the temperature's mean kinetic energy, as the integrator reports it") {
    System<ChainForces> system;
    for (int i = 0; i < 500; ++i) system.add_particle(i % 5 == 4 ? 0 : 12);
    for (int i = 0; i < 500; i += 5) system.add_constraint(i, i + 1, 0.1);
    auto context = make_context<TestedBackend<Reference, Double>>(system);
    std::vector<Vec3<>> positions;
    for (int i = 0; i < 500; ++i) positions.push_back({0.1 * i, 0, 0});
    context.set_positions(positions);
    double sum = 0;
    int const draws = 200, degrees = 3 * 400 - 100;
    for (std::uint64_t seed = 1; seed <= draws; ++seed) {
        context.set_velocities_to_temperature(300, seed);
        sum += context.state(Energy).kinetic_energy;
    }
    double const expected = 0.5 * degrees * constants::gas_constant * 300;
    // five standard errors of a mean over draws·degrees squares of normal random numbers
    CHECK(std::abs(sum / draws / expected - 1) < 5 * std::sqrt(2.0 / (draws * degrees)));
    CHECK(context.velocities()[4] == Vec3<>{});
    CHECK(context.velocities()[0] != Vec3<>{});
}

TEST_CASE("reading the state changes no bit of what follows") {
    auto quiet = make_context<TestedBackend<Reference, Double>>(chain()),
         watched = make_context<TestedBackend<Reference, Double>>(chain());
    quiet.set_positions(stretched);
    watched.set_positions(stretched);
    quiet.step(50);
    for (int i = 0; i < 50; ++i) {
        watched.step(1);
        (void)watched.state(Energy | Forces, ForceGroups::only({i % 3}));
    }
    CHECK(quiet.positions() == watched.positions());
}
