// Bonded terms in SIMD batches of every instruction set against Reference.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <concepts>
#include <cstddef>
#include <random>

#include <trotter/forces/harmonic_angle.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/forces/periodic_torsion.hpp>
#include <trotter/forces/rb_torsion.hpp>

#include "systems.hpp"

using namespace trotter;
using namespace trotter::testing;

namespace {

/// A chain whose particles are displaced by different box vectors.
Sample chain(Box const& box, int count) {
    std::mt19937 generator(3);
    auto uniform = [&] { return static_cast<double>(generator()) / 0x1p32 - 0.5; };
    Sample s{box, {}, {}};
    for (int n = 0; n < count; ++n) {
        Vec3<> const place{0.1 * n, n % 2 * 0.1, n / 2 % 2 * 0.08};
        Vec3<> const jump = box.a * (n % 3 - 1) + box.b * (n % 5 - 2) + box.c * (n % 7 - 3);
        s.positions.push_back(place + Vec3<>{uniform(), uniform(), uniform()} * 0.05 + jump);
    }
    return s;
}

/// `count` terms, each on consecutive particles.
template <class F> F terms(int count, bool periodic) {
    F force;
    force.periodic = periodic;
    for (int n = 0; n < count; ++n) {
        double const x = 0.3 + 0.1 * (n % 4);
        if constexpr (std::same_as<F, HarmonicBondForce>) force.bonds.push_back({n, n + 1, x, 2e5});
        if constexpr (std::same_as<F, HarmonicAngleForce>) force.angles.push_back({n, n + 1, n + 2, 5 * x, 400});
        if constexpr (std::same_as<F, PeriodicTorsionForce>)
            force.torsions.push_back({n, n + 1, n + 2, n + 3, 1 + n % 4, x, 4});
        if constexpr (std::same_as<F, RBTorsionForce>)
            force.torsions.push_back({n, n + 1, n + 2, n + 3, x, -7, 2 * x, 5, -x, 3});
    }
    return force;
}

template <class F> void check_against_reference(Sample const& s, F const& force) {
    auto const expected = evaluate<Reference, Double>(s, force);
    auto const one = evaluate<Cpu, Mixed>(s, force, Cpu{1});
    // Both compute in double, but sum in different orders.
    CHECK(one.energy == Approx(expected.energy).epsilon(1e-12));
    CHECK(errors(one.forces, expected.forces).largest < 1e-12);
    for (int const threads : {2, 3}) {
        auto const several = evaluate<Cpu, Mixed>(s, force, Cpu{threads});
        CHECK(several.energy == one.energy);
        CHECK(several.forces == one.forces);
    }
}

template <class F> void check_terms_of_each_instruction_set() {
    with_each_instruction_set([] {
        for (int const count : {1, 7, 8, 389})  // less than a batch, a whole number of batches, and several tasks
            for (bool const periodic : {false, true})
                for (auto const& box : {cube, skewed}) {
                    INFO(count << " terms" << (periodic ? ", periodic" : ""));
                    check_against_reference(chain(box, count + 3), terms<F>(count, periodic));
                }
    });
}

}  // namespace

TEST_CASE("terms of the usual bonded forces agree with Reference for each instruction set", "[cpu]") {
    check_terms_of_each_instruction_set<HarmonicBondForce>();
    check_terms_of_each_instruction_set<HarmonicAngleForce>();
    check_terms_of_each_instruction_set<PeriodicTorsionForce>();
    check_terms_of_each_instruction_set<RBTorsionForce>();
}

TEST_CASE("exceptions agree with Reference for each instruction set", "[cpu]") {
    with_each_instruction_set([] {
        for (bool const periodic : {false, true}) {
            auto s = chain(skewed, 390);
            s.force.particles.resize(s.positions.size());
            for (int n = 0; n < 389; ++n) s.force.exceptions.push_back({n, n + 1, 0.1 * (n % 3), 0.2, 0.3});
            s.force.method = NonbondedForce::Method::cutoff_periodic;
            s.force.cutoff_distance = 0.8;
            s.force.exceptions_use_periodic = periodic;
            check_against_reference(s, s.force);
        }
    });
}

TEST_CASE("batches have the lanes of the instruction set in use", "[cpu]") {
    with_each_instruction_set([] {
        auto const bytes = static_cast<std::size_t>(cpu::loops<cpu::DynamicDispatch, double>().vector_bytes());
        CHECK(cpu::TermLoop<HarmonicBondForce, cpu::DynamicDispatch>::function().lanes == bytes / sizeof(double));
    });
}

TEST_CASE("terms of a group that is left out add nothing, whatever they added before", "[cpu]") {
    auto const s = chain(cube, 12);
    auto const bonds = terms<HarmonicBondForce>(11, false);
    auto angles = terms<HarmonicAngleForce>(10, false);
    angles.force_group = 1;
    Engine<Cpu, Mixed> engine({}, {std::vector<double>(s.positions.size(), 1.0)}, s.box, 1);
    Kernel<HarmonicBondForce, Cpu, Mixed> of_bonds(bonds, engine, {});
    Kernel<HarmonicAngleForce, Cpu, Mixed> of_angles(angles, engine, {});
    engine.host.positions = s.positions;
    auto const forces = [&](ForceGroups const& groups) {
        Request const request{groups, false};
        engine.begin(request);
        of_bonds.compute(engine, request);
        of_angles.compute(engine, request);
        engine.finish(request);
        return engine.host.forces;
    };
    auto const alone = evaluate<Cpu, Mixed>(s, bonds).forces, both = forces({});
    CHECK(both != alone);
    for (int repeated = 0; repeated < 2; ++repeated) CHECK(forces(ForceGroups::only({0})) == alone);
    CHECK(forces(ForceGroups::only({5})) == Vectors(s.positions.size()));
    CHECK(forces({}) == both);
}
