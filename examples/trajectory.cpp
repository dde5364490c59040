// A protein from files: minimized, given velocities, and simulated with a log and a trajectory, which is then read
// back.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <filesystem>

#include <trotter/any_context.hpp>
#include <trotter/io/reporters.hpp>
#include <trotter/io/state.hpp>
#include <trotter/io/system.hpp>
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
        TrajectoryReporter trajectory(path, context, {.interval = interval});
        LogReporter log((folder / "log.csv").string(), context, {.interval = interval, .last_step = interval * frames});
        simulate(context, interval * frames, trajectory, log);
    }
    auto const row = log_row(context);
    std::printf("%.3f ps  %.0f kJ/mol  %.0f K\n", row.time, row.potential_energy, row.temperature);

    auto const read = read_trajectory(path);
    double largest = 0;
    for (std::size_t i = 0; i < context.positions().size(); ++i)
        largest = std::fmax(largest, norm(read.back().positions[i] - context.positions()[i]));
    std::printf("%zu frames in %s, within %.0e nm\n", read.size(), path.c_str(), largest);
    return static_cast<int>(read.size()) == frames && read.back().step == interval * frames && largest < 1e-5 ? 0 : 1;
}
