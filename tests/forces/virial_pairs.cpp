// Virials of pairs, reciprocal space and many-body forces against energies of strained Systems.
// SPDX-License-Identifier: MIT
#include <cmath>

#include <trotter/forces/custom_nonbonded.hpp>
#include <trotter/forces/lcpo.hpp>
#include <trotter/forces/orientation_restraint.hpp>
#include <trotter/forces/rg.hpp>
#include <trotter/forces/rmsd.hpp>

#include <trotter/physics/nonbonded_parameters.hpp>

#include "strain.hpp"

using namespace trotter;

namespace virial_pairs_test {

namespace {

constexpr std::size_t count = 14;
constexpr double cutoff = 0.9;
using Method = NonbondedForce::Method;

NonbondedForce nonbonded(Method method) {
    NonbondedForce force{.method = method, .cutoff_distance = cutoff, .ewald_error_tolerance = 1e-4};
    for (int i = 0; i < static_cast<int>(count); ++i)
        force.particles.push_back({0.3 * (i % 5) - 0.5, 0.25 + 0.01 * i, 0.5 + 0.1 * (i % 3)});
    force.exceptions = {{0, 1, 0, 1, 0}, {1, 2, 0.2, 0.3, 0.4}, {2, 3, 0, 0.3, 0.4}, {4, 11, -0.3, 0.2, 0.1}};
    return force;
}

/// Checks both boxes, with no pair crossing the cutoff.
template <Force F> void check_boxes(F const& force) {
    for (auto const& box : {small_box, skewed_box}) check_virial(force, off_cutoff(count, cutoff, box), box);
}
void check_boxes(NonbondedForce force) {
    if (force.method != Method::ewald) return check_boxes<NonbondedForce>(force);
    // Plain Ewald sums need a rectangular box. Their virial is compared with PME's, with both more accurate than the
    // tolerance.
    force.ewald_error_tolerance = 1e-7;
    auto const positions = off_cutoff(count, cutoff, small_box);
    auto context = context_of(reference_platform, system_of(force, count, small_box), positions);
    auto on_mesh = force;
    on_mesh.method = Method::pme;
    on_mesh.pme = {chosen_alpha(force.cutoff_distance, force.ewald_error_tolerance), 100, 100, 100};
    auto other = context_of(reference_platform, system_of(on_mesh, count, small_box), positions);
    Tensor const found = context.virial(), expected = other.virial();
    for (std::size_t row = 0; row < 3; ++row) {
        CHECK(found[row][row] == Approx(numerical_virial(context, positions, row, row)).epsilon(1e-6));
        for (std::size_t column = 0; column < 3; ++column)
            CHECK(std::abs(found[row][column] - expected[row][column]) < 1e-6 * std::abs(found.trace()));
    }
}

/// Areas are not smooth where spheres touch.
bool none_touch(LCPOForce const& force, Vectors const& positions, Box const& box) {
    for (std::size_t i = 0; i < positions.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            Vec3<> const d = positions[i] - positions[j];
            double const reach = force.particles[i].radius + force.particles[j].radius;
            for (double const r : {norm(d), norm(box.minimum_image(d))})
                if (std::abs(r - reach) < 6 * h) return false;
        }
    return true;
}

}  // namespace

TEST_CASE("virials of Lennard-Jones and Coulomb by every method", "[virial]") {
    for (auto const method : {Method::no_cutoff, Method::cutoff_non_periodic, Method::cutoff_periodic, Method::ewald,
                              Method::pme, Method::ljpme})
        for (bool const exceptions_use_periodic : {false, true}) {
            CAPTURE(static_cast<int>(method), exceptions_use_periodic);
            auto force = nonbonded(method);
            force.exceptions_use_periodic = exceptions_use_periodic && force.is_periodic();
            check_boxes(force);
            force.use_switching_function = true;
            force.switching_distance = 0.6;
            if (force.uses_cutoff()) check_boxes(force);
        }
}

TEST_CASE("virials of reciprocal space alone", "[virial]") {
    // A net charge with its neutralizing background, which scales with the box; two meshes, with even and odd numbers
    // of points.
    for (auto const method : {Method::ewald, Method::pme, Method::ljpme}) {
        CAPTURE(static_cast<int>(method));
        auto force = nonbonded(method);
        force.include_direct_space = false;
        check_boxes(force);
        force.pme = force.ljpme = {3, 20, 21, 24};
        if (method != Method::ewald) check_boxes(force);
    }
}

TEST_CASE("virials of pairs by formulas, with tails", "[virial]") {
    CustomNonbondedForce force{.energy = RuntimeExpression("e1*e2*((0.3/r)^12 - (0.3/r)^6)"),
                               .parameter_names = {"e"},
                               .pairs = {.method = PairSettings::Method::cutoff_periodic,
                                         .cutoff_distance = cutoff,
                                         .use_switching_function = true,
                                         .switching_distance = 0.7,
                                         .exclusions = {{0, 1}, {4, 7}}}};
    for (std::size_t i = 0; i < count; ++i) force.particles.push_back({1 + 0.1 * static_cast<double>(i)});
    check_boxes(force);
    force.pairs.use_long_range_correction = true;
    check_boxes(force);
    force.pairs.method = PairSettings::Method::no_cutoff;
    force.pairs.use_long_range_correction = false;
    check_boxes(force);
}

TEST_CASE("virials of generalized Born solvent", "[virial]") {
    GBSAOBCForce born;
    for (int i = 0; i < static_cast<int>(count); ++i)
        born.particles.push_back({0.3 * (i % 5) - 0.5, 0.12 + 0.01 * (i % 7), 0.7 + 0.02 * i});
    born.cutoff_distance = cutoff;
    for (auto const method : {GBSAOBCForce::Method::no_cutoff, GBSAOBCForce::Method::cutoff_non_periodic,
                              GBSAOBCForce::Method::cutoff_periodic}) {
        born.method = method;
        check_boxes(born);
    }
    using Kind = CustomGBForce::Kind;
    auto const formula = [](char const* text) { return CustomGBForce::formula(text, {}); };
    CustomGBForce custom{
        .parameter_names = {"a"},
        .computed_values = {{"rho", formula("a2*exp(-(r/0.4)^2)"), Kind::particle_pair},
                            {"f", formula("sqrt(rho + 1)"), Kind::single_particle},
                            {"sigma", formula("f2*rho1*exp(-r/0.3)"), Kind::particle_pair_no_exclusions}},
        .energy_terms = {{formula("3*sigma^2 + f"), Kind::single_particle},
                         {formula("sigma1*sigma2/r"), Kind::particle_pair}}};
    for (std::size_t i = 0; i < count; ++i) custom.particles.push_back({0.5 + 0.1 * static_cast<double>(i % 3)});
    custom.pairs = {.cutoff_distance = cutoff, .exclusions = {{0, 1}, {5, 3}}};
    for (auto const method : {PairSettings::Method::no_cutoff, PairSettings::Method::cutoff_periodic}) {
        custom.pairs.method = method;
        check_boxes(custom);
    }
    // Single-particle energy in an external field: forces times positions.
    custom.energy_terms.push_back({formula("0.05*z^2*x*f"), Kind::single_particle});
    custom.pairs.method = PairSettings::Method::no_cutoff;
    check_virial(custom, off_cutoff(count, cutoff, small_box), small_box, Invariance::none);
}

TEST_CASE("virials of ellipsoids", "[virial]") {
    using Gay = GayBerneForce;
    Gay force{.cutoff_distance = cutoff, .use_switching_function = true, .switching_distance = 0.7};
    Gay::Particle const carrier{0.1, 0, -1, -1, 0.1, 0.1, 0.1};
    for (int i = 0; i < 5; ++i) {
        force.particles.push_back({0.28, 0.8, 3 * i + 1, 3 * i + 2, 0.45, 0.3, 0.36, 1.6, 0.8, 1.1});
        force.particles.insert(force.particles.end(), {carrier, carrier});
    }
    for (auto const method : {Gay::Method::no_cutoff, Gay::Method::cutoff_periodic})
        for (auto const& box : {small_box, skewed_box}) {
            force.method = method;
            auto positions = off_cutoff(15, cutoff, box, 0.35);
            for (std::size_t i = 0; i < 15; ++i)  // axes are short, and used without minimum images
                if (i % 3 != 0) positions[i] = positions[i - i % 3] + (positions[i] - positions[i - i % 3]) * 0.1;
            check_virial(force, positions, box);
        }
}

TEST_CASE("virials of surface areas and structures", "[virial]") {
    LCPOForce areas{.surface_tension = 2};
    for (std::size_t i = 0; i < count; ++i)
        areas.particles.push_back({0.2 + 0.01 * static_cast<double>(i), 0.7, -0.28, -0.0013, 0.4});
    for (auto const& box : {Box::rectangular(1.4, 1.4, 1.5), Box{{1.5, 0, 0}, {0.3, 1.6, 0}, {-0.2, 0.4, 1.5}}})
        for (bool const periodic : {false, true}) {
            areas.periodic = periodic;
            unsigned seed = 1;
            while (!none_touch(areas, scattered(count, box, 0.2, seed), box)) ++seed;
            check_virial(areas, scattered(count, box, 0.2, seed), box);
        }
    auto const reference = scattered(count, small_box, 0.2, 7), positions = scattered(count, small_box, 0.2, 9);
    check_virial(RMSDForce{.reference_positions = reference}, positions, small_box);
    check_virial(RGForce{.particles = {2, 0, 5, 9}}, positions, small_box);
    // Its energy depends on the orientation relative to the reference: not invariant under rotation.
    check_virial(OrientationRestraintForce{.k = 30, .reference_positions = reference}, positions, small_box,
                 Invariance::none);
}

TEST_CASE("virials of formulas of the box", "[virial]") {
    CustomVolumeForce const force{.energy = RuntimeExpression("3*v + s*ax*by^2/cz + bx^2*cx - v*cy"),
                                  .global_parameters = {{"s", 2}}};
    check_virial(force, scattered(count, skewed_box, 0.2, 3), skewed_box);
}

TEST_CASE("virials of electrodes", "[virial]") {
    using Plates = ConstantPotentialForce;
    Box const box{{2.1, 0, 0}, {0.2, 2.2, 0}, {-0.3, 0.1, 2.3}};
    for (auto const method : {Plates::Method::matrix, Plates::Method::conjugate_gradient})
        for (bool const constrained : {false, true}) {
            Plates force{.method = method,
                         .cutoff_distance = cutoff,
                         .pme = {3.5, 21, 22, 24},
                         .gradient_tolerance = 1e-9,
                         .use_charge_constraint = constrained,
                         .total_charge = 0.3};
            for (std::size_t i = 0; i < count; ++i) force.charges.push_back(i % 2 ? 0.5 : -0.4);
            force.electrodes = {{{0, 3, 4}, -20, 0.05, 0}, {{1, 9, 10}, 30, 0.08, 2.5}};
            force.exceptions = {{5, 6, -0.5}, {2, 7, 0}};
            for (bool const has_field : {false, true}) {
                if (has_field) force.external_field = {10, -20, 30};
                auto const positions = off_cutoff(count, cutoff, box);
                auto system = system_of(force, count, box);
                system.particles.masses.assign(count, 0);
                auto context = context_of(reference_platform, system, positions);
                if (!has_field) {
                    check_virial(context, positions);
                    continue;
                }
                Tensor const found = context.virial();  // the field is not invariant under rotation
                for (std::size_t row = 0; row < 3; ++row)
                    for (std::size_t column = row; column < 3; ++column)
                        CHECK(found[row][column]
                              == Approx(numerical_virial(context, positions, row, column)).epsilon(1e-6).margin(1e-4));
            }
        }
}

}  // namespace virial_pairs_test
