// Coordinates of AMBER, GROMACS and CHARMM.
// SPDX-License-Identifier: MIT
#include "program_files.hpp"

#include <bit>
#include <cstdint>

using namespace trotter;
using namespace trotter::app;
using namespace trotter::testing;
using Catch::Matchers::Contains;

namespace {

Coordinates read(ProgramFiles const& files, std::string const& text) {
    return read_coordinates(files.put("x", text), {files.path()});
}
std::string refusal(ProgramFiles const& files, std::string const& text) {
    return files.refusal([&] { read(files, text); });
}

constexpr auto three_atoms =
    "title\n    3  0.5E+01\n   1.0000000   2.0000000   3.0000000   4.0000000   5.0000000   6.0000000\n"
    "   7.0000000   8.0000000   9.0000000\n";
constexpr auto box_line = "  30.0000000  40.0000000  50.0000000  90.0000000  90.0000000  90.0000000\n";

// Big-endian integers, names and numbers of a NetCDF file.
struct NetcdfText {
    std::string bytes = "CDF\1";
    void integer(std::uint32_t value) {
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 255);
    }
    void name(std::string text) {
        integer(static_cast<std::uint32_t>(text.size()));
        text.resize((text.size() + 3) / 4 * 4);
        bytes += text;
    }
    void number(double value) {
        auto const bits = std::bit_cast<std::uint64_t>(value);
        integer(static_cast<std::uint32_t>(bits >> 32));
        integer(static_cast<std::uint32_t>(bits));
    }
};

// Positions and velocities of one atom.
std::string netcdf_restart(std::uint32_t atoms = 1) {
    NetcdfText file;
    file.integer(0);
    file.integer(10), file.integer(2), file.name("atom"), file.integer(atoms), file.name("spatial"), file.integer(3);
    file.integer(0), file.integer(0);
    file.integer(11), file.integer(2);
    std::uint32_t const header =
        4 + 4 + 8 + 12 + 16 + 8 + 8 + (16 + 4 + 8 + 8 + 12) + (16 + 4 + 8 + 8 + 20 + 4 + 4 + 8 + 12) - 4;
    for (bool const velocities : {false, true}) {
        file.name(velocities ? "velocities" : "coordinates");
        file.integer(2), file.integer(0), file.integer(1);
        file.integer(velocities ? 12 : 0), file.integer(velocities ? 1 : 0);
        if (velocities) file.name("scale_factor"), file.integer(6), file.integer(1), file.number(20.455);
        file.integer(6), file.integer(24), file.integer(header + (velocities ? 24 : 0));
    }
    file.bytes.resize(header);
    for (double const value : {10.0, 20.0, 30.0, 1.0, 2.0, 3.0}) file.number(value);
    return file.bytes;
}

}  // namespace

TEST_CASE("inpcrd files are told apart by the number of their lines") {
    ProgramFiles const files;
    auto const plain = read(files, three_atoms);
    REQUIRE(plain.positions.size() == 3);
    REQUIRE(plain.positions[1].y == Approx(0.5));
    REQUIRE(plain.velocities.empty());
    REQUIRE(!plain.box);
    auto const boxed = read(files, std::string{three_atoms} + box_line + "\n\n");
    REQUIRE(boxed.box->b.y == Approx(4));
    std::string const text = three_atoms, rows = text.substr(text.find("   1.0"));
    REQUIRE(read(files, text + rows).velocities[2].x == Approx(0.7 * 20.455));
    auto const all = read(files, text + rows + box_line);
    REQUIRE(all.velocities.size() == 3);
    REQUIRE(all.box->c.z == Approx(5));
    REQUIRE_THAT(refusal(files, text + rows + box_line + box_line), Contains("it has 8 lines"));
}

TEST_CASE("a fourth line of an inpcrd of two atoms is a box if a number is 60 or more") {
    ProgramFiles const files;
    std::string const text = "title\n 2\n   1.0000000   2.0000000   3.0000000   4.0000000   5.0000000   6.0000000\n";
    REQUIRE(read(files, text + box_line).box);
    REQUIRE(read(files, text + text.substr(text.find("   1.0"))).velocities.size() == 2);
    std::string const one = "title\n 1\n   1.0000000   2.0000000   3.0000000\n";
    REQUIRE(read(files, one + box_line).box);
    REQUIRE(read(files, one + "   1.0000000   2.0000000   3.0000000\n").velocities.size() == 1);
}

TEST_CASE("boxes of zeros are none, others must be positive") {
    ProgramFiles const files;
    std::string const zeros = "   0.0000000   0.0000000   0.0000000  90.0000000  90.0000000  90.0000000\n";
    REQUIRE(!read(files, three_atoms + zeros).box);
    std::string const flat = "  30.0000000  30.0000000  30.0000000  90.0000000  90.0000000   0.0000000\n";
    REQUIRE_THAT(refusal(files, three_atoms + flat), Contains("x, line 5: the box vectors are no periodic box"));
}

TEST_CASE("NetCDF restarts are read without a library") {
    ProgramFiles const files;
    auto const restart = read(files, netcdf_restart());
    REQUIRE(restart.positions.size() == 1);
    REQUIRE(restart.positions[0].z == 3.0);
    REQUIRE(restart.velocities[0].y == Approx(0.2 * 20.455));
    auto const bytes = netcdf_restart();
    for (std::size_t length = 4; length < bytes.size(); ++length)
        REQUIRE(!refusal(files, bytes.substr(0, length)).empty());
    REQUIRE_THAT(refusal(files, netcdf_restart(0x7fffffff)), Contains("larger than the file"));
    REQUIRE_THAT(refusal(files, netcdf_restart(0)), Contains("has frames"));
    REQUIRE_THAT(refusal(files, "\x89HDF\r\n"), Contains("NetCDF-4"));
}

TEST_CASE("numbers of gro files are as wide as their decimal points are apart") {
    ProgramFiles const files;
    auto const usual =
        read(files, "t\n 1\n    1SOL     OW    1   1.000   2.000   3.000  0.1000  0.2000  0.3000\n 3.0 3.0 3.0\n");
    REQUIRE(usual.positions[0].y == 2);
    REQUIRE(usual.velocities[0].z == 0.3);
    REQUIRE(usual.box->a.x == 3);
    auto const wide =
        read(files, "t\n 1\n    1SOL     OW    1   1.00000   2.00000   3.00000\n 3 3 3 0 0 1.5 0 1.5 1.5\n");
    REQUIRE(wide.positions[0].z == 3);
    REQUIRE(wide.box->b.x == 1.5);
    REQUIRE(!read(files, "t\n 1\n    1SOL     OW    1   1.000   2.000   3.000\n 0.0 0.0 0.0\n").box);
    REQUIRE_THAT(refusal(files, "t\n 2000000000\n    1SOL     OW    1   1.000   2.000   3.000\n"),
                 Contains("2000000000 atoms are stated"));
    REQUIRE_THAT(refusal(files, "t\n 1\n    1SOL     OW    1   1.000   2.000   3.000\n 3.0\n"),
                 Contains("x, line 4: the box has 1 numbers"));
}

TEST_CASE("crd files of CHARMM are read by columns") {
    ProgramFiles const files;
    auto const usual =
        read(files, "* title\n*\n    1\n    1    1 ALA  N    -11.02400-110.10300-100.10100 AAL  1      0.00000\n");
    REQUIRE(usual.positions[0].y == Approx(-11.0103));
    auto const extended = read(files,
                               "* title\n*\n         1  EXT\n         1         1  ALA       N              "
                               "-4.7646055673       -0.3618371390  "
                               "      0.0735617208  PROA      1               0.0000000000\n");
    REQUIRE(extended.positions[0].x == Approx(-0.47646055673));
    REQUIRE(read(files, "* title\n1\n1 1 ALA N 1.0 2.0 3.0 A 1 0.0\n").positions[0].z == Approx(0.3));
    REQUIRE_THAT(refusal(files, "* title\n    7\n"), Contains("x, line 2: 7 atoms are stated, but 0 lines follow"));
    REQUIRE_THAT(refusal(files, "* title\n"), Contains("ends there"));
}

TEST_CASE("what no program writes is none of the known files") {
    ProgramFiles const files;
    REQUIRE_THAT(refusal(files, "nothing\nof this kind\n"), Contains("none of the known files of coordinates"));
    REQUIRE_THAT(refusal(files, ""), Contains("none of the known files of coordinates"));
}
