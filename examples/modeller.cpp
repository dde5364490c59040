// Changes a structure: hydrogens are added, atoms selected, residues deleted.
// SPDX-License-Identifier: MIT
#include <iostream>

#include <trotter/app/modeller/add_hydrogens.hpp>
#include <trotter/app/modeller/delete.hpp>
#include <trotter/app/selection.hpp>

using namespace trotter::app;

namespace {

/// Methanol and a water, without their hydrogens.
Structure without_hydrogens() {
    Structure structure;
    auto& topology = structure.topology;
    topology.add_chain("A");
    topology.add_residue("MOH", "1");
    int const carbon = topology.add_atom("C", Element::from_symbol("C"));
    int const oxygen = topology.add_atom("O", Element::from_symbol("O"));
    topology.add_bond(carbon, oxygen);
    topology.add_residue("HOH", "2");
    topology.add_atom("O", Element::from_symbol("O"));
    structure.positions = {{0, 0, 0}, {0.143, 0, 0}, {0.25, 0.25, 0}};
    return structure;
}

constexpr auto residues = R"(<Residues>
    <Residue name="MOH"> <H name="H1" parent="C"/> <H name="H2" parent="C"/> <H name="H3" parent="C"/> <H name="HO" parent="O"/> </Residue>
    <Residue name="HOH"> <H name="H1" parent="O"/> <H name="H2" parent="O"/> </Residue>
</Residues>)";

}  // namespace

int main() {
    HydrogenDefinitions definitions;
    definitions.add(residues, "residues");  // HydrogenDefinitions::load reads hydrogens.xml and further files
    ChangeLog log;
    auto structure = add_hydrogens(without_hydrogens(), definitions, {.ph = 7.4}, &log);

    auto const shell = Selection::parse("heavy and within 0.4 of resname HOH");
    bool const is_near = shell.atoms(structure).size() == 3;
    structure = delete_water(structure, &log);
    std::cout << log.text();
    return is_near && structure.topology.atom_count() == 6 ? 0 : 1;
}
