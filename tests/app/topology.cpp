// Elements and topologies.
// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <trotter/app/topology.hpp>

using namespace trotter::app;

TEST_CASE("elements are found by symbol, atomic number and mass") {
    REQUIRE(Element::from_symbol("CL")->name() == "chlorine");
    REQUIRE(Element::from_atomic_number(6)->symbol() == "C");
    REQUIRE(Element::from_mass(15.99)->symbol() == "O");
    REQUIRE(!Element::from_symbol("Xx"));
    REQUIRE(!Element::from_atomic_number(0));
    REQUIRE(!Element::from_mass(0));
}

TEST_CASE("a topology keeps the ranges of chains and residues") {
    Topology topology;
    topology.add_chain("A");
    topology.add_residue("HOH", "7", "B");
    int const oxygen = topology.add_atom("O", Element::from_symbol("O"));
    int const hydrogen = topology.add_atom("H1", Element::from_symbol("H"));
    topology.add_bond(oxygen, hydrogen);
    topology.add_residue("NA", "8");
    topology.add_atom("NA", Element::from_symbol("Na"), 1);
    REQUIRE(topology.chains[0].residue_count == 2);
    REQUIRE(topology.residues[1].first_atom == 2);
    REQUIRE(topology.residue_name(0) == "HOH A:7B");
    REQUIRE(topology.bonded_atoms()[1] == std::vector{oxygen});
}
