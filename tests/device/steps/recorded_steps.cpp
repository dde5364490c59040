// Tests that recorded and replayed steps have the same bits as steps submitted launch by launch.
// SPDX-License-Identifier: MIT
#include "device/compare_steps.hpp"
#include "device/plain_queue.hpp"
#ifndef TROTTER_TEST_CUDA
#include "device/recording_queue.hpp"
#endif

#include <trotter/forces/gbsa_obc.hpp>
#include <trotter/forces/nonbonded.hpp>

using namespace trotter;

namespace {

struct Replayed {
    State state;
    std::vector<double> numbers;  ///< volumes and times during the run
    int replays = 0;
};

template <class S, class I, class B, class P = Mixed>
Replayed take_steps(S const& system, I const& integrator, B backend, P precision = {}) {
    Context context{system, integrator, backend, precision};
    start_small_system(context);
    Replayed result;
    for (int n = 0; n < 12; ++n) {
        context.step(5);
        if (n == 6) context.positions();  // a read, without moving the state
        if (n % 4 == 3) result.numbers.insert(result.numbers.end(), {context.box().volume(), context.time()});
    }
    result.state = context.state(all_that_steps_change);
    if constexpr (requires { context.engine().device.queue.replays; })
        result.replays = context.engine().device.queue.replays;
    return result;
}

void check_same(Replayed const& recorded, Replayed const& given) {
    CHECK(recorded.numbers == given.numbers);
    check_same_bits(recorded.state, given.state);
}

template <class S, class I>
void check_recorded(S const& system, I const& integrator, [[maybe_unused]] int least_replays = 50) {
    INFO(I::name);
    auto const given = take_steps(system, integrator, PlainDevice{});
    check_same(take_steps(system, integrator, TestedDevice{}), given);
#ifndef TROTTER_TEST_CUDA
    auto const replayed = take_steps(system, integrator, RecordedOpenCl{});
    CHECK(replayed.replays >= least_replays);
    check_same(replayed, given);
#endif
}

NoseHooverIntegrator nose_hoover_chain() {
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
    check_recorded(small_system(), nose_hoover_chain());
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
    check_recorded(system, nose_hoover_chain());
}

template <class P> void check_small_molecule() {
    System<ForceList<HarmonicBondForce, NonbondedForce, GBSAOBCForce, CMMotionRemover>> system;
    HarmonicBondForce bonds;
    NonbondedForce nonbonded;
    GBSAOBCForce gbsa;
    for (int i = 0; i < 20; ++i) {
        system.add_particle(i % 2 == 0 ? 12 : 1);
        nonbonded.particles.push_back({i % 2 == 0 ? 0.2 : -0.2, 0.3, 0.4});
        gbsa.particles.push_back({i % 2 == 0 ? 0.2 : -0.2, 0.15, 0.8});
        if (i % 2 == 0) system.add_constraint(i, i + 1, 0.109);
        if (i > 0) bonds.bonds.push_back({i - 1, i, 0.2, 5000}), nonbonded.exceptions.push_back({i - 1, i, 0, 1, 0});
    }
    system.add(bonds);
    system.add(nonbonded);
    system.add(gbsa);
    system.add(CMMotionRemover{});
    LangevinMiddleIntegrator const integrator{.temperature = 300, .friction = 5, .step_size = 2 * fs, .seed = 7};
    check_same(take_steps(system, integrator, TestedDevice{}, P{}), take_steps(system, integrator, PlainDevice{}, P{}));
}
TEST_CASE("recorded steps of a small molecule", "[device]") {
    check_small_molecule<Single>();
    check_small_molecule<Mixed>();
    check_small_molecule<Double>();
}
