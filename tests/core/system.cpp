// Systems: order of forces, conversion to longer force lists, validation of particles, molecules.
// SPDX-License-Identifier: MIT
#include <utility>

#include <trotter/core/molecules.hpp>
#include <trotter/core/particles_check.hpp>
#include <trotter/standard_system.hpp>

#include "catch_compat.hpp"

using namespace trotter;

namespace {
System<ForceList<HarmonicBondForce, HarmonicAngleForce>> three_particles() {
    System<ForceList<HarmonicBondForce, HarmonicAngleForce>> system;
    for (int i = 0; i < 3; ++i) system.add_particle(1);
    return system;
}
}  // namespace

TEST_CASE("forces are numbered in the order in which they were added, whatever their type") {
    auto system = three_particles();
    CHECK(system.add(HarmonicAngleForce{.force_group = 1}) == 0);
    CHECK(system.add(HarmonicBondForce{.force_group = 2}) == 1);
    CHECK(system.add(HarmonicAngleForce{.force_group = 3}) == 2);
    std::vector<int> groups;
    system.for_each_force([&](int index, auto const& force) {
        CHECK(index == static_cast<int>(groups.size()));
        groups.push_back(force.force_group);
    });
    CHECK(groups == std::vector<int>{1, 2, 3});
    CHECK(system.forces<HarmonicAngleForce>()[1].force_group == 3);
    CHECK_THROWS_WITH(system.visit_force(3, [](auto const&) {}), "there is no force 3; the System has 3");

    CHECK(std::as_const(system).force<HarmonicAngleForce>(2).force_group == 3);
    system.force<HarmonicAngleForce>(2).force_group = 7;
    CHECK(system.forces<HarmonicAngleForce>()[1].force_group == 7);
    CHECK_THROWS_WITH(system.force<HarmonicBondForce>(2), "force 2 is not a HarmonicBondForce");
    CHECK_THROWS_WITH(std::as_const(system).force<HarmonicBondForce>(-1), "there is no force -1; the System has 3");
}

TEST_CASE("a System with a shorter list converts to one with a longer list and keeps the order") {
    auto system = three_particles();
    system.add(HarmonicAngleForce{.force_group = 1});
    system.add(HarmonicBondForce{.force_group = 2});
    StandardSystem const standard = system;
    CHECK(standard.particle_count() == 3);
    std::vector<std::string_view> names;
    standard.for_each_force([&]<class F>(int, F const&) { names.push_back(F::name); });
    CHECK(names == std::vector<std::string_view>{"HarmonicAngleForce", "HarmonicBondForce"});
}

TEST_CASE("particles that make no sense are refused with their index") {
    auto const message = [](auto change) {
        auto system = three_particles();
        change(system);
        try {
            system.particles.check();
        } catch (InputError const& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(message([](auto&) {}).empty());
    CHECK(message([](auto& s) { s.particles.masses[1] = -5; })
          == "particle 1 has mass -5.000000, expected a finite number that is not negative");
    CHECK(message([](auto& s) { s.particles.masses[2] = std::nan(""); }).starts_with("particle 2 has mass"));
    CHECK(message([](auto& s) { s.add_constraint(0, 3, 0.1); })
          == "constraint 0: there is no particle 3; the System has 3 particles, counted from 0");
    CHECK(message([](auto& s) { s.add_constraint(1, 1, 0.1); }) == "constraint 0 ties particle 1 to itself");
    CHECK_THAT(message([](auto& s) { s.add_constraint(0, 1, 0); }), Catch::Contains("expected a positive number"));
    CHECK_THAT(message([](auto& s) { s.add_constraint(0, 1, 0.1), s.add_constraint(1, 0, 0.1); }),
               Catch::Contains("constraint 1 between particles 1 and 0 repeats an earlier constraint"));
    auto const repeat_the_first = [](auto& s) {
        s.add_constraint(2, 1, 0.1), s.add_constraint(0, 1, 0.1), s.add_constraint(1, 2, 0.1);
    };
    CHECK_THAT(message(repeat_the_first),
               Catch::Contains("constraint 2 between particles 1 and 2 repeats an earlier constraint"));
    CHECK_THAT(message([](auto& s) { s.particles.masses[0] = 0, s.add_constraint(0, 1, 0.1); }), Catch::Contains("frozen"));
    CHECK(message([](auto& s) { s.particles.masses[0] = s.particles.masses[1] = 0, s.add_constraint(0, 1, 0.1); }).empty());
    CHECK_THAT(message([](auto& s) { s.set_virtual_site(0, TwoParticleAverageSite{1, 2, 0.5, 0.5}); }),
               Catch::Contains("particle 0 is a virtual site but has mass"));
    CHECK_THAT(message([](auto& s) { s.particles.masses[0] = 0, s.set_virtual_site(0, TwoParticleAverageSite{1, 7, 0.5, 0.5}); }),
               Catch::Contains("there is no particle 7"));
    CHECK_THAT(message([](auto& s) { s.particles.masses[0] = 0, s.set_virtual_site(0, TwoParticleAverageSite{0, 1, 0.5, 0.5}); }),
               Catch::Contains("depends on itself"));
}

TEST_CASE("molecules are what constraints, bonds and virtual sites connect; angles connect nothing") {
    StandardSystem system;
    for (int i = 0; i < 8; ++i) system.add_particle(i == 5 ? 0 : 1);
    system.add_constraint(0, 3, 0.1);
    system.add(HarmonicBondForce{.bonds = {{1, 2, 0.1, 0}}});
    system.add(HarmonicAngleForce{.angles = {{0, 1, 6, 1, 1}}});
    system.set_virtual_site(5, TwoParticleAverageSite{4, 7, 0.5, 0.5});
    CHECK(find_molecules(system) == std::vector<std::vector<int>>{{0, 3}, {1, 2}, {4, 5, 7}, {6}});
}

TEST_CASE("text is the formula of a force") {
    std::string const text = "k*r^2";
    CustomBondForce const literal{.energy = "k*r^2"}, string{.energy = text};
    CHECK(literal.energy == RuntimeExpression("k*r^2"));
    CHECK(string.energy.names() == std::vector<std::string>{"k", "r"});
    CHECK(literal.energy.is_set());
    CHECK_THROWS_WITH(CustomBondForce{.energy = "k*(r-r0"}, Catch::Contains("this parenthesis is never closed at column 3"));
}
