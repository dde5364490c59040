// Tests many-body formulas on devices against Reference.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "user_forces/own_contexts.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <trotter/forces/custom_hbond.hpp>
#include <trotter/forces/custom_many_particle.hpp>

using namespace trotter;
using Hbonds = CustomHbondForce;
using Sets = CustomManyParticleForce;

namespace {

using Expected = TestedBackend<Reference, Double>;

// Terms use positions in double on devices that have it, and forces are multiples of 2^-32 kJ/mol/nm; a particle
// receives some hundred.
constexpr double rounding = 1e-10, unit = 1e-7;

void check_same(Evaluation const& found, Evaluation const& expected) {
    CHECK(rms(expected.forces) > 0.05);
    CHECK(largest_difference(found.forces, expected.forces) < rounding * rms(expected.forces) + unit);
    CHECK(found.energy == Approx(expected.energy).epsilon(rounding));
}
template <class Tested, Force F>
void check_against_reference(F const& force, Vectors const& positions, Box const& box) {
    check_same(evaluate<Tested>(force, positions, box), evaluate<Expected>(force, positions, box));
}

/// Boxes with many cells along each edge.
std::vector<Box> const spacious{Box::rectangular(8, 8.1, 8.2), {{8, 0, 0}, {2.5, 8.1, 0}, {-2.4, 3, 8.2}}};

/// Points close together, with images far apart; those from `first` on are sorted.
Vectors spread(std::size_t count, Box const& box, std::ptrdiff_t first = 0) {
    auto positions = scattered(count, Box::rectangular(2.6, 2.5, 2.7), 0.1, 5);
    std::sort(positions.begin() + first, positions.end(), [](auto const& a, auto const& b) { return a.z < b.z; });
    for (std::size_t i = 0; i < count; ++i) positions[i] += box.a * (i % 5 == 0) + box.c * (i % 7 == 0);
    return positions;
}

/// Donors of three particles; one acceptor in seven lacks a second particle, which the formula does not use.
Hbonds bonds_between(int donors, int acceptors) {
    std::vector<TabulatedFunction> const tables{
        {.name = "line", .sizes = {5}, .ranges = {{0, 4}}, .values = {1, 2.5, 3, 5.5, 7}},
        {.name = "pick", .sizes = {3}, .values = {5, -2, 8}}};
    Hbonds force{.energy = Hbonds::formula("k*q*c*line(distance(d1, a1))*cos(angle(d2, d1, a1)) + "
                                           "pick(t)*sin(dihedral(d3, d2, d1, a1))*distance(d2, a1)^2", tables),
                 .donor_parameter_names = {"q", "t"},
                 .acceptor_parameter_names = {"c"},
                 .global_parameters = {{"k", 3}},
                 .tabulated_functions = tables,
                 .cutoff_distance = 0.6};
    for (int n = 0; n < donors; ++n) force.donors.push_back({3 * n, 3 * n + 1, 3 * n + 2, {1 + 0.1 * n, n % 3 * 1.0}});
    for (int n = 0; n < acceptors; ++n) {
        int const first = 3 * donors + n;
        force.acceptors.push_back({first, n % 7 == 0 || n == 0 ? -1 : first - 1, -1, {2 - 0.02 * n}});
    }
    return force;
}

/// Sets of `size` of 100 particles of three types, each excluded from two others.
Sets sets_of(int size, std::string const& formula, Sets::Permutations permutations, double cutoff) {
    Sets force{.particles_per_set = size,
               .energy = Sets::formula(formula),
               .parameter_names = {"q", "s"},
               .global_parameters = {{"k", 2}},
               .permutations = permutations,
               .cutoff_distance = cutoff};
    for (int i = 0; i < 100; ++i) force.particles.push_back({{1 + 0.02 * i, 0.3 + 0.01 * (i % 9)}, i % 3});
    for (int i = 0; i < 99; ++i) force.exclusions.push_back({i, i + 1});
    return force;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("donors and acceptors with and without a cutoff", "[device]", TestedBackends) {
    constexpr int donors = 70, acceptors = 67;  // more than two work-groups
    auto force = bonds_between(donors, acceptors);
    for (int donor = 0; donor < donors; ++donor)
        for (int n = 0; n < 6; ++n) force.exclusions.push_back({donor, (donor + 11 * n) % acceptors});
    for (auto const& box : spacious) {
        auto const positions = spread(3 * donors + acceptors, box, 3 * donors);
        for (auto const method :
             {Hbonds::Method::no_cutoff, Hbonds::Method::cutoff_non_periodic, Hbonds::Method::cutoff_periodic}) {
            INFO("method " << static_cast<int>(method));
            force.method = method;
            check_against_reference<TestType>(force, positions, box);
        }
    }
    // Two cells along one edge, one along another, and an oblique one.
    Box const few_cells{{2.6, 0, 0}, {0.7, 1.9, 0}, {-0.6, 0.5, 2.8}};
    force.method = Hbonds::Method::cutoff_periodic;
    force.cutoff_distance = 0.93;
    check_against_reference<TestType>(force, spread(3 * donors + acceptors, few_cells, 3 * donors), few_cells);
}

TEMPLATE_LIST_TEST_CASE("donors and acceptors that change, in a group of forces, or none", "[device]", TestedBackends) {
    auto force = bonds_between(5, 9);
    force.force_group = 2;
    auto const positions = scattered(24, small_box, 0.1, 3);
    auto here = context_of<TestType>(own_system_of(force, 24, small_box), positions);
    auto expected = context_of<Expected>(own_system_of(force, 24, small_box), positions);
    check_same(evaluation(here), evaluation(expected));
    CHECK(evaluation(here, ForceGroups::only({1})).energy == 0);
    CHECK(rms(evaluation(here, ForceGroups::only({1})).forces) == 0);
    check_same(evaluation(here, ForceGroups::only({2})), evaluation(expected, ForceGroups::only({2})));
    here.set_parameter("k", -1.5);
    expected.set_parameter("k", -1.5);
    check_same(evaluation(here), evaluation(expected));
    force.donors[2].parameters[0] = 7;
    force.acceptors.pop_back();
    force.exclusions = {{1, 2}};
    here.update(0, force);
    expected.update(0, force);
    check_same(evaluation(here), evaluation(expected));
    force.exclusions.clear();
    force.acceptors.clear();
    here.update(0, force);
    CHECK(evaluation(here).energy == 0);
    CHECK(evaluate<TestType>(bonds_between(0, 3), positions).energy == 0);
}

TEMPLATE_LIST_TEST_CASE("sets of two, three and four, with a cutoff and types", "[device]", TestedBackends) {
    using enum Sets::Permutations;
    using enum Sets::Method;
    struct {
        int size;
        std::string formula;
        Sets::Permutations permutations;
        Sets::Method method;
        std::vector<std::set<int>> filters;
    } const cases[] = {
        {2, "k*q1*s2*(distance(p1, p2) - s1)^2", single, cutoff_non_periodic, {{}, {0, 1}}},
        {3, "k*q1*(distance(p1, p2) - s1)^2*cos(angle(p2, p1, p3)) + q3*distance(p2, p3)", single, cutoff_periodic, {}},
        {3, "k*(distance(p1, p2) - s1)^2*cos(angle(p2, p1, p3)) + q3*x2*x2", unique_central, cutoff_periodic,
         {{1, 2}, {0}, {}}},
        {4, "k*s1*q4*distance(p1, p2)*sin(angle(p2, p3, p4))*distance(p4, p1)", single, cutoff_periodic,
         {{2}, {}, {0, 1}}}};
    for (auto const& c : cases) {
        INFO(c.formula);
        auto force = sets_of(c.size, c.formula, c.permutations, 0.8);
        force.method = c.method;
        force.type_filters = c.filters;
        for (auto const& box : spacious) check_against_reference<TestType>(force, spread(100, box), box);
    }
}

TEMPLATE_LIST_TEST_CASE("more neighbours than lists hold, and sets that change", "[device]", TestedBackends) {
    // Far apart, particles have few neighbors; close together, most have more than 48, which the first evaluation
    // searches without lists and the second finds in lists.
    auto const central = Sets::Permutations::unique_central;
    auto force = sets_of(3, "k*q1*(distance(p1, p2) - s1)^2*distance(p1, p3)*q3", central, 2);
    force.method = Sets::Method::cutoff_non_periodic;
    force.force_group = 1;
    auto const positions = scattered(100, small_box, 0.1, 8);
    auto apart = positions;
    for (auto& position : apart) position *= 4;
    auto here = context_of<TestType>(own_system_of(force, 100, small_box), apart);
    auto expected = context_of<Expected>(own_system_of(force, 100, small_box), apart);
    check_same(evaluation(here), evaluation(expected));
    here.set_positions(positions);
    expected.set_positions(positions);
    auto const first = evaluation(here), second = evaluation(here);
    check_same(first, evaluation(expected));
    CHECK(first.forces == second.forces);
    CHECK(second.energy == Approx(first.energy).epsilon(rounding));
    CHECK(evaluation(here, ForceGroups::only({0})).energy == 0);
    here.set_parameter("k", 0.5);
    expected.set_parameter("k", 0.5);
    force.particles[3].parameters = {4, 0.2};
    force.exclusions.resize(40);
    force.exclusions.push_back({7, 90});
    here.update(0, force);
    expected.update(0, force);
    check_same(evaluation(here), evaluation(expected));
    force.type_filters = {{0}, {}, {1}};
    here.update(0, force);
    expected.update(0, force);
    check_same(evaluation(here), evaluation(expected));
}
