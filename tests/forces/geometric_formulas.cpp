// CustomHbondForce and CustomManyParticleForce: values computed by hand, permutations, gradients, and invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <string>

#include <trotter/forces/custom_hbond.hpp>
#include <trotter/forces/custom_many_particle.hpp>

#include "finite_differences.hpp"

using namespace trotter;

namespace geometric_formulas_test {

using Sets = CustomManyParticleForce;
using Hbonds = CustomHbondForce;

namespace {

/// Particles numbered 1, 2, 3, …: the energy 100 a + 10 b + c encodes which were p1, p2 and p3.
Sets numbered(int count, Sets::Permutations permutations, std::vector<int> const& types = {}) {
    Sets force{.energy = Sets::formula("100*n1 + 10*n2 + n3"), .parameter_names = {"n"}, .permutations = permutations};
    for (int i = 0; i < count; ++i)
        force.particles.push_back({{i + 1.0}, types.empty() ? 0 : types[static_cast<std::size_t>(i)]});
    return force;
}
Vectors const row{{0, 0, 0}, {0.3, 0, 0}, {0.6, 0, 0}, {0.9, 0, 0}};
double energy_of(Sets const& force, Vectors const& positions = row) {
    return evaluate(reference_platform, force, Vectors(positions.begin(),
                                         positions.begin() + static_cast<std::ptrdiff_t>(force.particles.size())))
        .energy;
}

template <Force F> std::string refusal(F const& force) {
    try {
        context_of(reference_platform, system_of(force, 4));
    } catch (InputError const& error) {
        return error.what();
    }
    return {};
}

template <Force F>
void check_gradient(TestPlatform const& platform, F const& force, Vectors const& positions, Box const& box, double tolerance = 1e-6) {
    auto context = context_of(platform, system_of(force, positions.size(), box), positions);
    auto const forces = evaluation(context).forces;
    CHECK(rms(forces) > 0.05);
    CHECK(largest_difference(forces, numerical_forces(context, positions)) < tolerance * rms(forces));
}

}  // namespace

TEST_CASE("a donor and an acceptor", "[forces][devices]") {
    auto const platform = each_platform();
    Hbonds force{.energy = Hbonds::formula(
                     "k*q*c*distance(d1, a1) + angle(d2, d1, a1) + dihedral(d2, here, a1, a2); here = d1")};
    force.donor_parameter_names = {"q"};
    force.acceptor_parameter_names = {"c"};
    force.global_parameters = {{"k", 5}};
    force.donors = {{0, 1, -1, {2}}};
    force.acceptors = {{2, 3, -1, {3}}};
    Vectors const positions{{0, 0, 0}, {0, 0.5, 0}, {0.4, 0, 0}, {0.4, 0, 0.3}};
    double const right = std::acos(0.0);
    CHECK(evaluate(platform, force, positions).energy == Approx(30 * 0.4 + right + right).epsilon(1e-12));
    CHECK(evaluate(platform, force, positions, {}, {{"k", 0}}).energy == Approx(2 * right).epsilon(1e-12));
    CHECK(evaluate(platform, force, positions, {}, {{"k", 1}}).forces[2].x == Approx(-6).epsilon(1e-9));
    force.exclusions = {{0, 0}};
    CHECK(evaluate(platform, force, positions).energy == 0);
}

TEST_CASE("tabulated functions of distances, and of numbers", "[forces][devices]") {
    auto const platform = each_platform();
    // A spline through points on a line is the line.
    std::vector<TabulatedFunction> const tables{{.name = "line", .sizes = {5}, .ranges = {{0, 2}}, .values = {1, 2.5, 4, 5.5, 7}},
                                                {.name = "pick", .sizes = {3}, .values = {5, -2, 8}}};
    Hbonds hbonds{.energy = Hbonds::formula("line(distance(d1, a1))*pick(q)", tables)};
    hbonds.tabulated_functions = tables;
    hbonds.donor_parameter_names = {"q"};
    hbonds.donors = {{0, -1, -1, {1}}};
    hbonds.acceptors = {{1}};
    auto const bonded = evaluate(platform, hbonds, {{0, 0, 0}, {0.4, 0, 0}});
    CHECK(bonded.energy == Approx(-2 * 2.2).epsilon(1e-12));
    CHECK(bonded.forces[1].x == Approx(6).epsilon(1e-9));
    Sets sets{.particles_per_set = 2, .energy = Sets::formula("line(distance(p1, p2))", tables), .tabulated_functions = tables,
              .particles = std::vector<Sets::Particle>(2)};
    CHECK(evaluate(platform, sets, {{0, 0, 0}, {0, 0.5, 0}}).energy == Approx(2.5).epsilon(1e-12));
}

TEST_CASE("donors see acceptors that are nearer than the cutoff", "[forces]") {
    Hbonds force{.energy = Hbonds::formula("1"), .method = Hbonds::Method::cutoff_non_periodic};
    force.donors = {{0}, {1}};
    force.acceptors = {{2}, {3}, {1}};
    auto count = [&](double cutoff) {
        force.cutoff_distance = cutoff;
        return evaluate(reference_platform, force, {{0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}, {1.75, 0, 0}}, Box::rectangular(2, 2, 2))
            .energy;
    };
    CHECK(count(0.5) == 1);  // particle 1 with itself; 0 and 1 are not nearer than the cutoff, nor are 1 and 2
    CHECK(count(0.51) == 3);
    force.method = Hbonds::Method::cutoff_periodic;
    CHECK(count(0.3) == 2);  // 0 and 3, by periodic images
    force.method = Hbonds::Method::no_cutoff;
    CHECK(count(0.3) == 6);
}

TEST_CASE("a donor may be excluded from any number of acceptors, and an acceptor from donors", "[forces][devices]") {
    auto const platform = each_platform();
    Hbonds force{.energy = Hbonds::formula("10*distance(d1, a1)")};
    Vectors positions;
    for (int i = 0; i < 14; ++i) {
        (i < 7 ? force.donors : force.acceptors).push_back({i});
        positions.push_back({0.1 * i, i < 7 ? 0.0 : 1.0, 0.2 * (i % 3)});
    }
    double expected = 0;  // over all pairs except seven excluded ones of donor 3 and seven of acceptor 5
    for (int donor = 0; donor < 7; ++donor)
        for (int acceptor = 0; acceptor < 7; ++acceptor)
            if (donor == 3 || acceptor == 5)
                force.exclusions.push_back({donor, acceptor});
            else
                expected += 10 * norm(positions[static_cast<std::size_t>(donor)]
                                      - positions[static_cast<std::size_t>(acceptor) + 7]);
    auto const result = evaluate(platform, force, positions);
    CHECK(result.energy == Approx(expected).epsilon(platform.term_rounding));
    CHECK(result.forces[3] == Vec3<>{});
    CHECK(result.forces[12] == Vec3<>{});
    CHECK(norm(result.forces[0]) > 1);
}

TEST_CASE("forces between donors and acceptors are the gradient", "[forces][devices]") {
    auto const platform = each_platform();
    Hbonds force{.energy = Hbonds::formula(
                     "q*(distance(d1, a1) - 0.9)^4*cos(angle(d2, d1, a1)) + c*sin(dihedral(d3, d2, a1, a2))*"
                     "(distance(a1, d1) - 0.9)^4 + (distance(d1, a1) - 0.9)^4*angle(a3, a2, d2)^2")};
    force.donor_parameter_names = {"q"};
    force.acceptor_parameter_names = {"c"};
    force.cutoff_distance = 0.9;
    for (int n = 0; n < 6; ++n) {
        force.donors.push_back({3 * n, 3 * n + 1, 3 * n + 2, {20.0 + n}});
        force.acceptors.push_back({18 + 3 * n, 19 + 3 * n, 20 + 3 * n, {30.0 - n}});
    }
    force.exclusions = {{2, 3}, {5, 0}};
    auto const positions = scattered(36, skewed_box, 0.15, 31);
    for (auto const method :
         {Hbonds::Method::no_cutoff, Hbonds::Method::cutoff_non_periodic, Hbonds::Method::cutoff_periodic}) {
        force.method = method;
        check_gradient(platform, force, positions, skewed_box);
    }
}

TEST_CASE("which orders of a set's particles count", "[forces]") {
    using enum Sets::Permutations;
    CHECK(energy_of(numbered(3, single)) == 123);
    CHECK(energy_of(numbered(3, unique_central)) == 123 + 213 + 312);
    CHECK(energy_of(numbered(4, single)) == 123 + 124 + 134 + 234);
    auto excluded = numbered(4, single);
    excluded.exclusions = {{2, 1}};
    CHECK(energy_of(excluded) == 124 + 134);
    excluded.permutations = unique_central;
    CHECK(energy_of(excluded) == 124 + 134 + 214 + 314 + 412 + 413);
    auto alone = numbered(3, single);
    alone.particles_per_set = 1;
    alone.energy = Sets::formula("n1*x1");
    CHECK(energy_of(alone) == Approx(2 * 0.3 + 3 * 0.6));
}

TEST_CASE("types decide which particle stands where, and the first order that they allow is taken", "[forces]") {
    using enum Sets::Permutations;
    auto filtered = [](Sets::Permutations permutations, std::vector<int> const& types,
                       std::vector<std::set<int>> const& filters) {
        auto force = numbered(static_cast<int>(types.size()), permutations, types);
        force.type_filters = filters;
        return energy_of(force);
    };
    CHECK(filtered(single, {0, 1, 0}, {{1}}) == 213);
    CHECK(filtered(single, {0, 1, 2}, {{2}, {0}, {1}}) == 312);
    CHECK(filtered(single, {0, 0, 1}, {{1}}) == 321);  // a swap of the first and the third, not a cyclic permutation
    CHECK(filtered(single, {0, 0, 0}, {{1}}) == 0);
    CHECK(filtered(single, {0, 0, 0}, {{}, {0, 3}}) == 123);
    CHECK(filtered(unique_central, {0, 1, 2}, {{1}, {2}}) == 231);
    CHECK(filtered(unique_central, {0, 1, 1}, {{1}}) == 213 + 312);
}

TEST_CASE("with a cutoff a set is of particles near each other, or near the first", "[forces]") {
    using enum Sets::Permutations;
    auto near = [](Sets::Permutations permutations, double cutoff,
                   Sets::Method method = Sets::Method::cutoff_non_periodic) {
        auto force = numbered(4, permutations);
        force.method = method;
        force.cutoff_distance = cutoff;
        return evaluate(reference_platform, force, row, Box::rectangular(1.2, 1.4, 1.4)).energy;
    };
    CHECK(near(single, 0.31) == 0);
    CHECK(near(unique_central, 0.31) == 213 + 324);
    CHECK(near(single, 0.599) == 0);
    CHECK(near(single, 0.61) == 123 + 234);
    CHECK(near(unique_central, 0.31, Sets::Method::cutoff_periodic) == 213 + 324 + 413 + 124);
}

TEST_CASE("the energy of three dipoles that are not there", "[forces][devices]") {
    auto const platform = each_platform();
    // Axilrod-Teller: 11/8 C/r⁹ for an equilateral triangle.
    Sets force{.energy = Sets::formula(
                   "C*(1 + 3*cos(angle(p1, p2, p3))*cos(angle(p2, p3, p1))*cos(angle(p3, p1, p2)))/(distance(p1, p2)*"
                   "pointdistance(x1, y1, z1, x3, y3, z3)*distance(p3, p2))^3"),
               .global_parameters = {{"C", 2e-3}},
               .particles = std::vector<Sets::Particle>(3)};
    double const r = 0.4;
    CHECK(evaluate(platform, force, {{0, 0, 0}, {r, 0, 0}, {r / 2, r * std::sqrt(0.75), 0}}).energy
          == Approx(11.0 / 8 * 2e-3 / std::pow(r, 9)).epsilon(1e-12));
}

TEST_CASE("forces on sets are the gradient", "[forces][devices]") {
    auto const platform = each_platform();
    Sets force{
        .particles_per_set = 4,
        .energy = Sets::formula("s*(distance(p1, p2) - 0.8)^4*(distance(p1, p3) - 0.8)^4*(distance(p1, p4) - 0.8)^4*"
                                "(1 + cos(dihedral(p2, p1, p3, p4))*q1*q4 + 0.3*angle(p2, p1, p4)*q3 + 0.1*x2*z4)"),
        .parameter_names = {"q"},
        .global_parameters = {{"s", 3e4}},
        .permutations = Sets::Permutations::unique_central,
        .cutoff_distance = 0.8};
    for (int i = 0; i < 30; ++i) force.particles.push_back({{0.1 * i - 1}, i % 3});
    force.type_filters = {{}, {0, 1}, {}, {1, 2}};
    force.exclusions = {{0, 5}, {3, 7}, {12, 8}};
    auto const positions = scattered(30, skewed_box, 0.2, 17);
    for (auto const method : {Sets::Method::cutoff_non_periodic, Sets::Method::cutoff_periodic}) {
        force.method = method;
        // Among thousands of sets some are so nearly collinear that a dihedral angle varies strongly within a
        // finite-difference step.
        check_gradient(platform, force, positions, skewed_box, 1e-4);
    }
    force.method = Sets::Method::no_cutoff;
    force.particles_per_set = 3;
    force.permutations = Sets::Permutations::single;
    force.energy = Sets::formula("q1*q2*sin(distance(p1, p2)) + distance(p1, p3)*angle(p1, p2, p3)");
    force.type_filters.clear();
    check_gradient(platform, force, positions, skewed_box);
}

TEST_CASE("sets of thousands of particles come from lists of neighbours", "[forces]") {
    Sets force{.energy = Sets::formula("distance(p1, p2)*distance(p1, p3)"),
               .permutations = Sets::Permutations::unique_central};
    force.method = Sets::Method::cutoff_periodic;
    force.cutoff_distance = 0.31;
    Vectors lattice;
    for (int i = 0; i < 4096; ++i) lattice.push_back({0.3 * (i % 16), 0.3 * (i / 16 % 16), 0.3 * (i / 256)});
    force.particles.resize(lattice.size());
    // Each has six neighbours, hence fifteen pairs of them.
    CHECK(evaluate(reference_platform, force, lattice, Box::rectangular(4.8, 4.8, 4.8)).energy == Approx(4096 * 15 * 0.09));
}

TEST_CASE("functions of points that are no particles", "[forces][devices]") {
    auto const platform = each_platform();
    Sets sets{.particles_per_set = 2,
              .energy = Sets::formula("pointdistance(x1, y1, z1, (x1 + x2)/2, y2, shift) + n1*n2; shift = z2 + s"),
              .parameter_names = {"n"},
              .global_parameters = {{"s", 0.3}},
              .particles = {{{2}}, {{5}}}};
    Vectors const two{{0.1, 0.2, -0.1}, {0.5, 0.4, 0.2}};
    CHECK(evaluate(platform, sets, two).energy == Approx(std::sqrt(0.2 * 0.2 + 0.2 * 0.2 + 0.6 * 0.6) + 10));
    check_gradient(platform, sets, two, {});
    // Points given by numbers, and parameter names shared by donors and acceptors: the acceptor's are used.
    Hbonds bond{.energy = Hbonds::formula("q*pointdistance(x1, 0, 0, 3, 4, 0) + distance(d1, a1)"),
                .donor_parameter_names = {"x1", "q"},
                .acceptor_parameter_names = {"q"},
                .donors = {{0, -1, -1, {0, 100}}},
                .acceptors = {{1, -1, -1, {2}}}};
    CHECK(evaluate(platform, bond, two).energy == Approx(10 + std::sqrt(0.16 + 0.04 + 0.09)));
}

TEST_CASE("donors, acceptors and sets can be updated", "[forces]") {
    auto force = numbered(3, Sets::Permutations::single);
    auto context = context_of(reference_platform, system_of(force, 3), Vectors(row.begin(), row.begin() + 3));
    force.particles[0].parameters = {7};
    force.type_filters = {{0}};
    context.update(0, force);
    CHECK(evaluation(context).energy == 723);
    force.global_parameters = {{"new", 1}};
    CHECK_THROWS_WITH(context.update(0, force),
                      Catch::StartsWith("global parameter 0 is 'new', which is not what it was before"));
}

TEST_CASE("formulas of points refuse what makes no sense", "[forces]") {
    std::string const hbonds = "force 0 (CustomHbondForce): ", sets = "force 0 (CustomManyParticleForce): ";
    auto bond = [](std::string const& formula) {
        return Hbonds{.energy = Hbonds::formula(formula), .donors = {{0}}, .acceptors = {{1}}};
    };
    CHECK(refusal(bond("distance(d1, b)"))
          == hbonds + "argument 2 of distance begins with 'b', expected one of the particles d1, d2, d3, a1, a2, a3");
    CHECK(refusal(bond("distance(d1, 2*a1)"))
          == hbonds + "argument 2 of distance begins with '2', expected one of the particles d1, d2, d3, a1, a2, a3");
    CHECK(refusal(bond("none*distance(d1, a1)"))
          == hbonds + "the formula has the name 'none', expected a parameter of donors or acceptors, a global parameter of the force, or "
                      "a function of particles");
    CHECK(refusal(bond("x1")).starts_with(hbonds + "the formula has the name 'x1'"));
    CHECK(refusal(bond("distance(d1, a2)")) == hbonds + "acceptor 0 has no particle a2, which the formula asks for");
    CHECK(refusal(bond("angle(d3, d1, a1)")) == hbonds + "donor 0 has no particle d3, which the formula asks for");
    auto wrong = bond("1");
    wrong.donors[0].particle2 = 4;
    CHECK(refusal(wrong) == hbonds + "donor 0: there is no particle 4; the System has 4 particles, counted from 0");
    wrong.donors[0] = {-1};
    CHECK(refusal(wrong) == hbonds + "donor 0: there is no particle -1; the System has 4 particles, counted from 0");
    wrong.donors[0] = {0, -1, -1, {1}};
    CHECK(refusal(wrong) == hbonds + "donor 0 has 1 parameters, expected 0");
    wrong.donors[0] = {0};
    wrong.exclusions = {{0, 1}};
    CHECK(refusal(wrong) == hbonds + "exclusion 0: there is no acceptor 1; the force has 1, counted from 0");
    wrong.exclusions = {{0, 0}, {0, 0}};
    CHECK(refusal(wrong) == hbonds + "exclusion 1 repeats an earlier exclusion of donor 0 and acceptor 0");
    wrong.exclusions.clear();
    wrong.method = Hbonds::Method::cutoff_periodic;
    wrong.cutoff_distance = 1.5;
    CHECK(refusal(wrong).starts_with(hbonds + "the cutoff is 1.500000 nm, expected at most 1.000000 nm"));

    auto set = numbered(4, Sets::Permutations::single);
    set.energy = Sets::formula("distance(p1, p4)");
    CHECK(refusal(set) == sets + "argument 2 of distance begins with 'p4', expected a particle, p1 to p3");
    set.energy = Sets::formula("n");
    CHECK(refusal(set).starts_with(
        sets + "the formula has the name 'n', expected a coordinate, a parameter of particles with"));
    set = numbered(3, Sets::Permutations::single);
    CHECK(refusal(set) == sets + "there are parameters of 3 particles, expected 4 as in the System");
    set = numbered(4, Sets::Permutations::single);
    set.particles[2].parameters.clear();
    CHECK(refusal(set) == sets + "particle 2 has 0 parameters, expected 1");
    set = numbered(4, Sets::Permutations::single);
    set.particles_per_set = 0;
    CHECK(refusal(set) == sets + "the number of particles in a set is 0, expected 1 to 12");
    set.particles_per_set = 3;
    set.type_filters.resize(4);
    CHECK(refusal(set) == sets + "there are 4 type filters, expected at most 3 as particles in a set");
    set.type_filters.clear();
    set.exclusions = {{0, 9}};
    CHECK(refusal(set) == sets + "exclusion 0: there is no particle 9; the System has 4 particles, counted from 0");
    set.exclusions = {{1, 1}};
    CHECK(refusal(set) == sets + "exclusion 0 pairs particle 1 with itself");
    set.exclusions = {{1, 2}, {2, 1}};
    CHECK(refusal(set) == sets + "exclusion 1 repeats an earlier exclusion of particles 2 and 1");
    set.exclusions.clear();
    set.method = Sets::Method::cutoff_non_periodic;
    set.cutoff_distance = -1;
    CHECK(refusal(set) == sets + "the cutoff is -1.000000 nm, expected a positive number");
}

}  // namespace geometric_formulas_test
