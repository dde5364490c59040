// Writes files for other programs, and reads theirs: the C++ part of check_trajectories.py.
// SPDX-License-Identifier: MIT
#include "../catch_compat.hpp"

#include <cstdlib>
#include <random>

#include <trotter/io/npy.hpp>
#include <trotter/io/trajectory.hpp>
#include <trotter/io/trajectory_reader.hpp>

#include "scratch.hpp"

using namespace trotter;
using namespace trotter::testing;

namespace {

struct Sample {
    std::string name;
    std::size_t particles;
    double size;  ///< nm
    std::optional<Box> box;
    std::int64_t interval;
};

std::vector<Sample> samples() {
    Box const triclinic{{3, 0, 0}, {1, 2.5, 0}, {-0.5, 1.2, 2}};
    return {{"few", 7, 2, triclinic, 10},       {"open", 500, 2, {}, 10},          {"wide", 300, 20'000, triclinic, 10},
            {"large", 100'002, 4, triclinic, 10}, {"long", 30, 2, triclinic, 1'500'000'000}, {"dense", 5000, 0.05, triclinic, 10}};
}

/// Groups of three, on a grid of 0.001 nm so that the result does not depend on the rounding method.
std::vector<Vec3<double>> frame_of(Sample const& sample, unsigned frame) {
    std::mt19937 random{frame};
    std::uniform_real_distribution<double> anywhere{-sample.size, sample.size}, near{-0.1, 0.1};
    auto const grid = [](double value) { return std::round(value * 1000) / 1000; };
    std::vector<Vec3<double>> positions(sample.particles);
    for (std::size_t i = 0; i < positions.size(); ++i)
        for (std::size_t axis = 0; axis < 3; ++axis)
            positions[i][axis] = grid(i % 3 == 0 ? anywhere(random) : positions[i - i % 3][axis] + near(random));
    return positions;
}

char const* folder_of_samples() { return std::getenv("TROTTER_SAMPLES"); }

}  // namespace

TEST_CASE("a .npy file has NumPy's head and the numbers", "[io]") {
    ScratchFolder const folder;
    write_npy(folder / "a.npy", std::vector<Vec3<double>>{{1, 2, 3}, {4, 5, 6}});
    auto const bytes = bytes_of(folder / "a.npy");
    REQUIRE(bytes.size() == 128 + 48);
    CHECK(bytes.starts_with(std::string("\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", 67)));
    CHECK(bytes[127] == '\n');
    CHECK(bytes.substr(128, 8) == std::string("\0\0\0\0\0\0\xf0\x3f", 8));
}

TEST_CASE("sample trajectories are written for other programs", "[.][samples-write]") {
    REQUIRE(folder_of_samples());
    for (auto const& sample : samples()) {
        auto const stem = std::string{folder_of_samples()} + "/" + sample.name;
        TrajectorySettings const settings{.particles = sample.particles, .step_size = 0.004, .interval = sample.interval, .first_step = sample.interval};
        DcdWriter dcd{stem + ".dcd", settings};
        XtcWriter xtc{stem + ".xtc", settings};
        NetcdfWriter netcdf{stem + ".nc", settings};
        for (unsigned frame = 1; frame <= 3; ++frame) {
            auto const positions = frame_of(sample, frame);
            auto const step = frame * sample.interval;
            dcd.write(positions, sample.box, step, 0.004 * static_cast<double>(step));
            xtc.write(positions, sample.box, step, 0.004 * static_cast<double>(step));
            netcdf.write(positions, sample.box, step, 0.004 * static_cast<double>(step));
            write_npy(stem + std::to_string(frame) + ".npy", positions);
        }
        CHECK(read_trajectory(stem + ".dcd").size() == 3);
    }
}

TEST_CASE("trajectories of other programs are read", "[.][samples-read]") {
    REQUIRE(folder_of_samples());
    for (auto const& sample : samples())
        for (std::string const ending : {".mdtraj.xtc", ".mdanalysis.xtc", ".mdtraj.dcd", ".mdanalysis.dcd", ".mdtraj.nc", ".mdanalysis.nc"}) {
            CAPTURE(sample.name, ending);
            auto const frames = read_trajectory(std::string{folder_of_samples()} + "/" + sample.name + ending);
            REQUIRE(frames.size() == 3);
            for (unsigned frame = 1; frame <= 3; ++frame) {
                auto const expected = frame_of(sample, frame);
                auto const& found = frames[frame - 1].positions;
                CHECK(frames[frame - 1].box.has_value() == sample.box.has_value());
                REQUIRE(found.size() == expected.size());
                double largest = 0;
                for (std::size_t i = 0; i < found.size(); ++i) largest = std::max(largest, norm(found[i] - expected[i]));
                CHECK(largest < (sample.size > 1000 ? 0.006 : 1e-6));
            }
        }
}
