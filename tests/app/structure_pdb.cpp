// PDB files: columns, chains, residues, names, elements, alternate locations, models, bonds.
// SPDX-License-Identifier: MIT
#include "structure_files.hpp"

#include <algorithm>

#include <fmt/format.h>

using namespace trotter;
using namespace trotter::app;
using namespace trotter::testing;

namespace {

using Pairs = std::vector<std::pair<int, int>>;

/// A line of an atom; x [angstrom] tells atoms apart.
struct Line {
    std::string name, residue = "ALA", number = "   1", x = "0.000";
    char chain = 'A', alternate = ' ', insertion_code = ' ';
    std::string serial = "1", element = "", occupancy = "1.00", charge = "  ";

    std::string text() const {
        auto const padded = name.size() == 4 ? name : " " + name;
        return fmt::format("ATOM  {:>5} {:<4}{}{:>3} {}{:>4}{}   {:>8}   1.000   2.000{:>6}  0.00          {:>2}{}\n",
                           serial, padded, alternate, residue, chain, number, insertion_code, x, occupancy, element,
                           charge);
    }
};

std::string lines(std::vector<Line> const& all) {
    std::string text;
    for (auto const& line : all) text += line.text();
    return text;
}

}  // namespace

TEST_CASE("names of residues and atoms are made standard, and the old ones of residues kept", "[structure]") {
    StructureFolder const folder;
    auto const topology = folder.topology(lines(
        {{"HN", "ALA"}, {"1HB", "ALA"}, {"OT2", "ALA"}, {"N", "HIE", "2"}, {"OW", "SOL", "3"}, {"O5*", "DA5", "4"}}));
    CHECK(listed(topology) == "ALA 1: H HB1 OXT; HIS 2: N; HOH 3: O; DA 4: O5'");
    CHECK(topology.residues[1].original_name == "HIE");
}

TEST_CASE("chains begin at another letter and behind TER, and are never merged", "[structure]") {
    StructureFolder const folder;
    auto const text = Line{"N"}.text() + "TER\n" + Line{.name = "O", .residue = "HOH", .number = "2"}.text()
                      + Line{.name = "N", .number = "1", .chain = 'B'}.text()
                      + Line{.name = "N", .number = "3", .chain = 'A'}.text() + "END\n"
                      + Line{.name = "N", .number = "1", .chain = ' '}.text();
    CHECK(chain_ids(folder.topology(text)) == "[A][A][B][A][ ]");
}

TEST_CASE("residues begin at another number, insertion code or name", "[structure]") {
    StructureFolder const folder;
    CHECK(listed(folder.topology(lines({{.name = "N", .number = "  -5"},
                                        {.name = "CA", .number = "  -5"},
                                        {.name = "N", .number = "  -5", .insertion_code = 'A'},
                                        {.name = "N", .residue = "CYS", .number = "  -5", .insertion_code = 'A'}})))
          == "ALA -5: N CA; ALA -5A: N; CYS -5A: N");
}

TEST_CASE("numbers are decimal, hexadecimal, or follow the last one", "[structure]") {
    StructureFolder const folder;
    CHECK(listed(folder.topology(lines({{.name = "N", .number = "9999"},
                                        {.name = "N", .number = "A000"},
                                        {.name = "N", .number = "****"},
                                        {.name = "CA", .number = "****"},
                                        {.name = "N", .number = "****"},
                                        {.name = "N", .residue = "CYS", .number = "****"}})))
          == "ALA 9999: N; ALA 10000: N; ALA 10001: N CA; ALA 10002: N; CYS 10003: N");
    auto const text = lines({{.name = "C1", .residue = "LIG", .serial = "99999", .element = "C"},
                             {.name = "C2", .residue = "LIG", .serial = "A0000", .element = "C"},
                             {.name = "C3", .residue = "LIG", .serial = "A000Z", .element = "C"}});
    CHECK(bonds(folder.topology(text + "CONECTA000099999\nCONECTA000ZA0000\nCONECT    777777\n"))
          == Pairs{{0, 1}, {1, 2}});
}

TEST_CASE("the first or the most occupied alternate location is taken", "[structure]") {
    StructureFolder const folder;
    auto const text = lines({{.name = "N", .x = "1.000"},
                             {.name = "CA", .x = "2.000", .alternate = 'A', .occupancy = "0.30"},
                             {.name = "CA", .x = "3.000", .alternate = 'B', .occupancy = "0.70"},
                             {.name = "CB", .x = "4.000", .alternate = 'B', .occupancy = "0.70"}});
    auto const x = [](StructureFile const& file) {
        std::vector<double> result;
        for (auto const& position : file.structure.positions) result.push_back(position.x);
        return result;
    };
    CHECK(x(folder.read(text)) == std::vector{0.1, 0.2, 0.4});
    CHECK(x(folder.read(text, {.alternate_location = AlternateLocation::occupancy})) == std::vector{0.1, 3 * 0.1, 0.4});
}

TEST_CASE("of a point mutation one residue is taken", "[structure]") {
    StructureFolder const folder;
    auto const text = lines({{.name = "N", .alternate = 'A', .occupancy = "0.40"},
                             {.name = "CB", .alternate = 'A', .occupancy = "0.40"},
                             {.name = "N", .residue = "CYS", .alternate = 'B', .occupancy = "0.60"},
                             {.name = "SG", .residue = "CYS", .alternate = 'B', .occupancy = "0.60"}});
    CHECK(listed(folder.topology(text)) == "ALA 1: N CB");
    CHECK(listed(folder.read(text, {.alternate_location = AlternateLocation::occupancy}).structure.topology)
          == "CYS 1: N SG");
}

TEST_CASE("a repeated name replaces the atom at the place of the first, with a warning", "[structure]") {
    StructureFolder const folder;
    auto const file = folder.read(lines({{.name = "N", .x = "1.000"},
                                         {.name = "CA", .x = "2.000"},
                                         {.name = "N", .x = "3.000"},
                                         {.name = "CA  ", .x = "4.000", .alternate = 'B'}}));
    CHECK(listed(file.structure.topology) == "ALA 1: N CA");
    CHECK(file.structure.positions[0].x == Approx(0.3));
    CHECK(file.structure.positions[1].x == Approx(0.4));  // a name in other columns is no other location
    REQUIRE(file.warnings.size() == 2);
    CHECK(file.warnings[0] == "line 3: a second atom  N   of the residue ALA 1 takes the place of the first");
}

TEST_CASE("elements are those of their columns, else guessed from names", "[structure]") {
    StructureFolder const folder;
    auto const text = lines({{.name = "CA", .element = "C"},
                             {.name = "X1", .element = "EP"},
                             {.name = "CA", .residue = "ALA", .number = "2"},
                             {.name = "CB", .residue = "ALA", .number = "2"},
                             {.name = "CA", .residue = " CA", .number = "3"},
                             {.name = "CLA", .residue = "CLA", .number = "4"},
                             {.name = "1HB", .residue = "LIG", .number = "5"},
                             {.name = "DCB", .residue = "LIG", .number = "6"},
                             {.name = "CB", .residue = "LIG", .number = "6"},
                             {.name = "FE", .residue = "FE2", .number = "7"}});
    CHECK(elements(folder.topology(text)) == "C - C C Ca Cl H - C Fe");
}

TEST_CASE("formal charges are read with the sign on either side", "[structure]") {
    StructureFolder const folder;
    auto const topology = folder.topology(lines({{.name = "A", .element = "C", .charge = "2+"},
                                                 {.name = "B", .element = "C", .charge = "-1"},
                                                 {.name = "C", .element = "C", .charge = " 1"},
                                                 {.name = "D", .element = "C"}}));
    CHECK(topology.atoms[0].formal_charge == 2);
    CHECK(topology.atoms[1].formal_charge == -1);
    CHECK(topology.atoms[2].formal_charge == 1);
    CHECK(!topology.atoms[3].formal_charge);
}

TEST_CASE("standard bonds lead to the residue before, and a gap is warned of", "[structure]") {
    StructureFolder const folder;
    auto const file = folder.read(lines({{"N"},
                                         {"CA"},
                                         {"C"},
                                         {.name = "N", .number = "40", .x = "60.000"},
                                         {.name = "CA", .number = "40", .x = "60.000"}}));
    CHECK(bonds(file.structure.topology) == Pairs{{0, 1}, {1, 2}, {2, 3}, {3, 4}});
    REQUIRE(file.warnings.size() == 1);
    CHECK(file.warnings[0]
          == "the bond C of ALA A:1 - N of ALA A:40 is 6.00 nm long: residues between them are missing");
}

TEST_CASE("bare sulfurs are bonded to the nearest earlier one", "[structure]") {
    StructureFolder const folder;
    auto const sulfur = [](char const* number, char const* x) {
        return Line{.name = "SG", .residue = "CYS", .number = number, .x = x};
    };
    CHECK(bonds(folder.topology(lines({sulfur("1", "0.000"), sulfur("3", "2.900"), sulfur("5", "4.000"),
                                       sulfur("7", "6.900"), sulfur("9", "9.950")})))
          == Pairs{{0, 1}, {2, 3}});
    auto const with_hydrogen = lines(
        {sulfur("1", "0.000"), {.name = "HG", .residue = "CYS", .number = "1", .x = "1.300"}, sulfur("3", "2.000")});
    CHECK(bonds(folder.topology(with_hydrogen)) == Pairs{{0, 1}});
}

TEST_CASE("connections to metals count only if the partner is no standard residue", "[structure]") {
    StructureFolder const folder;
    auto const text = lines({{.name = "N", .serial = "1", .element = "N"},
                             {.name = "C1", .residue = "LIG", .number = "2", .serial = "2", .element = "C"},
                             {.name = "ZN", .residue = " ZN", .number = "3", .serial = "3", .element = "ZN"}});
    CHECK(bonds(folder.topology(text + "CONECT    3    1    2    2\nCONECT    2    3    1\nCONECT    1    1\n"))
          == Pairs{{0, 1}, {1, 2}});
}

TEST_CASE("models are counted in the order of the file", "[structure]") {
    StructureFolder const folder;
    auto const text = "MODEL        7\n" + Line{.name = "N", .x = "1.000"}.text() + "ENDMDL\nMODEL        3\n"
                      + Line{.name = "N", .x = "2.000"}.text() + "ENDMDL\n";
    CHECK(folder.read(text, {.model = 2}).structure.positions[0].x == Approx(0.2));
    CHECK(folder.refusal(text, {.model = 3}) == "input: model 3 is wanted, expected 1 to 2, the number of models");
    CHECK(folder.refusal(text + "MODEL        4\n" + lines({{"N"}, {"CA"}}))
          == "input: model 3 has 2 atoms, expected 1 as in the first model");
}

TEST_CASE("a cell becomes a box in reduced form", "[structure]") {
    StructureFolder const folder;
    auto const box = [&](std::string const& cell) {
        return folder.read("CRYST1" + cell + "\n" + Line{"N"}.text()).structure.box;
    };
    auto const triclinic = box("   30.000   40.000   50.000  90.00  90.00  60.00 P 1");
    REQUIRE(triclinic);
    CHECK(triclinic->b.x == Approx(-1));  // 2 - 3
    CHECK(!box("    0.000    0.000    0.000  90.00  90.00  90.00 P 1"));
    CHECK(folder.refusal("CRYST1   30.000   40.000   50.000  10.00  20.00 170.00 P 1\n" + Line{"N"}.text()) ==
          "input, line 1: the box 30.000   40.000   50.000  10.00  20.00 170.00 cannot be, expected three lengths and three angles of a box");
}

TEST_CASE("sequences and modified residues are kept", "[structure]") {
    StructureFolder const folder;
    auto const file = folder.read(
        "SEQRES   1 A    3  ALA MSE\nSEQRES   2 A    3  CYS\nSEQRES   1 B    1  ALA\nMODRES 1ABC MSE A    2  MET  "
        "SELENOMETHIONINE\n"
        + Line{"N"}.text());
    REQUIRE(file.sequences.size() == 2);
    CHECK(*file.sequences[0].residues == std::vector<std::string>{"ALA", "MSE", "CYS"});
    CHECK(file.sequences[1].chain == "B");
    REQUIRE(file.modified_residues.size() == 1);
    CHECK(file.modified_residues[0].standard_name == "MET");
}

TEST_CASE("files with CRLF and compressed files are read", "[structure]") {
    StructureFolder const folder;
    std::string text;
    for (char const c : Line{.name = "N", .charge = "1+"}.text())
        text += c == '\n' ? std::string("\r\n") : std::string(1, c);
    CHECK(folder.topology(text).atoms[0].formal_charge == 1);
}

TEST_CASE("wrong PDB files are refused with line, columns and expectation", "[structure]") {
    StructureFolder const folder;
    CHECK(folder.refusal("HELLO\n")
          == "input: is neither an mmCIF file, which begins with data_, nor a PDB file with ATOM or HETATM lines");
    CHECK(folder.refusal("CRYST1   30.000   40.000   50.000  90.00  90.00  90.00 P 1\n")
          == "input: holds no atoms, expected ATOM or HETATM lines");
    CHECK(folder.refusal(Line{"N"}.text() + Line{.name = "CA", .x = "   1,0"}.text())
          == "input, line 2: \"     1,0\" in columns 31 to 38, expected x [angstrom]");
    CHECK(folder.refusal(Line{.name = "CA", .x = "nan"}.text())
          == "input, line 1: \"     nan\" in columns 31 to 38, expected x [angstrom]");
    CHECK(folder.refusal("ATOM      1  N   ALA A   1       1.000\n")
          == "input, line 1: \"\" in columns 39 to 46, expected y [angstrom]");
    CHECK(folder.refusal("ATOM      1  N    ALAA   1       1.000   1.000   1.000\n") ==
          "input, line 1: the name of the residue in columns 18 to 21 is \" ALA\", expected three characters from column 18 on, and a fourth only behind them");
    auto unprintable = Line{"N"}.text();
    unprintable[13] = '\x01';
    CHECK(folder.refusal(unprintable)
          == "input, line 1: unprintable characters in columns 13 to 27, expected names and numbers");
    CHECK(message_of<InputError>([] {
              read_structure("nothing.pdb", {});
          }).starts_with("the file pdbNames.xml was not found"));
}

TEST_CASE("with all bonds, none leads over a gap", "[structure]") {
    StructureFolder const folder;
    std::string const text =
        "ATOM      1  C   ALA A   1       0.000   0.000   0.000\n"
        "ATOM      2  N   ALA A   2       1.330   0.000   0.000\n"
        "ATOM      3  C   ALA A   2       2.000   0.000   0.000\n"
        "ATOM      4  N   ALA A   9       9.000   0.000   0.000\n";
    using Pairs = std::vector<std::pair<int, int>>;
    CHECK(bonds(folder.topology(text)) == Pairs{{0, 1}, {2, 3}});
    auto const file = folder.read(text, {.all_bonds = true});
    CHECK(bonds(file.structure.topology) == Pairs{{0, 1}});
    CHECK(file.warnings
          == std::vector<std::string>{"the chain has a gap of 0.70 nm between ALA A:2 and ALA A:9: no bond was made"});
}

TEST_CASE("disulfides that SSBOND tells otherwise are warned of", "[structure]") {
    StructureFolder const folder;
    std::string const atoms =
        "ATOM      1  SG  CYS A   1       0.000   0.000   0.000\n"
        "ATOM      2  SG  CYS A   2       2.030   0.000   0.000\n"
        "ATOM      3  SG  CYS A   3      20.000   0.000   0.000\n"
        "ATOM      4  SG  CYS A   4      30.000   0.000   0.000\n";
    std::string const right = "SSBOND   1 CYS A    1    CYS A    2                          1555   1555  2.03\n",
                      wrong = "SSBOND   2 CYS A    3    CYS A    4                          1555   1555  2.03\n",
                      image = "SSBOND   3 CYS A    3    CYS A    4                          1555   2555  2.03\n";
    CHECK(folder.read(atoms).warnings.empty());
    CHECK(folder.read(right + image + atoms).warnings.empty());
    CHECK(folder.read(wrong + atoms).warnings
          == std::vector<std::string>{
              "the disulfide of CYS A:3 and CYS A:4 is declared by SSBOND, but their sulfurs are not near: no bond was "
              "made",
              "the disulfide of CYS A:1 and CYS A:2 was found by distance, but SSBOND does not declare it"});
}

TEST_CASE("alternate locations are counted; more names are known on request", "[structure]") {
    StructureFolder const folder;
    std::string const text =
        "ATOM      1  O  AHOH A   1       0.000   0.000   0.000\n"
        "ATOM      2  O  BHOH A   1       1.000   0.000   0.000\n"
        "ATOM      3  O   DOD A   2       5.000   0.000   0.000\n"
        "ATOM      4  CG  HSE A   3       9.000   0.000   0.000\n";
    auto const file = folder.read(text);
    CHECK(file.atoms_with_alternates == 1);
    CHECK(listed(file.structure.topology) == "HOH 1: O; DOD 2: O; HSE 3: CG");
    auto const more = folder.read(text, {.more_names = true}).structure.topology;
    CHECK(listed(more) == "HOH 1: O; HOH 2: O; HIS 3: CG");
    CHECK(more.residues[2].original_name == "HSE");
}
