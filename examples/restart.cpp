// A run that stops and resumes from a checkpoint, compared with an uninterrupted one: the same bits.
// SPDX-License-Identifier: MIT
#include <cstdio>
#include <filesystem>
#include <string>

#include <trotter/any_context.hpp>
#include <trotter/io/checkpoint.hpp>
#include <trotter/io/reporters.hpp>
#include <trotter/io/trajectory_reader.hpp>
#include <trotter/units.hpp>

using namespace trotter;

AnyContext make_context() {
    StandardSystem system;
    HarmonicBondForce bonds;
    for (int n = 0; n < 20; ++n) {
        system.add_particle(12 * amu);
        if (n > 0) bonds.bonds.push_back({n - 1, n, 0.15 * nm, 2e5 * kJ_per_mol / (nm * nm)});
    }
    system.add(bonds);
    return {system, LangevinMiddleIntegrator{.temperature = 300 * kelvin, .friction = 1 / ps, .step_size = 1 * fs}};
}
std::vector<Vec3<>> start() {
    std::vector<Vec3<>> positions;
    for (int n = 0; n < 20; ++n) positions.push_back({0.15 * n, 0, 0});
    return positions;
}
constexpr std::int64_t interval = 10;  // steps between frames

/// Saves the Context in one section, and the length of the trajectory at this point in another.
void save(AnyContext& context, TrajectoryReporter& trajectory, std::string const& path) {
    trajectory.sync();
    CheckpointWriter checkpoint;
    context.save(checkpoint.section("context"));
    checkpoint.section("trajectory").put(trajectory.mark());
    checkpoint.write(path);
}

int main() {
    auto const folder = std::filesystem::temp_directory_path() / "trotter-example-restart";
    std::filesystem::create_directories(folder);
    auto const trajectory_path = (folder / "trajectory.dcd").string(), checkpoint_path = (folder / "checkpoint").string();

    {
        auto context = make_context();
        context.set_positions(start());
        context.set_velocities_to_temperature(300 * kelvin);
        TrajectoryReporter trajectory(trajectory_path, context, {.interval = interval});
        simulate(context, 100, trajectory);
        save(context, trajectory, checkpoint_path);
        simulate(context, 30, trajectory);  // after the checkpoint: cut off by the restart
    }

    // As in another process: an equal Context, and the checkpoint. An error names any difference.
    auto resumed = make_context();
    auto const checkpoint = read_checkpoint(checkpoint_path);
    auto section = checkpoint.section("context");
    resumed.load(section);
    auto const frames_so_far = checkpoint.section("trajectory").get<FileMark>();
    TrajectoryReporter trajectory(trajectory_path, resumed,
                                  {.interval = interval, .first_step = interval, .resume_at = frames_so_far});
    simulate(resumed, 100, trajectory);

    auto whole = make_context();
    whole.set_positions(start());
    whole.set_velocities_to_temperature(300 * kelvin);
    whole.step(200);
    bool const same = whole.positions() == resumed.positions() && whole.velocities() == resumed.velocities();
    auto const frames = read_trajectory(trajectory_path);
    std::printf("%s bits after %ld steps, %zu frames\n", same ? "the same" : "other", static_cast<long>(resumed.step_count()),
                frames.size());
    return same && frames.size() == 20 ? 0 : 1;
}
