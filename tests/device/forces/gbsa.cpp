// Tests generalized Born solvent on a device against Reference.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "device/tested_device.hpp"
#include "largest_difference.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <trotter/device/pairs/nonbonded.hpp>
#include <trotter/device/stages/gbsa.hpp>
#include <trotter/reference.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

namespace {

template <class B, class P> State solvated(int count, GBSAOBCForce force, B backend, P precision) {
    System<ForceList<GBSAOBCForce>> system;
    system.box = Box::rectangular(2.5, 2.4, 2.6);
    std::vector<Vec3<>> positions;
    for (int i = 0; i < count; ++i) {
        system.add_particle(10);
        force.particles.push_back({0.3 * std::sin(1 + i * 1.7), 0.12 + 0.02 * (i % 4), 0.7 + 0.05 * (i % 3)});
        // Neighbors along the coil overlap.
        positions.push_back({0.5 * std::cos(0.4 * i) + 0.01 * i, 0.5 * std::sin(0.4 * i), 0.012 * i});
    }
    system.add(force);
    Context context{system, VerletIntegrator{.step_size = 1 * fs}, backend, precision};
    context.set_positions(positions);
    return context.state(StateData::forces | StateData::energy);
}

// A solvated coil whose first and second bonded neighbors are excluded or scaled.
template <class B, class P> State solvated_chain(NonbondedForce force, GBSAOBCForce solvent, B backend, P precision) {
    constexpr int count = 90;
    System<ForceList<NonbondedForce, GBSAOBCForce>> system;
    system.box = Box::rectangular(2.5, 2.4, 2.6);
    std::vector<Vec3<>> positions;
    for (int i = 0; i < count; ++i) {
        system.add_particle(10);
        double const charge = 0.3 * std::sin(1 + i * 1.7);
        force.particles.push_back({charge, 0.25 + 0.01 * (i % 5), 0.3});
        solvent.particles.push_back({charge, 0.12 + 0.02 * (i % 4), 0.7 + 0.05 * (i % 3)});
        positions.push_back({0.5 * std::cos(0.4 * i) + 0.01 * i, 0.5 * std::sin(0.4 * i), 0.02 * i});
        if (i > 0) force.exceptions.push_back({i - 1, i, 0, 1, 0});
        if (i > 1) force.exceptions.push_back({i - 2, i, 0.02, 0.2, 0.1});
    }
    system.add(force);
    system.add(solvent);
    Context context{system, VerletIntegrator{.step_size = 1 * fs}, backend, precision};
    context.set_positions(positions);
    context.state(StateData::forces);  // a second evaluation uses the arrays as the first left them
    return context.state(StateData::forces | StateData::energy);
}

}  // namespace

TEST_CASE("Solvent and nonbonded pairs share a loop, where exclusions count for the latter alone", "[device]") {
    struct {
        NonbondedForce::Method pairs;
        GBSAOBCForce::Method solvent;
        double cutoff, solvent_cutoff;
    } const cases[] = {{NonbondedForce::Method::no_cutoff, GBSAOBCForce::Method::no_cutoff, 1, 1},
                       {NonbondedForce::Method::cutoff_non_periodic, GBSAOBCForce::Method::cutoff_non_periodic, 1, 1},
                       {NonbondedForce::Method::cutoff_periodic, GBSAOBCForce::Method::cutoff_periodic, 1, 1},
                       {NonbondedForce::Method::cutoff_periodic, GBSAOBCForce::Method::cutoff_periodic, 0.9, 1.1}};
    for (auto const& c : cases) {
        NonbondedForce const force{.method = c.pairs, .cutoff_distance = c.cutoff};
        GBSAOBCForce const solvent{.method = c.solvent, .cutoff_distance = c.solvent_cutoff};
        INFO("method " << static_cast<int>(c.pairs) << ", cutoffs " << c.cutoff << " and " << c.solvent_cutoff);
        auto const expected = solvated_chain(force, solvent, Reference{}, Double{});
        auto const in_double = solvated_chain(force, solvent, TestedDevice{}, Double{});
        auto const in_mixed = solvated_chain(force, solvent, TestedDevice{}, Mixed{});
        double square = 0, worst = 0, worst_mixed = 0;
        for (std::size_t i = 0; i < expected.forces.size(); ++i) {
            square += dot(expected.forces[i], expected.forces[i]) / static_cast<double>(expected.forces.size());
            worst = worst_of(worst, norm(in_double.forces[i] - expected.forces[i]));
            worst_mixed = worst_of(worst_mixed, norm(in_mixed.forces[i] - expected.forces[i]));
        }
        CHECK(worst < 1e-10 * std::sqrt(square) + 1e-8);  // about thirty additions of multiples of 2^-32 kJ/mol/nm
        CHECK(worst_mixed < 1e-5 * std::sqrt(square));
        CHECK(in_double.potential_energy == Approx(expected.potential_energy).epsilon(1e-10));
        CHECK(in_mixed.potential_energy == Approx(expected.potential_energy).epsilon(1e-6));
    }
}

TEST_CASE("Born radii, energies and forces with and without a cutoff", "[device]") {
    using Method = GBSAOBCForce::Method;
    for (auto const method : {Method::no_cutoff, Method::cutoff_periodic})
        for (int const count : method == Method::no_cutoff ? std::vector{1, 75} : std::vector{75}) {
            INFO(count << " particles, method " << static_cast<int>(method));
            GBSAOBCForce const force{.method = method, .cutoff_distance = 1.1};
            auto const expected = solvated(count, force, Reference{}, Double{}),
                       in_double = solvated(count, force, TestedDevice{}, Double{}),
                       in_mixed = solvated(count, force, TestedDevice{}, Mixed{}),
                       again = solvated(count, force, TestedDevice{}, Mixed{});
            double square = 1e-12, worst = 0, worst_mixed = 0;
            for (std::size_t i = 0; i < expected.forces.size(); ++i) {
                square += dot(expected.forces[i], expected.forces[i]) / count;
                worst = worst_of(worst, norm(in_double.forces[i] - expected.forces[i]));
                worst_mixed = worst_of(worst_mixed, norm(in_mixed.forces[i] - expected.forces[i]));
            }
            CHECK(worst < 1e-10 * std::sqrt(square) + 1e-9);  // forces are multiples of 2^-32 kJ/mol/nm
            CHECK(worst_mixed < 1e-5 * std::sqrt(square) + 1e-9);
            CHECK(in_double.potential_energy == Approx(expected.potential_energy).epsilon(1e-10));
            CHECK(in_mixed.potential_energy == Approx(expected.potential_energy).epsilon(1e-6));
            CHECK(in_mixed.forces == again.forces);
        }
}
