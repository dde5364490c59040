// The language of selections.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include <trotter/app/selection.hpp>
#include <trotter/error.hpp>

#include "app/structure_text.hpp"

using namespace trotter;
using namespace trotter::app;
using Catch::Matchers::Contains;

namespace {

// A dipeptide, a ligand bonded to nothing, a water with an extra particle, an ion, and an alpha carbon's namesake.
Structure const structure = [] {
    auto made = structure_from(R"(
        A GLY 1 N N 0 0 0
        A GLY 1 H H 0 0.1 0
        A GLY 1 CA C 0.15 0 0
        A GLY 1 C C 0.25 0.1 0
        A GLY 1 O O 0.25 0.22 0
        A SEP 1A N N 0.37 0.05 0
        A SEP 1A CA C 0.5 0.1 0
        A SEP 1A CB C 0.5 0.25 0
        A SEP 1A HB H 0.6 0.28 0
        A SEP 1A C C 0.6 0 0
        A SEP 1A OXT O 0.7 0 0
        B LIG 20 C1 C 0.5 0.6 0
        B LIG 20 O1* O 0.5 0.7 0
        C HOH 3 O O 0.5 1.0 0
        C HOH 3 H1 H 0.6 1.0 0
        C HOH 3 H2 H 0.5 1.1 0
        C HOH 3 M - 0.5 1.01 0
        C CA 4 CA Ca 2.95 0 0
        bond 0 1
        bond 0 2
        bond 2 3
        bond 3 4
        bond 3 5
        bond 5 6
        bond 6 7
        bond 7 8
        bond 6 9
        bond 9 10
        bond 11 12
        bond 13 14
        bond 13 15
    )");
    made.box = Box::rectangular(3, 3, 3);
    return made;
}();

std::vector<int> selected(std::string const& text, SelectionData const& data = {}) {
    return Selection::parse(text).atoms(structure, data);
}

std::string refused(std::string const& text, SelectionData const& data = {}) {
    try {
        selected(text, data);
    } catch (InputError const& error) {
        return error.what();
    }
    return "accepted";
}

std::vector<int> from_to(int first, int last) {
    std::vector<int> indices;
    for (int index = first; index <= last; ++index) indices.push_back(index);
    return indices;
}

}  // namespace

TEST_CASE("selections by class") {
    REQUIRE(selected("all") == from_to(0, 17));
    REQUIRE(selected("none").empty());
    REQUIRE(selected("protein") == from_to(0, 10));  // a modified residue in the chain, too
    REQUIRE(selected("PROTEIN") == from_to(0, 10));
    REQUIRE(selected("polymer") == from_to(0, 10));
    REQUIRE(selected("backbone") == std::vector<int>{0, 2, 3, 4, 5, 6, 9});
    REQUIRE(selected("sidechain") == std::vector<int>{7, 8});
    REQUIRE(selected("water") == from_to(13, 16));
    REQUIRE(selected("ion") == std::vector<int>{17});
    REQUIRE(selected("solvent") == from_to(13, 17));
    REQUIRE(selected("ligand") == from_to(11, 12));
    REQUIRE(selected("hetero") == from_to(11, 17));
    REQUIRE(selected("hydrogen") == std::vector<int>{1, 8, 14, 15});
    REQUIRE(selected("virtual") == std::vector<int>{16});
    REQUIRE(selected("not (heavy or hydrogen or virtual)").empty());
    REQUIRE(selected("nucleic or lipid or sugar").empty());
}

TEST_CASE("selections by field") {
    REQUIRE(selected("name CA") == std::vector<int>{2, 6, 17});
    REQUIRE(selected("name CA and element C") == std::vector<int>{2, 6});
    REQUIRE(selected("element CA") == std::vector<int>{17});
    REQUIRE(selected("name ca").empty());
    REQUIRE(selected("name CB HB") == std::vector<int>{7, 8});
    REQUIRE(selected("name H?") == std::vector<int>{8, 14, 15});
    REQUIRE(selected("name O*") == std::vector<int>{4, 10, 12, 13});
    REQUIRE(selected("name *1*") == std::vector<int>{11, 12, 14});
    REQUIRE(selected("name \"O1*\"") == std::vector<int>{12});
    REQUIRE(selected("name \"O*\"").empty());
    REQUIRE(selected("element != H and water") == std::vector<int>{13, 16});
    REQUIRE(selected("resname LIG HOH") == from_to(11, 16));
    REQUIRE(selected("chain B") == from_to(11, 12));
    REQUIRE(selected("resid 1") == from_to(0, 4));
    REQUIRE(selected("resid 1A") == from_to(5, 10));
    REQUIRE(selected("resid 1:3 and not water") == from_to(0, 10));
    REQUIRE(selected("resid 1 to 3 and not water") == from_to(0, 10));
    REQUIRE(selected("resid 1:1") == from_to(0, 4));
    REQUIRE(selected("resid 1 to 1") == from_to(0, 4));
    REQUIRE(selected("resid >= 4") == std::vector<int>{11, 12, 17});
    REQUIRE(selected("insertion A") == from_to(5, 10));
    REQUIRE(selected("insertion \"\" and chain A") == from_to(0, 4));
    REQUIRE(selected("resindex 0 4") == std::vector<int>{0, 1, 2, 3, 4, 17});
    REQUIRE(selected("index 0:2 17") == std::vector<int>{0, 1, 2, 17});
    REQUIRE(selected("serial 1 to 2") == std::vector<int>{0, 1});
    REQUIRE(selected("mass > 35") == std::vector<int>{17});
    REQUIRE(selected("x > 2.9 and y <= 0 and z == 0") == std::vector<int>{17});
    REQUIRE(selected("x 0.5:0.6 and chain B") == from_to(11, 12));
}

TEST_CASE("selections by place and bonds") {
    REQUIRE(selected("within 0.11 of index 0") == std::vector<int>{0, 1, 17});  // through the side of the box
    REQUIRE(selected("exwithin 0.11 of index 0") == std::vector<int>{1, 17});
    REQUIRE(selected("within 0 of index 0") == std::vector<int>{0});
    REQUIRE(selected("within 100 of index 0") == from_to(0, 17));
    REQUIRE(selected("within 1 of none").empty());
    REQUIRE(selected("water and same residue as within 0.45 of resname LIG") == from_to(13, 16));
    REQUIRE(selected("byres name HB") == from_to(5, 10));
    REQUIRE(selected("same chain as ion") == from_to(13, 17));
    REQUIRE(selected("same molecule as name HB") == from_to(0, 10));
    REQUIRE(selected("bonded to name CB") == std::vector<int>{6, 8});
    auto without_box = structure;
    without_box.box.reset();
    REQUIRE(Selection::parse("within 0.11 of index 0").atoms(without_box) == std::vector<int>{0, 1});
}

TEST_CASE("not binds closest, then and, then or") {
    REQUIRE(Selection::parse("not water and protein or ion").tree() == "((not (water) and protein) or ion)");
    REQUIRE(Selection::parse("within 0.5 of resname LIG and water").tree()
            == "(within 0.5 of (resname LIG) and water)");
    REQUIRE(Selection::parse("byres within 0.50 of @site or index 1 to 5").tree()
            == "(same residue as (within 0.5 of (@site)) or index 1:5)");
    REQUIRE(Selection::parse("x >= 0.25 and name \"N\"").tree() == "(x >= 0.25 and name \"N\")");
    REQUIRE(Selection::parse(" water ").text() == " water ");
}

TEST_CASE("selections by data beside the structure") {
    SelectionData data;
    data.charges.assign(18, 0.5);
    data.charges[3] = -1;
    data.masses.assign(18, 1);
    data.types.assign(18, "CT");
    data.groups["site"] = {4, 2};
    REQUIRE(selected("charge < 0", data) == std::vector<int>{3});
    REQUIRE(selected("mass 1 and type C* and index 7", data) == std::vector<int>{7});
    REQUIRE(selected("@site", data) == std::vector<int>{2, 4});
    REQUIRE_THAT(refused("charge < 0"), Contains("charges of atoms are not known"));
    REQUIRE_THAT(refused("type CT"), Contains("types of a force field are not known"));
    REQUIRE_THAT(refused("@other", data), Contains("@other is not defined"));
    data.groups["site"] = {18};
    REQUIRE_THAT(refused("@site", data), Contains("has the atom 18, but there are 18"));
}

TEST_CASE("errors show the place") {
    REQUIRE_THAT(refused("protein and nott element H"),
                 Contains("column 13: found \"nott\", expected a class of atoms"));
    REQUIRE_THAT(refused("protein water"), Contains("column 9: found \"water\", expected and, or, or the end"));
    REQUIRE_THAT(refused("(protein"), Contains("column 9: the text ends, expected )"));
    REQUIRE_THAT(refused(""), Contains("column 1: the text ends"));
    REQUIRE_THAT(refused("name"), Contains("column 5: the text ends, expected a value of name"));
    REQUIRE_THAT(refused("name and water"), Contains("column 6"));
    REQUIRE_THAT(refused("within x of water"), Contains("column 8: found \"x\", expected a distance in nm"));
    REQUIRE_THAT(refused("within -1 of water"), Contains("expected a distance"));
    REQUIRE_THAT(refused("within 1 water"), Contains("expected of"));
    REQUIRE_THAT(refused("same atom as water"), Contains("expected residue, chain or molecule"));
    REQUIRE_THAT(refused("element < H"), Contains("column 9") && Contains("element is no number"));
    REQUIRE_THAT(refused("mass < heavy"), Contains("column 8") && Contains("expected a number"));
    REQUIRE_THAT(refused("mass = 1"), Contains("expected ==, !=, <"));
    REQUIRE_THAT(refused("index 1:x"), Contains("column 7") && Contains("expected a number or a range"));
    REQUIRE_THAT(refused("index 5 to"), Contains("column 11") && Contains("last number of a range"));
    REQUIRE_THAT(refused("resid 1 to 1 to 20"), Contains("column 14: found \"to\", expected a number before 'to'"));
    REQUIRE_THAT(refused("index 5:1"), Contains("ends before it begins"));
    REQUIRE_THAT(refused("name \"CA"), Contains("column 6: the quotation mark is not closed"));
    REQUIRE_THAT(refused("water \x1b[2J"), !Contains("\x1b"));
}

TEST_CASE("no selection takes long or overflows the stack") {
    auto const repeated = [](std::string const& text, int count) {
        std::string result;
        for (int n = 0; n < count; ++n) result += text;
        return result;
    };
    REQUIRE(selected(repeated("not ", 198) + "water") == from_to(13, 16));
    REQUIRE_THAT(refused(repeated("not ", 20000) + "water"), Contains("more than 200 expressions inside one another"));
    REQUIRE_THAT(refused(repeated("(", 20000)), Contains("more than 200"));
    REQUIRE_THAT(refused(repeated("water or ", 20000) + "ion"), Contains("more than 100000 letters"));
    REQUIRE(selected(repeated("water or ", 10000) + "ion") == from_to(13, 17));
    REQUIRE(selected("name " + repeated("*a", 40000) + "*b").empty());
    REQUIRE(selected(repeated("within 1 of ", 198) + "ion").size() == 18);
}
