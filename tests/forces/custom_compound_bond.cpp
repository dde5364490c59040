// CustomCompoundBondForce: against built-in forces, gradients, point functions, invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <cstddef>
#include <string>

#include <trotter/core/molecules.hpp>
#include <trotter/forces/custom_compound_bond.hpp>
#include <trotter/forces/harmonic_angle.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/forces/periodic_torsion.hpp>
#include <trotter/replicas/replicate.hpp>

#include "evaluation.hpp"
#include "finite_differences.hpp"

using namespace trotter;

namespace custom_compound_bond_test {

using Catch::Matchers::Contains;

namespace {

constexpr int count = 23;  // chains end within a SIMD batch of terms
Box const box = Box::rectangular(1.1, 1.2, 1.3);

/// Bonds of particles i, i + 1, …
CustomCompoundBondForce chain(int size, std::string const& formula, std::vector<TabulatedFunction> const& tables = {}) {
    CustomCompoundBondForce force{.particles_per_bond = size,
                                  .energy = CustomCompoundBondForce::formula(formula, tables),
                                  .parameter_names = {"a", "k"},
                                  .tabulated_functions = tables,
                                  .global_parameters = {{"scale", 1}},
                                  .energy_parameter_derivatives = {"scale"},
                                  .periodic = true};
    for (int i = 0; i + size <= count; ++i) {
        auto& bond = force.bonds.emplace_back(CustomCompoundBondForce::Bond{{}, {0.3 + 0.01 * i, 100.0 + i}});
        for (int p = 0; p < size; ++p) bond.particles.push_back(i + p);
    }
    return force;
}
template <class F, class Term> F built_in(Term const& term, int size) {
    F force{.periodic = true};
    for (int i = 0; i + size <= count; ++i) (force.*F::terms).push_back(term(i));
    return force;
}

template <class Known> void check_same(TestPlatform const& platform, CustomCompoundBondForce const& custom, Known const& known) {
    auto const positions = scattered(static_cast<std::size_t>(count), box, 0.2, 3);
    auto const found = evaluate(platform, custom, positions, box);
    auto const expected = evaluate(reference_platform, known, positions, box);
    double const rounding = 20 * platform.term_rounding;
    CHECK(std::abs(found.energy - expected.energy) < rounding * std::abs(expected.energy));
    CHECK(largest_difference(found.forces, expected.forces) < rounding * rms(expected.forces) + 0x1p-31);
}
void check_gradient(TestPlatform const& platform, CustomCompoundBondForce const& force) {
    auto const positions = scattered(static_cast<std::size_t>(count), box, 0.2, 5);
    auto const found = evaluate(platform, force, positions, box);
    auto context = context_of(reference_platform, system_of(force, positions.size(), box), positions);
    auto const energy = evaluation(context).energy;
    auto const expected = numerical_forces(context, positions);
    // fourth order in steps of 1e-4 nm
    CHECK(largest_difference(found.forces, expected)
          < 1e-6 * rms(expected) + 50 * platform.term_rounding * rms(expected));
    CHECK(found.energy == Approx(energy).epsilon(100 * platform.term_rounding));
    CHECK(found.derivatives.at("scale") == Approx(energy).epsilon(100 * platform.term_rounding));
}
TabulatedFunction table() {
    return {.name = "t",
            .sizes = {5, 3},
            .ranges = {{0, 2}, {-4, 4}},
            .values = {1, 3, 2, 0.5, 1, 2, 2, 4, 1, 0, 0, 1, 3, 2, 5}};
}
template <class F> std::string refusal(F const& force) {
    try {
        context_of(reference_platform, system_of(force, count, box));
    } catch (InputError const& error) {
        return error.what();
    }
    return "taken";
}

}  // namespace

TEST_CASE("distances, angles and dihedrals of particles are those of built-in forces", "[forces]") {
    auto const platform = each_platform();
    check_same(platform, chain(2, "scale*k/2*(distance(p1, p2) - a)^2"),
                         built_in<HarmonicBondForce>(
                             [](int i) {
                                 return HarmonicBondForce::Bond{i, i + 1, 0.3 + 0.01 * i, 100.0 + i};
                             },
                             2));
    check_same(platform, chain(3, "k/2*(angle(p1, p2, p3) - a)^2"),
                         built_in<HarmonicAngleForce>(
                             [](int i) {
                                 return HarmonicAngleForce::Angle{i, i + 1, i + 2, 0.3 + 0.01 * i, 100.0 + i};
                             },
                             3));
    check_same(platform, 
        chain(4, "k*(1 + cos(2*dihedral(first, p2, p3, p4) - a)); first = p1"),
        built_in<PeriodicTorsionForce>(
            [](int i) { return PeriodicTorsionForce::Torsion{i, i + 1, i + 2, i + 3, 2, 0.3 + 0.01 * i, 100.0 + i}; },
            4));
}

TEST_CASE("forces of bonds of any number of particles are minus the gradient", "[forces]") {
    auto const platform = each_platform();
    check_gradient(platform, 
        chain(5,
              "scale*(distance(p1, p5)*angle(p2, p3, p1) + k/100*cos(dihedral(p5, p4, p3, p1)) + x2*y3^2 - z5*a"
              " + pointdistance((x1+x2)/2, (y1+y2)/2, (z1+z2)/2, x4, y4, z4)^2"
              " + pointangle(x1, y1, z1, 0.1, 0.2, 0.3, x3, y3, z3) + sin(pointdihedral(x1, y1, z1, 0, 0, 1, x5, y5, "
              "z5, x4, y4, 2*z4))"
              " + pointdistance(0, 0, 0, 0.1, 0.2, 0.2))"));
    check_gradient(platform, chain(3, "scale*(t(distance(p1, p2), a) + k*t(angle(p1, p2, p3), x1 - y3))", {table()}));
    check_gradient(platform, chain(1, "scale*k*(x1^2 + pointdistance(x1, y1, z1, 0.1, 0.2, 0.3))"));
}

TEST_CASE("numbers of bonds and tables are updated in a live Context", "[forces]") {
    auto const platform = each_platform();
    auto force = chain(3, "scale*(t(distance(p1, p2), a) + k*angle(p1, p2, p3) + t(1, 0.5))", {table()});
    auto const positions = scattered(static_cast<std::size_t>(count), box, 0.2, 5);
    auto context = context_of(platform, system_of(force, count, box), positions);
    (void)evaluation(context);
    for (auto& bond : force.bonds) bond.parameters = {0.1, 3};
    for (double& value : force.tabulated_functions[0].values) value *= value;
    context.update(0, force);
    auto const found = evaluation(context), expected = evaluate(reference_platform, force, positions, box);
    CHECK(found.energy == Approx(expected.energy).epsilon(20 * platform.term_rounding));
    CHECK(largest_difference(found.forces, expected.forces)
          < 20 * platform.term_rounding * rms(expected.forces) + 0x1p-31);
    force.tabulated_functions[0].periodic = true;
    for (double& value : force.tabulated_functions[0].values) value = 1;
    CHECK_THROWS_WITH(context.update(0, force), Contains("'t' has changed its name, its sizes or its kind"));
    force.tabulated_functions[0].periodic = false;
    force.bonds[2].particles = {2, 3, 1};
    CHECK_THROWS_WITH(context.update(0, force), Contains("Bond 2 acts on other particles than before"));
}

TEST_CASE("collinear and coinciding particles have finite forces", "[forces]") {
    auto const platform = each_platform();
    auto force = chain(4, "distance(p1, p2) + angle(p1, p2, p3) + dihedral(p1, p2, p3, p4)");
    force.bonds.resize(1);
    for (Vectors const& positions : {Vectors{{0, 0, 0}, {0.1, 0, 0}, {0.2, 0, 0}, {0.3, 0, 0}},
                                     Vectors{{0, 0, 0}, {0.1, 0, 0}, {0, 0, 0}, {0.3, 0, 0}},
                                     Vectors{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}) {
        auto const found = evaluate(platform, force, positions, box);
        CHECK(std::isfinite(found.energy));
        for (auto const& f : found.forces) CHECK(std::isfinite(norm(f)));
    }
}

TEST_CASE("compound bonds tie no molecules and act in every copy of a System", "[forces]") {
    auto const force = chain(3, "distance(p1, p3)");
    CHECK(find_molecules(system_of(force, count, box)).size() == count);
    CHECK(replicate(force, count, 2).bonds.back().particles
          == std::vector<int>{2 * count - 3, 2 * count - 2, 2 * count - 1});
}

TEST_CASE("senseless compound bonds are refused", "[forces]") {
    CHECK(refusal(chain(2, "distance(p1, p2)")) == "taken");
    CHECK(
        refusal(chain(2, "distance(p1, p3)"))
        == "force 0 (CustomCompoundBondForce): argument 2 of distance begins with 'p3', expected a particle, p1 to p2");
    for (auto const* argument : {"x1", "2*p2", "P1", "p0", "p01", "p", "p1x", "(p1)", "1"})
        CHECK_THAT(refusal(chain(2, std::string("distance(p1, ") + argument + ")")),
                   Contains("argument 2 of distance begins with") && Contains("p1 to p2"));
    CHECK_THAT(refusal(chain(2, "x3")), Contains("the formula has the name 'x3'"));
    CHECK_THAT(refusal(chain(2, "distance(p1, p2)*p1")), Contains("the formula has the name 'p1'"));
    CHECK_THROWS_WITH(chain(2, "distance(p1)"), Contains("distance") && Contains("takes 2 arguments"));
    CHECK_THROWS_WITH(chain(2, "pointangle(x1, y1)"), Contains("takes 9 arguments"));
    CHECK_THROWS_WITH(chain(2, "periodicdistance(x1, y1, z1, 0, 0, 0)"),
                      Contains("unknown function 'periodicdistance'"));
    auto force = chain(2, "distance(p1, p2)");
    force.bonds[3].particles = {1};
    CHECK_THAT(refusal(force), Contains("Bond 3 has 1 particles, expected 2"));
    force.bonds[3].particles = {1, count};
    CHECK_THAT(refusal(force), Contains("Bond 3: there is no particle 23"));
    force.bonds[3] = {{1, 2}, {1}};
    CHECK_THAT(refusal(force), Contains("Bond 3 has 1 parameters, expected 2"));
    force.particles_per_bond = 0;
    CHECK_THAT(refusal(force), Contains("the number of particles of each bond is 0, expected at least 1"));
    force = chain(2, "t(x1, x2)", {table()});
    force.tabulated_functions[0].values.pop_back();
    CHECK_THAT(refusal(force), Contains("'t' has 14 values, expected 15"));
}

}  // namespace custom_compound_bond_test
