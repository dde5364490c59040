// Invalid input of ring polymers, and its messages.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "rings.hpp"

#include <limits>

#include <trotter/base/archive.hpp>
#include <trotter/forces/andersen_thermostat.hpp>
#include <trotter/forces/monte_carlo_barostats.hpp>

using namespace trotter;
using namespace trotter::rpmd;
using Catch::Contains;

namespace {

RPMDIntegrator const valid{.copies = 4, .temperature = 300, .friction = 1, .step_size = 1 * fs};
/// Makes a ring polymer with another value of some parameter.
template <class Change> void make(Change const& change) {
    auto integrator = valid;
    change(integrator);
    RingPolymer{in_potential(2, 1, "x^2"), integrator, Reference{}, Double{}};
}
double const not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("parameters of RPMDIntegrator that are refused", "[rpmd]") {
    CHECK_NOTHROW(make([](auto&) {}));
    CHECK_THROWS_WITH(make([](auto& i) { i.copies = 0; }),
                      "the number of copies of RPMDIntegrator is 0, expected at least 1");
    CHECK_THROWS_WITH(make([](auto& i) { i.copies = 2000000000; }),
                      Contains("2000000000 copies of 2 particles are more than"));
    CHECK_THROWS_WITH(make([](auto& i) { i.temperature = not_set; }), "the temperature of RPMDIntegrator was not set");
    CHECK_THROWS_WITH(make([](auto& i) { i.friction = not_set; }), "the friction of RPMDIntegrator was not set");
    CHECK_THROWS_WITH(make([](auto& i) { i.step_size = not_set; }), "the step size of RPMDIntegrator was not set");
    CHECK_THROWS_WITH(make([](auto& i) { i.temperature = 0; }), Contains("is 0.000000, expected a positive number"));
    CHECK_THROWS_WITH(make([](auto& i) { i.friction = -1; }), Contains("friction of RPMDIntegrator is -1.000000"));
    CHECK_THROWS_WITH(make([](auto& i) { i.step_size = -1; }), Contains("step size of RPMDIntegrator is -1.000000"));
}

TEST_CASE("contractions that are refused", "[rpmd]") {
    CHECK_THROWS_WITH(make([](auto& i) {
                          i.contractions = {{2, 5}};
                      }),
                      "the contraction of force group 2 of RPMDIntegrator is to 5 copies, expected 1 to all 4");
    CHECK_THROWS_WITH(make([](auto& i) { i.contractions = {{2, 0}}; }), Contains("is to 0 copies"));
    CHECK_THROWS_WITH(make([](auto& i) {
                          i.contractions = {{-1, 2}};
                      }),
                      Contains("force group -1, expected 0 or more"));
}

TEST_CASE("barostats of ring polymers that are refused", "[rpmd]") {
    CHECK_THROWS_WITH(make([](auto& i) { i.barostat = RPMDMonteCarloBarostat{}; }),
                      Contains("needs a periodic System"));
    CHECK_THROWS_WITH(make([](auto& i) {
                          i.barostat = RPMDMonteCarloBarostat{};
                          i.apply_thermostat = false;
                      }),
                      Contains("RPMDMonteCarloBarostat needs the thermostat"));
    CHECK_THROWS_WITH(make([](auto& i) { i.barostat = RPMDMonteCarloBarostat{.frequency = -1}; }),
                      Contains("frequency of RPMDMonteCarloBarostat is -1"));
    CHECK_THROWS_WITH(make([](auto& i) { i.barostat = RPMDMonteCarloBarostat{.pressure = not_a_number}; }),
                      Contains("pressure of RPMDMonteCarloBarostat is nan"));
}

TEST_CASE("Systems that a ring polymer cannot have", "[rpmd]") {
    auto constrained = in_potential(2, 1, "x^2");
    constrained.add_constraint(0, 1, 0.1);
    CHECK_THROWS_WITH((RingPolymer{constrained, valid, Reference{}, Double{}}),
                      Contains("supports no constraints, but the System has 1"));
    auto removed = in_potential(2, 1, "x^2");
    removed.add(CMMotionRemover{.frequency = 0});
    CHECK_THROWS_WITH((RingPolymer{removed, valid, Reference{}, Double{}}),
                      Contains("frequency of CMMotionRemover is 0"));
    System<ForceList<HarmonicBondForce, AndersenThermostat, MonteCarloBarostat>> with;
    with.box = Box::rectangular(2, 2, 2);
    with.add_particle(1);
    with.add(HarmonicBondForce{.periodic = true});
    auto const with_thermostat = [&] {
        auto system = with;
        system.add(AndersenThermostat{.temperature = 300, .collision_frequency = 1});
        return system;
    }();
    with.add(MonteCarloBarostat{.temperature = 300});
    CHECK_THROWS_WITH((RingPolymer{with, valid, Reference{}, Double{}}),
                      Contains("force 1 (MonteCarloBarostat) cannot act on a ring polymer"));
    CHECK_THROWS_AS((RingPolymer{with_thermostat, valid, Reference{}, Double{}}), UnsupportedError);
}

TEST_CASE("states of a ring polymer that are refused", "[rpmd]") {
    RingPolymer ring{in_potential(2, 1, "x^2"), valid, Reference{}, Double{}};
    ring.set_positions(0, Vectors(2));
    CHECK_THROWS_WITH(ring.step(1), "the positions of copy 1 have not been set");
    CHECK_THROWS_WITH(ring.positions(0), Contains("copy 1 have not been set"));
    CHECK_THROWS_WITH(ring.set_positions(4, Vectors(2)), "there is no copy 4; there are 4, counted from 0");
    CHECK_THROWS_WITH(ring.set_velocities(-1, Vectors(2)), Contains("there is no copy -1"));
    CHECK_THROWS_WITH(ring.set_positions(Vectors(3)), Contains("3 positions were given for a System of 2 particles"));
    CHECK_THROWS_WITH(ring.set_velocities(1, {{not_a_number, 0, 0}, {}}),
                      Contains("velocities of particle 0 are not finite"));
    ring.set_positions(Vectors(2));
    CHECK_THROWS_WITH(ring.velocities(7), Contains("there is no copy 7"));
    CHECK_THROWS_WITH(ring.state(7), Contains("there is no copy 7"));
    CHECK_THROWS_WITH(ring.step(-1), Contains("number of steps is -1"));
    CHECK_THROWS_WITH(ring.set_temperature(-1), Contains("temperature of RPMDIntegrator is -1"));
    CHECK_THROWS_WITH(ring.set_step_size(not_a_number), Contains("step size"));
    CHECK_THROWS_WITH(ring.set_pressure(1), Contains("has no barostat"));
    CHECK_THROWS_WITH(ring.set_parameter("unknown", 1), Contains("unknown"));
    CHECK_THROWS_WITH(ring.set_velocities_to_temperature(-1), Contains("temperature of the velocities is -1"));
    CHECK_NOTHROW(ring.step(0));
}

TEST_CASE("a ring polymer that fails names step, copy, particle and force", "[rpmd]") {
    RingPolymer ring{in_potential(2, 1, "sqrt(x)"), valid, Reference{}, Double{}};
    ring.set_positions({{1, 0, 0}, {1, 0, 0}});
    ring.set_positions(2, {{1, 0, 0}, {-5, 0, 0}});
    CHECK_THROWS_AS(ring.step(1), NotFiniteError);
    CHECK_THROWS_WITH(ring.step(1), Contains("copy 2: step 0: the force on particle 1 is not a finite number")
                                        && Contains("CustomExternalForce"));
    auto without_thermostat = valid;
    without_thermostat.apply_thermostat = false;
    RingPolymer fast{in_potential(2, 1, "0"), without_thermostat, Reference{}, Double{}};
    fast.set_positions(Vectors(2));
    fast.set_velocities(3, {{}, {1e308, 1e308, 0}});
    auto const race = [&] {
        for (int n = 0; n < 20; ++n) {
            fast.set_step_size(1e10);
            fast.step(1);
        }
    };
    CHECK_THROWS_WITH(race(), Contains("the position of particle 1 of copy"));
}

TEST_CASE("checkpoints of another ring polymer are refused", "[rpmd]") {
    auto const ring_with = [](RPMDIntegrator const& integrator) {
        RingPolymer ring{molecules(), integrator, Reference{}, Double{}};
        ring.set_positions(places_of_molecules());
        return ring;
    };
    Archive archive;
    auto ring = ring_with(valid);
    ring.save(archive);
    auto more = valid, pressed = valid;
    more.copies = 5;
    pressed.barostat = RPMDMonteCarloBarostat{};
    Archive first{archive.bytes()}, second{archive.bytes()}, third{archive.bytes().substr(0, 300)};
    CHECK_THROWS_WITH(ring_with(more).load(first), "the checkpoint is of 4 copies, expected 5");
    CHECK_THROWS_WITH(ring_with(pressed).load(second), Contains("without RPMDMonteCarloBarostat"));
    CHECK_THROWS_AS(ring.load(third), InputError);
}
