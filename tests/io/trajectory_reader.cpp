// Trajectories are read in every supported variant; error messages name unsupported ones.
// SPDX-License-Identifier: MIT
#include "../catch_compat.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <random>
#include <utility>

#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/trajectory.hpp>
#include <trotter/io/trajectory_reader.hpp>

#include "../folder.hpp"
#include "compare_frames.hpp"
#include "dcd_file.hpp"
#include "scratch.hpp"

using namespace trotter;
using namespace trotter::testing;

namespace {

std::vector<TrajectoryFrame> frames_of(Dcd dcd) {
    ScratchFolder const folder;
    put_bytes(folder / "t", dcd.write());
    return read_trajectory(folder / "t");
}
std::string refusal_of(Dcd dcd) {
    return message_of<InputError>([&] { frames_of(std::move(dcd)); });
}
bool says(std::string const& message, std::string const& words) { return message.find(words) != std::string::npos; }

/// Coordinates of every magnitude that both formats can store.
Positions anywhere(std::size_t count, unsigned seed) {
    std::mt19937 random{seed};
    std::uniform_real_distribution<double> near{-5, 5};
    Positions positions(count);
    for (auto& position : positions) position = {near(random), near(random), near(random)};
    if (count > 0) positions[0] = {0, -1e-4, 1234.56789};
    return positions;
}

/// Checks three frames, whose coordinates must equal `kept` to the last bit.
template <class Kept> void check_read(std::string const& path, std::size_t count, Kept const& kept) {
    TrajectoryReader reader{path};
    CHECK(reader.particles() == count);
    TrajectoryFrame frame;
    for (unsigned number = 1; number <= 3; ++number) {
        auto const expected = anywhere(count, number);
        REQUIRE(reader.read(frame));
        CHECK(frame.step == 5 * number);
        CHECK(frame.time == Approx(0.01 * number));
        check_box(frame.box);
        REQUIRE(frame.positions.size() == count);
        bool same = true;
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t axis = 0; axis < 3; ++axis)
                same = same && frame.positions[i][axis] == kept(expected[i][axis]);
        CHECK(same);
    }
    CHECK_FALSE(reader.read(frame));
    CHECK_FALSE(reader.read(frame));
}

}  // namespace

TEST_CASE("what was written comes back to the last bit that the format keeps", "[io]") {
    ScratchFolder const folder;
    for (std::size_t count : {0u, 1u, 9u, 10u, 2000u}) {
        {
            DcdWriter dcd{folder / "t.dcd", {.particles = count, .step_size = 0.002, .interval = 5, .first_step = 5}};
            XtcWriter xtc{folder / "t.xtc", {.particles = count, .interval = 5}};
            for (unsigned frame = 1; frame <= 3; ++frame) {
                dcd.write(anywhere(count, frame), triclinic, 5 * frame, 0.01 * frame);
                xtc.write(anywhere(count, frame), triclinic, 5 * frame, 0.01 * frame);
            }
        }
        auto const in_dcd = [](double x) { return double{static_cast<float>(10 * x)} / 10; };
        auto const in_xtc = [&](double x) {
            return count <= 9 ? double{static_cast<float>(x)} : static_cast<double>(std::lround(1000 * x)) / 1000;
        };
        check_read(folder / "t.dcd", count, in_dcd);
        check_read(folder / "t.xtc", count, in_xtc);
    }
}

TEST_CASE("a reader goes frame by frame, and on where it was left", "[io]") {
    ScratchFolder const folder;
    put_bytes(folder / "t", Dcd{}.write());
    TrajectoryReader reader{folder / "t"};
    for (auto const& frame : reader) {
        CHECK(frame.step == 20);
        break;
    }
    auto moved = std::move(reader);
    std::vector<std::int64_t> steps;
    for (auto const& frame : moved) steps.push_back(frame.step);
    CHECK(steps == std::vector<std::int64_t>{30, 40});
}

TEST_CASE("files of MDTraj and MDAnalysis are read", "[io]") {
    for (std::string const name : {"mdtraj.dcd", "mdtraj.xtc", "mdanalysis.dcd", "mdanalysis.xtc", "open.dcd", "open.xtc",
                                   "mdtraj.nc", "mdanalysis.nc", "open.nc", "scipy.nc"}) {
        CAPTURE(name);
        auto const frames = read_trajectory(tests_folder() + "/io/foreign/" + name);
        REQUIRE(frames.size() == 3);
        for (int frame = 0; frame < 3; ++frame) {
            auto const& found = frames[static_cast<std::size_t>(frame)];
            CHECK(largest_error(found.positions, on_grid(frame)) < 1e-7);
            CHECK(found.step == frame + (name.ends_with(".nc") && name != "scipy.nc"));  // those have no steps
            // MDTraj's DCD files always have a time step of one CHARMM unit.
            CHECK(found.time == Approx(frame * (name == "mdtraj.dcd" || name == "open.dcd" ? charmm_time : 0.5)));
            if (name.starts_with("open"))
                CHECK_FALSE(found.box);
            else
                check_box(found.box);
        }
    }
}

TEST_CASE("DCD files are read in both byte orders and in CHARMM's and X-PLOR's layout", "[io]") {
    for (bool const is_big_endian : {false, true})
        for (std::int32_t const version : {24, 37, 0}) {
            CAPTURE(is_big_endian, version);
            auto const frames = frames_of({.is_big_endian = is_big_endian, .version = version});
            REQUIRE(frames.size() == 3);
            CHECK(largest_error(frames[2].positions, on_grid(2)) < 1e-7);
            CHECK(frames[2].step == 40);
            CHECK(frames[2].time == Approx(0.08));
            CHECK_FALSE(frames[2].box);
        }
}

TEST_CASE("the unit cell of a DCD file has cosines or degrees", "[io]") {
    auto const& [a, b, c, is_given] = triclinic;
    auto const cosine = [](Vec3<> const& u, Vec3<> const& v) { return dot(u, v) / (norm(u) * norm(v)); };
    auto const degrees = [&](Vec3<> const& u, Vec3<> const& v) { return std::acos(cosine(u, v)) * 180 / std::acos(-1.0); };
    double const A = 10 * norm(a), B = 10 * norm(b), C = 10 * norm(c);
    check_box(frames_of({.cell = {A, cosine(a, b), B, cosine(a, c), cosine(b, c), C}, .has_cell = true})[1].box);
    check_box(frames_of({.is_big_endian = true, .cell = {A, degrees(a, b), B, degrees(a, c), degrees(b, c), C}, .has_cell = true})[1].box);
    auto const right = frames_of({.cell = {30, 90, 25, 90, 90, 20}, .has_cell = true})[0].box;
    REQUIRE(right);
    CHECK(*right == Box::rectangular(3, 2.5, 2));
    CHECK_FALSE(frames_of({.has_cell = true})[0].box);
    CHECK_FALSE(frames_of({.cell = {0, 90, 0, 90, 90, 0}, .has_cell = true})[0].box);
    // CHARMM's shape matrix, zero lengths, inconsistent angles, NaN.
    for (std::array<double, 6> const cell : {std::array<double, 6>{30, -4, 25, 3, -2, 20}, {0, 0, 25, 0, 0, 20},
                                             {30, 30, 25, 30, 140, 20}, {30, std::nan(""), 25, 0, 0, 20}})
        CHECK(says(refusal_of({.cell = cell, .has_cell = true}), "t: the unit cell is none: expected three lengths"));
}

TEST_CASE("DCD files that would be misread are refused", "[io]") {
    CHECK(says(refusal_of({.kind = "VELD"}), "is a DCD file of velocities, expected one of positions"));
    CHECK(says(refusal_of({.kind = "CARD"}), "is not a DCD file, expected the letters CORD"));
    CHECK(says(refusal_of({.fixed = 4}), "has 4 fixed particles, which its frames leave out"));
    CHECK(says(refusal_of({.four = 1}), "has positions in four dimensions, expected three"));
    CHECK(says(refusal_of({.stated = 4}), "holds 3 frames, but states 4"));
    CHECK(says(refusal_of({.stated = -1}), "the number of frames is -1"));
    CHECK(frames_of({.stated = 0}).size() == 3);
    CHECK(frames_of({.stated = 2}).size() == 3);
    CHECK(says(refusal_of({.claimed = -5}), "the number of particles is -5"));
    CHECK(says(refusal_of({.claimed = 500'000'000}), "ends inside"));
}

TEST_CASE("NetCDF files that would be misread are refused", "[io]") {
    ScratchFolder const folder;
    {
        NetcdfWriter writer{folder / "t.nc", {.particles = 3}};
        for (int frame = 1; frame <= 2; ++frame) writer.write(anywhere(3, 1), triclinic, frame, frame);
    }
    auto const good = bytes_of(folder / "t.nc");
    auto const refusal = [&](std::string const& from, std::string const& to, std::size_t behind = 0) {
        auto bytes = good;
        auto const at = bytes.find(from, behind);
        REQUIRE(at != bytes.npos);
        put_bytes(folder / "t", bytes.replace(at, from.size(), to));
        return message_of<InputError>([&] { read_trajectory(folder / "t"); });
    };
    using namespace std::string_literals;
    CHECK(refusal("picosecond", "picosecond").empty());
    CHECK(says(refusal("coordinates", "coordinatez"), "is a NetCDF file without a variable `coordinates`"));
    CHECK(says(refusal("picosecond", "femtosecnd"), "has the variable time in units of 'femtosecnd', expected angstrom, picosecond"));
    CHECK(says(refusal("angstrom", "furlongs"), "has the variable coordinates in units of 'furlongs'"));
    CHECK(says(refusal("\0\0\0\2"s, "\0\0\0\3"s, 4), "holds 2 frames, but states 3"));
    CHECK(says(refusal("atom\0\0\0\3"s, "atom\0\0\0\0"s), "has other dimensions than frame, atom and three axes"));
    CHECK(says(refusal("atom\0\0\0\3"s, "atom\x7f\xff\xff\xff"s), "ends inside the head or a frame"));
    CHECK(says(refusal("frame\0\0\0\0\0\0\0"s, "frame\0\0\0\0\0\0\1"s), "of one set of coordinates, a restart, expected a trajectory"));
    CHECK(says(refusal("spatial\0\0\0\0\1"s, "spatial\0\0\0\0\xff"s), "dimension "));
    CHECK(says(refusal("CDF\2", "CDF\5"), "is not a trajectory that can be read"));
    CHECK(says(refusal("CDF\2", "\x89HDF"), "is NetCDF-4 (HDF5), expected NetCDF-3"));
    // three angles of one corner whose sum is too large
    auto flat = good;
    flat.replace(flat.size() - 24, 8, flat.substr(flat.size() - 8)).replace(flat.size() - 16, 8, "\x40\x65\xe0\0\0\0\0\0"s);
    put_bytes(folder / "t", flat);
    TrajectoryReader reader{folder / "t"};
    TrajectoryFrame frame;
    REQUIRE(reader.read(frame));
    CHECK(says(message_of<InputError>([&] { reader.read(frame); }), "the unit cell is none"));
}

TEST_CASE("what is no trajectory is refused by name", "[io]") {
    ScratchFolder const folder;
    auto const refusal = [&](std::string const& path) {
        return message_of<InputError>([&] { read_trajectory(path); });
    };
    CHECK(says(refusal(folder / "none.dcd"), folder / "none.dcd: cannot be opened"));
    CHECK(says(refusal(folder.path().string()), "is a folder, pipe or device, expected a trajectory"));
    put_bytes(folder / "t", "<?xml version=\"1.0\"?>");
    CHECK(refusal(folder / "t") ==
          folder / "t" + ": is not a trajectory that can be read, expected the start of a DCD, XTC or NetCDF file, at byte 0");
    put_bytes(folder / "t", "CO");
    CHECK(says(refusal(folder / "t"), "ends inside the head or a frame"));
    put_bytes(folder / "t", "");
    CHECK(read_trajectory(folder / "t").empty());
}

TEST_CASE("gzip is expanded, and its damage noticed", "[io]") {
    ScratchFolder const folder;
    write_file(folder / "t.dcd.gz", Dcd{}.write());
    CHECK(read_trajectory(folder / "t.dcd.gz").size() == 3);
    auto const bytes = bytes_of(folder / "t.dcd.gz");
    put_bytes(folder / "cut", bytes.substr(0, bytes.size() / 2));
    CHECK_THROWS_AS(read_trajectory(folder / "cut"), InputError);
    put_bytes(folder / "cut", bytes.substr(0, bytes.size() - 6));  // within the checksum
    CHECK(says(message_of<InputError>([&] { read_trajectory(folder / "cut"); }), "the gzip data are damaged or end too early"));
}

TEST_CASE("the frames before a damage are good, and numbers take no memory", "[io]") {
    ScratchFolder const folder;
    auto const bytes = bytes_of(tests_folder() + "/io/foreign/mdanalysis.xtc");
    auto const second = bytes.find(std::string("\0\0\x07\xcb", 4), 4);
    REQUIRE(second != bytes.npos);
    auto const damaged = [&](std::size_t at, std::string const& put) {
        auto copy = bytes;
        copy.replace(second + at, put.size(), put);
        put_bytes(folder / "t", copy);
        TrajectoryReader reader{folder / "t"};
        TrajectoryFrame read;
        REQUIRE(reader.read(read));
        CHECK(largest_error(read.positions, on_grid(0)) < 1e-7);
        return message_of<InputError>([&] { reader.read(read); });
    };
    std::string const huge = "\x7f\xff\xff\xff";
    struct Damage {
        std::size_t at;
        std::string put, words;
    };
    for (auto const& [at, put, words] : {Damage{0, huge, "the start of a frame is 2147483647, expected 1995"},
                                         Damage{4, huge, "has a frame of 2147483647 particles, expected 12 as in the first"},
                                         Damage{16, "\x7f\xc0", "the box vectors are not finite"},
                                         Damage{56, "\xff", "the precision is not a positive number"},
                                         Damage{60, huge, "a range of coordinates is empty"},
                                         Damage{84, huge, "unexpected width of differences"},
                                         Damage{88, huge, "ends inside the head or a frame"}})
        CHECK(says(damaged(at, put), words));
    put_bytes(folder / "t", bytes.substr(0, second) + std::string("\0\0\x07\xcb\0", 5));
    CHECK(says(message_of<InputError>([&] { read_trajectory(folder / "t"); }), "ends inside the head or a frame, at byte"));
    // A first frame with a particle count of two billion.
    auto many = bytes;
    many.replace(4, 4, huge).replace(52, 4, huge);
    put_bytes(folder / "t", many);
    CHECK(says(message_of<InputError>([&] { read_trajectory(folder / "t"); }), "the compressed coordinates do not decode"));
}
