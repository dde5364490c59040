// Tests that a device failure within a step leaves a Context that can be read and continued.
// SPDX-License-Identifier: MIT
#include "device/compare_steps.hpp"
#include "device/failing_queue.hpp"

#include <trotter/forces/nonbonded.hpp>

using namespace trotter;

namespace {

using FailingSystem =
    System<ForceList<HarmonicBondForce, NonbondedForce, AndersenThermostat, CMMotionRemover, MonteCarloBarostat>>;

/// Rigid pairs on a lattice, with everything that a step may begin with.
FailingSystem pairs_in_a_box() {
    FailingSystem system;
    system.box = Box::rectangular(2.4, 2.4, 2.4);
    NonbondedForce nonbonded{.method = NonbondedForce::Method::pme, .cutoff_distance = 0.9};
    HarmonicBondForce bonds{.periodic = true};
    for (int i = 0; i < 128; ++i) {
        system.add_particle(16);
        nonbonded.particles.push_back({i % 2 == 0 ? 0.3 : -0.3, 0.2, 0.4});
        if (i % 2 == 1) system.add_constraint(i - 1, i, 0.1), nonbonded.exceptions.push_back({i - 1, i});
        if (i % 8 == 7) bonds.bonds.push_back({i - 7, i - 1, 1.8, 500});
    }
    system.add(nonbonded);
    system.add(bonds);
    system.add(AndersenThermostat{.temperature = 300, .collision_frequency = 30, .seed = 3});
    system.add(CMMotionRemover{.frequency = 2});
    system.add(MonteCarloBarostat{.pressure = 300, .temperature = 300, .frequency = 3, .seed = 5});
    return system;
}
template <class C> void start(C& context) {
    std::vector<Vec3<>> positions;
    for (int n = 0; n < 64; ++n) {
        positions.push_back({0.6 * (n % 4), 0.6 * (n / 4 % 4), 0.6 * (n / 16)});
        positions.push_back(positions.back() + Vec3<>{0.1 * std::cos(n), 0.1 * std::sin(n), 0});
    }
    context.set_positions(positions);
    context.apply_constraints(1e-8);
    context.set_velocities_to_temperature(300, 5);
}

template <class I> class Failures {
public:
    explicit Failures(I const& integrator) : integrator_(integrator) {
        auto context = make();
        start(context);
        context.step(4);
        context.save(middle_);
        context.step(steps);
        expected_ = context.state(all_that_steps_change);
    }

    auto make() const { return Context{system_, integrator_, FailingDevice{}, Mixed{}}; }
    /// Whether one of the steps made the call of that number, which failed.
    template <class C> bool fail(C& context, int call) {
        auto& queue = context.engine().device.queue;
        queue.calls = 0;
        queue.failing_call = call;
        bool has_failed = false;
        try {
            context.step(steps);
        } catch (UnsupportedError const&) {
            has_failed = true;
        }
        queue.failing_call = 0;
        return has_failed;
    }
    template <class C> void load(C& context) {
        Archive in(middle_.bytes());
        context.load(in);
    }
    /// Checks that the state can be read, that forces match positions, and that the saved state continues as before.
    template <class C> void check(C& context) {
        double const energy = context.evaluate({ForceGroups::all(), true});  // the first call after the failure
        auto const forces = context.forces();
        auto const found = context.state(Positions | Velocities);
        judge_.set_box(*found.box);
        judge_.set_positions(found.positions);
        auto const right = judge_.state(Energy | StateData::forces);
        double largest = 0;
        for (auto const& force : right.forces) largest = std::max(largest, norm(force));
        // Pairs are summed in float, in an order that differs between Contexts.
        CHECK(energy == Approx(right.potential_energy).epsilon(2e-6).margin(1e-3));
        CHECK(largest_difference(forces, right.forces) < 1e-5 * largest);
        for (auto const& velocity : found.velocities) CHECK(norm(velocity) < 10);
        load(context);
        context.step(steps);
        check_same_bits(context.state(all_that_steps_change), expected_);
    }

private:
    static constexpr int steps = 4;

    FailingSystem system_ = pairs_in_a_box();
    I integrator_;
    Archive middle_;
    State expected_;
    Context<FailingSystem, FailingDevice, Mixed, IntegratorList<I>> judge_{system_, integrator_, FailingDevice{},
                                                                           Mixed{}};
};

/// Fails each `stride`-th device call of steps, in one Context and in new ones: these compile and allocate, and nothing
/// is recorded yet.
template <class I> void check_failures(I const& integrator, int stride) {
    INFO(I::name);
    Failures failures(integrator);
    auto context = failures.make();
    start(context);
    context.step(4);
    int call = 1;
    for (failures.load(context); failures.fail(context, call); failures.load(context), call += stride) {
        INFO("call " << call << " in steps that have been taken before");
        failures.check(context);
    }
    CHECK(call > 3 * stride);
    for (call = 1;; call += 5 * stride) {
        INFO("call " << call << " in the first steps");
        auto fresh = failures.make();
        start(fresh);
        if (!failures.fail(fresh, call)) break;
        failures.check(fresh);
    }
    CHECK(call > 3 * stride);
}

}  // namespace

TEST_CASE("a device that fails in a step leaves a Context to be read and gone on with", "[device]") {
    check_failures(VerletIntegrator{.step_size = 1 * fs}, 2);
    check_failures(LangevinMiddleIntegrator{.temperature = 300, .friction = 5, .step_size = 1 * fs, .seed = 7}, 5);
    NoseHooverIntegrator nose_hoover{.step_size = 1 * fs};
    nose_hoover.chains.push_back({.temperature = 300, .collision_frequency = 30});
    check_failures(nose_hoover, 7);
    check_failures(VariableVerletIntegrator{.error_tolerance = 1e-4}, 7);
}
