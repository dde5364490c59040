// prmtop files and their Systems.
// SPDX-License-Identifier: MIT
#include "prmtop_text.hpp"

#include <cmath>

using namespace trotter;
using namespace trotter::app;
using namespace trotter::testing;
using Catch::Matchers::Contains;

namespace {

NonbondedForce const& nonbonded(StandardSystem const& system) { return system.forces<NonbondedForce>().front(); }

NonbondedForce::Exception exception(StandardSystem const& system, int particle1, int particle2) {
    for (auto const& found : nonbonded(system).exceptions)
        if (found.particle1 == particle1 && found.particle2 == particle2) return found;
    return {-1, -1};
}

}  // namespace

TEST_CASE("a prmtop's topology has one chain, standard names, and no bond between the hydrogens of water") {
    ProgramFiles const files;
    auto const topology = PrmtopText{}.read(files).topology;
    REQUIRE(topology.chains.size() == 1);
    REQUIRE(topology.residues[1].name == "HOH");
    REQUIRE(topology.residues[1].original_name == "WAT");
    REQUIRE(topology.residues[1].id == "2");
    REQUIRE(topology.bonds.size() == 5);
    REQUIRE(topology.atoms[1].element->symbol() == "C");
}

TEST_CASE("values of a prmtop are cut at the columns of their format") {
    ProgramFiles const files;
    PrmtopText prmtop;
    prmtop.names("ATOM_NAME", "H1AAC1BBC2CCH2  O   H1  H2");
    REQUIRE(prmtop.read(files).topology.atoms[1].name == "C1BB");
    prmtop.sections["MASS"] = {"(8(F9.5))", "  1.00000 12.00000 12.00000  1.00000 16.00000  1.00000  1.00000"};
    REQUIRE(prmtop.system(files).particles.masses[2] == 12);
    prmtop.sections["MASS"].format = "(5E0.8)";
    REQUIRE_THAT(prmtop.refusal(files), Contains("no width"));
}

TEST_CASE("elements of a prmtop without atomic numbers follow from names") {
    ProgramFiles const files;
    PrmtopText prmtop;
    prmtop.sections.erase("ATOMIC_NUMBER");
    prmtop.names("ATOM_NAME", "CL1 C1  MG  ZN  NA  H1  EP");
    auto const topology = prmtop.read(files).topology;
    REQUIRE(topology.atoms[0].element->symbol() == "Cl");
    REQUIRE(topology.atoms[2].element->symbol() == "Mg");
    REQUIRE(topology.atoms[4].element->symbol() == "Na");
    REQUIRE(!topology.atoms[6].element);
}

TEST_CASE("terms of a prmtop are converted to nm, kJ/mol and e") {
    ProgramFiles const files;
    auto const system = PrmtopText{}.system(files);
    auto const& bonds = system.forces<HarmonicBondForce>().front().bonds;
    REQUIRE(bonds.size() == 3);  // water is rigid
    REQUIRE(bonds[0].length == Approx(0.11));
    REQUIRE(bonds[0].k == Approx(2 * 100 * 418.4));
    REQUIRE(system.forces<HarmonicAngleForce>().front().angles[0].k == Approx(2 * 50 * 4.184));
    auto const& torsions = system.forces<PeriodicTorsionForce>().front().torsions;
    REQUIRE(torsions[0].periodicity == 3);
    REQUIRE(torsions[1].k == Approx(0.5 * 4.184));
    REQUIRE(nonbonded(system).particles[0].charge == Approx(0.1));
    REQUIRE(nonbonded(system).particles[0].sigma == Approx(0.3 * std::pow(2, -1 / 6.0)));
    REQUIRE(nonbonded(system).particles[0].epsilon == Approx(0.4184));
    REQUIRE(system.particles.constraints.size() == 3);
    REQUIRE(system.forces<CMMotionRemover>().size() == 1);
}

TEST_CASE("1-4 pairs of a prmtop are scaled by their dihedral's factors, or by 1.2 and 2") {
    ProgramFiles const files;
    PrmtopText prmtop;
    auto const usual = exception(prmtop.system(files), 0, 3);
    REQUIRE(usual.charge_product == Approx(0.01 / 1.2));
    REQUIRE(usual.epsilon == Approx(0.4184 / 2));
    REQUIRE(exception(prmtop.system(files), 0, 2).epsilon == 0);
    prmtop.reals("SCEE_SCALE_FACTOR", {1, 1});
    prmtop.reals("SCNB_SCALE_FACTOR", {4, 1});
    auto const stated = exception(prmtop.system(files), 0, 3);
    REQUIRE(stated.charge_product == Approx(0.01));
    REQUIRE(stated.epsilon == Approx(0.4184 / 4));
}

TEST_CASE("a negative third or fourth atom of a dihedral makes no 1-4 pair") {
    ProgramFiles const files;
    PrmtopText prmtop;
    prmtop.integers("DIHEDRALS_INC_HYDROGEN", {0, 3, 6, -9, 1, 0, 3, -6, 9, 2});
    auto const system = prmtop.system(files);
    REQUIRE(system.forces<PeriodicTorsionForce>().front().torsions.size() == 2);
    REQUIRE(exception(system, 0, 3).epsilon == 0);
    REQUIRE(exception(system, 0, 3).charge_product == 0);
}

TEST_CASE("a chamber prmtop has its own 1-4 coefficients, Urey-Bradley terms and impropers") {
    ProgramFiles const files;
    PrmtopText prmtop;
    prmtop.sections["CTITLE"] = {"(a80)", "made by chamber"};
    prmtop.reals("LENNARD_JONES_14_ACOEF", {106288.2, 0});
    prmtop.reals("LENNARD_JONES_14_BCOEF", {291.6, 0});
    prmtop.integers("CHARMM_UREY_BRADLEY", {1, 3, 1});
    prmtop.reals("CHARMM_UREY_BRADLEY_FORCE_CONSTANT", {10});
    prmtop.reals("CHARMM_UREY_BRADLEY_EQUIL_VALUE", {2});
    prmtop.integers("CHARMM_IMPROPERS", {1, 2, 3, 4, 1});
    prmtop.reals("CHARMM_IMPROPER_FORCE_CONSTANT", {20});
    prmtop.reals("CHARMM_IMPROPER_PHASE", {0.5});
    auto const system = prmtop.system(files);
    REQUIRE(exception(system, 0, 3).epsilon == Approx(0.8368));
    REQUIRE(exception(system, 0, 3).charge_product == Approx(0.01));
    auto const& urey_bradley = system.forces<HarmonicBondForce>().at(1).bonds.at(0);
    REQUIRE(urey_bradley.particle2 == 2);
    REQUIRE(urey_bradley.length == Approx(0.2));
    auto const& improper = system.forces<CustomTorsionForce>().at(0).torsions.at(0);
    REQUIRE(improper.particle4 == 3);
    REQUIRE(improper.parameters[0] == Approx(20 * 4.184));
}

TEST_CASE("maps of a prmtop are turned to begin at 0 with the first angle fastest") {
    ProgramFiles const files;
    PrmtopText prmtop;
    prmtop.integers("CMAP_COUNT", {1, 1});
    prmtop.integers("CMAP_RESOLUTION", {2});
    prmtop.reals("CMAP_PARAMETER_01", {1, 2, 3, 4});
    prmtop.integers("CMAP_INDEX", {1, 2, 3, 4, 5, 1});
    auto const force = prmtop.system(files).forces<CMAPTorsionForce>().at(0);
    REQUIRE(force.maps.at(0).energy[0] == Approx(4 * 4.184));
    REQUIRE(force.maps.at(0).energy[1] == Approx(2 * 4.184));
    REQUIRE(force.torsions.at(0).particle8 == 4);
    prmtop.reals("CMAP_PARAMETER_01", {1, 2, 3});
    REQUIRE_THAT(prmtop.refusal(files), Contains("CMAP_PARAMETER_01 has 3 values, but must have 4"));
}

TEST_CASE("coefficients of pairs of types that no rule gives become a table") {
    ProgramFiles const files;
    PrmtopText prmtop;
    prmtop.integers("NONBONDED_PARM_INDEX", {1, 3, 1, 2, 3, 1, 1, 2, 1, 1, 1, 2, 2, 2, 2, 2});
    prmtop.reals("LENNARD_JONES_ACOEF", {53144.1, 0, 1e6});
    prmtop.reals("LENNARD_JONES_BCOEF", {145.8, 0, 500});
    auto const system = prmtop.system(files);
    REQUIRE(nonbonded(system).particles[0].epsilon == 0);
    auto const& table = system.forces<CustomNonbondedForce>().at(0);
    REQUIRE(table.tabulated_functions.at(0).values.at(4) == Approx(std::sqrt(1e6 * 4.184) * 1e-6));
    REQUIRE(table.pairs.exclusions.size() == nonbonded(system).exceptions.size());
    REQUIRE(!table.pairs.use_long_range_correction);
    SystemOptions options;
    options.nonbonded_method = NonbondedMethod::ljpme;
    auto prmtop_with_box = prmtop.read(files);
    prmtop_with_box.box = Box::rectangular(3, 3, 3);
    REQUIRE_THAT(files.refusal([&] { create_system(prmtop_with_box, options); }), Contains("LJPME"));
}

TEST_CASE("coefficients of 1/r⁴ are added to what the rules give") {
    ProgramFiles const files;
    PrmtopText prmtop;
    prmtop.reals("LENNARD_JONES_CCOEF", {100, 0});
    auto const system = prmtop.system(files);
    REQUIRE(nonbonded(system).particles[0].epsilon == Approx(0.4184));
    REQUIRE(system.forces<CustomNonbondedForce>().at(0).tabulated_functions.at(0).values.at(0)
            == Approx(100 * 4.184e-4));
}

TEST_CASE("options of a prmtop's System") {
    ProgramFiles const files;
    PrmtopText const prmtop;
    SystemOptions options;
    options.rigid_water = false;
    REQUIRE(prmtop.system(files, options).particles.constraints.empty());
    REQUIRE(prmtop.system(files, options).forces<HarmonicBondForce>().front().bonds.size() == 6);
    options.constraints = Constraints::h_bonds;
    REQUIRE(prmtop.system(files, options).particles.constraints.size() == 5);
    REQUIRE(prmtop.system(files, options).forces<HarmonicBondForce>().front().bonds.size() == 1);
    options.constraints = Constraints::all_bonds;
    options.flexible_constraints = true;
    REQUIRE(prmtop.system(files, options).particles.constraints.size() == 6);
    REQUIRE(prmtop.system(files, options).forces<HarmonicBondForce>().front().bonds.size() == 6);
    options = {};
    options.hydrogen_mass = 3;
    options.remove_cm_motion = false;
    auto const heavy = prmtop.system(files, options);
    REQUIRE(heavy.particles.masses == std::vector<double>{3, 10, 10, 3, 16, 1, 1});
    REQUIRE(heavy.forces<CMMotionRemover>().empty());
    options.nonbonded_method = NonbondedMethod::cutoff_non_periodic;
    options.cutoff = 0.9;
    options.switch_distance = 0.7;
    REQUIRE(nonbonded(prmtop.system(files, options)).switching_distance == 0.7);
    options.switch_distance = 0.9;
    REQUIRE_THAT(prmtop.refusal(files, options), Contains("switching distance is 0.9 nm"));
    options.nonbonded_method = NonbondedMethod::pme;
    REQUIRE_THAT(prmtop.refusal(files, options), Contains("no file gives a box"));
}

TEST_CASE("constrained angles span the lengths of their own bonds") {
    ProgramFiles const files;
    PrmtopText prmtop;
    prmtop.integers("ATOMIC_NUMBER", {1, 8, 6, 1, 8, 1, 1});  // H-O-C
    SystemOptions options;
    options.constraints = Constraints::h_angles;
    auto const constraint = prmtop.system(files, options).particles.constraints.back();
    REQUIRE(constraint.particle1 == 0);
    REQUIRE(constraint.particle2 == 2);
    REQUIRE(constraint.distance == Approx(std::sqrt(0.11 * 0.11 + 0.15 * 0.15 - 2 * 0.11 * 0.15 * std::cos(1.9))));
}

TEST_CASE("a box of a prmtop has one angle") {
    ProgramFiles const files;
    PrmtopText prmtop;
    prmtop.set_pointers({{0, 7}, {1, 4}, {11, 2}, {27, 2}});
    prmtop.reals("BOX_DIMENSIONS", {109.4712190, 30, 30, 30});
    auto const box = prmtop.system(files).box;
    REQUIRE(box.is_given);
    REQUIRE(box.a.x == Approx(3));
    REQUIRE(box.b.x == Approx(-1).epsilon(1e-6));
    REQUIRE(box.c.z == Approx(3 * std::sqrt(2 / 3.0)).epsilon(1e-6));
    prmtop.reals("BOX_DIMENSIONS", {0, 30, 30, 30});
    REQUIRE_THAT(prmtop.refusal(files), Contains("are no box"));
}

TEST_CASE("extra points of water become virtual sites, others are refused") {
    ProgramFiles const files;
    PrmtopText prmtop;
    prmtop.set_pointers({{0, 8}, {1, 4}, {11, 2}});
    prmtop.names("ATOM_NAME", "H1  C1  C2  H2  O   H1  H2  EPW");
    prmtop.integers("ATOMIC_NUMBER", {1, 6, 6, 1, 8, 1, 1, -1});
    prmtop.integers("ATOM_TYPE_INDEX", {2, 1, 1, 2, 3, 4, 4, 4});
    prmtop.reals("CHARGE", std::vector<double>(8, 0));
    prmtop.reals("MASS", {1, 12, 12, 1, 16, 1, 1, 0});
    prmtop.integers("NUMBER_EXCLUDED_ATOMS", {3, 2, 1, 1, 3, 2, 1, 1});
    prmtop.integers("EXCLUDED_ATOMS_LIST", {2, 3, 4, 3, 4, 4, 0, 6, 7, 8, 7, 8, 8, 0});
    prmtop.reals("BOND_FORCE_CONSTANT", {100, 200, 553, 553, 0});
    prmtop.reals("BOND_EQUIL_VALUE", {1.1, 1.5, 0.9572, 1.5136, 0.125});
    prmtop.integers("BONDS_INC_HYDROGEN", {0, 3, 1, 6, 9, 1, 12, 15, 3, 12, 18, 3, 15, 18, 4});
    prmtop.integers("BONDS_WITHOUT_HYDROGEN", {3, 6, 2, 12, 21, 5});
    auto const sites = prmtop.system(files).particles.virtual_sites;
    auto const& site = std::get<ThreeParticleAverageSite>(sites.at(7));
    REQUIRE(site.particle1 == 4);
    REQUIRE(site.weight2 == Approx(0.125 / std::sqrt(0.9572 * 0.9572 - 0.7568 * 0.7568) / 2));
    prmtop.names("RESIDUE_LABEL", "MOL XYZ");
    REQUIRE_THAT(prmtop.refusal(files), Contains("atom 8 (\"EPW\") is an extra point"));
}

TEST_CASE("what no System is made of is refused by name, with file and line") {
    ProgramFiles const files;
    auto const changed = [&](auto change) {
        PrmtopText prmtop;
        change(prmtop);
        return prmtop.refusal(files);
    };
    REQUIRE_THAT(changed([](auto& p) { p.set_pointers({{0, 7}, {1, 4}, {11, 2}, {29, 1}}); }), Contains("IFCAP"));
    REQUIRE_THAT(changed([](auto& p) { p.set_pointers({{0, 7}, {1, 4}, {11, 2}, {20, 1}}); }), Contains("IFPERT"));
    REQUIRE_THAT(changed([](auto& p) { p.reals("HBOND_ACOEF", {7}); }), Contains("10-12"));
    REQUIRE(changed([](auto& p) { p.sections.erase("CHARGE"); }) == "a.prmtop: the section %FLAG CHARGE is missing");
    REQUIRE_THAT(changed([](auto& p) { p.reals("CHARGE", {1}); }),
                 Contains("%FLAG CHARGE has 1 values, but must have 7"));
    REQUIRE_THAT(changed([](auto& p) { p.sections["ATOM_TYPE_INDEX"].values.replace(7, 1, "x"); }),
                 Contains("is \"x\", but must be an integer"));
    REQUIRE_THAT(changed([](auto& p) { p.integers("BONDS_WITHOUT_HYDROGEN", {3, 60, 2}); }), Contains("names atom 21"));
    REQUIRE_THAT(changed([](auto& p) { p.integers("BONDS_WITHOUT_HYDROGEN", {3, -6, 2}); }), Contains("names atom"));
    REQUIRE_THAT(changed([](auto& p) {
                     p.integers("BONDS_WITHOUT_HYDROGEN", {3, 6, 9});
                 }),
                 Contains("parameters 9, but there are 3"));
    REQUIRE_THAT(changed([](auto& p) { p.integers("BONDS_WITHOUT_HYDROGEN", {3, 6}); }), Contains("multiple of 3"));
    REQUIRE_THAT(changed([](auto& p) {
                     p.set_pointers({{0, 90000000}, {1, 4}});
                 }),
                 Contains("states 90000000 atoms"));
    REQUIRE_THAT(changed([](auto& p) { p.set_pointers({{0, 7}, {1, 90000000}}); }), Contains("square of 90000000"));
    REQUIRE_THAT(changed([](auto& p) { p.integers("RESIDUE_POINTER", {1, 1}); }), Contains("residue 1 begins"));
    REQUIRE_THAT(changed([](auto& p) { p.integers("EXCLUDED_ATOMS_LIST", {2, 3}); }), Contains("ends within"));
    REQUIRE_THAT(changed([](auto& p) {
                     p.integers("DIHEDRALS_INC_HYDROGEN", {0, 3, 6, 9, 1, 0, 3, 6, 9, 2});
                 }),
                 Contains("atoms 1 and 4 is listed twice"));
    auto const read = [&](std::string const& text) {
        return files.refusal([&] { read_prmtop(files.put("b.prmtop", text), files.names()); });
    };
    REQUIRE_THAT(read("title\n 1 2 3\n"), Contains("line 1: a prmtop file begins with %VERSION or %FLAG"));
    REQUIRE_THAT(read("%FLAG POINTERS\n 1\n"), Contains("has no %FORMAT"));
    REQUIRE_THAT(read(""), Contains("POINTERS is missing"));
}
