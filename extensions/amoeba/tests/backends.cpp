// The forces of this extension on every backend, compared with Reference.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <trotter/amoeba/kernels.hpp>
#include <trotter/base/archive.hpp>
#include <trotter/context.hpp>
#include <trotter/integrators/verlet.hpp>

#include "backends.hpp"
#include "largest_difference.hpp"
#include "multipole_molecules.hpp"

namespace amoeba_backends_test {
namespace {

using namespace amoeba_multipole_test;

template <class B, class P, class F> auto context_of(F const& force, Vectors const& positions) {
    System<ForceList<F>> system;
    for (std::size_t i = 0; i < positions.size(); ++i) system.add_particle(12);
    system.box = skewed;
    system.add(force);
    Context context{system, VerletIntegrator{.step_size = 0.0005}, B{}, P{}};
    context.set_positions(positions);
    return context;
}

double rms(Vectors const& vectors) {
    double sum = 0;
    for (auto const& v : vectors) sum += dot(v, v);
    return std::sqrt(sum / static_cast<double>(vectors.size()));
}

/// Energy and forces are those of Reference up to `loss` roundings.
template <class TestType, class F> void check_like_reference(F const& force, Vectors const& positions, double loss) {
    auto expected = context_of<Reference, Double>(force, positions);
    auto context = context_of<typename TestType::Backend, typename TestType::Precision>(force, positions);
    auto const there = expected.state(Energy | Forces), here = context.state(Energy | Forces);
    double const size = rms(there.forces), unit = TestType::is_on_device ? 5e-9 : 0;  // of fixed-point sums
    double const tolerance = loss * TestType::rounding + unit / size;
    REQUIRE(size > 0.1);
    CHECK(std::abs(here.potential_energy - there.potential_energy)
          < tolerance * std::max(1.0, std::abs(there.potential_energy) + size));
    CHECK(largest_difference(here.forces, there.forces) < tolerance * size);
    // The same without energies.
    context.evaluate({.energy = false});
    CHECK(largest_difference(context.forces(), here.forces) < tolerance * size);
}

AmoebaVdwForce spheres(int molecule_count, AmoebaVdwForce::Method method) {
    AmoebaVdwForce force{.method = method, .cutoff_distance = 0.9, .alchemy = AmoebaVdwForce::Alchemy::decouple};
    for (int i = 0; i < 5 * molecule_count; ++i) {
        int const first = i - i % 5;
        AmoebaVdwForce::Particle particle{.parent = first, .sigma = 0.16 + 0.01 * (i % 5), .epsilon = 0.3 + 0.1 * (i % 3)};
        particle.reduction = i % 5 == 0 ? 1 : 0.9;
        particle.is_alchemical = i < 10;
        particle.scale = i % 7 == 0 ? 0.8 : 1;
        for (int n = 0; n < 5; ++n) particle.exclusions.push_back(first + n);
        force.particles.push_back(particle);
    }
    return force;
}

AmoebaTorsionTorsionForce chains(int molecule_count) {
    std::vector<double> first, second, energies;
    for (int n = 0; n <= 12; ++n) first.push_back(-180 + 30 * n);
    for (int n = 0; n <= 8; ++n) second.push_back(-170 + 45 * n);
    for (double const x : first)
        for (double const y : second) energies.push_back(10 * std::sin(x / 57) + 5 * std::cos(y / 40 + x / 70));
    AmoebaTorsionTorsionForce force{.grids = {AmoebaTorsionTorsionForce::Grid::fitted(first, second, energies)}};
    for (int n = 0; n < molecule_count; ++n)
        force.terms.push_back({5 * n + 1, 5 * n, 5 * n + 2, 5 * n + 3, 5 * n + 4, n % 2 == 0 ? -1 : (5 * n + 6) % (5 * molecule_count), 0});
    return force;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("multipoles on every backend", "[amoeba][devices]", TestedBackends) {
    std::vector const axes{Axis::z_then_x, Axis::bisector, Axis::z_bisect, Axis::three_fold, Axis::z_only, Axis::none};
    auto const polarization = GENERATE(Polarization::mutual, Polarization::direct, Polarization::extrapolated);
    auto const method = GENERATE(Method::no_cutoff, Method::pme);
    auto force = molecules(8, axes, polarization, method);
    force.pme = {3.6, 18, 16, 20};  // of odd sizes the host's two sets of dipoles are not quite separate
    if (!TestType::is_double) force.mutual_target_epsilon = 1e-5;  // float has no digits for more
    check_like_reference<TestType>(force, places(8), TestType::is_double ? 1e5 : 2e2);
}

TEMPLATE_LIST_TEST_CASE("induced dipoles on every backend", "[amoeba][devices]", TestedBackends) {
    auto force = molecules(4, {Axis::z_then_x, Axis::bisector}, Polarization::mutual, Method::pme);
    force.pme = {3.6, 18, 16, 20};
    if (!TestType::is_double) force.mutual_target_epsilon = 1e-5;
    auto const positions = places(4);
    auto expected = context_of<Reference, Double>(force, positions);
    auto context = context_of<typename TestType::Backend, typename TestType::Precision>(force, positions);
    auto const there = expected.template ask<AmoebaMultipoleForce>(0), here = context.template ask<AmoebaMultipoleForce>(0);
    double const tolerance = (TestType::is_double ? 1e5 : 1e3) * TestType::rounding;
    CHECK(largest_difference(here.induced_dipoles, there.induced_dipoles) < tolerance * rms(there.induced_dipoles));
    CHECK(largest_difference(here.permanent_dipoles, there.permanent_dipoles) < tolerance * rms(there.permanent_dipoles));
    CHECK(here.iterations > 1);
    auto unreachable = force;
    unreachable.mutual_max_iterations = 1;
    auto too_few = context_of<typename TestType::Backend, typename TestType::Precision>(unreachable, positions);
    CHECK_THROWS_WITH(too_few.evaluate({}), Catch::Matchers::Contains("did not converge"));
}

// Dipoles of earlier steps give the first guess of the next ones: without them the iterations end at other bits.
TEMPLATE_LIST_TEST_CASE("a checkpoint of induced dipoles continues bit for bit", "[amoeba][devices]", TestedBackends) {
    auto force = molecules(4, {Axis::z_then_x, Axis::bisector}, Polarization::mutual, Method::pme);
    force.pme = {3.6, 18, 16, 20};
    force.mutual_target_epsilon = TestType::is_double ? 1e-6 : 1e-4;
    auto const positions = places(4);
    using B = typename TestType::Backend;
    using P = typename TestType::Precision;
    auto context = context_of<B, P>(force, positions), other = context_of<B, P>(force, positions);
    context.step(6);
    Archive saved;
    context.save(saved);
    Archive bytes(saved.bytes());
    other.load(bytes);
    context.step(4);
    other.step(4);
    CHECK(context.positions() == other.positions());
    CHECK(context.velocities() == other.velocities());
}

TEMPLATE_LIST_TEST_CASE("multipoles with new parameters on every backend", "[amoeba][devices]", TestedBackends) {
    auto force = molecules(4, {Axis::bisector}, Polarization::direct, Method::pme);
    force.pme = {3.6, 18, 16, 20};
    auto changed = force;
    for (auto& m : changed.multipoles) m.charge *= 1.1, m.polarizability *= 0.9;
    auto const positions = places(4);
    auto context = context_of<typename TestType::Backend, typename TestType::Precision>(force, positions);
    context.evaluate({});
    context.update(0, changed);
    auto expected = context_of<Reference, Double>(changed, positions);
    double const energy = expected.evaluate({});
    CHECK(context.evaluate({}) == Approx(energy).epsilon(200 * TestType::rounding).margin(1e-8));
}

TEMPLATE_LIST_TEST_CASE("van der Waals forces of AMOEBA on every backend", "[amoeba][devices]", TestedBackends) {
    auto const method = GENERATE(AmoebaVdwForce::Method::no_cutoff, AmoebaVdwForce::Method::cutoff_periodic);
    auto const potential = GENERATE(AmoebaVdwForce::Potential::buffered_14_7, AmoebaVdwForce::Potential::lennard_jones);
    auto force = spheres(8, method);
    force.potential = potential;
    auto const positions = places(8);
    check_like_reference<TestType>(force, positions, 1e2);
    auto expected = context_of<Reference, Double>(force, positions);
    auto context = context_of<typename TestType::Backend, typename TestType::Precision>(force, positions);
    context.evaluate({});
    for (auto* const one : {&force}) one->particles[3].epsilon *= 2;
    expected.update(0, force);
    expected.set_parameter(AmoebaVdwForce::lambda, 0.5);
    context.update(0, force);
    context.set_parameter(AmoebaVdwForce::lambda, 0.5);
    CHECK(context.evaluate({}) == Approx(expected.evaluate({})).epsilon(1e2 * TestType::rounding));
}

TEMPLATE_LIST_TEST_CASE("torsion pairs of AMOEBA on every backend", "[amoeba][devices]", TestedBackends) {
    auto force = chains(8);
    force.periodic = GENERATE(false, true);
    check_like_reference<TestType>(force, places(8), 1e3);
}

}  // namespace amoeba_backends_test
