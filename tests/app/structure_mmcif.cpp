// mmCIF files: grammar, columns, chains, residues, alternate locations, models, bonds.
// SPDX-License-Identifier: MIT
#include "structure_files.hpp"

#include <algorithm>

using namespace trotter;
using namespace trotter::app;
using namespace trotter::testing;

namespace {

using Pairs = std::vector<std::pair<int, int>>;

/// A loop of atoms: element, name, alternate, component, label's chain and number, insertion code, x, author's number
/// and chain, model, charge.
std::string atoms(std::string const& rows) {
    return "data_test\nloop_\n_atom_site.type_symbol\n_atom_site.label_atom_id\n_atom_site.label_alt_id\n_atom_site."
           "label_comp_id\n_atom_site.label_asym_id\n"
           "_atom_site.label_seq_id\n_atom_site.pdbx_PDB_ins_code\n_atom_site.Cartn_x\n_atom_site.auth_seq_id\n_atom_"
           "site.auth_asym_id\n"
           "_atom_site.pdbx_PDB_model_num\n_atom_site.pdbx_formal_charge\n_atom_site.occupancy\n_atom_site.Cartn_y\n_"
           "atom_site.Cartn_z\n"
           + rows + "#\n";
}

constexpr auto connections =
    "loop_\n_struct_conn.conn_type_id\n_struct_conn.ptnr1_label_asym_id\n_struct_conn.ptnr1_label_seq_id\n_struct_conn."
    "ptnr1_label_atom_id\n"
    "_struct_conn.ptnr2_label_asym_id\n_struct_conn.ptnr2_label_seq_id\n_struct_conn.ptnr2_label_atom_id\n";

}  // namespace

TEST_CASE("names and numbers are the author's, chains begin where either letter changes", "[structure]") {
    StructureFolder const folder;
    auto const topology =
        folder.topology(atoms("N N . ALA A 1 ? 1 10 H 1 ? 1 0 0\nN N . ALA A 2 B 2 10 H 1 1 1 0 0\nO O . WAT B . ? 3 "
                              "301 H 1 ? 1 0 0\nO O . WAT B . ? 4 302 L 1 ? 1 0 0\n"));
    CHECK(listed(topology) == "ALA 10: N; ALA 10B: N; HOH 301: O; HOH 302: O");
    CHECK(chain_ids(topology) == "[H][H][L]");
    CHECK(topology.atoms[1].formal_charge == 1);
    CHECK(!topology.atoms[0].formal_charge);
}

TEST_CASE("the label's chains are taken if there are more of them", "[structure]") {
    StructureFolder const folder;
    CHECK(chain_ids(folder.topology(atoms("N N . ALA A 1 ? 1 10 H 1 ? 1 0 0\nO O . HOH B . ? 3 301 H 1 ? 1 0 0\n")))
          == "[A][B]");
}

TEST_CASE("the grammar of STAR", "[structure]") {
    StructureFolder const folder;
    auto const text =
        "# a comment\n\ndata_x\n_struct.title\n;several\n'lines' loop_\n;\n_cell.length_a 30.0(2) _CELL.Length_B 40 # "
        "another\n_cell.length_c '50' _cell.angle_alpha 90 "
        "_cell.angle_beta \"90\" _cell.angle_gamma 90\nloop_ _audit.a _audit.b 'it''s' \"b's\" save_f _a.b c save_ \n"
        + atoms("O \"O5*\" . DA5 A 1 ? 1 1 A 1 ? 1 0 0\nO 'a b' . DA5 A 1 ? 1 1 A 1 ? 1 0 0\n").substr(10);
    auto const structure = folder.read(text).structure;
    CHECK(listed(structure.topology) == "DA 1: O5' a b");
    REQUIRE(structure.box);
    CHECK(structure.box->b.y == Approx(4));
    CHECK(listed(folder.topology(text + "data_second\n_atom_site.id 7\n")) == "DA 1: O5' a b");
}

TEST_CASE("the first or the most occupied location of mmCIF files is taken", "[structure]") {
    StructureFolder const folder;
    auto const text = atoms(
        "N N A ALA A 1 ? 1 1 A 1 ? 0.3 0 0\nN N B ALA A 1 ? 2 1 A 1 ? 0.7 0 0\nC CA . ALA A 1 ? 3 1 A 1 ? 1 0 0\n"
        "O O A HOH B . ? 4 2 A 1 ? 0.3 0 0\nO O B HOH B . ? 5 2 A 1 ? 0.7 0 0\nO O . HOH B . ? 6 3 A 1 ? 1 0 0\n");
    auto const x = [](StructureFile const& file) {
        std::string result;
        for (auto const& position : file.structure.positions)
            result += std::to_string(static_cast<int>(position.x * 10 + 0.5));
        return result;
    };
    CHECK(x(folder.read(text)) == "1346");
    CHECK(x(folder.read(text, {.alternate_location = AlternateLocation::occupancy})) == "2356");
    auto const mutation = atoms(
        "N N A ALA A 1 ? 1 1 A 1 ? 0.3 0 0\nC CB A ALA A 1 ? 2 1 A 1 ? 0.3 0 0\nN N B CYS A 1 ? 3 1 A 1 ? 0.7 0 0\nS "
        "SG B CYS A 1 ? 4 1 A 1 ? 0.7 0 0\n");
    CHECK(listed(folder.read(mutation, {.alternate_location = AlternateLocation::occupancy}).structure.topology)
          == "CYS 1: N SG");
}

TEST_CASE("bonds of struct_conn and of components are taken over with their orders", "[structure]") {
    StructureFolder const folder;
    auto const text = atoms("S SG . CYS A 1 ? 0 1 A 1 ? 1 0 0\nS SG . CYS A 2 ? 9 2 A 1 ? 1 0 0\nZN ZN . ZN A 3 ? 9 3 A 1 ? 1 0 0\nC C1 . LIG A 4 ? 9 4 A 1 ? 1 0 0\nO O1 . LIG A 4 ? 9 4 A 1 ? 1 0 0\n") +
                      connections + "disulf A 1 SG A 2 SG\nmetalc A 1 SG A 3 ZN\ncovale A 2 SG A 4 C1\ncovale A 9 X A 4 C1\n"
                      "loop_\n_chem_comp_bond.comp_id\n_chem_comp_bond.atom_id_1\n_chem_comp_bond.atom_id_2\n_chem_comp_bond.value_order\nLIG C1 O1 doub\nLIG C1 H1 sing\nALA N CA sing\n";
    auto const topology = folder.topology(text);
    CHECK(bonds(topology) == Pairs{{0, 1}, {1, 3}, {3, 4}});
    CHECK(topology.bonds.back().order == 2);
    CHECK(topology.bonds.back().type == BondType::double_bond);
}

TEST_CASE("models of mmCIF files hold the same atoms", "[structure]") {
    StructureFolder const folder;
    std::string const first = "N N . ALA A 1 ? 1 1 A 1 ? 1 0 0\nC CA . ALA A 1 ? 2 1 A 1 ? 1 0 0\n";
    auto const text = atoms(first + "N N . ALA A 1 ? 3 1 A 5 ? 1 0 0\nC CA . ALA A 1 ? 4 1 A 5 ? 1 0 0\n");
    CHECK(folder.read(text, {.model = 2}).structure.positions[1].x == Approx(0.4));
    CHECK(folder.refusal(text, {.model = 3}) == "input: model 3 is wanted, expected 1 to 2, the number of models");
    CHECK(folder.refusal(atoms(first + "N N . ALA A 1 ? 3 1 A 5 ? 1 0 0\n"))
          == "input: model 5 has 1 atoms, expected 2 as in the first model");
    CHECK(
        folder.refusal(atoms(first + "C CA . ALA A 1 ? 3 1 A 5 ? 1 0 0\n"))
        == "input, line 20: the atom CA of the residue ALA 1 of model 5 is not the one in its place in the first "
           "model");
}

TEST_CASE("sequences are those of the chains' entities", "[structure]") {
    StructureFolder const folder;
    auto const file = folder.read(atoms("N N . ALA A 1 ? 1 1 A 1 ? 1 0 0\n") +
                                  "loop_\n_entity_poly_seq.entity_id\n_entity_poly_seq.mon_id\n1 ALA\n1 CYS\nloop_\n_struct_asym.id\n_struct_asym.entity_id\nA 1\nB 1\nC 2\n"
                                  "_pdbx_struct_mod_residue.label_asym_id A\n_pdbx_struct_mod_residue.label_comp_id MSE\n_pdbx_struct_mod_residue.auth_seq_id 7\n_pdbx_struct_mod_residue.parent_comp_id MET\n");
    REQUIRE(file.sequences.size() == 2);
    CHECK(file.sequences[1].chain == "B");
    CHECK(*file.sequences[1].residues == std::vector<std::string>{"ALA", "CYS"});
    REQUIRE(file.modified_residues.size() == 1);
    CHECK(file.modified_residues[0].id == "7");
}

TEST_CASE("wrong mmCIF files are refused with line, value and expectation", "[structure]") {
    StructureFolder const folder;
    CHECK(folder.refusal("data_x\n_cell.length_a 1\n") == "input: holds no atoms, expected a loop of _atom_site");
    CHECK(folder.refusal("data_x\nloop_\n_atom_site.id\n_atom_site.Cartn_x\n1 2 3\n")
          == "input, line 6: the loop of _atom_site ends with 3 values, expected a multiple of its 2 columns");
    CHECK(folder.refusal("data_x\nloop_\n_atom_site.id\n1 2 3\n")
          == "input: the loop of _atom_site has no column auth_atom_id or label_atom_id");
    CHECK(folder.refusal("data_x\n_a.b\n") == "input, line 3: _a.b has no value");
    CHECK(folder.refusal("data_x\n_a.b 'open\n_c.d 1\n")
          == "input, line 2: \"'open\" begins with a quote, expected another at its end in the same line");
    CHECK(folder.refusal("data_x\n_a.b\n;open\n")
          == "input, line 3: a text block that begins with ; has no end, expected a line that begins with ;");
    CHECK(folder.refusal("data_x\nloop_\n1\n")
          == "input, line 3: \"1\" follows loop_, expected a name that begins with _");
    CHECK(folder.refusal("data_x\nword\n") == "input, line 2: \"word\", expected a name that begins with _, or loop_");
    CHECK(folder.refusal("data_x\nsave_a\n_b.c 1\n") == "input, line 4: a save frame has no end, expected save_");
    CHECK(folder.refusal("data_x\n_cell.length_a 1\n_cell.length_a 2\n")
          == "input, line 3: _cell.length_a is there twice");
    CHECK(folder.refusal(atoms("N N . ALA A 1 ? one 10 H 1 ? 1 0 0\n"))
          == "input, line 18: \"one\", expected a coordinate [angstrom]");
}

TEST_CASE("with all bonds, struct_conn holds whatever the author's letters are, and disulfides are found",
          "[structure]") {
    StructureFolder const folder;
    auto const cysteines = atoms(
        "S SG . CYS A 1 ? 0 10 H 1 ? 1 0 0\nS SG . CYS A 9 ? 2.03 90 H 1 ? 1 0 0\n"
        "Zn ZN . ZN B . ? 9 301 I 1 ? 1 0 0\nC C1 . LIG C . ? 20 302 J 1 ? 1 0 0\n"
        "C C1 . LIG C . ? 21.5 303 J 1 ? 1 0 0\n");
    auto const listed_bond = std::string(connections) + "disulf A 1 SG A 9 SG\n#\n";
    CHECK(bonds(folder.topology(cysteines + listed_bond)) == Pairs{});
    CHECK(bonds(folder.read(cysteines + listed_bond, {.all_bonds = true}).structure.topology) == Pairs{{0, 1}});
    CHECK(bonds(folder.read(cysteines, {.all_bonds = true}).structure.topology) == Pairs{{0, 1}});
    // By the author's number, as of hetero atoms the label's is a dot.
    auto const by_author =
        "loop_\n_struct_conn.conn_type_id\n_struct_conn.ptnr1_label_asym_id\n_struct_conn.ptnr1_label_seq_id\n"
        "_struct_conn.ptnr1_auth_seq_id\n_struct_conn.ptnr1_label_atom_id\n_struct_conn.ptnr2_label_asym_id\n"
        "_struct_conn.ptnr2_label_seq_id\n_struct_conn.ptnr2_auth_seq_id\n_struct_conn.ptnr2_label_atom_id\n"
        "covale C . 302 C1 C . 303 C1\n#\n";
    CHECK(bonds(folder.read(cysteines + by_author, {.all_bonds = true}).structure.topology) == Pairs{{0, 1}, {3, 4}});
}

TEST_CASE("with all bonds, each water with alternate locations is read", "[structure]") {
    StructureFolder const folder;
    auto const waters = atoms(
        "O O A HOH B . ? 1 301 H 1 ? 0.5 0 0\nO O B HOH B . ? 2 301 H 1 ? 0.5 0 0\n"
        "O O A HOH B . ? 3 302 H 1 ? 0.5 0 0\nO O B HOH B . ? 4 302 H 1 ? 0.5 0 0\n");
    CHECK(listed(folder.topology(waters)) == "HOH 301: O");
    auto const file = folder.read(waters, {.all_bonds = true});
    CHECK(listed(file.structure.topology) == "HOH 301: O; HOH 302: O");
    CHECK(file.structure.positions[1].x == Approx(0.3));
    CHECK(file.atoms_with_alternates == 2);
}
