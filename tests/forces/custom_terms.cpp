// Bonded forces with a run-time formula: against built-in forces, gradients, parameters, invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <cstddef>
#include <string>

#include <trotter/forces/custom_angle.hpp>
#include <trotter/forces/custom_bond.hpp>
#include <trotter/forces/custom_external.hpp>
#include <trotter/forces/custom_torsion.hpp>
#include <trotter/forces/harmonic_angle.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/forces/periodic_torsion.hpp>

#include "evaluation.hpp"
#include "finite_differences.hpp"

using namespace trotter;

namespace custom_terms_test {

using Catch::Matchers::Contains;

namespace {

constexpr int count = 23;  // chains end within a SIMD batch of terms
Box const box = Box::rectangular(1.1, 1.2, 1.3);

template <class F> F chain(F force, int arity, auto const& term) {
    for (int i = 0; i + arity <= count; ++i) (force.*F::terms).push_back(term(i));
    return force;
}

CustomBondForce custom_bonds() {
    CustomBondForce const force{.energy = RuntimeExpression("scale*k/2*(r - length)^2"),
                                .parameter_names = {"length", "k"},
                                .global_parameters = {{"scale", 1}},
                                .energy_parameter_derivatives = {"scale"},
                                .periodic = true};
    return chain(force, 2, [](int i) { return CustomBondForce::Bond{i, i + 1, {0.3 + 0.01 * i, 100.0 * (i + 1)}}; });
}
HarmonicBondForce bonds() {
    return chain(HarmonicBondForce{.periodic = true}, 2, [](int i) {
        return HarmonicBondForce::Bond{i, i + 1, 0.3 + 0.01 * i, 100.0 * (i + 1)};
    });
}
CustomAngleForce custom_angles() {
    CustomAngleForce const force{
        .energy = RuntimeExpression("k/2*(theta - middle)^2"), .parameter_names = {"middle", "k"}, .periodic = true};
    return chain(force, 3, [](int i) { return CustomAngleForce::Angle{i, i + 1, i + 2, {1.2 + 0.03 * i, 100.0 + i}}; });
}
HarmonicAngleForce angles() {
    return chain(HarmonicAngleForce{.periodic = true}, 3, [](int i) {
        return HarmonicAngleForce::Angle{i, i + 1, i + 2, 1.2 + 0.03 * i, 100.0 + i};
    });
}
CustomTorsionForce custom_torsions() {
    CustomTorsionForce const force{.energy = RuntimeExpression("k*(1 + cos(n*theta - phase))"),
                                   .parameter_names = {"n", "phase", "k"},
                                   .periodic = true};
    return chain(force, 4, [](int i) {
        return CustomTorsionForce::Torsion{i, i + 1, i + 2, i + 3, {i % 6 + 1.0, 0.3 * i, 5.0 + i}};
    });
}
PeriodicTorsionForce torsions() {
    return chain(PeriodicTorsionForce{.periodic = true}, 4, [](int i) {
        return PeriodicTorsionForce::Torsion{i, i + 1, i + 2, i + 3, i % 6 + 1, 0.3 * i, 5.0 + i};
    });
}
/// An asymmetric external field on every other particle.
CustomExternalForce field() {
    CustomExternalForce force{.energy = RuntimeExpression("strength*(q*exp(-x^2) + sin(y*q)*z + z^3/(1 + x^2))"),
                              .parameter_names = {"q"},
                              .global_parameters = {{"strength", 30}},
                              .energy_parameter_derivatives = {"strength"}};
    for (int i = 0; i < count; i += 2) force.affected.push_back({i, {0.5 + 0.1 * i}});
    return force;
}

/// Springs to points some box lengths away.
CustomExternalForce anchors() {
    CustomExternalForce force{.energy = CustomExternalForce::formula("k*periodicdistance(x, y, z, x0, 2*y0, z0)^3"),
                              .parameter_names = {"x0", "y0", "z0", "k"},
                              .label = "anchors"};
    for (int i = 0; i < count; i += 3) force.affected.push_back({i, {0.2 * i, 0.1 * i - 2, -0.3 * i, 5.0 + i}});
    return force;
}

template <class Custom, class Known>
void check_same(TestPlatform const& platform, Custom const& custom, Known const& known) {
    auto const positions = scattered(static_cast<std::size_t>(count), box, 0.2, 3);
    auto const found = evaluate(platform, custom, positions, box), expected = evaluate(platform, known, positions, box);
    double const rounding = 10 * platform.term_rounding;
    CHECK(std::abs(found.energy - expected.energy) < rounding * expected.energy);
    CHECK(largest_difference(found.forces, expected.forces) < rounding * rms(expected.forces) + 0x1p-31);
}
template <Force F>
void check_gradient(TestPlatform const& platform, F const& force) {
    auto const positions = scattered(static_cast<std::size_t>(count), box, 0.2, 5);
    auto const forces = evaluate(platform, force, positions, box).forces;
    auto const expected = [&] {
        auto context = context_of(reference_platform, system_of(force, positions.size(), box), positions);
        return numerical_forces(context, positions);
    }();
    // fourth order in steps of 1e-4 nm; float forces are rounded to 6e-8 of intermediate results
    CHECK(largest_difference(forces, expected) < 1e-7 * rms(expected) + 20 * platform.term_rounding * rms(expected));
}
template <class F> std::string refusal(F const& force) {
    try {
        context_of(reference_platform, system_of(force, 4));
    } catch (InputError const& error) {
        return error.what();
    }
    return "taken";
}

}  // namespace

TEST_CASE("terms with a formula of the run time are those of forces that are built in", "[forces][devices]") {
    auto const platform = each_platform();
    check_same(platform, custom_bonds(), bonds());
    check_same(platform, custom_angles(), angles());
    check_same(platform, custom_torsions(), torsions());
}
TEST_CASE("forces of terms with any formula are minus its gradient", "[forces][devices]") {
    auto const platform = each_platform();
    auto odd_bonds = custom_bonds();
    odd_bonds.energy = RuntimeExpression("scale*k*(1 - exp(-3*(r - length)))^2 + length/r");
    check_gradient(platform, odd_bonds);
    auto odd_angles = custom_angles();
    odd_angles.energy = RuntimeExpression("k*sin(theta - middle)^2*sqrt(theta)");
    check_gradient(platform, odd_angles);
    auto odd_torsions = custom_torsions();
    odd_torsions.energy = RuntimeExpression("k*min(d, 6.283185307179586 - d)^2; d = abs(theta - phase/20 - n/10)");
    check_gradient(platform, odd_torsions);
    check_gradient(platform, field());
    check_gradient(platform, anchors());
}
TEST_CASE("the distance to the nearest image of a place", "[forces][devices]") {
    auto const platform = each_platform();
    CustomExternalForce const force{.energy = CustomExternalForce::formula("periodicdistance(x, y, z, 1, 0, 0)"),
                                    .affected = {{0}}};
    auto const found = evaluate(platform, force, {{-0.3, 1.2 + 0.4, 0}}, box);
    CHECK(std::abs(found.energy - std::sqrt(0.2 * 0.2 + 0.4 * 0.4)) < 10 * platform.term_rounding);
    CHECK(std::abs(found.forces[0].x - 0.2 / found.energy) < 1e-9);
    CHECK(std::abs(found.forces[0].y + 0.4 / found.energy) < 1e-9);
}
TEST_CASE("parameters of formulas of the run time, and derivatives by them", "[forces][devices]") {
    auto const platform = each_platform();
    auto const positions = scattered(static_cast<std::size_t>(count), box, 0.2, 7);
    auto const one = evaluate(platform, custom_bonds(), positions, box),
               two = evaluate(platform, custom_bonds(), positions, box, {{"scale", 2}});
    double const rounding = 10 * platform.term_rounding;
    CHECK(std::abs(two.energy - 2 * one.energy) < rounding * two.energy);
    CHECK(std::abs(one.derivatives.at("scale") - one.energy) < rounding * one.energy);
    CHECK(std::abs(two.derivatives.at("scale") - one.energy) < rounding * one.energy);
    auto const at_field = evaluate(platform, field(), positions, box, {{"strength", 7}});
    CHECK(std::abs(7 * at_field.derivatives.at("strength") - at_field.energy) < rounding * std::abs(at_field.energy));
}
TEST_CASE("numbers of terms with a formula of the run time may change, the formula may not", "[forces][devices]") {
    auto const platform = each_platform();
    auto const positions = scattered(static_cast<std::size_t>(count), box, 0.2, 7);
    auto context = context_of(platform, system_of(custom_angles(), positions.size(), box), positions);
    context.evaluate({});
    auto changed = custom_angles();
    for (auto& angle : changed.angles) angle.parameters[1] *= 2;
    context.update(0, changed);
    auto const expected = evaluate(platform, changed, positions, box);
    CHECK(evaluation(context).forces == expected.forces);
    changed.energy = RuntimeExpression("k*theta*middle");
    CHECK_THROWS_WITH(context.update(0, changed), Contains("the formula of the terms has changed"));
}
TEST_CASE("terms with a formula of the run time that make no sense are refused", "[forces]") {
    using Bond = CustomBondForce::Bond;
    CustomBondForce const sound{
        .energy = RuntimeExpression("k*r"), .parameter_names = {"k"}, .bonds = {Bond{0, 1, {2}}}};
    CHECK(refusal(sound) == "taken");
    auto const with = [&](auto const& change) {
        auto force = sound;
        change(force);
        return refusal(force);
    };
    CHECK_THAT(with([](auto& f) { f.energy = RuntimeExpression("k*r*stiffness"); }),
               Contains("force 0 (CustomBondForce): the formula has the name 'stiffness'"));
    CHECK_THAT(with([](auto& f) { f.energy_parameter_derivatives = {"k"}; }), Contains("a derivative by 'k'"));
    CHECK_THAT(with([](auto& f) { f.bonds.push_back({0, 4, {1}}); }), Contains("Bond 1: there is no particle 4"));
    CHECK_THAT(with([](auto& f) { f.bonds.push_back({0, 1, {}}); }), Contains("Bond 1 has 0 parameters, expected 1"));
    CHECK_THAT(with([](auto& f) { f.bonds[0].parameters[0] = NAN; }), Contains("Bond 0: k is nan"));
    CHECK_THROWS_WITH(RuntimeExpression("k*(r"), Contains("column"));
    CHECK_THROWS_WITH(CustomExternalForce::formula("periodicdistance(x, y)"), Contains("periodicdistance"));
}

TEST_CASE("a force that is no number names the term that gave it", "[forces]") {
    CustomBondForce const force{.energy = RuntimeExpression("1/r"), .bonds = {{0, 1, {}}, {2, 1, {}}, {2, 3, {}}}};
    auto context = context_of(reference_platform, system_of(force, 4),
                                                        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 0, 0}});
    CHECK_THROWS_WITH(context.step(1), "step 0: the force on particle 2 is not a finite number; it comes from force 0 "
                                       "(CustomBondForce), Bond 2");
}

}  // namespace custom_terms_test
