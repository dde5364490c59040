// ConstantPotentialForce: energy-minimizing charges, compared with other forces; gradients, updates, invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <string>

#include <trotter/forces/constant_potential.hpp>
#include <trotter/units.hpp>

#include "finite_differences.hpp"

using namespace trotter;

namespace constant_potential_test {

using Catch::Matchers::Contains;

namespace {

using Plates = ConstantPotentialForce;
constexpr std::size_t count = 14;
Box const box{{2.1, 0, 0}, {0.2, 2.2, 0}, {-0.3, 0.1, 2.3}};

/// Two electrodes of three particles each, and charges in between.
Plates plates(Plates::Method method, bool constrained) {
    Plates force{.method = method,
                 .cutoff_distance = 0.9,
                 .pme = {3.5, 21, 22, 24},
                 .gradient_tolerance = 1e-9,
                 .use_charge_constraint = constrained,
                 .total_charge = 0.3,
                 .external_field = {10, -20, 30}};
    for (std::size_t i = 0; i < count; ++i) force.charges.push_back(i % 2 ? 0.5 : -0.4);
    force.electrodes = {{{0, 3, 4}, -20, 0.05, 0}, {{1, 9, 10}, 30, 0.08, 2.5}};
    force.exceptions = {{5, 6, -0.5}, {2, 7, 0}};
    return force;
}
auto context_with(TestPlatform const& platform, Plates const& force, Vectors const& positions) {
    auto system = system_of(force, positions.size(), box);
    system.particles.masses.assign(positions.size(), 0);
    return context_of(platform, system, positions);
}
double total(std::vector<double> const& charges) { return std::accumulate(charges.begin(), charges.end(), 0.0); }

/// The energy of given charges: point charges in a NonbondedForce, plus corrections for widths, potentials and the
/// field.
double energy_of(Plates const& force, std::vector<double> const& charges, Vectors const& positions) {
    auto points = force;
    points.charges = charges;
    double energy = evaluate(reference_platform, points.fixed_charges(), positions, box).energy;
    std::vector<double> widths(charges.size(), 0);
    for (auto const& electrode : force.electrodes)
        for (int const particle : electrode.particles) {
            double const q = charges[static_cast<std::size_t>(particle)];
            widths[static_cast<std::size_t>(particle)] = electrode.gaussian_width;
            energy += constants::coulomb * q * q
                          * (1 / (std::sqrt(2 * std::numbers::pi) * electrode.gaussian_width)
                             + 2 * std::numbers::pi * electrode.thomas_fermi_scale)
                      - q * electrode.potential;
        }
    for (std::size_t i = 0; i < charges.size(); ++i) {
        energy -= charges[i] * dot(force.external_field, positions[i]);
        for (std::size_t j = 0; j < i; ++j) {
            double const r = norm(box.minimum_image(positions[i] - positions[j])), w = std::hypot(widths[i], widths[j]);
            if (w > 0 && r < force.cutoff_distance)
                energy -= constants::coulomb * charges[i] * charges[j] * std::erfc(r / w) / r;
        }
    }
    return energy;
}

}  // namespace

TEST_CASE("charges on electrodes are those of least energy", "[forces]") {
    auto const positions = scattered(count, box, 0.3, 21);
    for (auto const method : {Plates::Method::conjugate_gradient, Plates::Method::matrix})
        for (bool const constrained : {false, true}) {
            auto const force = plates(method, constrained);
            auto context = context_with(reference_platform, force, positions);
            double const energy = context.evaluate({});
            auto const charges = context.ask<Plates>(0);
            CHECK(energy == Approx(energy_of(force, charges, positions)).epsilon(1e-11));
            CHECK(charges[2] == -0.4);
            if (constrained) CHECK(total(charges) == Approx(0.3).epsilon(1e-10));
            for (std::size_t const i : {0u, 3u, 10u}) {
                auto const moved = [&](double by) {
                    auto other = charges;
                    other[i] += by;
                    if (constrained) other[9] -= by;  // second electrode
                    return energy_of(force, other, positions);
                };
                CHECK(moved(0.01) > energy);
                CHECK(std::abs(moved(0.01) - moved(-0.01)) < 1e-6 * (moved(0.01) - energy));
            }
        }
}

TEST_CASE("without a preconditioner the charges are the same", "[forces]") {
    auto const positions = scattered(count, box, 0.3, 5);
    auto force = plates(Plates::Method::conjugate_gradient, true);
    auto with = context_with(reference_platform, force, positions);
    force.use_preconditioner = false;
    auto without = context_with(reference_platform, force, positions);
    auto const a = with.ask<Plates>(0), b = without.ask<Plates>(0);
    for (std::size_t i = 0; i < count; ++i) CHECK(std::abs(a[i] - b[i]) < 1e-10);
}

TEST_CASE("the charge of a lone Gaussian", "[forces]") {
    double const width = 0.07, scale = 1.5, potential = 40;
    Plates const force{.charges = {0},
                       .electrodes = {{{0}, potential, width, scale}},
                       .cutoff_distance = 0.9,
                       .ewald_error_tolerance = 1e-6};
    NonbondedForce point = force.fixed_charges();
    point.particles[0].charge = 1;
    auto context = context_with(reference_platform, force, {{0.3, 0.2, 0.1}});
    double const images = evaluate(reference_platform, point, {{0.3, 0.2, 0.1}}, box).energy;
    double const own =
        constants::coulomb * (1 / (std::sqrt(2 * std::numbers::pi) * width) + 2 * std::numbers::pi * scale);
    CHECK(context.ask<Plates>(0).at(0) == Approx(potential / (2 * (images + own))).epsilon(1e-6));
    CHECK(context.evaluate({}) == Approx(-potential * potential / (4 * (images + own))).epsilon(1e-9));
}

TEST_CASE("without electrodes the force is that of charges on a mesh", "[forces]") {
    auto force = plates(Plates::Method::conjugate_gradient, false);
    force.electrodes.clear();
    force.external_field = {};
    force.exceptions_use_periodic = true;
    auto const positions = scattered(count, box, 0.25, 8);
    auto const found = evaluate(reference_platform, force, positions, box),
               expected = evaluate(reference_platform, force.fixed_charges(), positions, box);
    CHECK(found.energy == Approx(expected.energy).epsilon(1e-12));
    CHECK(largest_difference(found.forces, expected.forces) < 1e-11 * rms(expected.forces));
}

TEST_CASE("forces at found charges are the gradient", "[forces][devices]") {
    auto const platform = each_platform();
    auto const positions = scattered(count, box, 0.3, 2);
    for (auto const method : {Plates::Method::conjugate_gradient, Plates::Method::matrix}) {
        auto const force = plates(method, true);
        auto here = context_with(platform, force, positions);
        auto there = context_with(reference_platform, force, positions);
        auto const found = evaluation(here);
        CHECK(found.energy == Approx(there.evaluate({})).epsilon(1e-12));
        CHECK(gradient_error(there, positions, found.forces) < 3e-7 * rms(found.forces));
        CHECK(evaluation(here, ForceGroups::only({1})).energy == 0);
    }
}

TEST_CASE("a charge may stand on an electrode, and electrodes on each other", "[forces]") {
    Plates const force{.charges = {1, 0, 0},
                       .electrodes = {{{1}, 5, 0.1, 0}, {{2}, -5, 0.2, 0}},
                       .cutoff_distance = 0.9,
                       .gradient_tolerance = 1e-9};
    auto const energy = [&](double shift) {
        return evaluate(reference_platform, force, {{0, 0, 0}, {shift, 0, 0}, {0, shift, 0}}, box).energy;
    };
    CHECK(std::isfinite(energy(0)));
    CHECK(energy(0) == Approx(energy(1e-5)).epsilon(1e-6));
}

TEST_CASE("live updates of electrodes", "[forces][devices]") {
    auto const platform = each_platform();
    auto const positions = scattered(count, box, 0.3, 2);
    auto force = plates(Plates::Method::matrix, true);
    auto context = context_with(platform, force, positions);
    auto const before = evaluation(context).energy;
    auto const old = force;
    force.electrodes[0].potential = 50;
    force.electrodes[1].gaussian_width = 0.1;
    force.electrodes[1].thomas_fermi_scale = 0;
    force.total_charge = -1;
    force.charges[2] = 0.1;
    force.exceptions[1].charge_product = 0.2;
    context.update(0, force);
    auto fresh = context_with(platform, force, positions);
    CHECK(evaluation(context).energy == Approx(evaluation(fresh).energy).epsilon(1e-13));
    CHECK(context.ask<Plates>(0) == fresh.ask<Plates>(0));
    CHECK(evaluation(context).energy != Approx(before).epsilon(1e-3));
    auto changed = force;
    changed.electrodes[0].particles.pop_back();
    CHECK_THROWS_WITH(context.update(0, changed), Contains("electrode 0 is of other particles than before"));
    changed = force;
    changed.external_field.x = 1;
    CHECK_THROWS_WITH(context.update(0, changed), Contains("only numbers can be updated"));
    context.update(0, old);
    CHECK(evaluation(context).energy == Approx(before).epsilon(1e-13));
}

TEST_CASE("a matrix follows the box", "[forces]") {
    auto const positions = scattered(count, box, 0.3, 2);
    auto const force = plates(Plates::Method::matrix, false);
    auto context = context_with(reference_platform, force, positions);
    context.evaluate({});
    Box const wider{{2.3, 0, 0}, {0.2, 2.2, 0}, {-0.3, 0.1, 2.3}};
    auto iterating = context_with(reference_platform, plates(Plates::Method::conjugate_gradient, false), positions);
    for (auto* c : {&context, &iterating}) c->set_box(wider);
    CHECK(context.evaluate({}) == Approx(iterating.evaluate({})).epsilon(1e-12));
    auto moved = positions;
    moved[3].x += 0.05;
    for (auto* c : {&context, &iterating}) c->set_positions(moved);
    CHECK(context.evaluate({}) == Approx(iterating.evaluate({})).epsilon(1e-12));
}

TEST_CASE("electrodes refuse what makes no sense", "[forces]") {
    auto const refusal = [](auto const& change, double mass = 0) {
        auto force = plates(Plates::Method::matrix, true);
        change(force);
        auto system = system_of(force, count, box);
        system.particles.masses.assign(count, mass);
        try {
            context_of(reference_platform, system);
        } catch (InputError const& error) {
            return std::string(error.what());
        }
        return std::string{};
    };
    std::string const begin = "force 0 (ConstantPotentialForce): ";
    CHECK(refusal([](Plates&) {}).empty());
    CHECK(refusal([](Plates&) {}, 2)
          == begin + "electrode 0: particle 0 has the mass 2.000000, expected 0 for the matrix method");
    CHECK(refusal([](Plates& f) { f.method = Plates::Method::conjugate_gradient; }, 2).empty());
    CHECK(refusal([](Plates& f) { f.electrodes[1].particles = {3}; })
          == begin + "electrode 1: particle 3 belongs to electrode 0 as well, expected one of no other electrode");
    CHECK(refusal([](Plates& f) { f.electrodes[1].particles = {14}; })
          == begin + "electrode 1: there is no particle 14; the System has 14 particles, counted from 0");
    CHECK(refusal([](Plates& f) { f.electrodes[1].gaussian_width = 0; })
          == begin + "electrode 1: gaussian_width is 0.000000, expected a positive number");
    CHECK(refusal([](Plates& f) { f.electrodes[1].thomas_fermi_scale = -1; })
          == begin + "electrode 1: thomas_fermi_scale is -1.000000, expected a number that is not negative");
    CHECK(refusal([](Plates& f) { f.electrodes[0].potential = NAN; })
          == begin + "electrode 0: potential is nan, expected a finite number");
    CHECK(refusal([](Plates& f) {
              f.exceptions[1] = {2, 9, 0};
          })
          == begin + "exception 1: particle 9 belongs to electrode 1, expected one of none");
    CHECK_THAT(refusal([](Plates& f) { f.exceptions[1] = {6, 5, 0}; }), Contains("exception 1"));
    CHECK(refusal([](Plates& f) { f.electrodes.clear(); })
          == begin + "the total charge is constrained, but there is no electrode whose charge could change");
    CHECK(refusal([](Plates& f) { f.gradient_tolerance = 0; })
          == begin + "gradient_tolerance is 0.000000, expected a positive number");
    CHECK(refusal([](Plates& f) { f.external_field.y = INFINITY; })
          == begin + "the external field is not of finite numbers");
    CHECK(refusal([](Plates& f) { f.charges.pop_back(); })
          == begin + "there are parameters of 13 particles, expected 14 as in the System");
    CHECK_THAT(refusal([](Plates& f) { f.cutoff_distance = 1.2; }), Contains("cutoff"));
}

TEST_CASE("charges that cannot be found are said to be so", "[forces]") {
    // The reciprocal-space sum exceeds the interaction of wide Gaussians, so that the energy has no minimum.
    auto force = plates(Plates::Method::conjugate_gradient, false);
    for (auto& electrode : force.electrodes) electrode.gaussian_width = 2, electrode.thomas_fermi_scale = 0;
    for (auto const method : {Plates::Method::conjugate_gradient, Plates::Method::matrix}) {
        force.method = method;
        auto context = context_with(reference_platform, force, scattered(count, box, 0.3, 2));
        CHECK_THROWS_WITH(context.evaluate({}), Contains("the matrix of the electrodes is not positive definite"));
    }
}

}  // namespace constant_potential_test
