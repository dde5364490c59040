// Forces of all pairs, virtual sites, options and scripts.
// SPDX-License-Identifier: MIT
#include "force_field_text.hpp"

#include <algorithm>
#include <cmath>

using namespace trotter;
using namespace trotter::testing;
using app::NonbondedMethod;
using app::SystemOptions;
using Catch::Matchers::Contains;

namespace {

std::string const charges =
    R"(<NonbondedForce coulomb14scale="0.8" lj14scale="0.4"><UseAttributeFromResidue name="charge"/>
 <Atom type="" sigma="0.3" epsilon="0.5"/><Atom class="H" sigma="0.1" epsilon="0.2"/></NonbondedForce>)";

std::string lennard_jones(std::string const& pairs) {
    return R"(<LennardJonesForce lj14scale="0.5"><Atom type="" sigma="0.3" epsilon="1"/>
        <Atom class="O" sigma="0.2" epsilon="4" sigma14="0.1" epsilon14="9"/>)" + pairs + "</LennardJonesForce>";
}

/// A water with a site between its hydrogens, and one more on it.
std::string const site_field =
    R"(<AtomTypes><Type name="o" class="o" element="O" mass="16"/><Type name="h" class="h" element="H" mass="1"/>
 <Type name="m" class="m" mass="0"/></AtomTypes><Residues><Residue name="HOH"><Atom name="O" type="o"/><Atom name="M" type="m"/>
 <Atom name="H1" type="h"/><Atom name="H2" type="h"/><Atom name="L" type="m"/><Bond from="0" to="2"/><Bond from="0" to="3"/>
 <VirtualSite type="average2" siteName="L" atomName1="M" atomName2="O" weight1="0.5" weight2="0.5"/>
 <VirtualSite type="average3" index="1" atom1="0" atom2="2" atom3="3" weight1="0.5" weight2="0.25" weight3="0.25"/></Residue></Residues>
 <NonbondedForce coulomb14scale="1" lj14scale="1"><Atom type="" charge="0" sigma="1" epsilon="0"/></NonbondedForce>)";

}  // namespace

TEST_CASE("exceptions follow the bonds, charges come from templates") {
    auto const force = system_of(amide_field(charges), topology_of({amide})).forces<NonbondedForce>().at(0);
    REQUIRE(force.particles[2].charge == -0.6);
    REQUIRE(force.particles[3].sigma == 0.1);
    REQUIRE(force.exceptions.size() == 15);  // 5 pairs of bonds, 6 of angles, 4 of torsions
    auto const found = std::find_if(force.exceptions.begin(), force.exceptions.end(),
                                    [](auto const& e) { return e.particle1 == 1 && e.particle2 == 3; });
    REQUIRE(found != force.exceptions.end());
    REQUIRE(found->charge_product == Approx(0.8 * -0.5 * 0.3));
    REQUIRE(found->sigma == Approx(0.2));
    REQUIRE(found->epsilon == Approx(0.4 * std::sqrt(0.1)));
}

TEST_CASE("options of the nonbonded force, and those that nothing uses") {
    SystemOptions options;
    options.nonbonded_method = NonbondedMethod::pme;
    options.cutoff = 0.9, options.switch_distance = 0.8, options.ewald_error_tolerance = 1e-5;
    options.dispersion_correction = false, options.remove_cm_motion = false;
    auto const field = amide_field(charges);
    auto const topology = topology_of({amide});
    auto const system = field.create_system(topology, Box::rectangular(3, 3, 3), options);
    auto const& force = system.forces<NonbondedForce>()[0];
    REQUIRE((force.method == NonbondedForce::Method::pme && force.cutoff_distance == 0.9
             && force.switching_distance == 0.8));
    REQUIRE((force.use_switching_function && !force.use_dispersion_correction && force.ewald_error_tolerance == 1e-5));
    REQUIRE((system.force_count() == 1 && system.box.is_given));
    REQUIRE_THAT(message_of<InputError>([&] { system_of(field, topology, options); }), Contains("has no box"));
    SystemOptions unused;
    unused.solvent_dielectric = 70;
    REQUIRE_THAT(message_of<InputError>([&] { system_of(field, topology, unused); }),
                 Contains("solvent_dielectric was given, but no part of the force field uses it"));
}

TEST_CASE("force fields of several files agree about 1-4 scales, and each type needs its parameters") {
    auto const topology = topology_of({amide});
    REQUIRE_THAT(message_of<InputError>(
                     [&] { amide_field(charges + R"(<NonbondedForce coulomb14scale="0.7" lj14scale="0.4"/>)"); }),
                 Contains("coulomb14scale is \"0.7\""));
    REQUIRE_THAT(message_of<InputError>([&] {
                     system_of(amide_field(R"(<NonbondedForce coulomb14scale="1" lj14scale="1"/>)"), topology);
                 }),
                 Contains("NonbondedForce has no parameters for the atom type c"));
    auto bare = amide_residue;
    bare.erase(bare.find(" charge=\"0.5\""), 13);
    REQUIRE_THAT(message_of<InputError>([&] { system_of(force_field(amide_types + bare + charges), topology); }),
                 Contains("atoms of the type c have no charge"));
}

TEST_CASE("pairs of types with parameters of their own") {
    auto const system =
        system_of(amide_field(lennard_jones(R"(<NBFixPair class1="H" class2="O" sigma="0.5" epsilon="2"/>)") + charges),
                  topology_of({amide}));
    auto const& force = system.forces<CustomNonbondedForce>().at(0);
    REQUIRE(force.particles == std::vector<std::vector<double>>{{0}, {1}, {0}, {2}, {2}, {0}});
    auto const& a = force.tabulated_functions[0];
    REQUIRE((a.name == "acoef" && a.sizes == std::vector{3, 3}));
    REQUIRE(a.values[1 + 3 * 2] == Approx(4 * 2 * std::pow(0.5, 12)));
    REQUIRE(a.values[0 + 3 * 1] == Approx(4 * 2 * std::pow(0.25, 12)));
    REQUIRE(force.pairs.exclusions.size() == 15);
    auto const& near = system.forces<CustomBondForce>().at(0);
    REQUIRE(near.energy.formula() == "2*epsilon*((sigma/r)^12-(sigma/r)^6)");
    REQUIRE(near.bonds.size() == 4);
    REQUIRE(near.bonds[0].parameters == std::vector{0.5, 2.});  // oxygen and hydrogen
    auto const twice = amide_field(lennard_jones(R"(<NBFixPair class1="H" class2="O" sigma="0.5" epsilon="2"/>
        <NBFixPair type1="o" type2="h" sigma="0.5" epsilon="2"/>)"));
    REQUIRE_THAT(message_of<InputError>([&] { system_of(twice, topology_of({amide})); }),
                 Contains("several <NBFixPair>"));
    SystemOptions options;
    options.nonbonded_method = NonbondedMethod::ljpme;
    REQUIRE_THAT(
        message_of<InputError>([&] {
            amide_field(lennard_jones("")).create_system(topology_of({amide}), Box::rectangular(3, 3, 3), options);
        }),
        Contains("LJPME does not work"));
}

TEST_CASE("extra particles are added where their rules put them, and removed") {
    auto const field = force_field(site_field);
    app::Structure structure;
    structure.topology = topology_of({water});
    structure.positions = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}};
    auto const added = app::add_extra_particles(structure, field);
    REQUIRE(added.topology.atom_count() == 5);
    REQUIRE((added.topology.atoms[3].name == "M" && !added.topology.atoms[3].element));
    REQUIRE((added.positions[3].x == 0.025 && added.positions[3].y == 0.025 && added.positions[4].x == 0.0125));
    auto const system = system_of(field, added.topology);
    REQUIRE(system.particles.virtual_sites.size() == 2);
    REQUIRE(system.forces<NonbondedForce>()[0].exceptions.size()
            == 10);  // sites share the exclusions of their first parent
    auto const plain = force_field(
        R"(<AtomTypes><Type name="o" class="o" element="O" mass="16"/><Type name="h" class="h" element="H" mass="1"/>
        </AtomTypes><Residues><Residue name="HOH"><Atom name="O" type="o"/><Atom name="H1" type="h"/><Atom name="H2" type="h"/>
        <Bond from="0" to="1"/><Bond from="0" to="2"/></Residue></Residues>)");
    REQUIRE(app::add_extra_particles(added, plain).topology.atom_count() == 3);
    REQUIRE_THAT(message_of<InputError>([&] { system_of(field, structure.topology); }),
                 Contains("lacks 2 extra particles"));
}

TEST_CASE("custom forces with formulas, tables and parameters by type") {
    auto const system = system_of(
        amide_field(R"xml(<CustomBondForce energy="k*(r-r0)^2"><PerBondParameter name="r0"/><PerBondParameter name="k"/>
        <Bond class1="C" class2="O" k="3" r0="0.1"/></CustomBondForce>
        <CustomNonbondedForce energy="a1*a2*f(r)" bondCutoff="1"><PerParticleParameter name="a"/>
        <Function name="f" min="0" max="2">1 2 3</Function><Atom type="" a="2"/></CustomNonbondedForce>
        <CustomHbondForce particlesPerDonor="2" particlesPerAcceptor="1" bondCutoff="1" energy="d*distance(d1,a1)">
        <PerDonorParameter name="d"/><Donor class1="N" class2="H" d="5"/><Acceptor class1="O"/><Acceptor class1="C"/></CustomHbondForce>)xml"),
        topology_of({amide}));
    REQUIRE(system.forces<CustomBondForce>()[0].bonds.at(0).parameters == std::vector{0.1, 3.});
    REQUIRE(system.forces<CustomNonbondedForce>()[0].pairs.exclusions.size() == 5);
    auto const& hydrogen_bonds = system.forces<CustomHbondForce>()[0];
    REQUIRE((hydrogen_bonds.donors.size() == 2 && hydrogen_bonds.acceptors.size() == 2
             && hydrogen_bonds.exclusions.size() == 2));
}

TEST_CASE("included files are read once, beside the including one") {
    ScratchFolder const folder;
    std::filesystem::create_directory(folder / "inner");
    put_bytes(folder / "inner/types.xml",
              "<ForceField><Include file=\"../outer.xml\"/>" + amide_types + "</ForceField>");
    put_bytes(folder / "outer.xml",
              "<ForceField><Include file=\"inner/types.xml\"/>" + amide_residue + "</ForceField>");
    auto const field = app::ForceField::load({"outer.xml"}, {folder.path().string()});
    REQUIRE(field.template_names(topology_of({amide}))[0] == "FAM");
    put_bytes(folder / "outer.xml", "<ForceField><Include file=\"none.xml\"/></ForceField>");
    REQUIRE_THAT(message_of<InputError>([&] { app::ForceField::load({"outer.xml"}, {folder.path().string()}); }),
                 Contains("none.xml") && Contains("--forcefields"));
}

TEST_CASE("what is wrong in a file is refused with its place") {
    auto const refused = [](std::string const& body) { return message_of<InputError>([&] { force_field(body); }); };
    std::string const type = R"(<AtomTypes><Type name="c" class="c" element="C" mass="12"/></AtomTypes>)";
    auto const residue = [&](std::string const& content) {
        return refused(type + "<Residues><Residue name=\"R\">" + content + "</Residue></Residues>");
    };
    std::string const atom = R"(<Atom name="A" type="c"/>)";
    REQUIRE_THAT(refused(R"(<AtomTypes><Type name="c" class="c" element="Xy" mass="12"/></AtomTypes>)"),
                 Contains("element is \"Xy\""));
    REQUIRE_THAT(refused(R"(<AtomTypes><Type name="c" class="c" mass="heavy"/></AtomTypes>)"),
                 Contains("line 1") && Contains("\"heavy\""));
    REQUIRE_THAT(residue(R"(<Atom name="A" type="d"/>)"), Contains("type is \"d\""));
    REQUIRE_THAT(residue(atom + atom), Contains("name is \"A\""));
    REQUIRE_THAT(residue(atom + R"(<Bond from="0" to="1"/>)"), Contains("to is \"1\""));
    REQUIRE_THAT(residue(atom + R"(<Bond atomName1="A" atomName2="B"/>)"), Contains("atomName2 is \"B\""));
    REQUIRE_THAT(residue(atom + R"(<AllowPatch name="P"/>)"), Contains("allows the patch P, which no file has"));
    REQUIRE_THAT(residue(atom + R"(<VirtualSite type="line" siteName="A"/>)"), Contains("type is \"line\""));
    REQUIRE_THAT(
        refused(type
                + R"(<HarmonicBondForce><Bond class1="c" type1="c" class2="c" length="1" k="1"/></HarmonicBondForce>)"),
        Contains("both type1 and class1"));
    REQUIRE_THAT(refused(R"(<CustomBondForce energy="k*(r"/>)"), Contains("CustomBondForce") && Contains("energy"));
    REQUIRE_THAT(refused("<AmoebaMultipoleForce/>"), Contains("AmoebaMultipoleForce is not supported"));
    REQUIRE_THAT(refused("<CMAPTorsionForce><Map>1 2 3</Map></CMAPTorsionForce>"), Contains("has 3 values"));
    REQUIRE_THAT(message_of<InputError>([] {
                     app::ForceField::parse({{"cut.xml", "<ForceField>"}});
                 }),
                 Contains("cut.xml"));
    REQUIRE_THAT(message_of<InputError>([] { app::ForceField::load({"no-such.xml"}, {"/nowhere"}); }),
                 Contains("no-such.xml") && Contains("/nowhere"));
}

TEST_CASE("a script that no known force field has is refused, not executed") {
    auto const message = message_of<InputError>([] { force_field("<Script>\nprint('ran')\n</Script>"); });
    REQUIRE_THAT(
        message,
        Contains("test.xml: its script is none of the known ones, and is not executed; it begins \"print('ran')\""));
    REQUIRE_THAT(message_of<InputError>([] { force_field("<InitializationScript>x = 1</InitializationScript>"); }),
                 Contains("none of the known ones"));
}
