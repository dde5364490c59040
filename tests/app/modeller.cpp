// Deleting residues and converting waters.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include <trotter/app/modeller/delete.hpp>
#include <trotter/app/modeller/water.hpp>
#include <trotter/error.hpp>

#include "app/structure_text.hpp"

using namespace trotter;
using namespace trotter::app;
using Catch::Matchers::Contains;

namespace {

Structure two_waters_and_an_ion() {
    auto structure = structure_from(R"(
        A HOH 1 O O 0 0 0
        A HOH 1 H1 H 0.1 0 0
        A HOH 1 H2 H 0 0.1 0
        B NA 2 NA Na 1 0 0
        B HOH 3B O O 2 0 0
        B HOH 3B H1 H 2.1 0 0
        B HOH 3B H2 H 2 0.1 0
        bond 0 1
        bond 0 2
        bond 4 5
        bond 4 6
    )");
    structure.box = Box::rectangular(3, 3, 3);
    return structure;
}

}  // namespace

TEST_CASE("water is deleted with its bonds and empty chains, ions stay") {
    ChangeLog log;
    auto const kept = delete_water(two_waters_and_an_ion(), &log);
    REQUIRE(atom_names(kept) == "NA");
    REQUIRE(kept.topology.chains.size() == 1);
    REQUIRE(kept.topology.chains[0].id == "B");
    REQUIRE(kept.topology.residues[0].id == "2");
    REQUIRE(kept.topology.bonds.empty());
    REQUIRE(kept.positions == std::vector<Vec3<>>{{1, 0, 0}});
    REQUIRE(kept.box);
    REQUIRE(log.text() == "delete_water: 2 waters were deleted: asked for\n");
}

TEST_CASE("residues are deleted by index; what stays keeps names, numbers, bonds and velocities") {
    auto structure = two_waters_and_an_ion();
    for (auto const& position : structure.positions) structure.velocities.push_back(position * 2.);
    auto const kept = delete_residues(structure, {0, 1, 0});
    REQUIRE(atom_names(kept) == "O H1 H2");
    REQUIRE(kept.topology.residues[0].insertion_code == "B");
    REQUIRE(kept.topology.bonds.size() == 2);
    REQUIRE(kept.topology.bonds[1].atom2 == 2);
    REQUIRE(kept.velocities[0] == Vec3<>{4, 0, 0});

    REQUIRE_THROWS_WITH(delete_residues(structure, {3}), Contains("no residue 3") && Contains("has 3"));
    REQUIRE_THROWS_AS(delete_residues(structure, {-1}), InputError);
    REQUIRE_THROWS_WITH(delete_atoms(structure, {true}), Contains("1 entries for 7 atoms"));
}

TEST_CASE("waters are converted between models of three, four and five sites") {
    auto const structure = two_waters_and_an_ion();
    auto const four = convert_water(structure, WaterModel::named("tip4pew"));
    REQUIRE(atom_names(four) == "O H1 H2 M NA O H1 H2 M");
    REQUIRE(!four.topology.atoms[3].element);
    // By the weights of the model: 0.1 nm times that of a hydrogen.
    REQUIRE(four.positions[3].x == Approx(0.0106676721));
    REQUIRE(four.positions[3].y == Approx(0.0106676721));
    REQUIRE(four.topology.bonds.size() == 4);
    REQUIRE(four.topology.bonds[2].atom1 == 5);

    auto const five = convert_water(four, WaterModel::named("tip5p"));
    REQUIRE(atom_names(five) == "O H1 H2 M1 M2 NA O H1 H2 M1 M2");
    REQUIRE(five.positions[3].z == Approx(0.064437903));
    REQUIRE(five.positions[4].z == Approx(-0.064437903));
    REQUIRE(atom_names(convert_water(five, WaterModel::named("spce"))) == atom_names(structure));
}

TEST_CASE("wrong waters and models are refused") {
    auto const bare = structure_from("A HOH 7 O O 0 0 0");
    REQUIRE_THROWS_WITH(convert_water(bare, WaterModel::named("tip3p")),
                        Contains("HOH A:7 has 1 oxygens and 0 hydrogens"));
    REQUIRE_THROWS_WITH(WaterModel::named("tip9p"), Contains("unknown water model tip9p") && Contains("tip4pew"));
}
