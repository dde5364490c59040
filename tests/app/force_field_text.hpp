// Small force fields and topologies for tests.
// SPDX-License-Identifier: MIT
#pragma once
#include "../catch_compat.hpp"

#include <string>
#include <utility>
#include <vector>

#include <trotter/app/force_field/force_field.hpp>
#include <trotter/error.hpp>

#include "../io/scratch.hpp"

namespace trotter::testing {

/// A residue of a topology: name, names and elements of the atoms (an empty element for extra particles), and bonds.
struct ResidueText {
    std::string name;
    std::vector<std::pair<std::string, std::string>> atoms;
    std::vector<std::pair<int, int>> bonds;
};

/// Appends a residue to the last chain.
inline void add_residue(app::Topology& topology, ResidueText const& residue) {
    int const first = topology.atom_count();
    topology.add_residue(residue.name, std::to_string(topology.residues.size() + 1));
    for (auto const& [name, element] : residue.atoms) topology.add_atom(name, app::Element::from_symbol(element));
    for (auto const& [a, b] : residue.bonds) topology.add_bond(first + a, first + b);
}

/// One chain A of these residues.
inline app::Topology topology_of(std::vector<ResidueText> const& residues) {
    app::Topology topology;
    topology.add_chain("A");
    for (auto const& residue : residues) add_residue(topology, residue);
    return topology;
}

inline ResidueText const water{"HOH", {{"O", "O"}, {"H1", "H"}, {"H2", "H"}}, {{0, 1}, {0, 2}}};
/// Formamide.
inline ResidueText const amide{"FAM",
                               {{"C", "C"}, {"O", "O"}, {"N", "N"}, {"H1", "H"}, {"H2", "H"}, {"HC", "H"}},
                               {{0, 1}, {0, 2}, {0, 5}, {2, 3}, {2, 4}}};

inline std::string const amide_types = R"(<AtomTypes>
 <Type name="c" class="C" element="C" mass="12"/> <Type name="o" class="O" element="O" mass="16"/>
 <Type name="n" class="N" element="N" mass="14"/> <Type name="h" class="H" element="H" mass="1"/>
 <Type name="hc" class="HC" element="H" mass="1"/></AtomTypes>)";
inline std::string const amide_residue = R"(<Residues><Residue name="FAM">
 <Atom name="C" type="c" charge="0.5"/><Atom name="O" type="o" charge="-0.5"/><Atom name="N" type="n" charge="-0.6"/>
 <Atom name="H1" type="h" charge="0.3"/><Atom name="H2" type="h" charge="0.2"/><Atom name="HC" type="hc" charge="0.1"/>
 <Bond from="0" to="1"/><Bond from="0" to="2"/><Bond from="0" to="5"/><Bond from="2" to="3"/><Bond from="2" to="4"/>
 </Residue></Residues>)";
inline std::string const amide_bonds = R"(<HarmonicBondForce>
 <Bond class1="C" class2="O" length="0.12" k="10"/><Bond class1="C" class2="N" length="0.13" k="20"/>
 <Bond class1="N" class2="H" length="0.1" k="30"/><Bond class1="C" class2="HC" length="0.11" k="40"/></HarmonicBondForce>)";

/// A force field of one text.
inline app::ForceField force_field(std::string const& body) {
    return app::ForceField::parse({{"test.xml", "<ForceField>" + body + "</ForceField>"}});
}
/// One with the types and the template of formamide besides.
inline app::ForceField amide_field(std::string const& forces) {
    return force_field(amide_types + amide_residue + forces);
}

/// The System of a topology without a box.
inline StandardSystem system_of(app::ForceField const& field, app::Topology const& topology,
                                app::SystemOptions const& options = {}) {
    return field.create_system(topology, {}, options);
}

}  // namespace trotter::testing
