// Rebuilding missing atoms, and gaps.
// SPDX-License-Identifier: MIT
#include <set>
#include <trotter/app/modeller/repair.hpp>
#include <trotter/app/structure/find_missing.hpp>
#include <trotter/error.hpp>
#include "catch_compat.hpp"

#include "app/repair_files.hpp"

using namespace trotter;
using namespace trotter::app;
using namespace trotter::testing;
using Catch::Matchers::Contains;

namespace {

std::set<std::string> const backbone{"N", "CA", "C", "O", "CB", "OXT"};

std::string residues_of(Structure const& structure) {
    std::string text;
    for (auto const& residue : structure.topology.residues)
        text += (text.empty() ? "" : " ") + residue.name + residue.id + residue.insertion_code;
    return text;
}

}  // namespace

TEST_CASE("side chains that were cut off are rebuilt with their names, L, without clashes, and nothing moves") {
    RepairFiles const files;
    auto const whole = files.read("aprotinin.pdb").structure;
    auto const bare = cut(whole, [](auto const&, std::string const& name) { return !backbone.contains(name); });
    REQUIRE(bare.topology.atom_count() == 99);
    auto const missing = find_missing(bare.topology, {}, {}, files.bonds());
    ChangeLog log;
    auto const repaired = repair(bare, files.bonds(), {}, &log);

    for (int residue = 0; residue < 20; ++residue) {
        auto expected = names_of(bare, residue);
        if (auto const found = missing.atoms.find(residue); found != missing.atoms.end())
            expected.insert(found->second.begin(), found->second.end());
        if (residue == 19) expected.insert("OXT");
        REQUIRE(names_of(repaired, residue) == expected);
        auto original = names_of(whole, residue);
        if (residue == 19) original.insert("OXT");
        REQUIRE(expected == original);
    }
    REQUIRE(!has_moved(bare, repaired));
    REQUIRE(nearest_contact(repaired) > 0.2);
    REQUIRE(repaired.topology.bonds.size() == whole.topology.bonds.size() + 1);  // the second is that of OXT
    REQUIRE(log.warnings.empty());
    // By IUPAC's names: (CA, OG1, CG2) and (CA, CG1, CG2) turn alike, (CB, CD1, CD2) of leucine the other way.
    REQUIRE(chirality(repaired, "11", "CB", "CA", "OG1", "CG2") > 1e-3);
    REQUIRE(chirality(repaired, "18", "CB", "CA", "CG1", "CG2") > 1e-3);
    REQUIRE(chirality(repaired, "6", "CG", "CB", "CD1", "CD2") < -1e-3);
    // Bond lengths of ff14SB.
    REQUIRE(norm(place_of(repaired, "1", "CZ") - place_of(repaired, "1", "NH1")) == Approx(0.134).epsilon(0.01));
    REQUIRE(norm(place_of(repaired, "5", "CB") - place_of(repaired, "5", "SG")) == Approx(0.181).epsilon(0.01));
    REQUIRE(norm(place_of(repaired, "20", "C") - place_of(repaired, "20", "OXT")) == Approx(0.125).epsilon(0.01));

    REQUIRE(log.changes[0].kind == "added");
    REQUIRE(log.changes[0].chain == "A");
    REQUIRE(log.changes[0].residue == "1");
    REQUIRE(log.changes[0].name == "ARG");
    REQUIRE(log.changes[0].atoms == std::vector<std::string>{"CD", "CG", "CZ", "NE", "NH1", "NH2"});
    REQUIRE(repair(bare, files.bonds()).positions == repaired.positions);
}

TEST_CASE("beta carbons are put where L amino acids have them, carbonyl oxygens into the peptide plane") {
    RepairFiles const files;
    auto const whole = files.read("aprotinin.pdb").structure;
    auto const bare =
        cut(whole, [](auto const&, std::string const& name) { return name != "N" && name != "CA" && name != "C"; });
    auto const repaired = repair(bare, files.bonds());
    for (auto const* number : {"1", "3", "4", "5", "6", "7", "10", "11", "14", "15", "16", "17", "18", "19", "20"})
        REQUIRE(chirality(repaired, number, "CA", "N", "C", "CB") > 2e-3);
    // As far as angles in the crystal differ from ideal ones.
    for (auto const* number : {"1", "2", "3", "10", "15", "19"}) {
        REQUIRE(norm(place_of(repaired, number, "O") - place_of(whole, number, "O")) < 0.04);
        REQUIRE(norm(place_of(repaired, number, "CB") - place_of(whole, number, "CB")) < 0.04);
    }
    REQUIRE(nearest_contact(repaired) > 0.2);
}

TEST_CASE("a side chain with one atom of a branch keeps its rotamer") {
    RepairFiles const files;
    auto const whole = files.read("aprotinin.pdb").structure;
    std::set<std::string> const lost{"CD2", "CE2", "CZ", "CG2", "OE2", "NH2"};
    auto const bare = cut(whole, [&](auto const&, std::string const& name) { return lost.contains(name); });
    auto const repaired = repair(bare, files.bonds());
    for (int i = 0; i < whole.topology.atom_count(); ++i) {
        auto const& atom = whole.topology.atoms[static_cast<std::size_t>(i)];
        if (!lost.contains(atom.name) || atom.name == "NH2") continue;
        auto const& number = whole.topology.residues[static_cast<std::size_t>(atom.residue)].id;
        // Other rotamers would be 0.2 nm away.
        INFO(number << ' ' << atom.name);
        REQUIRE(norm(place_of(repaired, number, atom.name) - whole.positions[static_cast<std::size_t>(i)]) < 0.08);
    }
}

TEST_CASE("bases of nucleotides are rebuilt in their plane") {
    RepairFiles const files;
    auto const whole = files.read("dna.pdb").structure;
    auto const bare = cut(whole, [](std::string const& number, std::string const& name) {
        return number == "3" && !name.ends_with('\'') && name.find('P') == name.npos;
    });
    auto const repaired = repair(bare, files.bonds());
    REQUIRE(names_of(repaired, 1) == names_of(whole, 1));
    REQUIRE(!has_moved(bare, repaired));
    REQUIRE(nearest_contact(repaired) > 0.2);
    REQUIRE(norm(place_of(repaired, "3", "C1'") - place_of(repaired, "3", "N1")) == Approx(0.147).epsilon(0.02));
    REQUIRE(std::abs(chirality(repaired, "3", "N1", "C2", "C6", "C1'")) < 3e-4);
    REQUIRE(chirality(repaired, "3", "C1'", "O4'", "C2'", "N1") * chirality(whole, "3", "C1'", "O4'", "C2'", "N1")
            > 1e-6);
}

TEST_CASE("gaps are capped, broken or refused") {
    RepairFiles const files;
    auto const gapped = cut(files.read("aprotinin.pdb").structure, [](std::string const& number, auto const&) {
        return number == "8" || number == "9" || number == "10";
    });
    auto with_bond = gapped;  // as readers make it
    with_bond.topology.add_bond(atom_of(gapped, "7", "C"), atom_of(gapped, "11", "N"));

    ChangeLog log;
    auto const capped = repair(with_bond, files.bonds(), {}, &log);
    REQUIRE(
        residues_of(capped)
        == "ARG1 PRO2 ASP3 PHE4 CYS5 LEU6 GLU7 NME8 ACE10 THR11 GLY12 PRO13 CYS14 LYS15 ALA16 ARG17 ILE18 ILE19 ARG20");
    REQUIRE(!has_bond(capped, atom_of(capped, "7", "C"), atom_of(capped, "11", "N")));
    REQUIRE(has_bond(capped, atom_of(capped, "7", "C"), atom_of(capped, "8", "N")));
    REQUIRE(has_bond(capped, atom_of(capped, "10", "C"), atom_of(capped, "11", "N")));
    REQUIRE(names_of(capped, 7) == std::set<std::string>{"N", "C"});
    REQUIRE(norm(place_of(capped, "10", "C") - place_of(capped, "11", "N")) == Approx(0.1335).epsilon(0.01));
    // Trans: the ends of CA-C-N-CA are 0.38 nm apart, of a cis bond 0.28 nm.
    REQUIRE(norm(place_of(capped, "10", "CH3") - place_of(capped, "11", "CA")) == Approx(0.38).epsilon(0.03));
    REQUIRE(norm(place_of(capped, "8", "C") - place_of(capped, "7", "CA")) == Approx(0.38).epsilon(0.03));
    REQUIRE(nearest_contact(capped) > 0.2);
    REQUIRE(!has_moved(gapped, capped));
    REQUIRE(log.changes[0].kind == "capped");
    REQUIRE_THAT(log.changes[0].why, Contains("a gap between GLU A:7 and THR A:11, "));
    REQUIRE(residues_of(repair(capped, files.bonds())) == residues_of(capped));  // caps are not capped again

    auto const broken = repair(with_bond, files.bonds(), {.gaps = Gaps::break_chain});
    REQUIRE(broken.topology.chains.size() == 2);
    REQUIRE(broken.topology.chains[1].id == "A");
    REQUIRE(atom_of(broken, "7", "OXT") >= 0);
    REQUIRE(!has_bond(broken, atom_of(broken, "7", "C"), atom_of(broken, "11", "N")));

    REQUIRE_THROWS_WITH(repair(gapped, files.bonds(), {.gaps = Gaps::refuse}),
                        Contains("repair: 1 gap in the chains, expected none: between GLU A:7 and THR A:11, "));
}

TEST_CASE("the caps of a gap of one residue have numbers of their own") {
    RepairFiles const files;
    auto const gapped = cut(files.read("aprotinin.pdb").structure,
                            [](std::string const& number, auto const&) { return number == "9"; });
    REQUIRE_THAT(residues_of(repair(gapped, files.bonds())), Contains("PRO8 NME9 ACE10A TYR10"));
}

TEST_CASE("selenomethionine becomes methionine and keeps its atoms") {
    RepairFiles const files;
    auto structure = cut(files.read("aprotinin.pdb").structure, [](std::string const& number, std::string const& name) {
        return number == "7" && (name == "OE1" || name == "OE2");
    });
    auto const carbon = static_cast<std::size_t>(atom_of(structure, "7", "CD"));
    auto const before = place_of(structure, "7", "CG");
    structure.positions[carbon] = before + (structure.positions[carbon] - before) * (0.195 / 0.152);
    structure.topology.atoms[carbon].name = "SE";
    structure.topology.atoms[carbon].element = Element::from_symbol("Se");
    structure.topology.residues[6].name = "MSE";
    ChangeLog log;
    auto const kept = repair(structure, files.bonds());
    REQUIRE(kept.topology.residues[6].name == "MSE");
    auto const repaired = repair(structure, files.bonds(), {.replaces_nonstandard = true}, &log);
    REQUIRE(repaired.topology.residues[6].name == "MET");
    REQUIRE(names_of(repaired, 6) == std::set<std::string>{"N", "CA", "C", "O", "CB", "CG", "SD", "CE"});
    REQUIRE(place_of(repaired, "7", "SD") == structure.positions[carbon]);
    REQUIRE(repaired.topology.atoms[static_cast<std::size_t>(atom_of(repaired, "7", "SD"))].element->symbol() == "S");
    REQUIRE(norm(place_of(repaired, "7", "SD") - place_of(repaired, "7", "CE")) == Approx(0.181).epsilon(0.01));
    REQUIRE(log.changes[0].from == "MSE");
    REQUIRE(log.changes[0].to == "MET");
}

TEST_CASE("hydrogens at atoms with new neighbors are taken away") {
    RepairFiles const files;
    auto structure = cut(files.read("aprotinin.pdb").structure, [](std::string const& number, std::string const& name) {
        return number != "20" || !backbone.contains(name);
    });
    auto const beta = atom_of(structure, "20", "CB"), alpha = atom_of(structure, "20", "CA");
    for (int const parent : {beta, alpha}) {
        structure.positions.push_back(structure.positions[static_cast<std::size_t>(parent)] + Vec3<>{0, 0, 0.1});
        structure.topology.add_bond(
            parent, structure.topology.add_atom(parent == beta ? "HB1" : "HA", Element::from_symbol("H")));
    }
    auto const repaired = repair(structure, files.bonds());
    REQUIRE(atom_of(repaired, "20", "HB1") < 0);
    REQUIRE(atom_of(repaired, "20", "HA") >= 0);
    REQUIRE(atom_of(repaired, "20", "NH2") >= 0);
}

TEST_CASE("a residue with too few atoms is refused, D amino acids and cis bonds are told") {
    RepairFiles const files;
    auto const whole = files.read("aprotinin.pdb").structure;
    auto const bare = cut(whole, [](auto const&, std::string const& name) { return name != "CA"; });
    REQUIRE_THROWS_WITH(repair(bare, files.bonds()), Contains("ARG A:1 has too few atoms to place the missing ones"));
    auto mirrored = whole;
    for (auto& position : mirrored.positions) position.x = -position.x;
    ChangeLog log;
    repair(mirrored, files.bonds(), {}, &log);
    REQUIRE_THAT(log.text(), Contains("PHE A:4 is no L amino acid"));
    mirrored.positions[0].x = std::numeric_limits<double>::infinity();
    REQUIRE_THROWS_AS(repair(mirrored, files.bonds()), InputError);
}
