// A user-defined pair force in files, by its fields.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <trotter/io/system.hpp>

#include "../../examples/pair_force.hpp"

using namespace trotter;
using Catch::Matchers::Contains;

namespace {

using List = ForceList<FadingForce>;

System<List> three_particles() {
    System<List> system;
    for (int i = 0; i < 3; ++i) system.add_particle(1);
    FadingForce force{.particles = {{0.3, 1}, {0.1, 2}, {1.0 / 3, 0}}};
    force.pairs = {.method = PairSettings::Method::cutoff_periodic,
                   .cutoff_distance = 0.7,
                   .use_switching_function = true,
                   .switching_distance = 0.6,
                   .use_long_range_correction = true,
                   .exclusions = {{0, 2}, {2, 1}}};
    force.global_parameters[0].default_value = 0.25;
    force.force_group = 5;
    system.add(force);
    return system;
}
std::string replaced(std::string text, std::string const& old, std::string const& by) {
    REQUIRE(text.find(old) != text.npos);
    return text.replace(text.find(old), old.size(), by);
}

}  // namespace

TEST_CASE("a described force of pairs is read as it was written", "[io]") {
    auto const system = three_particles();
    auto const text = system_to_xml(system);
    auto const read = parse_system<List>(text);
    auto const &before = system.forces<FadingForce>()[0], &after = read.forces<FadingForce>().at(0);
    CHECK(after.pairs == before.pairs);
    CHECK(after.force_group == 5);
    REQUIRE(after.particles.size() == 3);
    CHECK(after.particles[2].sigma == before.particles[2].sigma);
    CHECK(after.particles[1].epsilon == 2);
    CHECK(after.global_parameters[0].default_value == 0.25);
    CHECK(system_to_xml(read) == text);
}

TEST_CASE("what a described force of pairs has not is refused by line", "[io]") {
    auto const text = system_to_xml(three_particles());
    CHECK_THROWS_WITH(parse_system<List>(replaced(text, "\"lambda\"", "\"kappa\"")),
                      Contains("kappa") && Contains("global parameters"));
    CHECK_THROWS_WITH(parse_system<List>(replaced(text, "p2=\"1\"", "p2=\"3\"")), Contains("p2") && Contains("3"));
    CHECK_THROWS_WITH(parse_system<List>(replaced(text, "method=\"2\"", "method=\"3\"")), Contains("method"));
    CHECK_THROWS_WITH(parse_system<List>(replaced(text, "epsilon=\"2\"", "epsilon=\"-2\"")),
                      Contains("epsilon") && Contains("not negative"));
}
