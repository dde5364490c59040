// Structures of gro files, and formats by content.
// SPDX-License-Identifier: MIT
#include <trotter/app/structure/gro.hpp>

#include <cmath>

#include <trotter/app/file_format.hpp>
#include <trotter/io/file.hpp>

#include "structure_files.hpp"

using namespace trotter;
using namespace trotter::app;
using namespace trotter::testing;
using namespace std::string_literals;

namespace {

constexpr auto peptide =
    "Title, t= 0.0\n   11\n"
    "99999ALA      N    1   0.100   0.200   0.300  0.1000 -0.2000  0.3000\n"
    "99999ALA     CA    2   0.200   0.200   0.300  0.1000 -0.2000  0.3000\n"
    "99999ALA      C    3   0.300   0.200   0.300  0.1000 -0.2000  0.3000\n"
    "    0CYX      N    4   0.400   0.200   0.300  0.1000 -0.2000  0.3000\n"
    "    0CYX     SG    5   0.500   0.200   0.300  0.1000 -0.2000  0.3000\n"
    "    1CYS     SG    6   0.600   0.200   0.300  0.1000 -0.2000  0.3000\n"
    "    1SOL     OW    7   0.700   0.200   0.300  0.1000 -0.2000  0.3000\n"
    "    1SOL    HW1    8   0.800   0.200   0.300  0.1000 -0.2000  0.3000\n"
    "    1SOL     MW    9   0.900   0.200   0.300  0.1000 -0.2000  0.3000\n"
    "    2NA      NA   10   1.000   0.200   0.300  0.1000 -0.2000  0.3000\n"
    "    9SOL     OW   11   1.100   0.200   0.300  0.1000 -0.2000  0.3000\n"
    "   3.00000   2.50000   2.00000   0.00000   0.00000   1.00000   0.00000  -0.50000   1.20000\n";

struct GroFolder : StructureFolder {
    Structure gro(std::string const& text) const {
        put_bytes(*this / "x.gro", text);
        return read_gro_structure(*this / "x.gro", {(*this / "").substr(0, (*this / "").size() - 1)});
    }
};

Structure one_atom(Vec3<> const& position) {
    Structure structure;
    structure.topology.add_chain("A");
    structure.topology.add_residue("LIGAND", "123456");
    structure.topology.add_atom("LONGNAME", Element::from_symbol("C"));
    structure.positions = {position};
    return structure;
}

}  // namespace

TEST_CASE("a gro file gives residues, chains where numbers break, elements and bonds") {
    GroFolder const files;
    auto const structure = files.gro(peptide);
    auto const& topology = structure.topology;
    CHECK(listed(topology) == "ALA 99999: N CA C; CYS 0: N SG; CYS 1: SG; HOH 1: O HW1 MW; NA 2: NA; HOH 9: O");
    CHECK(chain_ids(topology) == "[A][B][C]");
    CHECK(topology.residues[3].original_name == "SOL");
    CHECK(elements(topology) == "N C C N S S O H - Na O");
    CHECK(bonds(topology) == std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {2, 3}, {4, 5}});
    CHECK(structure.velocities[10] == Vec3<>{0.1, -0.2, 0.3});
    CHECK(structure.box->c.y == 1.2);
}

TEST_CASE("a gro file that is written is read as the same") {
    GroFolder const files;
    auto const first = files.gro(peptide);
    auto const text = to_gro(first);
    CHECK(text.find("\n    0CYS      N    4   0.400   0.200   0.300  0.1000 -0.2000  0.3000\n") != text.npos);
    CHECK(text.ends_with("\n   3.00000   2.50000   2.00000   0.00000   0.00000   1.00000   0.00000  -0.50000   1.20000\n"));
    auto const second = files.gro(text);
    CHECK(listed(second.topology) == listed(first.topology));
    CHECK(second.positions == first.positions);
    CHECK(second.velocities == first.velocities);
    CHECK(second.box == first.box);
}

TEST_CASE("long names are cut, numbers wrap, and what has no columns is refused") {
    auto const text = to_gro(one_atom({-999.9994, 9999.9994, 0}));
    CHECK(text == "Written by Trotter\n    1\n23456LIGANLONGN    1-999.9999999.999   0.000\n   0.00000   0.00000   0.00000\n");
    for (double const bad : {1e5, -1000.0, std::nan("")})
        CHECK(message_of<InputError>([&] { to_gro(one_atom({0, bad, 0})); }).starts_with("atom 0 has the coordinate [nm] "));
    auto fast = one_atom({0, 0, 0});
    fast.velocities = {{0, 0, 1e4}};
    CHECK(message_of<InputError>([&] { to_gro(fast); })
          == "atom 0 has the velocity [nm/ps] 10000, expected one that fits into the eight columns of a gro file");
}

TEST_CASE("formats are told by content") {
    auto const is = [](std::string const& text, FileFormat format) {
        CAPTURE(text);
        CHECK(recognize_format(text) == format);
    };
    is("", FileFormat::unknown);
    is("some text\nof several\nlines\n", FileFormat::unknown);
    is(peptide, FileFormat::gro);
    is("title\n    1\n   1.0000000   2.0000000   3.0000000\n", FileFormat::inpcrd);
    is("title\n    3  0.5E+01\n   1.0000000   2.0000000   3.0000000\n", FileFormat::inpcrd);
    is("REMARK   1\nATOM      1  N   ALA A   1       0.000   0.000   0.000\n", FileFormat::pdb);
    is("CRYST1   30.000   30.000   30.000  90.00  90.00  90.00 P 1\n", FileFormat::pdb);
    is("# comment\ndata_1ABC\n", FileFormat::mmcif);
    is("<?xml version=\"1.0\"?>\n<!-- State -->\n<State time=\"0\"/>", FileFormat::state);
    is("<System/>", FileFormat::xml);
    is("  {\"chains\": []}", FileFormat::json);
    is("%VERSION  VERSION_STAMP", FileFormat::prmtop);
    is("%FLAG TITLE", FileFormat::prmtop);
    is("PSF EXT\n", FileFormat::psf);
    is("; a comment\n#include \"forcefield.itp\"\n", FileFormat::top);
    is("[ moleculetype ]\n", FileFormat::top);
    is("* title\n*\n    1\n", FileFormat::crd);
    is("CDF\1\0"s, FileFormat::netcdf);
    is("CDF\2\0"s, FileFormat::netcdf);
    is("T\0\0\0CORD"s, FileFormat::dcd);
    is("\0\0\0TCORD"s, FileFormat::dcd);
    is("\0\0\x07\xcb\0"s, FileFormat::xtc);
}
