// CustomCentroidBondForce: values computed by hand, bonds between particles, gradients, molecules, invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <trotter/core/molecules.hpp>
#include <trotter/forces/custom_centroid_bond.hpp>
#include <trotter/replicas/replicate.hpp>

#include "evaluation.hpp"
#include "finite_differences.hpp"

using namespace trotter;

namespace custom_centroid_bond_test {

using Catch::Matchers::Contains;

namespace {

constexpr int count = 23;
Box const box = Box::rectangular(1.1, 1.2, 1.3);

/// Masses 1, 2, 3, …
template <Force F> StandardSystem system_with(F const& force, std::vector<F> const& others = {}) {
    StandardSystem system;
    system.box = box;
    for (int i = 0; i < count; ++i) system.add_particle(i + 1);
    system.add(force);
    for (auto const& other : others) system.add(other);
    return system;
}
CustomCentroidBondForce force_of(int groups_per_bond, std::string const& formula,
                                 std::vector<TabulatedFunction> const& tables = {}) {
    return {.groups_per_bond = groups_per_bond,
            .energy = CustomCentroidBondForce::formula(formula, tables),
            .parameter_names = {"k"},
            .tabulated_functions = tables,
            .global_parameters = {{"scale", 1}},
            .energy_parameter_derivatives = {"scale"},
            .groups = {{{0, 1, 2}},
                       {{3, 4}, {0.25, 0.5}},
                       {{5}},
                       {{6, 7, 8, 9, 10, 11, 12, 13}},
                       {{14, 15, 16, 0, 5}, {1, 2, -0.5, 1, 0}}}};
}
std::string refusal(CustomCentroidBondForce const& force) {
    try {
        context_of(reference_platform, system_with(force));
    } catch (InputError const& error) {
        return error.what();
    }
    return "taken";
}
TabulatedFunction table() { return {.name = "t", .sizes = {5}, .ranges = {{0, 2}}, .values = {1, 3, 2, 0.5, 1}}; }
Vectors const positions = scattered(static_cast<std::size_t>(count), box, 0.2, 5);

}  // namespace

TEST_CASE("a spring between two centroids", "[forces]") {
    auto const platform = each_platform();
    auto force = force_of(2, "k*distance(g1, g2)^2");
    force.bonds = {{{0, 1}, {10}}};
    Vectors at(count);
    at[1] = {3, 0, 0}, at[2] = {0, 2, 0};  // weights 1/6, 1/3, 1/2: (1, 1, 0)
    at[3] = {1, 1, 3}, at[4] = {4, 1, 0};  // weights 1/3, 2/3: (3, 1, 1)
    auto context = context_of(platform, system_with(force), at);
    auto const found = evaluation(context);
    double const close = platform.term_rounding;
    CHECK(found.energy == Approx(10 * 5).epsilon(close));
    Vec3<> const pull{2 * 10 * 2, 0, 2 * 10 * 1};
    CHECK(norm(found.forces[0] - pull / 6.0) < 100 * close + 1e-9);
    CHECK(norm(found.forces[2] - pull / 2.0) < 100 * close + 1e-9);
    CHECK(norm(found.forces[4] + pull * (2 / 3.0)) < 100 * close + 1e-9);
    CHECK(norm(found.forces[5]) == 0);
}

TEST_CASE("centroids of single particles are the particles", "[forces]") {
    auto const platform = each_platform();
    std::string const text = "scale*(k*angle(1, 2, 3) + dihedral(4, 3, 2, 1)^2 + x1*y2 + t(distance(1, 4)))";
    auto const with = [&](char letter) {
        std::string result;
        for (std::size_t n = 0; n < text.size(); ++n) {
            bool const is_point = text[n] >= '1' && text[n] <= '4' && (text[n - 1] == '(' || text[n - 1] == ' ');
            result += is_point ? std::string{letter, text[n]} : std::string{text[n]};
        }
        return result;
    };
    for (bool const is_periodic : {false, true}) {
        auto force = force_of(4, with('g'), {table()});
        CustomCompoundBondForce compound{.particles_per_bond = 4,
                                         .energy = CustomCompoundBondForce::formula(with('p'), {table()}),
                                         .parameter_names = {"k"},
                                         .tabulated_functions = {table()},
                                         .global_parameters = {{"scale", 1}},
                                         .energy_parameter_derivatives = {"scale"}};
        force.periodic = compound.periodic = is_periodic;
        force.groups.clear();
        for (int i = 0; i < count; ++i) force.groups.push_back({{count - 1 - i}});
        for (int i = 0; i + 4 <= count; ++i) {
            force.bonds.push_back({{i, i + 1, i + 3, i + 2}, {3.0 + i}});
            compound.bonds.push_back({{count - 1 - i, count - 2 - i, count - 4 - i, count - 3 - i}, {3.0 + i}});
        }
        auto context = context_of(platform, system_with(force), positions);
        auto other = context_of(reference_platform, system_with(compound), positions);
        auto const found = evaluation(context), expected = evaluation(other);
        double const close = 100 * platform.term_rounding;
        CHECK(found.energy == Approx(expected.energy).epsilon(close));
        CHECK(largest_difference(found.forces, expected.forces) < close * rms(expected.forces) + 1e-9);
        CHECK(found.derivatives.at("scale") == Approx(expected.energy).epsilon(close));
        if (platform.is_on_device) return;  // slow compilers
    }
}

TEST_CASE("forces of bonds of centroids are minus the gradient, with two forces and updates", "[forces]") {
    auto const platform = each_platform();
    auto force = force_of(3, "scale*(k*angle(g1, g2, g3) + t(distance(g1, g3)) + x1*y2*z3)", {table()});
    force.bonds = {{{0, 1, 2}, {20}}, {{3, 4, 1}, {10}}, {{4, 2, 0}, {7}}};
    auto second = force_of(1, "scale*k*(x1^2 + y1*z1)");
    second.force_group = 1;
    second.groups.pop_back();
    second.bonds = {{{3}, {5}}, {{0}, {3}}};
    auto context = context_of(platform, system_with(force, {second}), positions);
    auto reference = context_of(reference_platform, system_with(force, {second}), positions);
    auto const check = [&] {
        auto const found = evaluation(context), expected = evaluation(reference);
        // fourth order in steps of 1e-4 nm
        CHECK(largest_difference(numerical_forces(reference, positions), expected.forces)
              < 1e-6 * rms(expected.forces));
        CHECK(found.energy == Approx(expected.energy).epsilon(100 * platform.term_rounding));
        CHECK(largest_difference(found.forces, expected.forces)
              < 100 * platform.term_rounding * rms(expected.forces) + 1e-9);
        CHECK(found.derivatives.at("scale") == Approx(expected.energy).epsilon(100 * platform.term_rounding));
    };
    check();
    for (auto& bond : force.bonds) bond.parameters[0] *= 2;
    force.tabulated_functions[0].values = {3, 1, 2, 2, 2};
    context.update(0, force);
    reference.update(0, force);
    reference.set_positions(positions);
    check();
    auto const groups = evaluation(context, ForceGroups::only({1}));
    reference.set_positions(positions);
    CHECK(groups.energy
          == Approx(evaluation(reference, ForceGroups::only({1})).energy).epsilon(100 * platform.term_rounding));
    force.groups[0].weights = {1, 1, 1};
    CHECK_THROWS_WITH(context.update(0, force), Contains("the groups have changed"));
}

TEST_CASE("bonds of several groups connect all their particles to a molecule", "[forces]") {
    auto force = force_of(2, "distance(g1, g2)");
    force.bonds = {{{0, 1}, {1}}, {{2, 2}, {1}}, {{3, 3}, {1}}};
    auto const molecules = find_molecules(system_with(force));
    CHECK(molecules[0] == std::vector<int>{0, 1, 2, 3, 4});
    CHECK(molecules[1] == std::vector<int>{5});
    CHECK(molecules[2] == std::vector<int>{6, 7, 8, 9, 10, 11, 12, 13});
    auto single = force_of(1, "x1");
    single.bonds = {{{0}, {1}}};
    CHECK(find_molecules(system_with(single)).size() == count);
    auto const copies = replicate(force, count, 2);
    CHECK(copies.groups[6].particles == std::vector<int>{count + 3, count + 4});
    CHECK(copies.bonds[3].groups == std::vector<int>{5, 6});
}

TEST_CASE("senseless bonds of centroids are refused", "[forces]") {
    auto const force = [] {
        auto result = force_of(2, "k*distance(g1, g2)");
        result.bonds = {{{0, 1}, {1}}, {{2, 3}, {1}}};
        return result;
    }();
    CHECK(refusal(force) == "taken");
    auto changed = force;
    changed.groups_per_bond = 0;
    CHECK_THAT(refusal(changed), Contains("the number of groups of each bond is 0, expected at least 1"));
    changed = force;
    changed.energy = CustomCentroidBondForce::formula("distance(g1, p2)");
    CHECK_THAT(refusal(changed), Contains("argument 2 of distance begins with 'p2', expected a group, g1 to g2"));
    changed.energy = CustomCentroidBondForce::formula("distance(g1, g2) + x3");
    CHECK_THAT(refusal(changed), Contains("the formula has the name 'x3'"));
    changed = force;
    changed.bonds[1].groups = {2};
    CHECK_THAT(refusal(changed), Contains("Bond 1 has 1 groups, expected 2"));
    changed.bonds[1].groups = {2, 5};
    CHECK_THAT(refusal(changed), Contains("Bond 1: there is no group 5; the force has 5"));
    changed.bonds[1] = {{2, 3}, {}};
    CHECK_THAT(refusal(changed), Contains("Bond 1 has 0 parameters, expected 1"));
    changed = force;
    changed.groups[1].weights = {1};
    CHECK_THAT(refusal(changed), Contains("group 1 has 1 weights for 2 particles"));
    changed.groups[1].weights = {1, -1};
    CHECK_THAT(refusal(changed),
               Contains("the weights of group 1 add up to 0.000000, expected a finite number other than 0"));
    changed.groups[1] = {{3, count}};
    CHECK_THAT(refusal(changed), Contains("group 1: there is no particle 23"));
    changed.groups[1] = {};
    CHECK_THAT(refusal(changed), Contains("the weights of group 1 add up to 0.000000"));
}

}  // namespace custom_centroid_bond_test
