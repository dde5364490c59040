// HippoNonbondedForce on every backend, compared with Reference.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include <trotter/amoeba/kernels.hpp>
#include <trotter/base/archive.hpp>
#include <trotter/context.hpp>
#include <trotter/integrators/verlet.hpp>

#include "backends.hpp"
#include "hippo_molecules.hpp"
#include "largest_difference.hpp"

using namespace trotter;

namespace hippo_backends_test {
namespace {

using Vectors = std::vector<Vec3<>>;
using namespace hippo_test;

std::vector<AxisType> const all_types{AxisType::z_then_x,   AxisType::bisector, AxisType::z_bisect,
                                      AxisType::three_fold, AxisType::z_only,   AxisType::none};

/// Parameters of one of three kinds of particles; decays are equal, close and different.
Particle particle_of(int kind) {
    return {.core_charge = 1.0 + 2 * kind,
            .alpha = kind == 2 ? 44 : 36 + 0.5 * kind,
            .epsilon = 2.0 + kind,
            .damping = 30.0 + 3 * kind,
            .c6 = 0.003 + 0.004 * kind,
            .pauli_k = 1.0 + 0.5 * kind,
            .pauli_q = 1.0 + kind,
            .pauli_alpha = kind == 0 ? 33 : 42 + 0.3 * kind,
            .polarizability = 0.0003 + 0.0002 * kind};
}
HippoNonbondedForce molecules(int count, std::vector<AxisType> const& types, Method method) {
    auto force = molecules_of(count, types, method, particle_of);
    for (int i = 0; i < 5 * count; ++i) {  // more axes than some types need
        auto& particle = force.particles[static_cast<std::size_t>(i)];
        particle.axis_z = neighbor_of(i, 1), particle.axis_x = neighbor_of(i, 2), particle.axis_y = neighbor_of(i, 3);
    }
    return force;
}

template <class B, class P> auto context_of(HippoNonbondedForce const& force, Vectors const& positions) {
    System<ForceList<HippoNonbondedForce>> system;
    for (std::size_t i = 0; i < positions.size(); ++i) system.add_particle(12);
    system.box = skewed;
    system.add(force);
    Context context{system, VerletIntegrator{.step_size = 0.0002}, B{}, P{}};
    context.set_positions(positions);
    return context;
}
template <class TestType> auto tested(HippoNonbondedForce const& force, Vectors const& positions) {
    return context_of<typename TestType::Backend, typename TestType::Precision>(force, positions);
}
auto expected(HippoNonbondedForce const& force, Vectors const& positions) {
    return context_of<Reference, Double>(force, positions);
}
double rms(Vectors const& vectors) {
    double sum = 0;
    for (auto const& v : vectors) sum += dot(v, v);
    return std::sqrt(sum / static_cast<double>(vectors.size()));
}
/// Energy and forces are the same up to `tolerance` of the forces' size.
void check_same(auto& context, auto& reference, double tolerance) {
    auto const there = reference.state(Energy | Forces), here = context.state(Energy | Forces);
    double const size = rms(there.forces);
    REQUIRE(size > 100);
    CHECK(std::abs(here.potential_energy - there.potential_energy) < tolerance * size);
    CHECK(largest_difference(here.forces, there.forces) < tolerance * size);
    // The same without energies.
    context.evaluate({.energy = false});
    CHECK(largest_difference(context.forces(), here.forces) < tolerance * size);
}
template <class TestType> constexpr double accuracy = TestType::is_double ? 1e-9 : 1e-4;

}  // namespace

TEMPLATE_LIST_TEST_CASE("HIPPO on every backend", "[hippo][devices]", TestedBackends) {
    auto const force = molecules(8, all_types, GENERATE(Method::no_cutoff, Method::pme));
    auto const positions = places(8);
    auto reference = expected(force, positions);
    auto context = tested<TestType>(force, positions);
    check_same(context, reference, accuracy<TestType>);
    auto const there = reference.template ask<HippoNonbondedForce>(0),
               here = context.template ask<HippoNonbondedForce>(0);
    double const tolerance = accuracy<TestType>;
    CHECK(largest_difference(here.induced, there.induced) < tolerance * rms(there.induced));
    CHECK(largest_difference(here.permanent, there.permanent) < tolerance * rms(there.permanent));
    reference.step(10);
    context.step(10);
    CHECK(largest_difference(context.positions(), reference.positions()) < (TestType::is_double ? 1e-11 : 1e-6));
}

TEMPLATE_LIST_TEST_CASE("a checkpoint of HIPPO continues bit for bit", "[hippo][devices]", TestedBackends) {
    auto const force = molecules(8, all_types, Method::pme);
    auto context = tested<TestType>(force, places(8)), other = tested<TestType>(force, places(8));
    context.step(6);
    Archive saved;
    context.save(saved);
    Archive bytes(saved.bytes());
    other.load(bytes);
    bytes.expect_end();
    context.step(4);
    other.step(4);
    CHECK(context.positions() == other.positions());
    CHECK(context.velocities() == other.velocities());
}

TEMPLATE_LIST_TEST_CASE("orders of HIPPO's induced dipoles on every backend", "[hippo][devices]", TestedBackends) {
    auto force = molecules(2, {AxisType::z_then_x}, Method::no_cutoff);
    force.extrapolation_coefficients = GENERATE(std::vector<double>{}, std::vector{0.1, -0.2, 0.8, 0.3});
    auto const positions = places(2);
    auto reference = expected(force, positions);
    auto context = tested<TestType>(force, positions);
    check_same(context, reference, accuracy<TestType>);
}

TEMPLATE_LIST_TEST_CASE("HIPPO with new parameters on every backend", "[hippo][devices]", TestedBackends) {
    auto force = molecules(4, {AxisType::bisector}, Method::pme);
    for (auto& p : force.particles) p.alpha = 36, p.pauli_alpha = 40;
    auto const positions = places(4);
    auto reference = expected(force, positions);
    auto context = tested<TestType>(force, positions);
    context.evaluate({});
    // These decays and axes need other kernels.
    for (std::size_t i = 0; i < force.particles.size(); ++i) {
        auto& p = force.particles[i];
        p.alpha += 0.4 * static_cast<double>(i % 2), p.pauli_alpha += 8 * static_cast<double>(i % 2);
        p.charge *= 1.1, p.c6 *= 0.9, p.axis_type = AxisType::z_then_x;
    }
    for (auto& exception : force.exceptions) exception.dispersion_scale = 0.3;
    reference.update(0, force);
    context.update(0, force);
    check_same(context, reference, accuracy<TestType>);
    // And these do not.
    for (auto& p : force.particles) p.polarizability *= 1.1, p.dipole *= 0.9;
    reference.update(0, force);
    context.update(0, force);
    check_same(context, reference, accuracy<TestType>);
}

}  // namespace hippo_backends_test
