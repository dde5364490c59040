// Which hydrogens are added, and where.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>
#include <trotter/app/modeller/add_hydrogens.hpp>
#include <trotter/error.hpp>
#include "catch_compat.hpp"

#include "app/structure_text.hpp"

using namespace trotter;
using namespace trotter::app;
using Catch::Matchers::Contains;

namespace {

HydrogenDefinitions definitions(std::string const& residues) {
    HydrogenDefinitions made;
    made.add("<Residues>" + residues + "</Residues>", "test.xml");
    return made;
}

Structure with_hydrogens(Structure const& structure, std::string const& residues,
                         AddHydrogensOptions const& options = {}, ChangeLog* log = nullptr) {
    return add_hydrogens(structure, definitions(residues), options, log);
}

int index_of(Structure const& structure, std::string const& name) {
    auto const& atoms = structure.topology.atoms;
    auto const found = std::find_if(atoms.begin(), atoms.end(), [&](Atom const& atom) { return atom.name == name; });
    REQUIRE(found != atoms.end());
    return static_cast<int>(found - atoms.begin());
}

Vec3<> place(Structure const& structure, std::string const& name) {
    return structure.positions[static_cast<std::size_t>(index_of(structure, name))];
}

double distance(Structure const& structure, std::string const& a, std::string const& b) {
    return norm(place(structure, a) - place(structure, b));
}

double angle(Structure const& structure, std::string const& a, std::string const& b, std::string const& c) {
    Vec3<> const u = place(structure, a) - place(structure, b), v = place(structure, c) - place(structure, b);
    return std::acos(dot(u, v) / (norm(u) * norm(v))) * 180 / std::numbers::pi;
}

double torsion(Structure const& structure, std::string const& a, std::string const& b, std::string const& c,
               std::string const& d) {
    Vec3<> const axis = place(structure, c) - place(structure, b);
    Vec3<> const u = cross(place(structure, a) - place(structure, b), axis);
    Vec3<> const v = cross(place(structure, d) - place(structure, c), axis);
    return std::acos(std::clamp(dot(u, v) / (norm(u) * norm(v)), -1., 1.)) * 180 / std::numbers::pi;
}

/// What the reference cases demand of added hydrogens.
void require_possible_places(Structure const& structure) {
    auto const bonded = structure.topology.bonded_atoms();
    for (std::size_t i = 0; i < structure.positions.size(); ++i) {
        if (structure.topology.atoms[i].element->symbol() != "H") continue;
        double const bond =
            norm(structure.positions[i] - structure.positions[static_cast<std::size_t>(bonded[i].at(0))]);
        REQUIRE(bond > 0.085);
        REQUIRE(bond < 0.145);
        for (std::size_t j = 0; j < structure.positions.size(); ++j)
            if (i != j) REQUIRE(norm(structure.positions[i] - structure.positions[j]) > 0.07);
    }
}

auto const ethanol = structure_from(R"(
    A ETH 1 C1 C 0 0 0
    A ETH 1 C2 C 0.152 0 0
    A ETH 1 O O 0.2 0.135 0
    bond 0 1
    bond 1 2
)");
std::string const ethanol_hydrogens = R"(<Residue name="ETH"><H name="H3" parent="C1"/><H name="H1" parent="C1"/>
    <H name="H2" parent="C1"/><H name="HO" parent="O"/><H name="H4" parent="C2"/><H name="H5" parent="C2"/></Residue>)";

// The ring of a histidine, CB at the left, and an oxygen that ND1 or NE2 may bond to.
Structure histidine(double oxygen_x, double oxygen_y) {
    return structure_from(R"(
        A HIS 4 CB C -0.25 0 0
        A HIS 4 CG C -0.1 0 0
        A HIS 4 ND1 N -0.03 0.12 0
        A HIS 4 CE1 C 0.1 0.08 0
        A HIS 4 NE2 N 0.1 -0.06 0
        A HIS 4 CD2 C -0.03 -0.11 0
        A LIG 5 O O )" + std::to_string(oxygen_x)
                          + " " + std::to_string(oxygen_y) + R"( 0
        bond 0 1
        bond 1 2
        bond 2 3
        bond 3 4
        bond 4 5
        bond 5 1
    )");
}
std::string const histidine_hydrogens =
    R"(<Residue name="HIS"><Variant name="HID"/><Variant name="HIE"/><Variant name="HIP"/>
    <H name="HD1" parent="ND1" variant="HID,HIP"/><H name="HD2" parent="CD2"/><H name="HE1" parent="CE1"/>
    <H name="HE2" parent="NE2" variant="HIE,HIP"/></Residue>)";

}  // namespace

TEST_CASE("hydrogens stand behind their atoms in the order of the definitions") {
    auto const structure = with_hydrogens(ethanol, ethanol_hydrogens);
    REQUIRE(atom_names(structure) == "C1 H3 H1 H2 C2 H4 H5 O HO");
    REQUIRE(structure.topology.bonds.size() == 8);
    REQUIRE(structure.topology.residues.size() == 1);
    REQUIRE(place(structure, "O") == ethanol.positions[2]);
    require_possible_places(structure);
}

TEST_CASE("hydrogens of single bonds are tetrahedral and staggered") {
    auto const structure = with_hydrogens(ethanol, ethanol_hydrogens);
    REQUIRE(distance(structure, "C1", "H1") == Approx(0.109));
    REQUIRE(distance(structure, "O", "HO") == Approx(0.096));
    REQUIRE(angle(structure, "H1", "C1", "H2") == Approx(109.47).margin(0.1));
    REQUIRE(angle(structure, "H4", "C2", "H5") == Approx(109.47).margin(0.1));
    REQUIRE(torsion(structure, "H3", "C1", "C2", "O") == Approx(60).margin(0.1));
    REQUIRE(angle(structure, "C2", "O", "HO") == Approx(108.5).margin(0.1));
    REQUIRE(with_hydrogens(ethanol, ethanol_hydrogens).positions == structure.positions);
}

TEST_CASE("hydrogens of planar atoms lie in the plane") {
    auto const acetamide = structure_from(R"(
        A AMD 1 C1 C -0.15 0 0
        A AMD 1 C2 C 0 0 0
        A AMD 1 O O 0.06 0.107 0
        A AMD 1 N N 0.068 -0.115 0
        bond 0 1
        bond 1 2
        bond 1 3
    )");
    auto const structure =
        with_hydrogens(acetamide, R"(<Residue name="AMD"><H name="H1" parent="N"/><H name="H2" parent="N"/>
        <H name="HA" parent="C1"/><H name="HB" parent="C1"/><H name="HC" parent="C1"/></Residue>)");
    require_possible_places(structure);
    REQUIRE(std::abs(place(structure, "H1").z) < 1e-9);
    REQUIRE(std::abs(place(structure, "H2").z) < 1e-9);
    REQUIRE(angle(structure, "H1", "N", "H2") == Approx(120));
    auto const ring = with_hydrogens(histidine(2, 2), histidine_hydrogens);
    REQUIRE(std::abs(place(ring, "HE1").z) < 1e-9);
    REQUIRE(angle(ring, "HE1", "CE1", "ND1") == Approx(angle(ring, "HE1", "CE1", "NE2")));
}

TEST_CASE("waters are turned to where they find acceptors") {
    auto const structure =
        with_hydrogens(structure_from("A HOH 1 O O 0 0 0\n A LIG 2 OX O 0.28 0 0"),
                       R"(<Residue name="HOH"><H name="H1" parent="O"/><H name="H2" parent="O"/></Residue>)");
    require_possible_places(structure);
    REQUIRE(angle(structure, "H1", "O", "H2") == Approx(104.52));
    REQUIRE(std::min(distance(structure, "H1", "OX"), distance(structure, "H2", "OX")) < 0.2);
}

TEST_CASE("a hydrogen does not clash with an atom where it would stand") {
    auto blocked = structure_from(R"(
        A MET 1 C C 0 0 0
        A MET 1 X C 0.15 0 0
        A MET 1 Y C -0.05 0.141 0
        A MET 1 Z C -0.05 -0.07 0.122
        B LIG 1 W C -0.05 -0.07 -0.1
        bond 0 1
        bond 0 2
        bond 0 3
    )");
    auto const structure = with_hydrogens(blocked, R"(<Residue name="MET"><H name="H" parent="C"/></Residue>)");
    require_possible_places(structure);
    REQUIRE(distance(structure, "H", "W") > 0.1);
    REQUIRE(distance(structure, "H", "Y") > 0.1);
}

TEST_CASE("present hydrogens stay; one of an unknown name stands for the last missing one") {
    auto const structure = with_hydrogens(structure_from(R"(
        A ETH 1 C1 C 0 0 0
        A ETH 1 HX H 0 0.1 0
        A ETH 1 H3 H 0 0 0.1
        bond 0 1
        bond 0 2
    )"),
                                          ethanol_hydrogens);
    REQUIRE(atom_names(structure) == "C1 H1 HX H3");
    REQUIRE(place(structure, "HX") == Vec3<>{0, 0.1, 0});
    require_possible_places(structure);
}

TEST_CASE("the pH, the variant and the end of a chain decide which hydrogens there are") {
    std::string const acid = R"(<Residue name="ACD"><Variant name="ACI"/><Variant name="BAS"/>
        <H name="HO" parent="O" maxph="4.4" variant="ACI"/><H name="H1" parent="N"/><H name="H2" parent="N" terminal="N"/>
        <H name="H3" parent="N" terminal="C-"/></Residue>)";
    auto const chain = structure_from("A ACD 1 O O 0 0 0\n A ACD 2 N N 1 0 0\n A ACD 3 N N 2 0 0\n B ACD 1 N N 3 0 0");
    AddHydrogensOptions options;
    REQUIRE(atom_names(with_hydrogens(chain, acid, options)) == "O N H1 H3 N H1 H3 N H1 H2 H3");
    options.ph = 4.4;
    REQUIRE(atom_names(with_hydrogens(chain, acid, options)) == "O HO N H1 H3 N H1 H3 N H1 H2 H3");
    options.variants[0] = "BAS";
    REQUIRE(atom_names(with_hydrogens(chain, acid, options)).starts_with("O N"));
    options = {.ph = 12, .variants = {{0, "ACI"}}};
    ChangeLog log;
    REQUIRE(atom_names(with_hydrogens(chain, acid, options, &log)).starts_with("O HO"));
    REQUIRE_THAT(log.text(),
                 Contains("ACD A:1 became ACI: asked for") && Contains("8 hydrogens were added: missing at pH 12"));
}

TEST_CASE("hydrogens that a variant does not have are removed if it was asked for") {
    auto structure = histidine(2, 2);
    structure.topology.add_chain("C");
    structure.topology.add_residue("HIS", "9");
    auto const charged = with_hydrogens(histidine(2, 2), histidine_hydrogens, {.ph = 5});
    REQUIRE(atom_names(charged) == "CB CG ND1 HD1 CE1 HE1 NE2 HE2 CD2 HD2 O");
    REQUIRE(atom_names(with_hydrogens(charged, histidine_hydrogens)) == atom_names(charged));
    auto const neutral = with_hydrogens(charged, histidine_hydrogens, {.ph = 7, .variants = {{0, "HIE"}}});
    REQUIRE(atom_names(neutral) == "CB CG ND1 CE1 HE1 NE2 HE2 CD2 HD2 O");
    REQUIRE(place(neutral, "HE2") == place(charged, "HE2"));
}

TEST_CASE("a histidine has its hydrogen where it makes a hydrogen bond, or else at ND1") {
    auto const names = [](Structure const& structure) {
        return atom_names(with_hydrogens(structure, histidine_hydrogens));
    };
    REQUIRE_THAT(names(histidine(2, 2)), Contains("ND1 HD1"));
    REQUIRE_THAT(names(histidine(-0.12, 0.39)), Contains("ND1 HD1"));
    REQUIRE_THAT(names(histidine(0.33, -0.2)), Contains("NE2 HE2") && !Contains("HD1"));
    REQUIRE_THAT(names(histidine(0.38, -0.3)), Contains("ND1 HD1"));  // too far
    auto broken = histidine(2, 2);
    broken.topology.atoms[4].name = "NX";
    REQUIRE_THROWS_WITH(names(broken), Contains("HIS A:4 has 0 atoms NE2, expected 1"));
}

TEST_CASE("a cysteine with a disulfide has no hydrogen at its sulfur") {
    auto const cysteine = R"(<Residue name="CYS"><Variant name="CYS"/><Variant name="CYX"/>
        <H name="HG" parent="SG" maxph="8.5" variant="CYS"/></Residue>)";
    std::string const pair = "A CYS 1 SG S 0 0 0\n A CYS 2 SG S 0.2 0 0\n";
    REQUIRE(atom_names(with_hydrogens(structure_from(pair), cysteine)) == "SG HG SG HG");
    ChangeLog log;
    REQUIRE(atom_names(with_hydrogens(structure_from(pair + "bond 0 1"), cysteine, {}, &log)) == "SG SG");
    REQUIRE_THAT(log.text(), Contains("CYS A:1 became CYX: its sulfur is bonded to CYS A:2"));
}

TEST_CASE("wrong variants are refused, residues without definitions are mentioned") {
    auto const refused = [](std::map<int, std::string> variants) {
        with_hydrogens(histidine(2, 2), histidine_hydrogens, {.ph = 7, .variants = std::move(variants)});
    };
    REQUIRE_THROWS_WITH(refused({{0, "ASH"}}), Contains("illegal variant ASH of HIS A:4; known are HID, HIE, HIP"));
    REQUIRE_THROWS_WITH(refused({{1, "ASH"}}), Contains("no variants of LIG A:5"));
    REQUIRE_THROWS_WITH(refused({{2, "ASH"}}), Contains("residue 2") && Contains("has 2"));
    ChangeLog log;
    auto const structure = structure_from("A LIG 1 C1 C 0 0 0\n A LIG 1 C2 C 0.15 0 0\n A ZN 2 ZN Zn 1 0 0");
    with_hydrogens(structure, histidine_hydrogens, {}, &log);
    REQUIRE(log.warnings
            == std::vector<std::string>{"add_hydrogens: LIG A:1 got none, as its hydrogens are not defined"});
}

TEST_CASE("hydrogens can be improved once they are in place") {
    AddHydrogensOptions options;
    std::vector<bool> seen;
    options.improve = [&](Structure& structure, std::vector<bool> const& is_new) {
        seen = is_new;
        structure.positions.back() = {9, 9, 9};
    };
    auto const structure = with_hydrogens(ethanol, ethanol_hydrogens, options);
    REQUIRE(seen == std::vector<bool>{false, true, true, true, false, true, true, false, true});
    REQUIRE(place(structure, "HO") == Vec3<>{9, 9, 9});
}

TEST_CASE("definitions of hydrogens are checked") {
    REQUIRE_THROWS_WITH(definitions(R"(<Residue name="X"><H name="H"/></Residue>)"),
                        Contains("test.xml") && Contains("parent"));
    REQUIRE_THROWS_WITH(definitions(R"(<Residue name="X"><H name="H" parent="C" maxph="low"/></Residue>)"),
                        Contains("maxph"));
    REQUIRE_THROWS_WITH(definitions(R"(<Residue name="X"><H name="H" parent="C" terminal="Q"/></Residue>)"),
                        Contains("terminal"));
    REQUIRE_THROWS_WITH(definitions("<Atom/>"), Contains("Atom"));
    REQUIRE_THROWS_WITH(HydrogenDefinitions::load({"no such folder"}),
                        Contains("hydrogens.xml") && Contains("--forcefields"));
    auto made = definitions(R"(<Residue name="X"><H name="H" parent="C"/></Residue>)");
    made.add(R"(<Residues><Residue name="X"><H name="H1" parent="C" variant="A,B" maxph="3"/></Residue></Residues>)",
             "later.xml");
    REQUIRE(made.find("X")->hydrogens.size() == 1);
    REQUIRE(made.find("X")->hydrogens[0].variants == std::vector<std::string>{"A", "B"});
    REQUIRE(made.find("X")->hydrogens[0].maximum_ph == 3);
    REQUIRE(!made.find("Y"));
}
