// A protein from files: minimized, given velocities, and simulated with a log and a trajectory, which is then read back.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <filesystem>

#include <trotter/any_context.hpp>
#include <trotter/io/log.hpp>
#include <trotter/io/state.hpp>
#include <trotter/io/system.hpp>
#include <trotter/io/trajectory.hpp>
#include <trotter/io/trajectory_reader.hpp>
#include <trotter/units.hpp>

using namespace trotter;

int main() {
    auto const folder = std::filesystem::temp_directory_path() / "trotter-example-trajectory";
    std::filesystem::create_directories(folder);

    // AnyContext takes the fastest platform that this build and this machine have.
    auto const system = read_system("dhfr/system.xml.gz");
    AnyContext context(system, LangevinMiddleIntegrator{.temperature = 300 * kelvin, .friction = 1 / ps, .step_size = 2 * fs});
    std::printf("%s\n", context.platform().device.c_str());
    context.set_state(read_state("dhfr/state.xml.gz"));
    auto const minimum = context.minimize({.tolerance = 50, .max_iterations = 30});
    std::printf("minimized to %.0f kJ/mol\n", minimum.energy);
    context.set_velocities_to_temperature(300 * kelvin);

    // A frame and a line of the log every 10 steps.
    int const interval = 10, frames = 4;
    auto const path = (folder / "trajectory.dcd").string();
    {
        LogWriter log((folder / "log.csv").string());
        DcdWriter trajectory(path, {.particles = context.positions().size(), .step_size = 2 * fs,
                                    .interval = interval, .first_step = interval, .last_step = interval * frames});
        for (int frame = 0; frame < frames; ++frame) {
            context.step(interval);
            auto const state = context.state(Positions | Energy);
            double const temperature =
                2 * state.kinetic_energy / (context.degrees_of_freedom() * constants::gas_constant);
            log.write({.step = state.step_count, .time = state.time, .potential_energy = state.potential_energy,
                       .kinetic_energy = state.kinetic_energy, .temperature = temperature});
            trajectory.write(state.positions, state.box, state.step_count, state.time);
            std::printf("%.3f ps  %.0f kJ/mol  %.0f K\n", state.time, state.potential_energy, temperature);
        }
    }

    auto const read = read_trajectory(path);
    double largest = 0;
    for (std::size_t i = 0; i < context.positions().size(); ++i)
        largest = std::fmax(largest, norm(read.back().positions[i] - context.positions()[i]));
    std::printf("%zu frames in %s, within %.0e nm\n", read.size(), path.c_str(), largest);
    return static_cast<int>(read.size()) == frames && read.back().step == interval * frames && largest < 1e-5 ? 0 : 1;
}
