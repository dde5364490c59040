// Bonded forces: values computed by hand, and invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <numbers>

#include <trotter/forces/cmap_torsion.hpp>
#include <trotter/forces/harmonic_angle.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/forces/periodic_torsion.hpp>
#include <trotter/forces/rb_torsion.hpp>

#include "evaluation.hpp"

using namespace trotter;

namespace terms_test {

using Catch::Matchers::Contains;
using std::numbers::pi;

namespace {

Vectors const right_angle{{0.1, 0, 0}, {0, 0, 0}, {0, 0.2, 0}};
/// The dihedral angle is +90 degrees: seen along +x, z is to the right of y.
Vectors const quarter_turn{{0, 0.1, 0}, {0, 0, 0}, {0.1, 0, 0}, {0.1, 0, 0.1}};

template <class F> F torsion_force(typename std::remove_cvref_t<decltype(F{}.torsions)>::value_type torsion) {
    torsion.particle1 = 0, torsion.particle2 = 1, torsion.particle3 = 2, torsion.particle4 = 3;
    F force;
    force.torsions.push_back(torsion);
    return force;
}
Approx close(double expected, double relative) { return Approx(expected).epsilon(relative).margin(relative); }

}  // namespace

TEST_CASE("a stretched bond", "[forces][devices]") {
    auto const platform = each_platform();
    auto const eps = 10 * platform.rounding;
    auto const result =
        evaluate(platform, HarmonicBondForce{.bonds = {{0, 1, 0.1, 1000}}}, {{0.2, 0.3, 0.4}, {0.35, 0.3, 0.4}});
    CHECK(result.energy == close(1.25, eps));
    CHECK(result.forces[0].x == close(50, eps));
    CHECK(result.forces[1].x == close(-50, eps));
    CHECK(result.forces[1].y == close(0, eps));
}

TEST_CASE("a bent angle", "[forces][devices]") {
    auto const platform = each_platform();
    auto const eps = 10 * platform.rounding;
    auto const result = evaluate(platform, HarmonicAngleForce{.angles = {{0, 1, 2, pi / 3, 100}}}, right_angle);
    CHECK(result.energy == close(50 * pi * pi / 36, eps));
    CHECK(result.forces[0].y == close(100 * pi / 6 / 0.1, eps));
    CHECK(result.forces[2].x == close(100 * pi / 6 / 0.2, eps));
    CHECK(result.forces[1].x == close(-100 * pi / 6 / 0.2, eps));
}

TEST_CASE("torsions count clockwise, from cis", "[forces][devices]") {
    auto const platform = each_platform();
    auto const eps = 10 * platform.rounding;
    auto periodic = [&](int periodicity, double phase) {
        return evaluate(platform, 
            torsion_force<PeriodicTorsionForce>({.periodicity = periodicity, .phase = phase, .k = 3}), quarter_turn);
    };
    CHECK(periodic(1, pi / 2).energy == close(6, eps));
    CHECK(periodic(1, -pi / 2).energy == close(0, eps));
    CHECK(periodic(2, 0).energy == close(0, eps));
    // dE/dtheta = -k sin(90°) = -3: the force increases the angle: particle 3 is pushed along -y at 0.1 nm.
    CHECK(periodic(1, 0).forces[3].y == close(-30, eps));

    auto const rb = torsion_force<RBTorsionForce>({.c0 = 1, .c1 = 2, .c2 = 3, .c3 = 4, .c4 = 5, .c5 = 6});
    CHECK(evaluate(platform, rb, quarter_turn).energy == close(1, eps));
    Vectors const cis{{0, 0.1, 0}, {0, 0, 0}, {0.1, 0, 0}, {0.1, 0.1, 0}},
        trans{{0, 0.1, 0}, {0, 0, 0}, {0.1, 0, 0}, {0.1, -0.1, 0}};
    CHECK(evaluate(platform, rb, trans).energy == close(21, eps));
    CHECK(evaluate(platform, rb, cis).energy == close(1 - 2 + 3 - 4 + 5 - 6, eps));
}

TEST_CASE("a correction map has its own values at the knots and a smooth surface between", "[forces][devices]") {
    auto const platform = each_platform();
    Vectors const chain{{0, 0.1, 0}, {0, 0, 0}, {0.1, 0, 0}, {0.1, 0, 0.1}, {0.2, 0, 0.1}};
    CMAPTorsionForce force{.maps = {{4, {}}}, .torsions = {{0, 0, 1, 2, 3, 1, 2, 3, 4}}};
    for (int n = 0; n < 16; ++n) force.maps[0].energy.push_back(n * n);
    // phi is +90 degrees, psi of x, z, x is trans: knot (1, 2).
    CHECK(evaluate(platform, force, chain).energy == close(81, 10 * platform.rounding));

    CmapTable const table(24, [] {
        std::vector<double> values;
        for (int j = 0; j < 24; ++j)
            for (int i = 0; i < 24; ++i) values.push_back(std::cos(2 * pi * i / 24) * std::sin(2 * pi * j / 12));
        return values;
    }());
    auto const [energy, by_phi, by_psi] = table(1.3, -2.2);
    // The error of cubic splines is about h⁴/384 times the fourth derivative, here 16; that of derivatives h³/24 times
    // it.
    CHECK(std::abs(energy - std::cos(1.3) * std::sin(-4.4)) < 3e-4);
    CHECK(std::abs(by_phi + std::sin(1.3) * std::sin(-4.4)) < 1e-2);
    CHECK(std::abs(by_psi - 2 * std::cos(1.3) * std::cos(-4.4)) < 1e-2);
}

TEST_CASE("straight and coinciding particles give finite forces", "[forces][devices]") {
    auto const platform = each_platform();
    Vectors const line{{0, 0, 0}, {0.1, 0, 0}, {0.2, 0, 0}, {0.3, 0, 0}}, point(4, Vec3<>{0.1, 0.2, 0.3});
    for (auto const& positions : {line, point}) {
        auto const angle = evaluate(platform, HarmonicAngleForce{.angles = {{0, 1, 2, 1, 100}}}, positions);
        auto const torsion = evaluate(platform, torsion_force<PeriodicTorsionForce>({.k = 3}), positions);
        auto const bond = evaluate(platform, HarmonicBondForce{.bonds = {{0, 1, 0.1, 1000}}}, positions);
        for (auto const* result : {&angle, &torsion, &bond}) CHECK(std::isfinite(rms(result->forces)));
    }
    auto const straight = evaluate(platform, HarmonicAngleForce{.angles = {{0, 1, 2, 1, 100}}}, line);
    CHECK(straight.energy == close(50 * (pi - 1) * (pi - 1), 10 * platform.rounding));
}

TEST_CASE("periodic terms take OpenMM's image, not always the nearest", "[forces][devices]") {
    auto const platform = each_platform();
    Box const box{{1, 0, 0}, {0.5, 1, 0}, {0.5, 0.5, 1}};
    HarmonicBondForce force{.bonds = {{0, 1, 0, 2}}, .periodic = true};
    double const r2 = evaluate(platform, force, {{0, 0, 0}, {0.45, 0.45, 0.49}}, box).energy;
    CHECK(r2 == close(0.45 * 0.45 + 0.45 * 0.45 + 0.49 * 0.49, 10 * platform.rounding));
    CHECK(evaluate(platform, force, {{0, 0, 0}, {2.1, 0, 0}}, box).energy == close(0.01, 10 * platform.rounding));
    force.periodic = false;
    CHECK(evaluate(platform, force, {{0, 0, 0}, {2.1, 0, 0}}, box).energy == close(4.41, 10 * platform.rounding));
}

TEST_CASE("senseless terms are refused by index and value", "[forces][devices]") {
    auto const platform = each_platform();
    auto message = [&](auto const& force) { return [&, system = system_of(force, 9)] { context_of(platform, system); }; };
    CHECK_THROWS_WITH(
        message(HarmonicBondForce{.bonds = {{0, 1, 0.1, 1}, {0, 9, 0.1, 1}}})(),
        Contains("force 0 (HarmonicBondForce)") && Contains("Bond 1") && Contains("there is no particle 9"));
    CHECK_THROWS_WITH(message(HarmonicBondForce{.bonds = {{0, 1, -0.1, 1}}})(),
                      Contains("length is -0.1") && Contains("not negative"));
    CHECK_THROWS_WITH(message(HarmonicAngleForce{.angles = {{0, 1, 2, 3.2, 1}}})(),
                      Contains("angle is 3.2") && Contains("between 0 and pi"));
    CHECK_THROWS_WITH(message(PeriodicTorsionForce{.torsions = {{0, 1, 2, 3, 0, 1, 1}}})(),
                      Contains("periodicity is 0") && Contains("1 or more"));
    CHECK_THROWS_WITH(message(RBTorsionForce{.torsions = {{0, 1, 2, 3, std::nan("")}}})(), Contains("c0 is nan"));
    CHECK_THROWS_WITH(message(CMAPTorsionForce{.maps = {{2, {1, 2, 3}}}})(), Contains("map 0 has 3 energies"));
    CHECK_THROWS_WITH(message(CMAPTorsionForce{.maps = {{1, {1}}}})(), Contains("map 0 has size 1, expected 2 or more"));
    CHECK_THROWS_WITH(message(CMAPTorsionForce{.maps = {{2, {1, 2, 3, 4}}}, .torsions = {{1, 0, 1, 2, 3, 1, 2, 3, 4}}})(),
                      Contains("Torsion 0") && Contains("there is no map 1"));
}

TEST_CASE("the numbers of terms can be updated, their particles not", "[forces][devices]") {
    auto const platform = each_platform();
    HarmonicBondForce force{.bonds = {{0, 1, 0.1, 1000}}};
    auto context = context_of(platform, system_of(force, 3), {{0, 0, 0}, {0.15, 0, 0}, {1, 1, 1}});
    force.bonds[0].k = 2000;
    context.update(0, force);
    CHECK(evaluation(context).energy == close(2.5, 10 * platform.rounding));
    force.bonds[0].particle2 = 2;
    CHECK_THROWS_WITH(context.update(0, force), Contains("Bond 0 acts on other particles than before"));
    force.bonds.push_back({1, 2, 0.1, 1});
    CHECK_THROWS_WITH(context.update(0, force), Contains("the number of terms has changed from 1 to 2"));
    CHECK(evaluation(context).energy == close(2.5, 10 * platform.rounding));
}

}  // namespace terms_test
