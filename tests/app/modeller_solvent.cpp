// Water and ions around a solute.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include "catch_compat.hpp"
#include <cmath>
#include <cstdio>
#include <map>
#include <trotter/app/force_field/force_field.hpp>
#include <trotter/app/modeller/add_solvent.hpp>
#include <trotter/error.hpp>

#include "app/structure_text.hpp"
#include "io/scratch.hpp"

using namespace trotter;
using namespace trotter::app;
using namespace trotter::testing;
using Catch::Matchers::Contains;

namespace {

/// A folder with a box of 1 nm with waters on a lattice of 0.25 nm, and what reading it needs.
class DataFolder {
public:
    DataFolder() {
        put_bytes(folder_ / "pdbNames.xml", "<Residues><Residue name=\"HOH\" alt1=\"WAT\"/></Residues>");
        put_bytes(folder_ / "residues.xml",
                  "<Residues><Residue name=\"HOH\"><Bond from=\"O\" to=\"H1\"/></Residue></Residues>");
        std::string text = "CRYST1   10.000   10.000   10.000  90.00  90.00  90.00 P 1           1 \n";
        int serial = 1;
        for (int n = 0; n < 64; ++n) {
            char line[100];
            double const x = 1 + 2.5 * (n % 4), y = 1 + 2.5 * (n / 4 % 4), z = 1 + 2.5 * (n / 16);
            auto add = [&](char const* name, char const* element, double dx, double dy) {
                std::snprintf(line, sizeof line,
                              "ATOM  %5d  %-3s HOH A%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n", serial++, name,
                              n + 1, x + dx, y + dy, z, element);
                text += line;
            };
            add("O", "O", 0, 0);
            add("H1", "H", 0.957, 0);
            add("H2", "H", -0.24, 0.927);
        }
        put_bytes(folder_ / "tip3p.pdb", text + "END\n");
    }

    std::vector<std::string> folders() const { return {folder_.path().string()}; }

private:
    ScratchFolder folder_;
};

ForceField force_field() {
    return ForceField::parse({{"test.xml", R"(<ForceField>
        <AtomTypes>
            <Type name="O" class="O" element="O" mass="16"/> <Type name="H" class="H" element="H" mass="1"/>
            <Type name="K" class="K" element="K" mass="39"/> <Type name="X" class="X" element="C" mass="12"/>
        </AtomTypes>
        <Residues>
            <Residue name="HOH"><Atom name="O" type="O"/><Atom name="H1" type="H"/><Atom name="H2" type="H"/>
                <Bond from="0" to="1"/><Bond from="0" to="2"/></Residue>
            <Residue name="LIG"><Atom name="K" type="K"/></Residue>
            <Residue name="DOT"><Atom name="C" type="X"/></Residue>
        </Residues>
        <NonbondedForce coulomb14scale="0.8" lj14scale="0.5">
            <Atom type="O" charge="-0.8" sigma="0.3" epsilon="0.6"/> <Atom type="H" charge="0.4" sigma="1" epsilon="0"/>
            <Atom type="K" charge="1.9" sigma="0.3" epsilon="0.4"/> <Atom type="X" charge="0" sigma="0.3" epsilon="0"/>
        </NonbondedForce></ForceField>)"}});
}

Structure const ligand = structure_from("A LIG 1 K K 0.5 0.5 0.5");

Structure solvated(AddSolventOptions options, Structure const& structure = ligand, ChangeLog* log = nullptr) {
    DataFolder const data;
    options.data_folders = data.folders();
    return add_solvent(structure, force_field(), options, log);
}

std::map<std::string, int> residues_by_name(Structure const& structure) {
    std::map<std::string, int> counts;
    for (auto const& residue : structure.topology.residues) ++counts[residue.name];
    return counts;
}

std::vector<Vec3<>> places_of(Structure const& structure, std::string const& residue) {
    std::vector<Vec3<>> places;
    for (auto const& found : structure.topology.residues)
        if (found.name == residue) places.push_back(structure.positions[static_cast<std::size_t>(found.first_atom)]);
    return places;
}

}  // namespace

TEST_CASE("waters fill a box around the solute, with bonds and numbers") {
    ChangeLog log;
    auto const structure = solvated({.box = Box::rectangular(2, 2, 2), .neutralize = false}, ligand, &log);
    auto const waters = places_of(structure, "HOH");
    // 512 waters in eight copies, less those closer to the potassium than the sum of the radii: it is at the center.
    double const closest = WaterModel::named("tip3p").radius() + 0.3 * WaterModel::radius_by_sigma;
    int within = 0;
    for (int n = 0; n < 512; ++n) {
        Vec3<> const place{0.1 + 0.25 * (n % 8) - 1, 0.1 + 0.25 * (n / 8 % 8) - 1, 0.1 + 0.25 * (n / 64) - 1};
        within += norm(place) < closest;
    }
    REQUIRE(within == 8);
    REQUIRE(waters.size() == 512 - 8);
    for (auto const& water : waters) REQUIRE(norm(water - Vec3<>{0.5, 0.5, 0.5}) >= closest);
    // The first molecule of the box in all copies, the last axis fastest.
    REQUIRE(norm(waters[0] - Vec3<>{-0.4, -0.4, -0.4}) < 1e-9);
    REQUIRE(norm(waters[1] - Vec3<>{-0.4, -0.4, 0.6}) < 1e-9);
    REQUIRE(structure.topology.chains.back().id == "2");
    REQUIRE(structure.topology.residues[1].id == "2");
    REQUIRE(structure.topology.bonds.size() == 2 * waters.size());
    REQUIRE(structure.topology.bonds[0].atom1 == 1);
    REQUIRE(structure.topology.bonds[1].atom2 == 3);
    REQUIRE(*structure.box == Box::rectangular(2, 2, 2));
    REQUIRE_THAT(log.text(), Contains("504 waters were added (tip3p)"));
}

TEST_CASE("an atom without Lennard-Jones energy has no radius, one without a place in the box is not there") {
    auto const dot = structure_from("A DOT 1 C C 0.5 0.5 0.5");
    REQUIRE(places_of(solvated({.box = Box::rectangular(2, 2, 2), .neutralize = false}, dot), "HOH").size() == 512 - 1);
    Structure const nothing;
    auto const box = solvated({.box = Box::rectangular(2, 2, 2)}, nothing);
    REQUIRE(places_of(box, "HOH").size() == 512);
    REQUIRE(box.topology.chains[0].id == "1");
}

TEST_CASE("the size of a box follows from padding or count, its shape is asked for") {
    auto const pair = structure_from("A LIG 1 K K 0 0 0\n A LIG 2 K K 0.6 0.8 0");
    auto const cube = solvated({.padding = 0.7, .neutralize = false}, pair);
    REQUIRE(cube.box->a.x == Approx(1.7));
    REQUIRE(*solvated({.padding = 1.2, .neutralize = false}, pair).box == Box::rectangular(2.4, 2.4, 2.4));
    auto const few = solvated({.count = 20, .neutralize = false});
    REQUIRE(places_of(few, "HOH").size() == 20);
    REQUIRE(few.box->a.x < 1.2);
    for (auto const shape : {BoxShape::octahedron, BoxShape::dodecahedron}) {
        auto const box = box_of_shape(shape, 3);
        REQUIRE_NOTHROW(box.check());
        for (auto const& vector : {box.a, box.b, box.c, box.a - box.c, box.b - box.c}) REQUIRE(norm(vector) > 2.999);
        REQUIRE(box.volume() / 27 == Approx(shape == BoxShape::octahedron ? 4 * std::sqrt(3.) / 9 : std::sqrt(0.5)));
        REQUIRE(*solvated({.padding = 0.7, .shape = shape, .neutralize = false}, pair).box
                == box_of_shape(shape, cube.box->a.x));
    }
    REQUIRE_THROWS_WITH(box_shape("sphere"), Contains("unknown shape of box sphere"));
}

TEST_CASE("ions neutralize the rounded charge and make the ionic strength, in a chain of their own") {
    ChangeLog log;
    auto const structure =
        solvated({.box = Box::rectangular(3, 3, 3), .positive_ion = "K+", .negative_ion = "Br-", .ionic_strength = 0.3},
                 ligand, &log);
    auto const counts = residues_by_name(structure);
    int const waters = 1728 - 8;
    // The charge is 1.9 e: two anions, then pairs by the waters that are left.
    int const pairs = static_cast<int>(std::floor((waters - 2) * 0.3 / 55.4 + 0.5));
    REQUIRE(counts.at("BR") == 2 + pairs);
    REQUIRE(counts.at("K") == pairs);
    REQUIRE(counts.at("HOH") == waters - 2 - 2 * pairs);
    auto const& topology = structure.topology;
    REQUIRE(topology.chains.size() == 3);
    REQUIRE(topology.chains[2].residue_count == 2 + 2 * pairs);
    REQUIRE(topology.residues[static_cast<std::size_t>(topology.chains[2].first_residue)].name == "K");
    REQUIRE(topology.atoms.back().name == "Br");
    REQUIRE(topology.atoms.back().element->symbol() == "Br");
    REQUIRE_THAT(log.text(), Contains("2 Br- replaced waters: they neutralize the solute")
                                 && Contains(std::to_string(pairs) + " K+ replaced waters: ionic strength of 0.3 mol/l"));
}

TEST_CASE("ions keep apart through the sides of the box, and the seed chooses them") {
    AddSolventOptions options{.box = Box{{2, 0, 0}, {0.9, 2, 0}, {-0.9, 0.9, 2}}, .ionic_strength = 1};
    auto ions_of = [&](std::uint64_t seed) {
        options.seed = seed;
        auto const structure = solvated(options);
        auto ions = places_of(structure, "NA");
        for (auto const& ion : places_of(structure, "CL")) ions.push_back(ion);
        return ions;
    };
    auto const ions = ions_of(1);
    REQUIRE(ions.size() > 10);
    for (std::size_t i = 0; i < ions.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            for (int a = -2; a <= 2; ++a)
                for (int b = -2; b <= 2; ++b)
                    for (int c = -2; c <= 2; ++c)
                        REQUIRE(norm(ions[i] - ions[j] + options.box->a * a + options.box->b * b + options.box->c * c)
                                > 0.5);
    REQUIRE(ions_of(1) == ions);
    REQUIRE(ions_of(2) != ions);
}

TEST_CASE("solvent that cannot be is refused") {
    auto const refused = [](AddSolventOptions const& options, Structure const& structure = ligand) {
        return message_of<InputError>([&] { solvated(options, structure); });
    };
    Box const box = Box::rectangular(1, 1, 1);
    CHECK_THAT(refused({}), Contains("the structure has no box, and none of padding, box and count is given"));
    CHECK_THAT(refused({.padding = 1, .count = 3}), Contains("at most one of padding, box and count"));
    CHECK_THAT(refused({.padding = -1}), Contains("padding is -1"));
    CHECK_THAT(refused({.padding = std::nan("")}), Contains("padding is nan"));
    CHECK_THAT(refused({.padding = 0}), Contains("must be positive"));
    CHECK_THAT(refused({.count = 0}), Contains("count is 0"));
    CHECK_THAT(refused({.box = Box{{1, 0, 0}, {0.8, 1, 0}, {0, 0, 1}}}), Contains("reduced form"));
    CHECK_THAT(refused({.padding = 1e5}), Contains("more than 3e7"));
    CHECK_THAT(refused({.box = box, .positive_ion = "Mg2+"}), Contains("Mg2+ is no positive ion") && Contains("Na+"));
    CHECK_THAT(refused({.box = box, .negative_ion = "Na+"}), Contains("no negative ion"));
    CHECK_THAT(refused({.box = box, .ionic_strength = -0.1}), Contains("ionic_strength is -0.1"));
    CHECK_THAT(refused({.box = box, .ionic_strength = 60}), Contains("needs more ions than the"));
    CHECK_THAT(refused({.box = box, .ionic_strength = 15}),
               Contains("there is room for only") && Contains("0.5 nm apart"));
    CHECK_THAT(refused({.box = Box::rectangular(0.2, 0.2, 0.2)}), Contains("a charge of 2 e cannot be neutralized"));
    CHECK_THAT(refused({.model = WaterModel::named("spce"), .box = box}), Contains("spce.pdb was not found"));
    CHECK_THAT(refused({.box = box}, structure_from("A XYZ 7 N N 0 0 0")), Contains("XYZ"));
    CHECK_THAT(refused({.box = box}, structure_from("A LIG 7 K K 1e9 0 0")), Contains("position 0"));
}
