// Compares steps on a device with Reference: a small System with every kind of cluster, and checks of its steps.
// SPDX-License-Identifier: MIT
#pragma once
#include "catch_compat.hpp"

#include <cmath>
#include <vector>

#include <trotter/base/archive.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/reference.hpp>
#include <trotter/trotter.hpp>

#include "largest_difference.hpp"
#include "tested_device.hpp"

namespace trotter {

using SmallSystem = System<ForceList<HarmonicBondForce, AndersenThermostat, CMMotionRemover>>;

/// A rigid water, stars of one, two and three hydrogens, a free particle and a massless one, joined by springs.
inline SmallSystem small_system() {
    SmallSystem system;
    for (double mass : {16, 1, 1, 12, 1, 1, 1, 12, 1, 12, 1, 1, 40, 0}) system.add_particle(mass);
    for (auto const& [i, j, distance] : std::vector<Constraint>{{0, 1, 0.09572},
                                                                {0, 2, 0.09572},
                                                                {1, 2, 0.15139},
                                                                {3, 4, 0.109},
                                                                {3, 5, 0.109},
                                                                {3, 6, 0.109},
                                                                {7, 8, 0.109},
                                                                {9, 10, 0.109},
                                                                {9, 11, 0.109}})
        system.add_constraint(i, j, distance);
    HarmonicBondForce bonds;
    for (int i = 0; i < 13; ++i) bonds.bonds.push_back({i, i + 1, 0.3, 5000});
    system.add(bonds);
    return system;
}

/// Adds weaker springs between second neighbors, in their own force group.
inline SmallSystem with_slow_springs() {
    auto system = small_system();
    HarmonicBondForce slow;
    slow.force_group = 1;
    for (int i = 0; i < 11; ++i) slow.bonds.push_back({i, i + 2, 0.4, 300});
    system.add(slow);
    return system;
}

template <class C> void start_small_system(C& context) {
    std::vector<Vec3<>> positions;
    for (int i = 0; i < context.system().particle_count(); ++i)
        positions.push_back({0.15 * i, 0.1 * std::sin(i * 2.1), 0.1 * std::cos(i * 3.3)});
    context.set_positions(positions);
    context.apply_constraints(1e-10);
    context.set_velocities_to_temperature(300, 5);
}

inline constexpr StateData all_that_steps_change =
    StateData::positions | StateData::velocities | StateData::parameters | StateData::integrator_parameters;

/// `interrupted`: saves in the middle and continues in another Context.
template <class I, class B, class P>
State state_after(SmallSystem const& system, I const& integrator, B backend, P precision, bool interrupted = false) {
    Context context{system, integrator, backend, precision};
    start_small_system(context);
    context.step(3);
    if constexpr (requires { context.engine().device; }) {
        auto const version = version_of_steps(context);
        context.step(40);
        CHECK(context.engine().is_state_on_device());
        CHECK(version_of_steps(context) == version);  // nor was the state uploaded again
    } else
        context.step(40);
    if (!interrupted) {
        context.step(57);
        return context.state(all_that_steps_change);
    }
    Archive archive;
    context.save(archive);
    Context resumed{system, integrator, backend, precision};
    Archive in(archive.bytes());
    resumed.load(in);
    in.expect_end();
    resumed.step(57);
    return resumed.state(all_that_steps_change);
}

inline void check_same_bits(State const& a, State const& b) {
    CHECK(a.positions == b.positions);
    CHECK(a.velocities == b.velocities);
    CHECK(a.time == b.time);
    CHECK(a.integrator_parameters == b.integrator_parameters);
}

/// Checks that a hundred steps leave the state on the device, agree with Reference, and have the same bits a second
/// time and after an interruption. Fixed-point forces are rounded to 2^-32 kJ/mol/nm and float ones to 6e-8 of about
/// 1000; the steps amplify that to less than `mixed_tolerance` [nm].
template <class I>
void check_steps_on_device(SmallSystem const& system, I const& integrator, double mixed_tolerance = 5e-6) {
    auto const expected = state_after(system, integrator, Reference{}, Double{}),
               in_double = state_after(system, integrator, TestedDevice{}, Double{}),
               in_mixed = state_after(system, integrator, TestedDevice{}, Mixed{}),
               in_single = state_after(system, integrator, TestedDevice{}, Single{});
    CHECK(largest_difference(in_double.positions, expected.positions) < 1e-10);
    CHECK(largest_difference(in_double.velocities, expected.velocities) < 1e-8);
    CHECK(std::abs(in_double.time - expected.time) < 1e-12);
    CHECK(largest_difference(in_mixed.positions, expected.positions) < mixed_tolerance);
    CHECK(largest_difference(in_single.positions, expected.positions) < 2 * mixed_tolerance);
    check_same_bits(state_after(system, integrator, TestedDevice{}, Mixed{}), in_mixed);
    check_same_bits(state_after(system, integrator, TestedDevice{}, Mixed{}, true), in_mixed);
}

}  // namespace trotter
