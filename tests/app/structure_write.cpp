// Structures written and read back; what is missing in them; names of residues.
// SPDX-License-Identifier: MIT
#include "structure_files.hpp"

#include <algorithm>
#include <limits>

#include <trotter/app/structure/find_missing.hpp>
#include <trotter/app/structure/residue_labels.hpp>
#include <trotter/app/structure/write_structure.hpp>
#include <trotter/app/unit_cell.hpp>

using namespace trotter;
using namespace trotter::app;
using namespace trotter::testing;

namespace {

void add_atom(Structure& structure, char const* name, char const* symbol, double x) {
    structure.topology.add_atom(name, Element::from_symbol(symbol));
    structure.positions.push_back({x, 0.25, -x});
}

/// Two chains with insertion codes, a ligand with a bond to the protein and one of high valence, a water with a site.
Structure sample() {
    Structure structure;
    auto& topology = structure.topology;
    topology.add_chain("A");
    topology.add_residue("ALA", "-2");
    add_atom(structure, "N", "N", 0);
    add_atom(structure, "CA", "C", 0.1234);
    add_atom(structure, "C", "C", 0.2);
    topology.add_residue("ALA", "10", "B");
    add_atom(structure, "N", "N", 0.3);
    add_atom(structure, "CA", "C", 123.4567);
    topology.add_bond(0, 1);
    topology.add_bond(1, 2);
    topology.add_bond(2, 3);
    topology.add_bond(3, 4);
    topology.add_residue("LIGX", "9999");
    add_atom(structure, "C1'", "C", 0.5);
    add_atom(structure, "CL2", "Cl", 0.6);
    topology.atoms.back().formal_charge = -1;
    for (auto const* name : {"O1", "O2", "O3", "O4", "O5"}) {
        add_atom(structure, name, "O", 0.7);
        topology.add_bond(5, topology.atom_count() - 1);
    }
    topology.add_bond(4, 5);
    topology.add_bond(5, 6);
    topology.add_chain("B");
    topology.add_residue("HOH", "10000");
    add_atom(structure, "O", "O", 0.8);
    add_atom(structure, "M", "none", 0.8);
    structure.box = box_from_cell({{3, 4, 5}, {90, 80, 70}});
    return structure;
}

void check_same(Structure const& read, Structure const& written, double tolerance) {
    CHECK(listed(read.topology) == listed(written.topology));
    CHECK(elements(read.topology) == elements(written.topology));
    CHECK(bonds(read.topology) == bonds(written.topology));
    CHECK(read.topology.chains.size() == written.topology.chains.size());
    REQUIRE(read.positions.size() == written.positions.size());
    for (std::size_t i = 0; i < read.positions.size(); ++i) {
        CHECK(read.positions[i].x == Approx(written.positions[i].x).margin(tolerance));
        CHECK(read.positions[i].z == Approx(written.positions[i].z).margin(tolerance));
    }
    REQUIRE(read.box.has_value() == written.box.has_value());
    if (read.box) CHECK(read.box->c.y == Approx(written.box->c.y).margin(3e-4));
}

}  // namespace

TEST_CASE("a structure written as PDB or mmCIF is read back as the same", "[structure]") {
    StructureFolder const folder;
    auto const structure = sample();
    auto const pdb = folder.read(to_pdb(structure)).structure, cif = folder.read(to_mmcif(structure)).structure;
    check_same(pdb, structure, 1e-4);
    check_same(cif, structure, 1e-7);
    CHECK(chain_ids(pdb.topology) == "[A][B]");
    CHECK(chain_ids(cif.topology) == "[A][B]");
    CHECK(pdb.topology.atoms[6].formal_charge == -1);
    CHECK(cif.topology.atoms[6].formal_charge == -1);
}

TEST_CASE("lines of PDB files have their columns", "[structure]") {
    auto const text = to_pdb(sample());
    CHECK(text.find("CRYST1   30.000   40.000   50.000  90.00  80.00  70.00 P 1           1 \n") == 0);
    CHECK(text.find("ATOM      2  CA  ALA A  -2       1.234   2.500  -1.234  1.00  0.00           C  \n") != text.npos);
    CHECK(text.find("HETATM    7 CL2  LIGXA9999       6.000   2.500  -6.000  1.00  0.00          CL1-\n") != text.npos);
    CHECK(text.find("TER      13      LIGXA9999 \n") != text.npos);
    CHECK(text.find("HETATM   15 M    HOH BA000       8.000   2.500  -8.000  1.00  0.00          EP  \n") != text.npos);
    CHECK(text.find("ATOM      5  CA  ALA A  10B   1234.567   2.500-1234.56") != text.npos);
    CHECK(text.find("CONECT    6    8    9   10   11\nCONECT    6   12    5    7\n") != text.npos);
}

TEST_CASE("chains of one name stay apart in mmCIF files", "[structure]") {
    StructureFolder const folder;
    Structure structure;
    for (auto const* id : {"A", "A", "B", "A", " "}) {
        structure.topology.add_chain(id);
        structure.topology.add_residue("HOH", "1");
        add_atom(structure, "O", "O", 0);
    }
    CHECK(chain_ids(folder.topology(to_mmcif(structure))) == "[A][A][B][A][C]");
    for (auto& chain : structure.topology.chains) chain.id = " ";
    CHECK(chain_ids(folder.topology(to_mmcif(structure))) == "[A][B][C][D][E]");
}

TEST_CASE("values of mmCIF files are quoted where the grammar needs it", "[structure]") {
    StructureFolder const folder;
    Structure structure;
    structure.topology.add_chain("loop_");
    structure.topology.add_residue("_x", "1");
    for (auto const* name : {"'", "a b", "data_", "#", "O5'", "x' y"}) add_atom(structure, name, "O", 0);
    CHECK(listed(folder.topology(to_mmcif(structure))) == "_x 1: ' a b data_ # O5' x' y");
    structure.topology.atoms[0].name = "\n";
    CHECK_THROWS_AS(to_mmcif(structure), InputError);
}

TEST_CASE("what a format cannot hold is refused", "[structure]") {
    auto structure = sample();
    structure.positions[1].x = 1e9;
    CHECK(message_of<InputError>([&] { to_pdb(structure); }) ==
          "atom 1 (CA of ALA A:-2) has the coordinate 10000000000 angstrom, expected one that fits into the eight columns of a PDB file");
    structure.positions[1].x = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(to_pdb(structure), InputError);
    CHECK(message_of<InputError>([&] { to_mmcif(structure); })
          == "atom 1 (CA of ALA A:-2) has a coordinate that is not finite");
    CHECK(message_of<InputError>([&] { write_structure("x.xyz", structure); })
          == "x.xyz: the end of the name tells no format of a structure, expected .pdb, .cif, .gro or .json");
}

TEST_CASE("the JSON of a structure", "[structure]") {
    Structure structure;
    structure.topology.add_chain("A");
    structure.topology.add_residue("ZN", "5", "C");
    add_atom(structure, "ZN\"", "Zn", 0.5);
    structure.topology.atoms[0].formal_charge = 2;
    CHECK(to_json(structure) == "{\"chains\": [\n{\"id\": \"A\", \"residues\": [\n{\"name\": \"ZN\", \"id\": \"5\", \"icode\": \"C\", \"atoms\": [{\"name\": \"ZN\\\"\", "
                                "\"element\": \"Zn\", \"formal_charge\": 2}]}]}],\n\"bonds\": [],\n\"box\": null,\n\"positions\": [\n[0.5, 0.25, -0.5]]}\n");
}

TEST_CASE("residues are found by chain and number, or by index", "[structure]") {
    auto const topology = sample().topology;
    ResidueLabels const labels(topology);
    CHECK(labels.find("A:10B") == 1);
    CHECK(labels.find("#3") == 3);
    CHECK(residue_label(topology, 3) == "B:10000");
    CHECK(message_of<InputError>([&] { labels.find("A:7"); })
          == "there is no residue \"A:7\", expected CHAIN:NUMBER or #INDEX");
    CHECK(message_of<InputError>([&] { labels.find("#4"); }) == "there is no residue \"#4\", expected #0 to #3");
    auto twice = topology;
    twice.residues[1].id = "-2";
    twice.residues[1].insertion_code = "";
    CHECK(message_of<InputError>([&] { ResidueLabels(twice).find("A:-2"); })
          == "2 residues are called \"A:-2\", the first of them #0: expected one, or #INDEX");
}

TEST_CASE("residues and atoms that a sequence has are missed", "[structure]") {
    StructureFolder const folder;
    auto const file = folder.read(
        "SEQRES   1 A    6  CYS ALA MSE CYS ALA CYS\nMODRES 1ABC LIG A    4  ALA\n"
        "ATOM      1  N   ALA A   2       0.000   0.000   0.000\nATOM      2  CA  ALA A   2       0.000   0.000   "
        "0.000\n"
        "ATOM      3  N   CYS A   4       0.000   0.000   0.000\nATOM      4  N   ALA A   5       0.000   0.000   "
        "0.000\n"
        "ATOM      5  C   ALA A   5       0.000   0.000   0.000\n");
    auto const bonds = StandardBonds::load({folder / ""});
    auto const missing = find_missing(file.structure.topology, file.sequences, file.modified_residues, bonds);
    REQUIRE(missing.residues.size() == 3);
    CHECK((missing.residues[0].before == 0 && missing.residues[0].names == std::vector<std::string>{"CYS"}));
    CHECK((missing.residues[1].before == 1 && missing.residues[1].names == std::vector<std::string>{"MET"}));
    CHECK((missing.residues[2].before == 3 && missing.residues[2].names == std::vector<std::string>{"CYS"}));
    CHECK(missing.atoms.at(0) == std::vector<std::string>{"C", "CB", "O"});
    CHECK(missing.terminals.empty());  // the last residue of the sequence is missing
    CHECK(find_missing(file.structure.topology, {}, {}, bonds).terminals.at(2) == std::vector<std::string>{"OXT"});
}
