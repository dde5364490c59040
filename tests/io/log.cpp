// The log equals OpenMM's, character by character, and can be continued at any line.
// SPDX-License-Identifier: MIT
#include "../catch_compat.hpp"

#include <cmath>

#include <trotter/error.hpp>
#include <trotter/io/log.hpp>

#include "scratch.hpp"

using namespace trotter;
using namespace trotter::testing;

namespace {

// Written by OpenMM 8.6.1's StateDataReporter.
std::string const expected =
    "#\"Progress (%)\",\"Step\",\"Time (ps)\",\"Potential Energy (kJ/mole)\",\"Kinetic Energy (kJ/mole)\",\"Total Energy "
    "(kJ/mole)\",\"Temperature (K)\",\"Box Volume (nm^3)\",\"Density (g/mL)\",\"Speed (ns/day)\",\"Time Remaining\"\n"
    "0.0%,100,0.20000000000000015,0.07181042053110409,0.05319047709914898,0.12500089763025307,1.4216319881246302,12.0,"
    "0.006642156268695386,0,--\n"
    "0.0%,200,0.4000000000000003,0.002905067422582392,0.12209496889075278,0.12500003631333517,3.263255432746491,12.0,"
    "0.006642156268695386,2.1e+04,0:08\n";

LogRow const first{.step = 100, .progress = 0.01, .time = 0.20000000000000015, .potential_energy = 0.07181042053110409,
                   .kinetic_energy = 0.05319047709914898, .temperature = 1.4216319881246302, .volume = 12.0,
                   .density = 0.006642156268695386, .speed = {}, .remaining = {}};
LogRow const second{.step = 200, .progress = 0.02, .time = 0.4000000000000003, .potential_energy = 0.002905067422582392,
                    .kinetic_energy = 0.12209496889075278, .temperature = 3.263255432746491, .volume = 12.0,
                    .density = 0.006642156268695386, .speed = 20993.2, .remaining = 8.9};

}  // namespace

TEST_CASE("the log has OpenMM's titles, columns and numbers", "[io]") {
    ScratchFolder const folder;
    LogWriter log{folder / "log.csv"};
    log.write(first);
    log.write(second);
    CHECK(bytes_of(folder / "log.csv") == expected);
    CHECK(log.mark().bytes == expected.size());
}

TEST_CASE("a resumed log has the lines of one that never stopped", "[io]") {
    ScratchFolder const folder;
    FileMark mark;
    {
        LogWriter log{folder / "log.csv"};
        log.write(first);
        mark = log.mark();
        log.write(second);
        log.write(second);
    }
    LogWriter{folder / "log.csv", mark}.write(second);
    CHECK(bytes_of(folder / "log.csv") == expected);

    CHECK_THROWS_AS((LogWriter{folder / "log.csv", FileMark{mark.bytes + 1, mark.checksum}}), InputError);
    CHECK_THROWS_AS((LogWriter{folder / "log.csv", FileMark{}}), InputError);
    CHECK_THROWS_AS((LogWriter{folder / "log.csv", FileMark{expected.size() + 1, 0}}), InputError);
    CHECK_THROWS_AS((LogWriter{folder / "none.csv", mark}), OutputError);
    CHECK(bytes_of(folder / "log.csv") == expected);
    auto edited = expected;
    edited[edited.find("0.2000")] = '1';
    put_bytes(folder / "edited.csv", edited);
    CHECK_THROWS_AS((LogWriter{folder / "edited.csv", mark}), InputError);
    CHECK(bytes_of(folder / "edited.csv") == edited);
}

TEST_CASE("durations drop their leading parts", "[io]") {
    for (auto const& [seconds, text] : std::initializer_list<std::pair<double, char const*>>{
             {0, "0:00"}, {59.9, "0:59"}, {60, "1:00"}, {3599, "59:59"}, {3600, "1:00:00"}, {86399, "23:59:59"},
             {86400, "1:0:00:00"}, {90061, "1:1:01:01"}, {-3, "0:00"}, {std::nan(""), "--"}, {HUGE_VAL, "--"}})
        CHECK(format_duration(seconds) == text);
}

TEST_CASE("numbers of the log look as Python's", "[io]") {
    for (auto const& [value, text] : std::initializer_list<std::pair<double, char const*>>{
             {0, "0.0"}, {-0.0, "-0.0"}, {300, "300.0"}, {0.1, "0.1"}, {1e-4, "0.0001"}, {1e-5, "1e-05"}, {1.5e-5, "1.5e-05"},
             {1e15, "1000000000000000.0"}, {9999999999999998.0, "9999999999999998.0"}, {1e16, "1e+16"}, {-1234.5, "-1234.5"},
             {1.7976931348623157e308, "1.7976931348623157e+308"}, {5e-324, "5e-324"}, {std::nan(""), "nan"}, {-HUGE_VAL, "-inf"}})
        CHECK(format_log_number(value) == text);
}
