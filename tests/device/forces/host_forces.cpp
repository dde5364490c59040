// Tests forces computed by the host during steps on a device: steps are not recorded.
// SPDX-License-Identifier: MIT
#include <trotter/forces/callback_force.hpp>
#include <trotter/forces/rmsd.hpp>

#include "device/compare_steps.hpp"
#include "device/plain_queue.hpp"
#ifndef TROTTER_TEST_CUDA
#include "device/recording_queue.hpp"
#endif

using namespace trotter;

namespace {

/// Pulls the first particle along x; counts calls.
struct Pull {
    long* asked;

    double operator()(Configuration const& at, std::span<Vec3<>> forces) const {
        ++*asked;
        forces[0].x = 50;
        return -50 * at.positions[0].x;
    }
};
using PulledSystem =
    System<ForceList<HarmonicBondForce, AndersenThermostat, CMMotionRemover, CallbackForce<Pull>, RMSDForce>>;

struct Run {
    State state;
    long asked = 0;
    int replays = 0;
};

template <class I, class B, class P = Mixed> Run pulled_run(I const& integrator, B backend, P precision = {}) {
    Run result;
    PulledSystem system = small_system();
    system.add(AndersenThermostat{.temperature = 300, .collision_frequency = 30, .seed = 3});
    system.add(CMMotionRemover{.frequency = 2});
    system.add(CallbackForce<Pull>{.function = {&result.asked}, .particles = {3}});
    RMSDForce structure;
    for (int i = 0; i < system.particle_count(); ++i) structure.reference_positions.push_back({0.2 * i, 0, 0});
    system.add(structure);
    Context context{system, integrator, backend, precision};
    start_small_system(context);
    result.asked = 0;
    for (int n = 0; n < 6; ++n) {
        context.step(5);
        if (n == 3) context.positions();  // a read, without moving the state
    }
    result.state = context.state(all_that_steps_change);
    if constexpr (requires { context.engine().device.queue.replays; })
        result.replays = context.engine().device.queue.replays;
    return result;
}

template <class I> void check(I const& integrator, long evaluations) {
    INFO(I::name);
    auto const expected = pulled_run(integrator, Reference{}, Double{}), given = pulled_run(integrator, PlainDevice{}),
               recorded = pulled_run(integrator, TestedDevice{});
    CHECK(given.asked == evaluations);
    CHECK(recorded.asked == evaluations);
    CHECK(largest_difference(given.state.positions, expected.state.positions) < 5e-6);  // as for all steps in Mixed
    check_same_bits(recorded.state, given.state);
#ifndef TROTTER_TEST_CUDA
    auto const replayed = pulled_run(integrator, RecordedOpenCl{});
    CHECK(replayed.replays == 0);
    check_same_bits(replayed.state, given.state);
#endif
}

}  // namespace

TEST_CASE("steps with forces of the host ask for them each time", "[device]") {
    check(VerletIntegrator{.step_size = 1 * fs}, 30);
    check(LangevinMiddleIntegrator{.temperature = 300, .friction = 5, .step_size = 1 * fs, .seed = 7}, 30);
    NoseHooverIntegrator nose_hoover{.step_size = 1 * fs};
    nose_hoover.chains.push_back({.temperature = 300, .collision_frequency = 30});
    check(nose_hoover, 30);
}
