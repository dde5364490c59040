// The device text of the examples compiles for the supported architectures, in every precision.
// SPDX-License-Identifier: MIT
#include <trotter/device.hpp>
#include <trotter/trotter.hpp>

#include "../../examples/pair_force.hpp"
#include "../../examples/string_force_kernel.hpp"
#include "catch_compat.hpp"
#include "queue.hpp"

using namespace trotter;

TEST_CASE("text of a force with a kernel of its own", "[nvrtc]") {
    using device::NumberTypes;
    Nvrtc const single{&NumberTypes::of<Single>}, mixed{&NumberTypes::of<Mixed>}, full{&NumberTypes::of<Double>};
    for (auto const& precision : {single, mixed, full})
        for (bool const periodic : {false, true}) {
            System<ForceList<string_theory::StringForce>> system;
            system.box = Box::rectangular(3, 3, 3);
            for (int i = 0; i < 2; ++i) system.add_particle(1);
            system.add(string_theory::StringForce{.strings = {{0, 1, 10, 4}}, .periodic = periodic});
            auto const before = nvrtc::compiled().size();
            Context context{system, VerletIntegrator{.step_size = 0.001}, precision, Mixed{}};
            CHECK(nvrtc::compiled().size() > before);
            context.set_positions({{0, 0, 0}, {1, 0, 0}});
            context.state(Energy | Forces);
        }
}

TEST_CASE("text of a formula for pairs", "[nvrtc]") {
    using device::NumberTypes;
    using Method = PairSettings::Method;
    Nvrtc const single{&NumberTypes::of<Single>}, mixed{&NumberTypes::of<Mixed>}, full{&NumberTypes::of<Double>};
    for (auto const& precision : {single, mixed, full})
        for (auto const method : {Method::no_cutoff, Method::cutoff_non_periodic, Method::cutoff_periodic}) {
            System<ForceList<FadingForce>> system;
            system.box = Box::rectangular(3, 3, 3);
            for (int i = 0; i < 3; ++i) system.add_particle(1);
            PairSettings const settings{.method = method, .use_switching_function = true, .switching_distance = 0.8, .exclusions = {{0, 1}}};
            system.add(FadingForce{.particles = {{0.3, 1}, {0.2, 2}, {0.3, 1}}, .pairs = settings});
            auto const before = nvrtc::compiled().size();
            Context context{system, VerletIntegrator{.step_size = 0.001}, precision, Mixed{}};
            context.set_positions({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
            context.state(Forces);
            context.state(Energy | Forces | ParameterDerivatives);
            CHECK(nvrtc::compiled().size() > before);
        }
}
