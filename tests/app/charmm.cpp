// PSFs, parameters of CHARMM, and Systems.
// SPDX-License-Identifier: MIT
#include "program_files.hpp"

#include <cmath>

#include <trotter/app/charmm/create_system.hpp>

using namespace trotter;
using namespace trotter::app;
using namespace trotter::testing;
using Catch::Matchers::Contains;

namespace {

// H-C-C-H and a water; terms are appended.
std::string psf_text(std::string const& terms = {}) {
    return "PSF CMAP\n\n       1 !NTITLE\n REMARKS 5 of them!\n\n       7 !NATOM\n"
           "       1 S    1    MOL  H1   HA      0.100000        1.0080           0\n"
           "       2 S    1    MOL  C1   CT     -0.100000       12.0110           0\n"
           "       3 S    2A   MOL  C2   CT     -0.100000       12.0110           0\n"
           "       4 S    2A   MOL  H2   HA      0.100000        1.0080           0\n"
           "       5 W    1    TIP3 OH2  OT     -0.834000       15.9994           0\n"
           "       6 W    1    TIP3 H1   HT      0.417000        1.0080           0\n"
           "       7 W    1    TIP3 H2   HT      0.417000        1.0080           0\n\n"
           "       6 !NBOND: bonds\n 1 2 2 3 3 4 5 6\n 5 7 6 7\n\n"
           "       3 !NTHETA: angles\n 1 2 3 2 3 4 6 5 7\n\n       1 !NPHI: dihedrals\n 1 2 3 4\n\n"
           + terms;
}

constexpr auto parameters = R"(* title
*
ATOMS
MASS 1 HA  1.008 ! hydrogen
MASS 2 CT 12.011
MASS 3 OT 15.9994
MASS 4 HT  1.008 H
BONDS
CT HA 300 1.1
CT CT 200 1.5
OT HT 450 0.9572
ANGLES
HA CT CT 30 110 -
 5 2.2 ! goes on
HT OT HT 55 104.52
DIHEDRALS
X CT CT X 0.2 3 0
NONBONDED NBXMOD 5 ATOM -
CUTNB 14 E14FAC 0.5
HA 0 -0.02 1.2
CT 0 -0.1 2.0 0 -0.01 1.9
OT 0 -0.15 1.77
HT 0 -0.046 0.22
END
)";

struct Files : ProgramFiles {
    StandardSystem system(std::string const& psf = psf_text(), std::string const& more = {},
                          SystemOptions const& options = {}) const {
        auto const read = read_charmm_parameters(
            {put("more.str", "read para append\n" + more + "\nend\n"), put("a.prm", parameters)});
        return create_system(read_psf(put("a.psf", psf), names()), read, options);
    }
    std::string refused(std::string const& psf, std::string const& more = {}, SystemOptions const& options = {}) const {
        return refusal([&] { system(psf, more, options); });
    }
};

NonbondedForce::Exception exception(StandardSystem const& system, int particle1, int particle2) {
    for (auto const& found : system.forces<NonbondedForce>().front().exceptions)
        if (found.particle1 == particle1 && found.particle2 == particle2) return found;
    return {-1, -1};
}

}  // namespace

TEST_CASE("a PSF's segments are chains, its elements follow from masses") {
    Files const files;
    auto const topology = read_psf(files.put("a.psf", psf_text()), files.names()).topology;
    REQUIRE(topology.chains.size() == 2);
    REQUIRE(topology.chains[1].id == "W");
    REQUIRE(topology.residues[1].id == "2");
    REQUIRE(topology.residues[1].insertion_code == "A");
    REQUIRE(topology.residues[2].name == "HOH");
    REQUIRE(topology.atoms[4].name == "O");
    REQUIRE(topology.atoms[4].element->symbol() == "O");
    REQUIRE(topology.bonds.size() == 5);  // H-H of water is none
}

TEST_CASE("terms of a PSF are converted to nm and kJ/mol") {
    Files const files;
    auto const system = files.system();
    auto const& bonds = system.forces<HarmonicBondForce>();
    REQUIRE(bonds.at(0).bonds.size() == 5);  // rigid water keeps its springs
    REQUIRE(bonds.at(0).bonds[0].k == Approx(2 * 300 * 418.4));
    REQUIRE(bonds.at(1).bonds.size() == 2);  // Urey and Bradley's
    REQUIRE(bonds.at(1).bonds[0].length == Approx(0.22));
    REQUIRE(system.forces<HarmonicAngleForce>().at(0).angles.size() == 3);
    REQUIRE(system.forces<PeriodicTorsionForce>().at(0).torsions.at(0).k == Approx(0.2 * 4.184));
    REQUIRE(system.forces<NonbondedForce>().at(0).particles[1].sigma == Approx(0.4 * std::pow(2, -1 / 6.0)));
    REQUIRE(!system.forces<NonbondedForce>().at(0).use_dispersion_correction);
    REQUIRE(system.particles.constraints.size() == 3);
    REQUIRE(system.particles.constraints[2].distance == Approx(2 * 0.09572 * std::sin(52.26 / 180 * std::acos(-1))));
}

TEST_CASE("1-4 pairs have their own Lennard-Jones parameters, and E14FAC scales their charges") {
    Files const files;
    auto const pair = exception(files.system(), 0, 3);
    REQUIRE(pair.charge_product == Approx(0.005));
    REQUIRE(pair.epsilon == Approx(0.02 * 4.184));
    REQUIRE(exception(files.system(psf_text(), "NONBONDED NBXMOD 4\nHA 0 -0.02 1.2\n"), 0, 3).charge_product == 0);
    auto const three = files.system(psf_text(), "NONBONDED NBXMOD 3\nHA 0 -0.02 1.2\n");
    REQUIRE(exception(three, 0, 3).particle1 == -1);
    REQUIRE(exception(three, 0, 2).particle1 == 0);
}

TEST_CASE("a dihedral of the same periodicity replaces, another adds; specific types come before X") {
    Files const files;
    auto const torsions = [&](std::string const& more) {
        std::vector<double> k;
        auto const system = files.system(psf_text(), "DIHEDRALS\n" + more);
        for (auto const& torsion : system.forces<PeriodicTorsionForce>().at(0).torsions) k.push_back(torsion.k / 4.184);
        return k;
    };
    REQUIRE(torsions("X CT CT X 0.5 3 0\n")[0] == Approx(0.5));
    REQUIRE(torsions("X CT CT X 0.5 2 0\n").size() == 2);
    REQUIRE(torsions("HA CT CT HA 0.7 1 0\n").size() == 1);
    REQUIRE(torsions("HA CT CT HA 0.7 1 0\n")[0] == Approx(0.7));
}

TEST_CASE("impropers and maps of a PSF") {
    Files const files;
    auto const text = psf_text("       1 !NIMPHI: impropers\n 2 1 3 4\n\n       1 !NCRTERM\n 1 2 3 4 2 3 4 5\n\n");
    auto const system = files.system(text, "IMPR\nCT X X HA 20 0 35\nCMAP\nHA CT CT HA CT CT HA OT 2\n1 2\n3 4\n");
    auto const& improper = system.forces<CustomTorsionForce>().at(0).torsions.at(0);
    REQUIRE(improper.parameters[0] == Approx(20 * 4.184));
    REQUIRE(improper.parameters[1] == Approx(35 / 180.0 * std::acos(-1)));
    REQUIRE(system.forces<CMAPTorsionForce>().at(0).maps.at(0).energy[1] == Approx(2 * 4.184));
    REQUIRE_THAT(files.refused(text, "IMPR\nCT X X HA 20 0 35\n"),
                 Contains("the cross term of atoms 1, 2, 3, 4, 2, 3, 4, 5"));
    REQUIRE_THAT(files.refused(text, "CMAP\nHA CT CT HA CT CT HA OT 2\n1 2\n3\n"),
                 Contains("has 3 energies, but must have 4"));
}

TEST_CASE("NBFIX makes a table, and 1-4 pairs of its own") {
    Files const files;
    auto const system = files.system(psf_text(), "NBFIX\nHA HA -0.5 3.0 -0.4 2.0\nHA NONE -1 2\n");
    auto const& table = system.forces<CustomNonbondedForce>().at(0).tabulated_functions;
    REQUIRE(table.at(1).values.at(0) == Approx(2 * 0.5 * 4.184 * std::pow(0.3, 6)));
    REQUIRE(exception(system, 0, 3).epsilon == Approx(0.4 * 4.184));
    REQUIRE(files.system(psf_text(), "NBFIX\nHA NONE -1 2\n").forces<CustomNonbondedForce>().empty());
    SystemOptions options;
    options.nonbonded_method = NonbondedMethod::ljpme;
    REQUIRE_THAT(files.refused(psf_text(), {}, options), Contains("no file gives a box"));
}

TEST_CASE("types of a PSF may be numbers") {
    Files const files;
    auto text = psf_text();
    for (auto const& [name, number] : {std::pair{" HA ", " 1  "}, {" CT ", " 2  "}})
        for (auto at = text.find(name); at != text.npos; at = text.find(name)) text.replace(at, 4, number);
    REQUIRE(files.system(text).forces<HarmonicBondForce>().at(0).bonds.size() == 5);
}

TEST_CASE("lone pairs are virtual sites, excluded like their hosts") {
    Files const files;
    auto text = psf_text(
        "       2       0 !NUMLP NUMLPH\n       3       1   F -0.15 0 0\n       2       5   F 0.5 0 0\n 7 5 6 2 1 2 "
        "3\n\n");
    auto const system = files.system(text);
    auto const& bisector = std::get<LocalCoordinatesSite>(system.particles.virtual_sites.at(6));
    REQUIRE(bisector.particles == std::vector<int>{4, 1, 5});
    REQUIRE(bisector.x_weights == std::vector<double>{-1, 0.5, 0.5});
    REQUIRE(bisector.local_position.x == Approx(0.015));
    auto const& on_line = std::get<LocalCoordinatesSite>(system.particles.virtual_sites.at(0));
    REQUIRE(on_line.local_position.x == Approx(0.05));
    REQUIRE_THAT(files.refused(psf_text("       9       0 !NUMLP NUMLPH\n")),
                 Contains("9 lone pairs are stated, but 0 lines follow"));
    REQUIRE_THAT(files.refused(psf_text("       1       0 !NUMLP NUMLPH\n 3 1 F 0 0 0\n 7 5\n")),
                 Contains("end too early"));
}

TEST_CASE("options of a PSF's System") {
    Files const files;
    SystemOptions options;
    options.constraints = Constraints::h_bonds;
    options.flexible_constraints = false;
    options.hydrogen_mass = 3;
    auto const system = files.system(psf_text(), {}, options);
    REQUIRE(system.particles.constraints.size() == 5);
    REQUIRE(system.forces<HarmonicBondForce>().at(0).bonds.size() == 1);
    REQUIRE(system.forces<HarmonicAngleForce>().at(0).angles.size() == 2);
    REQUIRE(system.particles.masses[0] == 3);
    REQUIRE(system.particles.masses[5] == Approx(1.008));
    options.implicit_solvent = ImplicitSolvent::hct;
    auto const solvated = files.system(psf_text(), {}, options);
    REQUIRE(solvated.forces<CustomGBForce>().at(0).energy_terms.size() == 2);  // no surface by default
}

TEST_CASE("with a box but no cutoff, the model's pairs are shifted as in OpenMM") {
    Files const files;
    SystemOptions options;
    options.implicit_solvent = ImplicitSolvent::hct;
    auto const read = read_charmm_parameters({files.put("a.prm", parameters)});
    auto psf = read_psf(files.put("a.psf", psf_text()), files.names());
    psf.box = Box::rectangular(4, 3, 5);
    auto const system = create_system(psf, read, options);
    auto const& force = system.forces<CustomGBForce>().at(0);
    REQUIRE(force.pairs.method == PairSettings::Method::no_cutoff);
    REQUIRE_THAT(force.energy_terms.at(1).expression.formula(), Contains("1/f - 0.6872852"));
}

TEST_CASE("topologies are read before parameters, streams last") {
    Files const files;
    auto const rtf = files.put("a.rtf", "* t\nMASS 1 HA 1.008\nMASS 2 CT 12.011\nRESI X\n");
    auto const prm = files.put("b.prm", "NONBONDED\nHA 0 -0.02 1.2\nCT 0 -0.1 2.0\n");
    REQUIRE_NOTHROW(read_charmm_parameters({prm, rtf}));
    REQUIRE_THAT(files.refusal([&] { read_charmm_parameters({prm}); }),
                 Contains("b.prm: the type \"HA\" of NONBONDED"));
    REQUIRE_THAT(files.refusal([&] { read_charmm_parameters({files.put("c.txt", "")}); }),
                 Contains("c.txt: the kind of this file"));
}

TEST_CASE("errors of PSFs and parameters have their lines") {
    Files const files;
    REQUIRE_THAT(files.refused("REMARK\n"), Contains("a.psf, line 1: a PSF must begin with the word PSF"));
    REQUIRE_THAT(files.refused("PSF DRUDE\n"), Contains("polarizable"));
    REQUIRE_THAT(files.refused("PSF\n\n 2000000000 !NATOM\n"),
                 Contains("2000000000 atoms are stated, but 0 lines follow"));
    REQUIRE_THAT(files.refused("PSF\n"), Contains("has no atoms"));
    auto const changed = [&](std::string const& from, std::string const& to) {
        auto text = psf_text();
        return files.refused(text.replace(text.find(from), from.size(), to));
    };
    REQUIRE_THAT(changed(" 1 2 3 4\n\n", " 1 2 3 9\n\n"), Contains("atom 9 does not exist"));
    REQUIRE_THAT(changed("1 !NPHI", "7 !NPHI"), Contains("!NPHI states 7 terms of 4 atoms, but 4 numbers follow"));
    REQUIRE_THAT(changed("HA      0.100000", "QQ      0.100000"), Contains("atom 1 has the type \"QQ\""));
    REQUIRE_THAT(changed("0.100000", "0.1x0000"), Contains("must be a number"));
    REQUIRE_THAT(changed(" 1 2 2 3", " 1 1 2 3"), Contains("bonded to itself"));
    REQUIRE_THAT(changed(" 1 2 2 3", " 1 3 2 4"), !Contains("internal"));
    REQUIRE_THAT(files.refused(psf_text(), "BONDS\nCT HA 300\n"),
                 Contains("more.str, line 3: the length of a bond is missing"));
    REQUIRE_THAT(files.refused(psf_text(), "NONBONDED NBXMOD 9\n"), Contains("NBXMOD is 9"));
    REQUIRE_THAT(files.refused(psf_text(), "CMAP\nA B C D E F G H 2000000000\n"), Contains("is not supported"));
    REQUIRE_THAT(files.refused(psf_text(), "CMAP\n1 2\n"), Contains("stand before its types"));
}
