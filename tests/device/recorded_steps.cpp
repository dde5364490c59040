// Steps that are recorded once and then replayed have the bits of those that are given one by one.
// SPDX-License-Identifier: MIT
#ifndef TROTTER_TEST_CUDA
#include "compare_steps.hpp"
#include "plain_queue.hpp"
#include "recording_queue.hpp"

using namespace trotter;

namespace {

struct Replayed {
    State state;
    std::vector<double> numbers;  ///< volumes and times on the way
    int replays = 0;
};

template <class S, class I, class B> Replayed take_steps(S const& system, I const& integrator, B backend) {
    Context context{system, integrator, backend, Mixed{}};
    start_small_system(context);
    Replayed result;
    for (int n = 0; n < 12; ++n) {
        context.step(5);
        if (n == 6) context.positions();  // a look, with the state left where it is
        if (n % 4 == 3) result.numbers.insert(result.numbers.end(), {context.box().volume(), context.time()});
    }
    result.state = context.state(all_that_steps_change);
    if constexpr (requires { context.engine().device.queue.replays; })
        result.replays = context.engine().device.queue.replays;
    return result;
}

template <class S, class I> void check_recorded(S const& system, I const& integrator, int least_replays = 50) {
    INFO(I::name);
    auto const given = take_steps(system, integrator, PlainOpenCl{}),
               replayed = take_steps(system, integrator, RecordedOpenCl{}),
               by_opencl = take_steps(system, integrator, OpenCl{});
    CHECK(replayed.replays >= least_replays);
    for (auto const* recorded : {&replayed, &by_opencl}) {
        CHECK(recorded->numbers == given.numbers);
        check_same_bits(recorded->state, given.state);
    }
}

NoseHooverIntegrator nose_hoover() {
    NoseHooverIntegrator result{.step_size = 2 * fs};
    result.chains.push_back({.temperature = 300, .collision_frequency = 30});
    return result;
}

}  // namespace

TEST_CASE("recorded steps of splittings, with thermostats", "[device]") {
    VerletIntegrator const leapfrog{.step_size = 2 * fs};
    check_recorded(small_system(), leapfrog);
    check_recorded(small_system(),
                   LangevinMiddleIntegrator{.temperature = 300, .friction = 5, .step_size = 2 * fs, .seed = 7});
    auto system = small_system();
    system.add(AndersenThermostat{.temperature = 300, .collision_frequency = 30, .seed = 3});
    check_recorded(system, leapfrog);
    auto often = system, sometimes = system;
    often.add(CMMotionRemover{});
    check_recorded(often, leapfrog);
    sometimes.add(CMMotionRemover{.frequency = 4});
    check_recorded(sometimes, leapfrog, 40);
}
TEST_CASE("recorded steps of other integrators", "[device]") {
    check_recorded(small_system(), nose_hoover());
    check_recorded(small_system(),
                   BrownianIntegrator{.temperature = 300, .friction = 50, .step_size = 2 * fs, .seed = 7});
    check_recorded(small_system(), VariableVerletIntegrator{.error_tolerance = 2e-4});
    check_recorded(small_system(),
                   VariableLangevinIntegrator{.temperature = 300, .friction = 5, .error_tolerance = 2e-4, .seed = 7});
}
TEST_CASE("recorded steps between the tries of a barostat", "[device]") {
    System<ForceList<HarmonicBondForce, AndersenThermostat, CMMotionRemover, MonteCarloBarostat>> system(
        small_system());
    system.box = Box::rectangular(3, 3, 3);
    system.template forces<HarmonicBondForce>()[0].periodic = true;
    system.add(MonteCarloBarostat{
        .pressure = 1000, .temperature = 300, .frequency = 3, .scale_molecules_as_rigid = false, .seed = 5});
    check_recorded(system, VerletIntegrator{.step_size = 2 * fs});
    system.add(CMMotionRemover{});
    system.particles.masses[13] = 1;  // then steps clear the forces
    check_recorded(system, nose_hoover());
}
#endif
