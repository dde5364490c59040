// The device text of Drude oscillators compiles for the supported NVIDIA architectures, in every precision.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <trotter/context.hpp>
#include <trotter/device.hpp>
#include <trotter/drude/device_kernels.hpp>

#include "nvrtc/queue.hpp"

using namespace trotter;

TEST_CASE("text of Langevin dynamics of Drude oscillators", "[nvrtc]") {
    for (auto const types :
         {&device::NumberTypes::of<Single>, &device::NumberTypes::of<Mixed>, &device::NumberTypes::of<Double>}) {
        System<ForceList<DrudeForce>> system;
        for (double const mass : {12.0, 0.4, 3.0}) system.add_particle(mass);
        system.add(DrudeForce{.particles = {{.drude = 1, .parent = 0, .charge = -1, .polarizability = 0.001}}});
        DrudeLangevinIntegrator const integrator{
            .temperature = 300, .friction = 1, .drude_temperature = 1, .drude_friction = 20, .step_size = 0.001};
        auto const before = nvrtc::compiled().size();
        Context context{system, integrator, Nvrtc{types}, Mixed{}};
        context.set_positions({{0, 0, 0}, {0.001, 0, 0}, {1, 1, 1}});
        context.state(Energy | Forces);
        context.step(2);
        CHECK(nvrtc::compiled().size() > before);
    }
}
