// Which template a residue gets.
// SPDX-License-Identifier: MIT
#include "force_field_text.hpp"

#include <algorithm>
#include <numeric>
#include <random>

using namespace trotter;
using namespace trotter::testing;
using app::Topology;

namespace {

std::string const types = R"(<AtomTypes><Type name="c" class="c" element="C" mass="12"/>
 <Type name="h" class="h" element="H" mass="1"/><Type name="s" class="s" element="S" mass="32"/>
 <Type name="o" class="o" element="O" mass="16"/><Type name="m" class="m" mass="0"/></AtomTypes>)";

std::string const charges = R"(<NonbondedForce coulomb14scale="1" lj14scale="1"><UseAttributeFromResidue name="charge"/>
 <Atom type="" sigma="1" epsilon="0"/></NonbondedForce>)";

std::vector<double> charges_of(StandardSystem const& system) {
    std::vector<double> result;
    for (auto const& particle : system.forces<NonbondedForce>().at(0).particles) result.push_back(particle.charge);
    return result;
}

/// A closed tube of carbon: rings of `around` atoms, each bonded to the next ring at every second atom.
struct Tube {
    int atoms;
    std::vector<std::pair<int, int>> bonds;

    Tube(int around, int rings) : atoms(around * rings) {
        for (int ring = 0; ring < rings; ++ring)
            for (int i = 0; i < around; ++i) {
                bonds.emplace_back(ring * around + i, ring * around + (i + 1) % around);
                if (i % 2 == ring % 2) bonds.emplace_back(ring * around + i, (ring + 1) % rings * around + i);
            }
    }
    std::string template_text() const {
        std::string text = "<Residues><Residue name=\"TUB\">";
        for (int i = 0; i < atoms; ++i) text += "<Atom name=\"C" + std::to_string(i) + "\" type=\"c\"/>";
        for (auto const& [a, b] : bonds)
            text += "<Bond from=\"" + std::to_string(a) + "\" to=\"" + std::to_string(b) + "\"/>";
        return text + "</Residue></Residues>";
    }
    Topology shuffled() const {
        std::vector<int> place(static_cast<std::size_t>(atoms));
        std::iota(place.begin(), place.end(), 0);
        std::shuffle(place.begin(), place.end(), std::mt19937(7));
        ResidueText residue{"TUB", {}, {}};
        for (int i = 0; i < atoms; ++i) residue.atoms.emplace_back("C" + std::to_string(i), "C");
        for (auto const& [a, b] : bonds)
            residue.bonds.emplace_back(place[static_cast<std::size_t>(a)], place[static_cast<std::size_t>(b)]);
        return topology_of({residue});
    }
    /// Exchanges the ends of two bonds far apart: all atoms keep their number of bonds.
    void cross_two_bonds() { std::swap(bonds.front().second, bonds[bonds.size() / 2].second); }
};

std::string const bead =
    R"(<Residues><Residue name="BEA"><Atom name="C" type="c" charge="0.1"/><Atom name="S" type="s" charge="-0.2"/>
 <Atom name="H" type="h" charge="0.1"/><Bond atomName1="C" atomName2="S"/><Bond atomName1="S" atomName2="H"/>
 <ExternalBond atomName="C"/><ExternalBond atomName="C"/><AllowPatch name="CAP"/></Residue></Residues>
 <Patches><Patch name="CAP"><AddAtom name="O" type="o" charge="-0.3"/><AddBond atomName1="C" atomName2="O"/>
 <ChangeAtom name="C" type="c" charge="0.4"/><RemoveExternalBond atomName="C"/><AddExternalBond atomName="C"/></Patch>
 <Patch name="SS" residues="2"><RemoveAtom name="1:H"/><RemoveAtom name="2:H"/><ChangeAtom name="1:S" type="s" charge="-0.1"/>
 <AddBond atomName1="1:S" atomName2="2:S"/><ApplyToResidue name="1:BEA"/><ApplyToResidue name="2:BEA"/></Patch></Patches>)";

/// Beads in a row; those of `closed` are without hydrogen, and the first two of them bonded by their sulphur.
Topology beads(int number, std::vector<int> const& closed) {
    Topology topology;
    topology.add_chain("A");
    std::vector<int> carbon, sulphur;
    for (int i = 0; i < number; ++i) {
        ResidueText residue{"BEA", {{"C", "C"}, {"S", "S"}}, {{0, 1}}};
        if (std::find(closed.begin(), closed.end(), i) == closed.end()) {
            residue.atoms.emplace_back("H", "H");
            residue.bonds.emplace_back(1, 2);
        }
        if (i == 0 || i == number - 1) {
            residue.bonds.emplace_back(0, static_cast<int>(residue.atoms.size()));
            residue.atoms.emplace_back("O", "O");
        }
        carbon.push_back(topology.atom_count());
        sulphur.push_back(topology.atom_count() + 1);
        add_residue(topology, residue);
        if (i > 0) topology.add_bond(carbon[static_cast<std::size_t>(i) - 1], carbon.back());
    }
    if (closed.size() >= 2)
        topology.add_bond(sulphur[static_cast<std::size_t>(closed[0])], sulphur[static_cast<std::size_t>(closed[1])]);
    return topology;
}

}  // namespace

TEST_CASE("names of atoms do not decide which atom of a template they are") {
    auto const field = force_field(types + R"(<Residues><Residue name="X"><Atom name="C1" type="c" charge="0"/>
        <Atom name="H1" type="h" charge="0.1"/><Atom name="H2" type="h" charge="0.2"/>
        <Bond from="0" to="2"/><Bond from="0" to="1"/></Residue></Residues>)" + charges);
    auto const topology = topology_of({{"X", {{"C1", "C"}, {"H1", "H"}, {"H2", "H"}}, {{0, 1}, {0, 2}}}});
    // The template's first bond is that of H2, hence the residue's first hydrogen takes it.
    REQUIRE(charges_of(system_of(field, topology)) == std::vector{0., 0.2, 0.1});
}

TEST_CASE("templates differ by elements, bonds and bonds to other residues") {
    auto const field = force_field(types + R"(<Residues>
        <Residue name="END"><Atom name="C" type="c" charge="1"/><ExternalBond atomName="C"/></Residue>
        <Residue name="MID"><Atom name="C" type="c" charge="2"/><ExternalBond from="0"/><ExternalBond from="0"/></Residue>
        <Residue name="PAIR"><Atom name="A" type="c" charge="3"/><Atom name="B" type="c" charge="4"/><Bond from="0" to="1"/></Residue>
        </Residues>)" + charges);
    ResidueText const single{"C", {{"C", "C"}}, {}};
    auto chain = topology_of({single, single, single, {"P", {{"A", "C"}, {"B", "C"}}, {{0, 1}}}});
    chain.add_bond(0, 1), chain.add_bond(1, 2);
    REQUIRE(field.template_names(chain) == std::vector<std::string>{"END", "MID", "END", "PAIR"});
    auto const lone = topology_of({single});
    REQUIRE_THROWS_AS(field.template_names(lone), InputError);
    app::SystemOptions options;
    options.ignore_external_bonds = true;
    REQUIRE(message_of<InputError>([&] { field.template_names(lone, options); }).find("(END, MID)")
            != std::string::npos);
    options.residue_templates[0] = "MID";
    REQUIRE(field.template_names(lone, options)[0] == "MID");
}

TEST_CASE("several templates may match if they assign the same") {
    std::string const one = R"(<Atom name="C" type="c" charge="1"/></Residue>)";
    auto const alike =
        force_field(types + "<Residues><Residue name=\"A\">" + one + "<Residue name=\"B\">" + one + "</Residues>");
    auto const topology = topology_of({{"B", {{"C", "C"}}, {}}});
    REQUIRE(alike.template_names(topology)[0] == "A");
    auto const unlike = force_field(types + "<Residues><Residue name=\"A\">" + one
                                    + R"(<Residue name="B"><Atom name="C" type="c" charge="2"/></Residue></Residues>)");
    auto const message = message_of<InputError>([&] { unlike.template_names(topology); });
    REQUIRE(message.find("B A:1 matches several templates that differ (A, B)") != std::string::npos);
    app::SystemOptions options;
    options.residue_templates[0] = "C";
    REQUIRE(message_of<InputError>([&] { unlike.template_names(topology, options); }).find("no file has it")
            != std::string::npos);
}

TEST_CASE("the template of a name with the highest override level counts") {
    auto const text = [](std::string const& attribute, std::string const& charge) {
        return "<Residue name=\"A\" " + attribute + "><Atom name=\"C\" type=\"c\" charge=\"" + charge
               + "\"/></Residue>";
    };
    auto const topology = topology_of({{"A", {{"C", "C"}}, {}}});
    for (auto const& residues :
         {text("", "1") + text("override=\"1\"", "2"), text("override=\"1\"", "2") + text("", "1")})
        REQUIRE(
            charges_of(system_of(force_field(types + "<Residues>" + residues + "</Residues>" + charges), topology))[0]
            == 2);
    REQUIRE(message_of<InputError>([&] {
                force_field(types + "<Residues>" + text("", "1") + text("", "1") + "</Residues>");
            }).find("a template A with the same override level")
            != std::string::npos);
}

TEST_CASE("symmetric graphs are matched without trying all assignments") {
    for (auto const& [around, rings] : {std::pair{12, 12}, std::pair{50, 100}}) {
        Tube tube(around, rings);
        auto const field = force_field(types + tube.template_text());
        REQUIRE(field.template_names(tube.shuffled())[0] == "TUB");
        tube.cross_two_bonds();
        REQUIRE(message_of<InputError>([&] { field.template_names(tube.shuffled()); }).find("is connected otherwise")
                != std::string::npos);
    }
}

TEST_CASE("a matched tube has the bonds of the template") {
    Tube const tube(12, 12);
    auto const topology = tube.shuffled();
    std::string text = tube.template_text();
    for (int i = 0; i < tube.atoms; ++i) {  // each atom gets its number as charge
        auto const atom = "\"C" + std::to_string(i) + "\" type=\"c\"";
        text.insert(text.find(atom) + atom.size(), " charge=\"" + std::to_string(i) + "\"");
    }
    auto const found = charges_of(system_of(force_field(types + text + charges), topology));
    std::vector<std::pair<int, int>> mapped, expected;
    for (auto const& bond : topology.bonds)
        mapped.push_back(std::minmax(static_cast<int>(found[static_cast<std::size_t>(bond.atom1)]),
                                     static_cast<int>(found[static_cast<std::size_t>(bond.atom2)])));
    for (auto const& [a, b] : tube.bonds) expected.push_back(std::minmax(a, b));
    std::sort(mapped.begin(), mapped.end()), std::sort(expected.begin(), expected.end());
    REQUIRE(mapped == expected);
}

TEST_CASE("patches are applied where a residue matches nothing else") {
    auto const field = force_field(types + bead + charges);
    REQUIRE(field.template_names(beads(3, {})) == std::vector<std::string>{"BEA-CAP", "BEA", "BEA-CAP"});
    REQUIRE(charges_of(system_of(field, beads(3, {})))[0] == 0.4);
    auto const bridged = beads(4, {1, 2});
    REQUIRE(field.template_names(bridged) == std::vector<std::string>{"BEA-CAP", "BEA-SS", "BEA-SS", "BEA-CAP"});
    // The end has both a patch for one residue and that for two.
    REQUIRE(field.template_names(beads(4, {0, 1}))
            == std::vector<std::string>{"BEA-CAP-SS", "BEA-SS", "BEA", "BEA-CAP"});
}

TEST_CASE("residues that match nothing are tried as one molecule") {
    auto const field = force_field(types + R"(<Residues><Residue name="MOL"><Atom name="A" type="c" charge="1"/>
        <Atom name="B" type="o" charge="2"/><Bond from="0" to="1"/></Residue></Residues>)" + charges);
    auto topology = topology_of({{"A", {{"X", "C"}}, {}}, {"B", {{"Y", "O"}}, {}}});
    topology.add_bond(0, 1);
    REQUIRE(field.template_names(topology) == std::vector<std::string>{"MOL", "MOL"});
    REQUIRE(charges_of(system_of(field, topology)) == std::vector{1., 2.});
}

TEST_CASE("matchers choose templates, generators make them") {
    std::string const one = R"(<Residue name="A"><Atom name="C" type="c" charge="1"/></Residue>
        <Residue name="B"><Atom name="C" type="c" charge="2"/></Residue>)";
    auto field = force_field(types + "<Residues>" + one + "</Residues>" + charges);
    field.add_matcher([](Topology const& topology, int residue) {
        return std::optional(topology.residues[static_cast<std::size_t>(residue)].name);
    });
    REQUIRE(field.template_names(topology_of({{"B", {{"C", "C"}}, {}}, {"A", {{"C", "C"}}, {}}}))
            == std::vector<std::string>{"B", "A"});

    auto made = force_field(types + charges);
    int calls = 0;
    made.add_generator([&](Topology const& topology, int residue) {
        ++calls;
        auto const& name = topology.residues[static_cast<std::size_t>(residue)].name;
        return std::optional(app::ForceField::Text{
            name, R"(<ForceField><Residues><Residue name="MADE"><Atom name="S" type="s" charge="7"/>
            </Residue></Residues></ForceField>)"});
    });
    ResidueText const sulphur{"S", {{"S", "S"}}, {}};
    REQUIRE(charges_of(system_of(made, topology_of({sulphur, sulphur}))) == std::vector{7., 7.});
    REQUIRE(calls == 1);
}

TEST_CASE("all residues without a template are named, with the nearest one") {
    auto const field =
        force_field(types + R"(<Residues><Residue name="ABC"><Atom name="C" type="c"/><Atom name="H1" type="h"/>
        <Atom name="H2" type="h"/><Bond from="0" to="1"/><Bond from="0" to="2"/></Residue>
        <Residue name="HOH"><Atom name="O" type="o"/><Atom name="H1" type="h"/><Atom name="H2" type="h"/><Atom name="M" type="m"/>
        <Bond from="0" to="1"/><Bond from="0" to="2"/></Residue></Residues>)");
    auto const refused = [&](std::vector<ResidueText> const& residues) {
        return message_of<InputError>([&] { field.template_names(topology_of(residues)); });
    };
    auto const bare =
        refused({{"ABC", {{"C", "C"}}, {}}, water, {"ABC", {{"C", "C"}}, {}}, {"BR", {{"BR", "Br"}}, {}}});
    REQUIRE(bare.find("for 4 of 4 residues") != std::string::npos);
    REQUIRE(bare.find("ABC A:1, A:3 has the heavy atoms of ABC, but lacks 2 H atoms") != std::string::npos);
    REQUIRE(bare.find("HOH A:2 has the heavy atoms of HOH, but lacks 1 extra particle; the step add_extra_particles")
            != std::string::npos);
    REQUIRE(bare.find("BR A:4 has atoms or particles that no template has: Br") != std::string::npos);
    REQUIRE(refused({{"ABC", {{"C", "C"}, {"H1", "H"}, {"H2", "H"}}, {}}}).find("no bonds between them")
            != std::string::npos);
    REQUIRE(refused({{"ABC", {{"C", "C"}, {"H1", "H"}, {"H2", "H"}}, {{0, 1}, {1, 2}}}})
                .find("lacks 1 H-C bond and has 1 H-H bond too many")
            != std::string::npos);
}
