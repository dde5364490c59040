// Invalid input for which Contexts throw instead of crashing or continuing with unintended values.
// SPDX-License-Identifier: MIT
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include <unistd.h>

#include <trotter/base/archive.hpp>
#include <trotter/integrators/nested_splitting.hpp>
#include <trotter/io/checkpoint.hpp>
#include <trotter/reference.hpp>
#include <trotter/replicas.hpp>
#include <trotter/trotter.hpp>

#include "catch_compat.hpp"

using namespace trotter;
using Catch::Contains;

namespace {

using Function = std::function<double(Configuration const&, std::span<Vec3<>>)>;
using SomeForces = ForceList<HarmonicBondForce, CustomBondForce, NonbondedForce, CustomNonbondedForce, CustomVolumeForce,
                             CallbackForce<Function>, AndersenThermostat, MonteCarloBarostat>;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
VerletIntegrator const any_integrator{.step_size = 0.001};
std::vector<Vec3<>> const placed{{0, 0, 0}, {0.1, 0, 0}, {0.4, 0, 0}};

System<SomeForces> bonded() {
    System<SomeForces> system;
    for (int i = 0; i < 3; ++i) system.add_particle(10);
    system.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 1000}}});
    return system;
}
template <class F> System<SomeForces> with(F const& force) {
    auto system = bonded();
    system.add(force);
    return system;
}
template <class I> auto context_of(System<SomeForces> const& system, I const& integrator) {
    Context context{system, integrator, Reference{}, Double{}};
    context.set_positions(placed);
    return context;
}
/// The error message for a Context of this System and integrator, or an empty string.
template <class I> std::string refusal(System<SomeForces> const& system, I const& integrator) {
    try {
        context_of(system, integrator);
    } catch (InputError const& error) {
        return error.what();
    }
    return {};
}
template <class F> std::string refusal_of(F const& force) { return refusal(with(force), any_integrator); }
template <class I> std::string refusal_by(I const& integrator) { return refusal(bonded(), integrator); }

}  // namespace

TEST_CASE("a System that has changed since the Context was made") {
    auto context = context_of(bonded(), any_integrator);
    HarmonicBondForce const another{.bonds = {{1, 2, 0.1, 1000}}};
    int const added = context.system().add(another);
    std::string const sentence = "force 1 was added after the Context was made; call reinitialize()";
    CHECK_THROWS_WITH(context.update(added), sentence);
    CHECK_THROWS_WITH(context.update(added, another), sentence);
    CHECK_THROWS_WITH(context.evaluate_one(added), "there is no force 1; the System has 1");
    CHECK_THROWS_WITH(context.evaluate_one(5), "there is no force 5; the System has 1");
    CHECK_THROWS_WITH(context.evaluate_one(-1), "there is no force -1; the System has 1");
    CHECK_THROWS_WITH(context.update(9), "there is no force 9; the System has 2");
    context.reinitialize(true);
    context.update(added, another);

    context.system().forces<HarmonicBondForce>().pop_back();
    CHECK_THROWS_WITH(context.update(added), Contains("force 1 is no longer in its list"));
    CHECK_THROWS_WITH(context.reinitialize(), Contains("force 1 is no longer in its list"));
    auto system = bonded();
    system.forces<HarmonicBondForce>().push_back(another);
    CHECK(refusal(system, any_integrator)
          == "the System holds 2 forces of the type HarmonicBondForce, but `add` was called for 1");
}

TEST_CASE("a Context that has been moved from") {
    auto context = context_of(bonded(), any_integrator);
    auto const moved = std::move(context);
    std::string const sentence = "this Context has been moved from";
    CHECK_THROWS_WITH(context.step_count(), sentence);
    CHECK_THROWS_WITH(context.step(1), sentence);
    CHECK_THROWS_WITH(context.state(Energy), sentence);
    CHECK_THROWS_WITH(context.positions(), sentence);
    CHECK_THROWS_WITH(context.set_positions(placed), sentence);
    CHECK_THROWS_WITH(context.set_temperature(300), sentence);
    CHECK_THROWS_WITH(context.evaluate_one(0), sentence);
    CHECK_THROWS_WITH(context.reinitialize(), sentence);
    CHECK_THROWS_WITH(minimize(context), sentence);
    CHECK_THROWS_AS(context.update(0), Error);
    CHECK_THROWS_AS(context.set_current_integrator(0), Error);
    CHECK(moved.positions() == placed);

    Replicas replicas{bonded(), any_integrator, Reference{}, Double{}, 2};
    auto const elsewhere = std::move(replicas);
    CHECK_THROWS_WITH(replicas.step(1), "these Replicas have been moved from");
    CHECK_THROWS_WITH(replicas.time(), "these Replicas have been moved from");
    CHECK(elsewhere.step_count() == 0);
}

TEST_CASE("every error is one of Trotter's") {
    auto context = context_of(bonded(), any_integrator);
    auto const state = context.state(ParameterDerivatives | Parameters);
    CHECK_THROWS_WITH(state.parameter_derivatives->at("k"), "there is no number of the name 'k'; known: none; a derivative "
                                                           "is computed by the parameters that a force names in "
                                                           "`energy_parameter_derivatives`");
    auto const bare = context.state(Positions);
    CHECK_THROWS_WITH(bare.parameter_derivatives->at("k"), Contains("the State holds no such numbers: ask `state` for"));
    CHECK_THROWS_AS(bare.parameters.value(), InputError);
    CHECK_FALSE(bare.parameters);
    CHECK_THROWS_AS(state.parameters->at("k"), InputError);
    CHECK(refusal_of(CallbackForce<Function>{})
          == "force 1 (CallbackForce): there is no function to call: `function` is empty");
    auto const zero = [](Configuration const&, std::span<Vec3<>>) { return 0.0; };
    auto called = context_of(with(CallbackForce<Function>{.function = zero}), any_integrator);
    CHECK(called.evaluate_one(1) == 0);
    CHECK_THROWS_WITH(called.update(1, CallbackForce<Function>{}), Contains("there is no function to call"));
}

TEST_CASE("a number that no integrator keeps") {
    auto context = context_of(bonded(), LangevinMiddleIntegrator{.temperature = 300, .friction = 1, .step_size = 0.001});
    CHECK_THROWS_WITH(context.set_integrator_parameters({{"temperature", 310}}),
                      "no integrator of this Context keeps a number of the name 'temperature' (settings such as "
                      "its temperature have functions of their own); known: none");
    CHECK_NOTHROW(context.set_integrator_parameters({}));
    NoseHooverIntegrator chains{.chains = {{.temperature = 300, .collision_frequency = 1}}, .step_size = 0.001};
    auto chained = context_of(bonded(), chains);
    auto numbers = chained.integrator_parameters();
    CHECK_NOTHROW(chained.set_integrator_parameters(numbers));
    numbers["IntegratorParameters[0]/Chain[7]/Bead[0]/position"] = 1;
    CHECK_THROWS_WITH(chained.set_integrator_parameters(numbers),
                      Contains("'IntegratorParameters[0]/Chain[7]/Bead[0]/position'")
                          && Contains("known: IntegratorParameters[0]/Chain[0]/Bead[0]/position, "));
    BasicCompoundIntegrator<> both;
    for (double const step : {0.001, 0.002}) both.integrators.emplace_back(VerletIntegrator{.step_size = step});
    auto compound = context_of(bonded(), both);
    auto of_both = compound.integrator_parameters();
    of_both["currentIntegrator"] = 1;
    compound.set_integrator_parameters(of_both);
    CHECK(compound.current_integrator() == 1);
    CHECK_THROWS_WITH(compound.set_integrator_parameters({{"current", 0}}), Contains("'current'"));
    // A State may be from another integrator.
    CHECK_NOTHROW(context.set_state(chained.state(Positions | Velocities | IntegratorParameters)));
}

TEST_CASE("numbers that are none") {
    auto context = context_of(bonded(), any_integrator);
    CHECK_THROWS_WITH(context.set_time(not_a_number), "the time is nan, expected a finite number");
    CHECK_THROWS_WITH(context.set_time(infinity), "the time is inf, expected a finite number");
    CHECK_THROWS_WITH(context.set_step_count(-7), "the step count is -7, expected 0 or more");
    CHECK_THROWS_WITH(context.step(-5), "the number of steps is -5, expected 0 or more");
    for (double const temperature : {-300.0, not_a_number, infinity})
        CHECK_THROWS_WITH(context.set_velocities_to_temperature(temperature),
                          Contains("the temperature of the velocities is ") && Contains("expected a finite number"));
    CHECK_THROWS_WITH(context.apply_constraints(not_a_number), Contains("the tolerance of constraints is nan"));
    CHECK_THROWS_WITH(context.apply_velocity_constraints(0), Contains("the tolerance of constraints is 0"));
    CHECK_THROWS_WITH(context.set_positions({{0, 0, 0}, {not_a_number, 0, 0}, {0, 0, 0}}), Contains("particle 1"));
    CHECK_THROWS_WITH(context.set_velocities({{0, 0, 0}, {infinity, 0, 0}, {0, 0, 0}}), Contains("particle 1"));
    State wrong = context.state(Positions);
    wrong.time = not_a_number;
    CHECK_THROWS_WITH(context.set_state(wrong), Contains("the time is nan"));
    CHECK(context.time() == 0);
}

TEST_CASE("an open FENE bond, whose force is finite and whose energy is not") {
    CustomBondForce const fene{.energy = RuntimeExpression("-log(1-(r/0.3)^2)"), .bonds = {{0, 1}, {1, 2}}};
    auto system = with(fene);
    auto context = context_of(system, any_integrator);
    context.set_positions({{0, 0, 0}, {0.1, 0, 0}, {0.5, 0, 0}});
    std::string const sentence = "the energy of force 1 (CustomBondForce), Bond 1 is not a finite number";
    CHECK_THROWS_AS(context.state(Energy), NotFiniteError);
    CHECK_THROWS_WITH(context.state(Energy), sentence);
    CHECK_THROWS_WITH(context.evaluate({}), sentence);
    CHECK_NOTHROW(context.state(Forces));
    // A step that uses the energy checks it.
    CustomIntegrator looking{.step_size = 0.001};
    looking.add_global("e", 0);
    looking.compute_global("e", "energy");
    auto stepped = context_of(system, looking);
    stepped.set_positions({{0, 0, 0}, {0.1, 0, 0}, {0.3, 0, 0}});
    stepped.step(2);
    stepped.set_positions({{0, 0, 0}, {0.1, 0, 0}, {0.5, 0, 0}});
    CHECK_THROWS_WITH(stepped.step(1), "step 2: " + sentence);
}

TEST_CASE("a derivative and a kinetic energy that are not finite are told with what gives them") {
    CustomBondForce force{.energy = RuntimeExpression("scale^0.5*r"), .global_parameters = {{"scale", 0}}, .bonds = {{0, 1}}};
    auto system = with(force);
    force.energy_parameter_derivatives = {"scale"};
    system.add(force);
    auto context = context_of(system, any_integrator);
    context.set_positions({{0, 0, 0}, {0.1, 0, 0}, {0.2, 0, 0}});
    CHECK_THROWS_AS(context.state(ParameterDerivatives), NotFiniteError);
    CHECK_THROWS_WITH(context.state(ParameterDerivatives), "the derivative of the energy by 'scale' is not a finite "
                                                           "number; it comes from force 2 (CustomBondForce)");
    context.set_velocities({{0, 1e190, 0}, {0, 0, 0}, {1e200, 0, 0}});
    CHECK_THROWS_AS(context.state(Energy), NotFiniteError);
    CHECK_THROWS_WITH(context.state(Energy), "the kinetic energy is not a finite number; the fastest particle is 2");
}

TEST_CASE("what has no sensible default has to be set") {
    CHECK(refusal_by(VerletIntegrator{}) == "the step size of VerletIntegrator was not set");
    CHECK(refusal_by(LangevinMiddleIntegrator{.friction = 1, .step_size = 0.001})
          == "the temperature of LangevinMiddleIntegrator was not set");
    CHECK(refusal_by(LangevinMiddleIntegrator{.temperature = 300, .step_size = 0.001})
          == "the friction of LangevinMiddleIntegrator was not set");
    CHECK(refusal_by(LangevinMiddleIntegrator{.temperature = 300, .friction = 1})
          == "the step size of LangevinMiddleIntegrator was not set");
    CHECK(refusal_by(BrownianIntegrator{.temperature = 300, .step_size = 0.001})
          == "the friction of BrownianIntegrator was not set");
    CHECK(refusal_by(VariableLangevinIntegrator{.friction = 1}) == "the temperature of VariableLangevinIntegrator was not set");
    CHECK(refusal_by(QTBIntegrator{.temperature = 300, .step_size = 0.001}) == "the friction of QTBIntegrator was not set");
    CHECK(refusal_by(DPDIntegrator{.temperature = 300, .step_size = 0.001})
          == "the default friction of DPDIntegrator was not set");
    CHECK(refusal_by(NoseHooverIntegrator{.chains = {{.collision_frequency = 1}}, .step_size = 0.001})
          == "the temperature of NoseHooverIntegrator was not set");
    CHECK(refusal_by(NoseHooverIntegrator{.chains = {{.temperature = 300}}, .step_size = 0.001})
          == "the collision frequency of NoseHooverIntegrator was not set");
    CHECK(refusal_by(CustomIntegrator{}) == "the step size of CustomIntegrator was not set");
    // Without an O no temperature is needed.
    CHECK(refusal_by(SplittingIntegrator<Splitting{"V R V"}>{.step_size = 0.001}) == "");
    CHECK(refusal_by(SplittingIntegrator<Splitting{"V R O R V"}>{.step_size = 0.001})
          == "the temperature of SplittingIntegrator was not set");

    CHECK(refusal_of(CustomBondForce{.bonds = {{0, 1}}}) == "force 1 (CustomBondForce): the formula `energy` was not set");
    CHECK(refusal_of(CustomNonbondedForce{.particles = {{}, {}, {}}})
          == "force 1 (CustomNonbondedForce): the formula `energy` was not set");
    CHECK(refusal_of(CustomNonbondedForce{
              .energy = RuntimeExpression("v1+v2"), .particles = {{}, {}, {}}, .computed_values = {{.name = "v"}}})
          == "force 1 (CustomNonbondedForce): the formula of the computed value 'v' was not set");
    CHECK(refusal_of(AndersenThermostat{.temperature = 300})
          == "force 1 (AndersenThermostat): the collision frequency of AndersenThermostat was not set");
    auto system = bonded();
    system.box = Box::rectangular(3, 3, 3);
    system.add(CustomVolumeForce{.energy = RuntimeExpression("v")});
    system.add(MonteCarloBarostat{});
    CHECK(refusal(system, any_integrator) == "force 2 (MonteCarloBarostat): the temperature of MonteCarloBarostat was not set");
    CHECK(refusal_of(HarmonicBondForce{.bonds = {{0, 1, 0.1, 1}, {1, 1, 0.1, 1000}}})
          == "force 1 (HarmonicBondForce): Bond 1 is a bond of particle 1 with itself");
}

TEST_CASE("periodic images need a box") {
    NonbondedForce const periodic{.particles = {{}, {}, {}}, .method = NonbondedForce::Method::pme, .cutoff_distance = 0.9};
    std::string const sentence = " takes periodic images, but the System's box was not set";
    CHECK(refusal_of(periodic) == "force 1 (NonbondedForce)" + sentence);
    CHECK(refusal_of(CustomVolumeForce{.energy = RuntimeExpression("v")}) == "force 1 (CustomVolumeForce)" + sentence);
    CHECK(refusal_of(HarmonicBondForce{.periodic = true}) == "force 1 (HarmonicBondForce)" + sentence);
    auto system = with(periodic);
    system.box = Box{};  // OpenMM's default, which its files contain
    CHECK(refusal(system, any_integrator) == "");
    system = with(periodic);
    system.box.a.x = 2.5;
    CHECK(refusal(system, any_integrator) == "");
}

TEST_CASE("a checkpoint of something else") {
    LangevinMiddleIntegrator const bath{.temperature = 300, .friction = 1, .step_size = 0.001};
    auto context = context_of(bonded(), bath);
    Archive saved;
    context.save(saved);
    auto const refused = [&](auto&& other) -> std::string {
        Archive bytes(saved.bytes());
        try {
            other.load(bytes);
        } catch (InputError const& error) {
            return error.what();
        }
        return {};
    };
    std::string const begin = "the checkpoint is of another simulation: ";
    CHECK(refused(context_of(bonded(), bath)) == "");
    CHECK(refused(context_of(bonded(), any_integrator))
          == begin + "it has the integrator LangevinMiddleIntegrator, this Context the integrator VerletIntegrator");
    auto system = bonded();
    system.forces<HarmonicBondForce>()[0].bonds[0].k = 999;
    CHECK(refused(context_of(system, bath))
          == begin + "the numbers or settings of force 0 (HarmonicBondForce) differ");
    CHECK(refused(context_of(with(CustomBondForce{.energy = RuntimeExpression("r")}), bath))
          == begin + "it has 1 forces, this Context 2 forces");
    system = bonded();
    system.particles.masses[1] = 11;
    CHECK(refused(context_of(system, bath)) == begin + "the numbers or settings of the masses differ");
    system = bonded();
    system.add_constraint(0, 2, 0.4);
    CHECK_THAT(refused(context_of(system, bath)), Contains("the constraints differ"));
    system = bonded();
    system.add_particle(1);
    Context larger{system, bath, Reference{}, Double{}};
    CHECK(refused(larger) == begin + "it has 3 particles, this Context 4 particles");
}

TEST_CASE("a checkpoint in one call") {
    auto const path = (std::filesystem::temp_directory_path() / ("trotter-checkpoint-" + std::to_string(::getpid()))).string();
    auto context = context_of(bonded(), any_integrator), other = context_of(bonded(), any_integrator);
    context.step(3);
    save_checkpoint(context, path);
    save_checkpoint(context, path);
    CHECK(load_checkpoint(other, path) == "");
    CHECK(other.positions() == context.positions());
    CHECK(other.step_count() == 3);
    std::filesystem::remove(path);
    CHECK_THAT(load_checkpoint(other, path), Contains(path + ".previous"));
    auto unlike = context_of(with(CustomBondForce{.energy = "r"}), any_integrator);
    CHECK_THROWS_WITH(load_checkpoint(unlike, path), Contains("it has 1 forces, this Context 2 forces"));
    std::filesystem::remove(path + ".previous");
    CHECK_THROWS_WITH(load_checkpoint(other, path), Contains(path));
}

TEST_CASE("a checkpoint of another nested splitting") {
    MultipleStepIntegrator<NestedSplitting{"V0 (V1 R V1)^4 V0"}> const four{.step_size = 0.001};
    MultipleStepIntegrator<NestedSplitting{"V0 (V1 R V1)^5 V0"}> const five{.step_size = 0.001};
    auto context = context_of(bonded(), four), same = context_of(bonded(), four);
    auto other = context_of(bonded(), five);
    Archive saved;
    context.save(saved);
    Archive for_same(saved.bytes()), for_other(saved.bytes());
    CHECK_NOTHROW(same.load(for_same));
    CHECK_THROWS_WITH(other.load(for_other),
                      Contains("the numbers or settings of the integrator MultipleStepIntegrator differ"));
}
