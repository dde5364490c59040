// Tests multiple-time-step splittings on a device, as recognized from CustomIntegrators.
// SPDX-License-Identifier: MIT
#include "device/compare_steps.hpp"

#include <string>

#include <trotter/integrators/nested_splitting.hpp>

using namespace trotter;

namespace {

SmallSystem with_groups() {
    auto system = with_slow_springs();
    system.add(CMMotionRemover{.frequency = 3});
    return system;
}

std::string part(int n) { return "(dt/" + std::to_string(n) + ")"; }

/// The computations of OpenMM's MTSIntegrator, with group 1 outside and group 0 `times` inside; with noise, its
/// Langevin form.
CustomIntegrator multiple_steps(int times, bool has_noise) {
    CustomIntegrator result{.step_size = 2 * fs, .seed = 11, .constraint_tolerance = 1e-10};
    result.add_per_dof("x1", 0);
    if (has_noise) {
        result.add_global("a", std::exp(-0.01));
        result.add_global("b", std::sqrt(1 - std::exp(-0.02)));
        result.add_global("kT", 2.5);
    }
    auto const kick = [&](int n, int group) {
        result.compute_per_dof("v", "v+0.5*" + part(n) + "*f" + std::to_string(group) + "/m");
    };
    result.update_context_state();
    kick(1, 1);
    for (int n = 0; n < times; ++n) {
        kick(times, 0);
        result.compute_per_dof("x", "x+" + part(has_noise ? 2 * times : times) + "*v");
        if (has_noise) {
            result.compute_per_dof("v", "a*v + b*sqrt(kT/m)*gaussian");
            result.compute_per_dof("x", "x+" + part(2 * times) + "*v");
        }
        result.compute_per_dof("x1", "x");
        result.constrain_positions();
        result.compute_per_dof("v", "v+(x-x1)/" + part(times));
        result.constrain_velocities();
        kick(times, 0);
    }
    kick(1, 1);
    result.constrain_velocities();
    return result;
}

/// The springs of `with_groups`, with constraints that are too large for one work-item.
SmallSystem with_network() {
    auto system = with_groups();
    system.particles.constraints.clear();
    auto const at = [](int i) { return Vec3<>{0.15 * i, 0.1 * std::sin(i * 2.1), 0.1 * std::cos(i * 3.3)}; };  // start
    for (int i : {0, 1, 2, 3, 4, 5, 8}) system.add_constraint(i, i + 1, norm(at(i + 1) - at(i)));
    return system;
}

}  // namespace

TEST_CASE("several time steps on the device", "[device]") { check_steps_on_device(with_groups(), multiple_steps(3, false)); }
TEST_CASE("several time steps with noise on the device", "[device]") {
    check_steps_on_device(with_groups(), multiple_steps(2, true));
}
TEST_CASE("several time steps of networks of constraints on the device", "[device]") {
    check_steps_on_device(with_network(), multiple_steps(2, false));
}
TEST_CASE("several time steps with virtual sites on the device", "[device]") {
    auto system = with_groups();
    system.set_virtual_site(13, OutOfPlaneSite{3, 7, 12, 0.4, 0.3, 2.5});
    check_steps_on_device(system, multiple_steps(3, false));
    check_steps_on_device(system, multiple_steps(2, true));
}
TEST_CASE("nested splittings as types on the device", "[device]") {
    check_steps_on_device(with_groups(), MultipleStepIntegrator<NestedSplitting{"V1 (V0 R O R V0)^2 V1"}>{
                                             .temperature = 300, .friction = 5, .step_size = 2 * fs, .seed = 3,
                                             .constraint_tolerance = 1e-10});
    check_steps_on_device(with_groups(), MultipleStepIntegrator<NestedSplitting{"V1 V0 R V0 R"}>{
                                             .step_size = 2 * fs, .constraint_tolerance = 1e-10});
}
TEST_CASE("forces are new where others changed parameters or asked for energies between steps on the device", "[device]") {
    auto const run = [](auto backend, bool asks) {
        Context context{with_groups(), multiple_steps(2, false), backend, Double{}};
        start_small_system(context);
        for (int n = 0; n < 4; ++n) {
            context.step(3);
            if (asks) (void)context.state(Energy | Forces | Positions, ForceGroups::only({n % 2}));
        }
        return context.positions();
    };
    CHECK(run(TestedDevice{}, true) == run(TestedDevice{}, false));
    CHECK(largest_difference(run(TestedDevice{}, true), run(Reference{}, false)) < 1e-10);
}
TEST_CASE("a custom integrator that is no product for its sum alone on the device", "[device]") {
    auto integrator = multiple_steps(2, true);
    integrator.add_global("kinetic", 0);
    integrator.compute_sum("kinetic", "m*v*v/2");
    check_steps_on_device(with_groups(), integrator);
}
TEST_CASE("a product takes the same steps computation by computation on the device", "[device]") {
    auto const product = multiple_steps(3, true);
    auto general = product;
    general.add_global("nothing", 0);
    general.compute_global("nothing", "1");
    auto const recorded = state_after(with_groups(), product, TestedDevice{}, Double{}),
               computed = state_after(with_groups(), general, TestedDevice{}, Double{});
    CHECK(largest_difference(recorded.positions, computed.positions) < 1e-10);
}
