// Ends of chains and of polymers.
// SPDX-License-Identifier: MIT
#include <trotter/app/modeller/add_hydrogens.hpp>
#include "catch_compat.hpp"

#include "app/structure_text.hpp"

using namespace trotter;
using namespace trotter::app;

TEST_CASE("ends are those of chains, or of polymers by their bonds") {
    auto const structure = structure_from(R"(
        A HOH 1 O O 2 0 0
        A X 2 N N 0 0 0
        A X 2 C C 0.15 0 0
        A X 3 N N 0.25 0.1 0
        A X 3 C C 0.4 0.1 0
        bond 1 2
        bond 2 3
        bond 3 4
    )");
    auto const* residues =
        R"(<Residue name="X"><H name="H1" parent="N" terminal="N"/><H name="HC" parent="C" terminal="C"/>
        <H name="HI" parent="N" terminal="-"/></Residue>)";
    HydrogenDefinitions definitions;
    definitions.add(std::string("<Residues>") + residues + "</Residues>", "test.xml");
    REQUIRE(atom_names(add_hydrogens(structure, definitions)) == "O N HI C N C HC");
    REQUIRE(atom_names(add_hydrogens(structure, definitions, {.ends_of_polymers = true})) == "O N H1 C N C HC");
}
