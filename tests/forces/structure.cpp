// RMSDForce, RGForce, OrientationRestraintForce and CustomVolumeForce: values computed by hand, gradients, special cases,
// invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <string>

#include <trotter/expression/runtime_expression.hpp>
#include <trotter/forces/custom_volume.hpp>
#include <trotter/forces/monte_carlo_barostats.hpp>
#include <trotter/forces/orientation_restraint.hpp>
#include <trotter/forces/rg.hpp>
#include <trotter/forces/rmsd.hpp>

#include "finite_differences.hpp"

using namespace trotter;

namespace structure_test {

namespace {

Vectors const cross_of_five{{1, 0, 0}, {-1, 0, 0}, {0, 2, 0}, {0, -2, 0}, {0, 0, 0}};
Vectors about_z(Vectors points, double angle) {
    for (auto& p : points)
        p = {std::cos(angle) * p.x - std::sin(angle) * p.y + 3, std::sin(angle) * p.x + std::cos(angle) * p.y - 1,
             p.z + 7};
    return points;
}
// The error of a number of size 1: devices store forces in units of 2^-32 kJ/mol/nm, all else is double.
constexpr double rounding = 1e-9;

template <Force F>
void check_gradient(TestPlatform const& platform, F const& force, Vectors const& positions, double tolerance = 1e-8) {
    auto context = context_of(platform, system_of(force, positions.size()), positions);
    auto const forces = evaluation(context).forces;
    CHECK(largest_difference(forces, numerical_forces(context, positions)) < tolerance);
}
template <Force F> std::string refusal(F const& force, std::size_t particles = 5) {
    try {
        context_of(reference_platform, system_of(force, particles));
    } catch (InputError const& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("the RMSD after superposition", "[forces][devices]") {
    auto const platform = each_platform();
    RMSDForce const force{.reference_positions = cross_of_five};
    CHECK(evaluate(platform, force, about_z(cross_of_five, 1.3)).energy < 1e-14);
    auto longer = cross_of_five;
    longer[2].y = 2.5, longer[3].y = -2.5;
    auto const longer_by_half = evaluate(platform, force, about_z(longer, -0.4));
    CHECK(longer_by_half.energy == Approx(std::sqrt(2 * 0.25 / 5)).epsilon(rounding));
    // Half a nm along the y axis, less the rotation: (x - R y)/(N E).
    CHECK(longer_by_half.forces[2].x == Approx(-0.5 * std::sin(0.4) / (5 * std::sqrt(0.1))).epsilon(rounding));
    CHECK(longer_by_half.forces[2].y == Approx(-0.5 * std::cos(0.4) / (5 * std::sqrt(0.1))).epsilon(rounding));
    CHECK(longer_by_half.forces[4] == Vec3<>{});
    CHECK(evaluate(platform, RMSDForce{.reference_positions = cross_of_five, .particles = {0, 1, 4}}, longer).energy
          < 1e-14);
}

TEST_CASE("the radius of gyration", "[forces][devices]") {
    auto const platform = each_platform();
    auto const all = evaluate(platform, RGForce{}, about_z(cross_of_five, 0));
    CHECK(all.energy == Approx(std::sqrt(2.0)).epsilon(rounding));
    CHECK(all.forces[2].y == Approx(-2 / (5 * std::sqrt(2.0))).epsilon(rounding));
    CHECK(evaluate(platform, RGForce{.particles = {2, 0}}, cross_of_five).energy
          == Approx(std::sqrt(5.0) / 2).epsilon(rounding));
}

TEST_CASE("the energy of a turned structure", "[forces][devices]") {
    auto const platform = each_platform();
    OrientationRestraintForce const force{.k = 7, .reference_positions = cross_of_five};
    for (double const angle : {0.2, -1.1, 3.0})
        CHECK(evaluate(platform, force, about_z(cross_of_five, angle)).energy
              == Approx(14 * std::pow(std::sin(angle / 2), 2)).epsilon(rounding));
    CHECK(evaluate(platform, force, about_z(cross_of_five, 0)).energy == Approx(0).margin(1e-13));
}

TEST_CASE("forces on structures are the gradient of their energies", "[forces][devices]") {
    auto const platform = each_platform();
    auto const reference = scattered(9, Box::rectangular(1, 1, 1), 0.1, 3),
               positions = scattered(9, Box::rectangular(1, 1, 1), 0.1, 4);
    std::vector<int> const some{7, 1, 2, 5, 4};
    check_gradient(platform, RMSDForce{.reference_positions = reference}, positions);
    check_gradient(platform, RMSDForce{.reference_positions = reference, .particles = some}, positions);
    check_gradient(platform, RGForce{.particles = some}, positions);
    check_gradient(platform, OrientationRestraintForce{.k = 3, .reference_positions = reference}, positions, 1e-7);
    check_gradient(platform, OrientationRestraintForce{.k = 3, .reference_positions = reference, .particles = some},
                             positions, 1e-7);
}

TEST_CASE("where rotations are equally good, or nothing is left to turn, forces stay finite", "[forces]") {
    Vectors const line{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}}, turned{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
        point{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    OrientationRestraintForce const on_line{.k = 1, .reference_positions = line};
    // The smallest rotation between two lines is by the angle between them.
    CHECK(evaluate(reference_platform, on_line, turned).energy == Approx(2 * 0.5).epsilon(rounding));
    CHECK(evaluate(reference_platform, on_line, line).energy == Approx(0).margin(1e-14));
    auto context = context_of(reference_platform, system_of(on_line, 3), turned);
    Vectors const bent{{0.1, 0, 0.2}, {1, 0.1, 0}, {2, 0, 0.1}};
    context.set_positions(bent);
    CHECK(rms(evaluation(context).forces) < 10);
    for (auto const& positions : {point, line, turned}) {
        for (auto const& f : evaluate(reference_platform, on_line, positions).forces) CHECK(std::isfinite(f.x + f.y + f.z));
        for (auto const& f : evaluate(reference_platform, RMSDForce{.reference_positions = line}, positions).forces)
            CHECK(std::isfinite(f.x + f.y + f.z));
        for (auto const& f : evaluate(reference_platform, RGForce{.particles = {1}}, positions).forces) CHECK(f == Vec3<>{});
    }
    // The optimal rotation between mirror images is not unique, but the RMSD is.
    Vectors mirrored = cross_of_five;
    mirrored[4].z = 1;
    auto reference = mirrored;
    for (auto& p : mirrored) p = -p;
    auto const image = evaluate(reference_platform, RMSDForce{.reference_positions = reference}, mirrored);
    CHECK(image.energy > 0.1);
    // Equal structures: forces are zero, not rounding errors.
    CHECK(rms(evaluate(reference_platform, RMSDForce{.reference_positions = reference}, about_z(reference, 0.8)).forces) == 0);
}

TEST_CASE("forces on structures refuse what makes no sense", "[forces]") {
    std::string const begin = "force 0 (RMSDForce): ";
    CHECK(refusal(RMSDForce{.reference_positions = cross_of_five, .particles = {0, 5}})
          == begin + "entry 1: there is no particle 5; the System has 5 particles, counted from 0");
    CHECK(refusal(RMSDForce{.reference_positions = cross_of_five, .particles = {0, 3, 0}})
          == begin + "entry 2: particle 0 is named twice, expected distinct particles");
    CHECK(refusal(RMSDForce{.reference_positions = {{0, 0, 0}}})
          == begin + "there are 1 reference positions, expected 5 as particles in the System");
    auto endless = cross_of_five;
    endless[3].y = INFINITY;
    CHECK(refusal(RMSDForce{.reference_positions = endless})
          == begin + "reference position 3 is not of finite numbers");
    CHECK(refusal(RGForce{.particles = {-1}})
          == "force 0 (RGForce): entry 0: there is no particle -1; the System has 5 particles, counted from 0");
    CHECK(refusal(OrientationRestraintForce{.k = 1, .reference_positions = cross_of_five, .particles = {1, 1}})
          == "force 0 (OrientationRestraintForce): entry 1: particle 1 is named twice, expected distinct particles");
    CHECK(refusal(OrientationRestraintForce{.k = NAN, .reference_positions = cross_of_five})
          == "force 0 (OrientationRestraintForce): k is nan, expected a finite number");
}

TEST_CASE("references and particles can be updated", "[forces][devices]") {
    auto const platform = each_platform();
    auto context = context_of(platform, system_of(RGForce{}, 5), cross_of_five);
    context.update(0, RGForce{.particles = {0, 1}});
    CHECK(evaluation(context).energy == Approx(1).epsilon(rounding));
    CHECK_THROWS_AS(context.update(0, RGForce{.particles = {0, 0}}), InputError);
}

TEST_CASE("an energy of the box", "[forces][devices]") {
    auto const platform = each_platform();
    CustomVolumeForce const force{
        .energy = RuntimeExpression("p*v + 2*ax*by - cx + 10*cy + 100*cz + bx + ay + az + bz"),
        .global_parameters = {{"p", 0.5}}};
    Box const box{{2, 0, 0}, {0.3, 3, 0}, {0.1, -0.2, 4}};
    auto context = context_of(platform, system_of(force, 1, box), {{0, 0, 0}});
    CHECK(evaluation(context).energy == Approx(12 + 12 - 0.1 - 2 + 400 + 0.3).epsilon(1e-14));
    context.set_parameter("p", 0);
    context.set_box(Box::rectangular(2, 3, 5));
    CHECK(evaluation(context).energy == Approx(12 + 500).epsilon(1e-14));
    CHECK(evaluation(context).forces[0] == Vec3<>{});
    CHECK(evaluation(context, ForceGroups::only({1})).energy == 0);
    CHECK(is_periodic(system_of(force, 1)));
    CHECK(refusal(CustomVolumeForce{.energy = RuntimeExpression("v*x")})
          == "force 0 (CustomVolumeForce): the formula has the name 'x', which is neither v, a component of a box vector nor a "
             "global parameter of the force");
}

TEST_CASE("a barostat sees the energy of the box", "[forces][devices]") {
    auto const platform = each_platform();
    StandardSystem system;
    system.box = Box::rectangular(2, 2, 2);
    for (int i = 0; i < 8; ++i) system.add_particle(1);
    system.add(CustomVolumeForce{.energy = RuntimeExpression("50*(v - 9)^2")});
    system.add(MonteCarloBarostat{.pressure = 0, .temperature = 300, .frequency = 1, .seed = 3});
    auto context = context_of(platform, system, Vectors(8, {0.5, 0.5, 0.5}));
    context.step(400);
    // The spread is sqrt(kT/100) = 0.16 nm³.
    CHECK(std::abs(context.box().volume() - 9) < 1.0);
}

}  // namespace structure_test
