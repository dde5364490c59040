// Trajectories: round trips, continuation at any frame, and errors for values that the format cannot store.
// SPDX-License-Identifier: MIT
#include "../catch_compat.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <trotter/error.hpp>
#include <trotter/io/trajectory.hpp>
#include <trotter/io/trajectory_reader.hpp>

#include "../../src/io/trajectory/xtc_coding.hpp"
#include "compare_frames.hpp"
#include "scratch.hpp"

using namespace trotter;
using namespace trotter::testing;

namespace {

/// Water-like: groups of three close particles at random positions within the given size.
Positions water(std::size_t particles, double size, unsigned seed) {
    std::mt19937 random{seed};
    std::uniform_real_distribution<double> anywhere{-size, size}, near{-0.1, 0.1};
    Positions positions(particles);
    for (std::size_t i = 0; i < particles; ++i)
        positions[i] = i % 3 == 0 ? Vec3<double>{anywhere(random), anywhere(random), anywhere(random)}
                                  : positions[i - i % 3] + Vec3<double>{near(random), near(random), near(random)};
    return positions;
}

std::int32_t little_int(std::string const& bytes, std::size_t at) {
    std::int32_t value;
    std::memcpy(&value, bytes.data() + at, 4);
    return value;
}

template <class Writer> void write_frames(Writer& writer, std::size_t particles, int first, int last) {
    for (int frame = first; frame <= last; ++frame)
        writer.write(water(particles, 2, static_cast<unsigned>(frame)), triclinic, 10 * frame, 0.02 * frame);
}

}  // namespace

TEST_CASE("a DCD file holds positions, box and times", "[io]") {
    ScratchFolder const folder;
    DcdWriter writer{folder / "t.dcd", {.particles = 100, .step_size = 0.002, .interval = 10, .first_step = 10}};
    CHECK(read_trajectory(folder / "t.dcd").empty());
    write_frames(writer, 100, 1, 3);
    auto const frames = read_trajectory(folder / "t.dcd");
    REQUIRE(frames.size() == 3);
    CHECK(frames[2].step == 30);
    CHECK(frames[2].time == Approx(0.06));
    check_box(frames[2].box);
    CHECK(largest_error(frames[2].positions, water(100, 2, 3)) < 2e-7);
    CHECK(writer.mark().bytes == 276 + 3 * (56 + 3 * (8 + 400)));

    auto const head = bytes_of(folder / "t.dcd");
    CHECK(little_int(head, 8) == 3);
    CHECK(little_int(head, 12) == 10);
    CHECK(little_int(head, 16) == 10);
    CHECK(little_int(head, 20) == 30);
    double cosine;
    std::memcpy(&cosine, head.data() + 276 + 4 + 8, 8);
    CHECK(cosine == Approx(1 / std::sqrt(1 + 2.5 * 2.5)));
}

TEST_CASE("an XTC file holds positions to half of its precision", "[io]") {
    ScratchFolder const folder;
    for (std::size_t particles : {0u, 1u, 3u, 9u, 10u, 11u, 1000u}) {
        XtcWriter writer{folder / "t.xtc", {.particles = particles, .interval = 10}};
        write_frames(writer, particles, 1, 3);
        auto const frames = read_trajectory(folder / "t.xtc");
        REQUIRE(frames.size() == 3);
        CHECK(frames[1].step == 20);
        CHECK(frames[1].time == Approx(0.04));
        check_box(frames[1].box);
        CHECK(largest_error(frames[1].positions, water(particles, 2, 2)) <= 0.0005 + 1e-9);
        CHECK(bytes_of(folder / "t.xtc").size() == writer.mark().bytes);
    }
}

TEST_CASE("a NetCDF file holds positions, box, times and steps", "[io]") {
    ScratchFolder const folder;
    for (std::size_t particles : {1u, 100u}) {
        NetcdfWriter writer{folder / "t.nc", {.particles = particles, .interval = 10, .first_step = 10}};
        CHECK(read_trajectory(folder / "t.nc").empty());
        write_frames(writer, particles, 1, 3);
        auto const frames = read_trajectory(folder / "t.nc");
        REQUIRE(frames.size() == 3);
        CHECK(frames[2].step == 30);
        CHECK(frames[2].time == Approx(0.06));
        CHECK(norm(frames[2].box->c - triclinic.c) < 1e-14);  // the cell is in double
        check_box(frames[2].box);
        CHECK(largest_error(frames[2].positions, water(particles, 2, 3)) < 2e-7);
        CHECK(writer.mark().bytes == 1024 + 3 * (4 + 8 + 12 * particles + 48));
        CHECK(bytes_of(folder / "t.nc").size() == writer.mark().bytes);
        CHECK(bytes_of(folder / "t.nc").substr(0, 8) == std::string("CDF\2\0\0\0\3", 8));
    }
    NetcdfWriter open{folder / "t.nc", {.particles = 2}};
    std::int64_t const late = 9'007'199'254'740'991;  // 2^53 - 1, far beyond the range of int
    open.write(Positions(2), {}, late, 1);
    auto const frames = read_trajectory(folder / "t.nc");
    REQUIRE(frames.size() == 1);
    CHECK(frames[0].step == late);
    CHECK_FALSE(frames[0].box);
    CHECK_THROWS_AS(open.write(Positions(2), triclinic, late + 1, 1), Error);
}

TEST_CASE("grid points come back from compression exactly, whatever their spread", "[io]") {
    std::mt19937_64 random{5};
    for (int round = 0; round < 3000; ++round) {
        std::vector<detail::GridPoint> points(1 + random() % 60);
        auto const range = [&](std::uint64_t bits) { return static_cast<std::int32_t>(random() % (std::uint64_t{1} << bits)); };
        auto const wide = random() % 31, close = random() % (wide + 1);
        for (std::size_t i = 0; i < points.size(); ++i)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                bool const follows = i > 0 && random() % 8 != 0;
                auto const spread = static_cast<std::int64_t>(follows ? points[i - 1][axis] + range(close) - range(close) : range(wide));
                points[i][axis] = static_cast<std::int32_t>(std::clamp<std::int64_t>(spread, -(1 << 29), 1 << 29));
            }
        REQUIRE(detail::unpack(detail::pack(points), points.size()) == points);
    }
    std::vector<detail::GridPoint> const same(500, {7, -7, 0});
    CHECK(detail::unpack(detail::pack(same), 500) == same);
    CHECK(detail::pack(same).bits.size() < 1000);
}

TEST_CASE("water is compressed", "[io]") {
    ScratchFolder const folder;
    XtcWriter writer{folder / "t.xtc", {.particles = 30'000}};
    writer.write(water(30'000, 3, 1), triclinic, 1, 0);
    CHECK(writer.mark().bytes < 30'000 * 5);
}

TEMPLATE_TEST_CASE("a resumed trajectory has the bytes of one that never stopped", "[io]", DcdWriter, XtcWriter, NetcdfWriter) {
    ScratchFolder const folder;
    for (std::size_t particles : {5u, 50u}) {
        TrajectorySettings const settings{.particles = particles, .step_size = 0.002, .interval = 10, .first_step = 10};
        {
            TestType writer{folder / "whole", settings};
            write_frames(writer, particles, 1, 6);
        }
        auto const whole = bytes_of(folder / "whole");
        FileMark mark;
        {
            TestType writer{folder / "cut", settings};
            write_frames(writer, particles, 1, 4);
            mark = writer.mark();
            write_frames(writer, particles, 5, 5);
        }
        auto const before = bytes_of(folder / "cut");
        put_bytes(folder / "cut", before.substr(0, before.size() - 7));
        {
            TestType writer{folder / "cut", settings, mark};
            CHECK(read_trajectory(folder / "cut").size() == 4);
            write_frames(writer, particles, 5, 6);
        }
        CHECK(bytes_of(folder / "cut") == whole);

        auto other = settings;
        ++other.particles;
        CHECK_THROWS_AS((TestType{folder / "cut", other, mark}), InputError);
        CHECK_THROWS_AS((TestType{folder / "cut", settings, FileMark{mark.bytes + 4, mark.checksum}}), InputError);
        CHECK_THROWS_AS((TestType{folder / "cut", settings, FileMark{whole.size() + 1, mark.checksum}}), InputError);
        CHECK_THROWS_AS((TestType{folder / "missing", settings, mark}), InputError);
        CHECK(bytes_of(folder / "cut") == whole);
        for (std::size_t at = 300; at < mark.bytes; at += 31) {
            auto flipped = whole;
            flipped[at] = static_cast<char>(flipped[at] ^ 4);
            put_bytes(folder / "cut", flipped);
            REQUIRE_THROWS_AS((TestType{folder / "cut", settings, mark}), InputError);
            REQUIRE(bytes_of(folder / "cut") == flipped);
        }
    }
}

TEMPLATE_TEST_CASE("a truncated or damaged trajectory is refused or read, never worse", "[io]", DcdWriter, XtcWriter, NetcdfWriter) {
    ScratchFolder const folder;
    TestType writer{folder / "t", {.particles = 20}};
    write_frames(writer, 20, 1, 2);
    auto const good = bytes_of(folder / "t");
    for (std::size_t kept = 1; kept < good.size(); ++kept) {
        put_bytes(folder / "bad", good.substr(0, kept));
        if (!message_of<InputError>([&] { read_trajectory(folder / "bad"); }).empty()) continue;
        CHECK(kept == good.size() / 2);  // the end of XTC's first frame
    }
    std::mt19937 random{9};
    for (int round = 0; round < 3000; ++round) {
        auto bad = good;
        bad[random() % bad.size()] = static_cast<char>(random());
        put_bytes(folder / "bad", bad);
        std::size_t frames = 0;
        message_of<InputError>([&] { frames = read_trajectory(folder / "bad").size(); });
        REQUIRE(frames <= 2);
    }
}

TEST_CASE("steps beyond 31 bits keep their times", "[io]") {
    ScratchFolder const folder;
    std::int64_t const interval = 1'000'000'000;
    Positions const one{{1, 2, 3}};
    {
        DcdWriter writer{folder / "t.dcd", {.particles = 1, .step_size = 0.004, .interval = interval, .first_step = interval}};
        for (int frame = 1; frame <= 5; ++frame) writer.write(one, {}, frame * interval, 0);
        auto const frames = read_trajectory(folder / "t.dcd");
        REQUIRE(frames.size() == 5);
        CHECK(frames[4].time == Approx(0.004 * 5e9));
        CHECK(frames[4].step == 5);
        CHECK_FALSE(frames[4].box);
    }
    {
        DcdWriter writer{folder / "t.dcd", {.particles = 1, .step_size = 0.004, .interval = 1, .first_step = 5'000'000'000}};
        writer.write(one, {}, 5'000'000'000, 0);
        CHECK(read_trajectory(folder / "t.dcd").at(0).step == 1);
    }
    {
        XtcWriter writer{folder / "t.xtc", {.particles = 1, .interval = interval, .first_step = interval, .last_step = 5 * interval}};
        writer.write(one, {}, 2 * interval, 8e6);
        writer.write(one, {}, 5 * interval, 2e7);
        auto const frames = read_trajectory(folder / "t.xtc");
        CHECK(frames.at(0).step == 2);
        CHECK(frames.at(1).step == 5);
        CHECK(frames.at(1).time == Approx(2e7));
    }
    // An unknown last step: step numbers do not decrease.
    XtcWriter writer{folder / "t.xtc", {.particles = 1, .interval = interval}};
    writer.write(one, {}, 2 * interval, 8e6);
    writer.write(one, {}, 5 * interval, 2e7);
    CHECK(read_trajectory(folder / "t.xtc").at(1).step == 2147483647);
}

TEMPLATE_TEST_CASE("the frames of a file have one numbering, which grows", "[io]", DcdWriter, XtcWriter) {
    ScratchFolder const folder;
    Positions const one{{1, 2, 3}};
    std::int64_t const end = 2147483647;
    struct Case {
        std::int64_t first, interval;
        FrameNumbers numbers;
    };
    constexpr int frames = 6;
    for (auto const& [first, interval, numbers] :
         {Case{1, 1, FrameNumbers::steps}, Case{end - 5, 1, FrameNumbers::steps}, Case{end - 4, 1, FrameNumbers::frames},
          Case{end - 20, 7, FrameNumbers::intervals}, Case{(end + 5) / 4 * 4, 4, FrameNumbers::intervals},
          Case{(end - 4) * 3, 3, FrameNumbers::frames}, Case{end + 1000, 1, FrameNumbers::frames},
          Case{end * 1000, 500, FrameNumbers::frames}, Case{end * 1000, 4000, FrameNumbers::intervals}}) {
        CAPTURE(first, interval);
        auto const start = numbers == FrameNumbers::intervals ? first / interval * interval : first;
        TrajectorySettings settings{.particles = 1, .step_size = 0.002, .interval = interval, .first_step = start,
                                    .last_step = start + (frames - 1) * interval};
        FileMark mark;
        for (int frame = 0; frame < frames; ++frame) {
            TestType writer{folder / "t", settings, frame == 0 ? std::nullopt : std::optional{mark}};
            auto const step = start + frame * interval;
            writer.write(one, {}, step, 0.002 * static_cast<double>(step));
            mark = writer.mark();
            CHECK(writer.note().empty() == (numbers == FrameNumbers::steps));
        }
        auto const found = read_trajectory(folder / "t");
        REQUIRE(found.size() == frames);
        for (int frame = 0; frame < frames; ++frame)
            CHECK(found[static_cast<std::size_t>(frame)].step ==
                  (numbers == FrameNumbers::steps       ? start + frame * interval
                   : numbers == FrameNumbers::intervals ? start / interval + frame
                                                        : frame + 1));
    }
    // A file numbered by steps can be continued as long as they fit.
    TrajectorySettings settings{.particles = 1, .step_size = 0.002, .interval = 10, .first_step = 10, .last_step = 1000};
    TestType writer{folder / "t", settings};
    writer.write(one, {}, 10, 0.02);
    settings.last_step = end - 7;
    CHECK_NOTHROW(TestType{folder / "t", settings, writer.mark()});
    settings.last_step = end + 3;
    if constexpr (std::is_same_v<TestType, XtcWriter>)
        CHECK(message_of<InputError>([&] { TestType(folder / "t", settings, writer.mark()); }).find("are numbered by steps")
              != std::string::npos);
}

TEST_CASE("positions that the formats cannot hold are refused, and the file stays whole", "[io]") {
    ScratchFolder const folder;
    Positions positions(20);
    DcdWriter dcd{folder / "t.dcd", {.particles = 20}};
    XtcWriter xtc{folder / "t.xtc", {.particles = 20}};
    NetcdfWriter netcdf{folder / "t.nc", {.particles = 20}};
    for (auto const bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1e40}) {
        positions[7].y = bad;
        CHECK_THROWS_AS(dcd.write(positions, {}, 1, 0), SimulationError);
        CHECK_THROWS_AS(xtc.write(positions, {}, 1, 0), SimulationError);
        CHECK_THROWS_AS(netcdf.write(positions, {}, 1, 0), SimulationError);
    }
    positions[7].y = -2147484;
    dcd.write(positions, {}, 4, 0);
    CHECK(message_of<SimulationError>([&] { xtc.write(positions, {}, 4, 0); }) ==
          folder / "t.xtc" + ": at step 4 particle 7 has the coordinate -2147484 nm, expected at most 2147483 nm either way");
    positions[7].y = -2147483;
    xtc.write(positions, {}, 4, 0);
    CHECK(largest_error(read_trajectory(folder / "t.xtc").at(0).positions, positions) < 1e-6);
    positions[3].y = 1;
    CHECK(message_of<SimulationError>([&] { xtc.write(positions, {}, 5, 0); }).find("particles 7 and 3 are farther apart") != std::string::npos);
    CHECK(read_trajectory(folder / "t.xtc").size() == 1);
    CHECK(read_trajectory(folder / "t.dcd").size() == 1);
    CHECK_THROWS_AS((XtcWriter{folder / "big.xtc", {.particles = 298'261'618}}), UnsupportedError);
    CHECK_THROWS_AS((DcdWriter{folder / "big.dcd", {.particles = 600'000'000}}), UnsupportedError);
    netcdf.write(positions, {}, 6, 0);
    CHECK(read_trajectory(folder / "t.nc").size() == 1);
    CHECK(message_of<UnsupportedError>([&] { NetcdfWriter(folder / "big.nc", {.particles = 400'000'000}); })
          == folder / "big.nc" + ": a NetCDF file cannot hold 400000000 particles, only 1 to 357913939");
    CHECK_THROWS_AS((NetcdfWriter{folder / "big.nc", {.particles = 0}}), UnsupportedError);
}
