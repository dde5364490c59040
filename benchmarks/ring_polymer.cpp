// The time of a step of a ring polymer.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include <trotter/io/state.hpp>
#include <trotter/io/system.hpp>
#include <trotter/rpmd/ring_polymer.hpp>
#include <trotter/trotter.hpp>
#if defined(TROTTER_HAVE_OPENCL) || defined(TROTTER_HAVE_CUDA)
#include <trotter/rpmd/device.hpp>
#endif

#include "platforms.hpp"

using namespace trotter;

int main(int argc, char** argv) try {
    if (argc < 4) {
        std::printf("usage: %s PLATFORM SYSTEM STATE [PRECISION [COPIES [STEPS]]]\n", argv[0]);
        return 1;
    }
    auto const system = read_system<ForceList<HarmonicBondForce, HarmonicAngleForce, NonbondedForce>>(argv[2]);
    auto const positions = read_state(argv[3]).positions;
    int const copies = argc > 5 ? std::atoi(argv[5]) : 32, steps = std::max(1, argc > 6 ? std::atoi(argv[6]) : 1000);
    RPMDIntegrator const integrator{.copies = copies, .temperature = 300, .friction = 1, .step_size = 0.25 * fs};
    on_platform(argv[1], argc > 4 ? argv[4] : "mixed", [&](auto const& backend, auto precision) {
        rpmd::RingPolymer ring{system, integrator, backend, precision};
        ring.set_positions(positions);
        ring.set_velocities_to_temperature(300);
        ring.step(std::max(1, steps / 5));  // compiles, records, warms up
        (void)ring.potential_energy();
        double const start = seconds();
        ring.step(steps);
        (void)ring.potential_energy();  // waits for the device
        std::printf("{\"us_per_step\": %.2f}\n", 1e6 * (seconds() - start) / steps);
    });
    return 0;
} catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
