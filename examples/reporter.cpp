// A trajectory, a log and your own reporter in a simulation of argon; then the trajectory is read back.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <vector>

#include <trotter/any_context.hpp>
#include <trotter/io/reporters.hpp>
#include <trotter/io/trajectory_reader.hpp>
#include <trotter/units.hpp>

using namespace trotter;

constexpr int cells = 6;
constexpr double spacing = 0.36 * nm;

/// The mean displacement of the particles from their first positions [nm], every 25 steps.
struct DisplacementReporter {
    std::int64_t interval = 25;
    std::vector<Vec3<>> start{};
    std::vector<double> means{};

    void report(auto const& context) {
        std::span<Vec3<> const> const positions = context.positions();  // a view, not a copy
        if (start.empty()) start.assign(positions.begin(), positions.end());
        double sum = 0;
        for (std::size_t i = 0; i < positions.size(); ++i) sum += norm(positions[i] - start[i]);
        means.push_back(sum / static_cast<double>(positions.size()));
    }
};

AnyContext make_argon() {
    StandardSystem system;
    system.box = Box::rectangular(cells * spacing, cells * spacing, cells * spacing);
    NonbondedForce argon{.method = NonbondedForce::Method::cutoff_periodic, .cutoff_distance = 0.9 * nm};
    std::vector<Vec3<>> positions;
    for (int n = 0; n < cells * cells * cells; ++n) {
        system.add_particle(39.948 * amu);
        argon.particles.push_back({.charge = 0, .sigma = 0.3405 * nm, .epsilon = 0.996 * kJ_per_mol});
        positions.push_back({n % cells * spacing, n / cells % cells * spacing, n / cells / cells * spacing});
    }
    system.add(argon);
    AnyContext context(system, LangevinMiddleIntegrator{.temperature = 90 * kelvin, .friction = 1 / ps, .step_size = 4 * fs});
    context.set_positions(positions);
    context.set_velocities_to_temperature(90 * kelvin);
    return context;
}

int main() {
    auto const folder = std::filesystem::temp_directory_path() / "trotter-example-reporter";
    std::filesystem::create_directories(folder);
    auto const dcd = (folder / "argon.dcd").string(), csv = (folder / "log.csv").string();

    auto context = make_argon();
    DisplacementReporter displacement;
    displacement.report(context);  // of the start, too
    {
        TrajectoryReporter trajectory(dcd, context, {.interval = 50});
        LogReporter log(csv, context, {.interval = 100, .last_step = 500});
        simulate(context, 500, trajectory, log, displacement);
    }
    for (double const mean : displacement.means) std::printf("%.3f ", mean);

    // Frame by frame: a long trajectory need not fit in memory.
    TrajectoryReader trajectory(dcd);
    int frames = 0;
    double largest = 0;
    for (auto const& frame : trajectory) {
        ++frames;
        std::printf("\n%4ld  %.3f ps  box %.3f nm", static_cast<long>(frame.step), frame.time, frame.box->a.x);
        if (frame.step == context.step_count())
            for (std::size_t i = 0; i < trajectory.particles(); ++i)
                largest = std::fmax(largest, norm(frame.positions[i] - context.positions()[i]));
    }
    std::printf("\n%d frames in %s, within %.0e nm; the log is %s\n", frames, dcd.c_str(), largest, csv.c_str());
    return frames == 10 && displacement.means.size() == 21 && largest < 1e-5 ? 0 : 1;
}
