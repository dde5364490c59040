// Which terms a System gets.
// SPDX-License-Identifier: MIT
#include "force_field_text.hpp"

#include <cmath>

using namespace trotter;
using namespace trotter::testing;
using app::SystemOptions;
using app::Topology;
using Catch::Matchers::Contains;

namespace {

using Atoms = std::array<int, 4>;

std::vector<Atoms> torsions_of(StandardSystem const& system) {
    std::vector<Atoms> result;
    for (auto const& t : system.forces<PeriodicTorsionForce>().at(0).torsions)
        result.push_back({t.particle1, t.particle2, t.particle3, t.particle4});
    return result;
}
std::vector<double> strengths_of(StandardSystem const& system) {
    std::vector<double> result;
    for (auto const& t : system.forces<PeriodicTorsionForce>().at(0).torsions) result.push_back(t.k);
    return result;
}

/// Three equal neighbors of a nitrogen, of types that the definitions do not tell apart; atoms in this order of numbers.
ResidueText tripod(std::vector<int> const& order) {
    ResidueText residue{"TRI", {{"N", "N"}}, {}};
    std::array<int, 4> place{};
    for (int const i : order) {
        place[static_cast<std::size_t>(i)] = static_cast<int>(residue.atoms.size());
        residue.atoms.emplace_back("C" + std::to_string(i), "C");
    }
    std::array<std::string, 4> const ends{"", "H", "O", "S"};
    for (int i = 1; i <= 3; ++i) {
        residue.bonds.emplace_back(0, place[static_cast<std::size_t>(i)]);
        residue.bonds.emplace_back(place[static_cast<std::size_t>(i)], static_cast<int>(residue.atoms.size()));
        residue.atoms.emplace_back(ends[static_cast<std::size_t>(i)], ends[static_cast<std::size_t>(i)]);
    }
    return residue;
}

std::string const tripod_field = R"(<AtomTypes><Type name="n" class="n" element="N" mass="14"/>
 <Type name="c" class="c" element="C" mass="12"/><Type name="h" class="h" element="H" mass="1"/>
 <Type name="o" class="o" element="O" mass="16"/><Type name="s" class="s" element="S" mass="32"/></AtomTypes>
 <Residues><Residue name="TRI"><Atom name="N" type="n"/><Atom name="C1" type="c"/><Atom name="C2" type="c"/><Atom name="C3" type="c"/>
 <Atom name="H" type="h"/><Atom name="O" type="o"/><Atom name="S" type="s"/><Bond from="0" to="1"/><Bond from="0" to="2"/>
 <Bond from="0" to="3"/><Bond from="1" to="4"/><Bond from="2" to="5"/><Bond from="3" to="6"/></Residue></Residues>)";

}  // namespace

TEST_CASE("a type may be defined twice only alike, and definitions of unknown types are ignored") {
    std::string const type = R"(<Type name="c" class="C" element="C" mass="12"/>)";
    auto const with = [&](std::string const& other) {
        return force_field("<AtomTypes>" + type + other + "</AtomTypes>");
    };
    REQUIRE_NOTHROW(with(type));
    REQUIRE_THAT(message_of<InputError>([&] { with(R"(<Type name="c" class="C" element="C" mass="13"/>)"); }),
                 Contains("test.xml") && Contains("the atom type c has several different definitions"));
    auto const system = system_of(amide_field(R"(<HarmonicBondForce><Bond class1="C" class2="X" length="1" k="1"/>
        <Bond type1="c" type2="o" length="0.2" k="2"/><Bond class1="C" class2="O" length="0.3" k="3"/></HarmonicBondForce>)"),
                                  topology_of({amide}));
    REQUIRE(system.forces<HarmonicBondForce>()[0].bonds.size() == 1);
    REQUIRE(system.forces<HarmonicBondForce>()[0].bonds[0].length == 0.2);
}

TEST_CASE("of several bonds that fit the first in the order of a Python set counts") {
    // In a set of 7 and 8, 8 comes first: its slot is 0.
    std::string text = "<HarmonicBondForce>";
    for (int i = 0; i < 7; ++i) text += R"(<Bond class1="N" class2="HC" length="1" k="1"/>)";
    text +=
        R"(<Bond class1="C" class2="O" length="0.7" k="1"/><Bond class1="C" class2="" length="0.8" k="1"/></HarmonicBondForce>)";
    auto const system = system_of(amide_field(text), topology_of({amide}));
    REQUIRE(system.forces<HarmonicBondForce>()[0].bonds[0].length == 0.8);
}

TEST_CASE("a proper torsion without wildcards goes before those with, and terms without strength are left out") {
    auto const field = amide_field(R"(<PeriodicTorsionForce>
        <Proper class1="" class2="C" class3="N" class4="" periodicity1="1" phase1="0" k1="1"/>
        <Proper class1="O" class2="C" class3="N" class4="H" periodicity1="2" phase1="0" k1="2" periodicity2="3" phase2="0" k2="0"/>
        </PeriodicTorsionForce>)");
    auto const system = system_of(field, topology_of({amide}));
    REQUIRE(torsions_of(system) == std::vector<Atoms>{{1, 0, 2, 3}, {1, 0, 2, 4}, {3, 2, 0, 5}, {4, 2, 0, 5}});
    REQUIRE(strengths_of(system) == std::vector{2., 2., 1., 1.});
}

TEST_CASE("the four orderings of impropers") {
    auto const atoms_by = [](std::string const& ordering) {
        return torsions_of(system_of(amide_field("<PeriodicTorsionForce" + ordering + R"(>
            <Improper class1="C" class2="O" class3="HC" class4="N" periodicity1="2" phase1="0" k1="1"/></PeriodicTorsionForce>)"),
                                     topology_of({amide})));
    };
    REQUIRE(atoms_by("") == std::vector<Atoms>{{1, 5, 0, 2}});
    REQUIRE(atoms_by(R"( ordering="charmm")") == std::vector<Atoms>{{0, 1, 5, 2}});
    REQUIRE(atoms_by(R"( ordering="amber")") == std::vector<Atoms>{{1, 5, 0, 2}});
    REQUIRE(atoms_by(R"( ordering="smirnoff")") == std::vector<Atoms>{{0, 1, 5, 2}, {0, 5, 2, 1}, {0, 2, 1, 5}});
    REQUIRE_THAT(message_of<InputError>([&] { atoms_by(R"( ordering="other")"); }), Contains("ordering is \"other\""));
}

TEST_CASE("an improper found once is repeated for all centers with the same types in the same order") {
    auto const field = force_field(tripod_field + R"(<PeriodicTorsionForce ordering="amber">
        <Improper class1="n" class2="c" class3="c" class4="c" periodicity1="2" phase1="0" k1="1"/></PeriodicTorsionForce>)");
    auto const in_order = tripod({1, 2, 3}), reversed = tripod({3, 2, 1});
    // By itself the reversed residue is sorted by the places in the template.
    REQUIRE(torsions_of(system_of(field, topology_of({reversed}))) == std::vector<Atoms>{{3, 2, 0, 1}});
    REQUIRE(torsions_of(system_of(field, topology_of({in_order, reversed})))
            == std::vector<Atoms>{{1, 2, 0, 3}, {8, 9, 7, 10}});
}

TEST_CASE("constraints of bonds and angles, and flexible ones") {
    auto const field =
        amide_field(amide_bonds + R"(<HarmonicAngleForce><Angle class1="H" class2="N" class3="H" angle="2" k="5"/>
        <Angle class1="" class2="C" class3="" angle="2.1" k="6"/></HarmonicAngleForce>)");
    auto const made = [&](app::Constraints constraints, bool flexible) {
        SystemOptions options;
        options.constraints = constraints;
        options.flexible_constraints = flexible;
        return system_of(field, topology_of({amide}), options);
    };
    auto const counts = [](StandardSystem const& system) {
        return std::array{system.particles.constraints.size(), system.forces<HarmonicBondForce>()[0].bonds.size(),
                          system.forces<HarmonicAngleForce>()[0].angles.size()};
    };
    REQUIRE(counts(made(app::Constraints::none, false)) == std::array<std::size_t, 3>{0, 5, 4});
    REQUIRE(counts(made(app::Constraints::h_bonds, false)) == std::array<std::size_t, 3>{3, 2, 4});
    REQUIRE(counts(made(app::Constraints::all_bonds, true)) == std::array<std::size_t, 3>{5, 5, 4});
    auto const angles = made(app::Constraints::h_angles, false);
    REQUIRE(counts(angles) == std::array<std::size_t, 3>{6, 0, 3});
    REQUIRE(angles.particles.constraints.back().distance == Approx(std::sqrt(0.02 - 0.02 * std::cos(2.))));
}

TEST_CASE("only waters are rigid, unless their template says otherwise, and heavy hydrogens leave them alone") {
    auto const field = [](std::string const& attribute) {
        return force_field(
            R"(<AtomTypes><Type name="o" class="o" element="O" mass="16"/><Type name="h" class="h" element="H" mass="1"/>
            </AtomTypes><Residues><Residue name="W")"
            + attribute + R"(><Atom name="O" type="o"/><Atom name="H1" type="h"/>
            <Atom name="H2" type="h"/><Bond from="0" to="1"/><Bond from="0" to="2"/></Residue></Residues>
            <HarmonicBondForce><Bond class1="o" class2="h" length="0.1" k="1"/></HarmonicBondForce>
            <HarmonicAngleForce><Angle class1="h" class2="o" class3="h" angle="2" k="1"/></HarmonicAngleForce>)");
    };
    auto other = water;
    other.name = "WAX";
    SystemOptions options;
    options.hydrogen_mass = 3;
    auto const system = system_of(field(""), topology_of({water, other}), options);
    REQUIRE(system.particles.constraints.size() == 3);
    REQUIRE(system.particles.masses == std::vector{16., 1., 1., 12., 3., 3.});
    REQUIRE(system_of(field(R"( rigidWater="false")"), topology_of({water})).particles.constraints.empty());
    options.rigid_water = true;
    REQUIRE(system_of(field(R"( rigidWater="false")"), topology_of({water}), options).particles.constraints.size()
            == 3);
}

TEST_CASE("constraints of templates replace others and need no bond") {
    auto residue = amide_residue;
    residue.insert(residue.find("</Residue>"), R"(<Constraint atomName1="C" atomName2="O" distance="0.5"/>
        <Constraint atomName1="H1" atomName2="H2" distance="0.6"/>)");
    auto const system = system_of(force_field(amide_types + residue + amide_bonds), topology_of({amide}));
    auto const& constraints = system.particles.constraints;
    REQUIRE(constraints.size() == 2);
    REQUIRE(constraints[0].distance == 0.5);
    REQUIRE((constraints[1].particle1 == 3 && constraints[1].particle2 == 4 && constraints[1].distance == 0.6));
    REQUIRE(system.forces<HarmonicBondForce>()[0].bonds.size() == 4);
}

TEST_CASE("forces come in the order of their first elements, angles and exclusions afterwards") {
    std::string const torsions = R"(<PeriodicTorsionForce/>)",
                      charges = R"(<NonbondedForce coulomb14scale="0.5" lj14scale="0.5">
        <UseAttributeFromResidue name="charge"/><Atom type="" sigma="1" epsilon="0"/></NonbondedForce>)";
    auto const system =
        system_of(amide_field("<HarmonicAngleForce/>" + torsions + charges + amide_bonds + torsions + charges),
                  topology_of({amide}));
    std::vector<std::string> names;
    system.for_each_force([&]<class F>(int, F const&) { names.emplace_back(F::name); });
    REQUIRE(names
            == std::vector<std::string>{"PeriodicTorsionForce", "NonbondedForce", "HarmonicBondForce",
                                        "CMMotionRemover", "HarmonicAngleForce"});
}

TEST_CASE("Urey-Bradley terms, Ryckaert-Bellemans torsions and maps") {
    std::string map = "<CMAPTorsionForce><Map>";
    for (int i = 0; i < 9; ++i) map += std::to_string(i) + " ";
    map += R"(</Map><Torsion type1="h" type2="n" type3="c" type4="o" type5="x" map="0"/></CMAPTorsionForce>)";
    auto const system = system_of(
        amide_field(map + R"(<AmoebaUreyBradleyForce><UreyBradley class1="H" class2="N" class3="C" k="2" d="0.3"/>
        <UreyBradley type1="h" type2="n" type3="h" k="4" d="0.4"/></AmoebaUreyBradleyForce>
        <RBTorsionForce><Proper class1="O" class2="C" class3="N" class4="" c0="1" c1="2" c2="3" c3="4" c4="5" c5="6"/></RBTorsionForce>)"),
        topology_of({amide}));
    auto const& bonds = system.forces<HarmonicBondForce>()[0].bonds;
    REQUIRE(bonds.size() == 3);
    REQUIRE((bonds[0].k == 4 && bonds[0].length == 0.3 && bonds[2].k == 8 && bonds[2].particle1 == 3
             && bonds[2].particle2 == 4));
    REQUIRE(system.forces<RBTorsionForce>()[0].torsions.size() == 2);
    REQUIRE(system.forces<RBTorsionForce>()[0].torsions[0].c5 == 6);
    REQUIRE(system.forces<CMAPTorsionForce>()[0].maps[0].size == 3);
    REQUIRE(system.forces<CMAPTorsionForce>()[0].torsions.empty());  // of an unknown type
}
