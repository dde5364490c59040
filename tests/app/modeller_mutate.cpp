// Mutations, and choosing atoms to keep.
// SPDX-License-Identifier: MIT
#include <set>
#include <trotter/app/modeller/mutate.hpp>
#include <trotter/error.hpp>
#include "catch_compat.hpp"

#include "app/repair_files.hpp"

using namespace trotter;
using namespace trotter::app;
using namespace trotter::testing;
using Catch::Matchers::Contains;

TEST_CASE("mutations keep what has its place in both residues") {
    RepairFiles const files;
    auto const whole = files.read("aprotinin.pdb").structure;
    auto const mutated = [&](std::string const& text) {
        return mutate(whole, {parse_mutation(text, whole.topology)}, files.bonds());
    };
    ChangeLog log;
    auto const alanine = mutate(whole, {parse_mutation("A:15:LYS>ALA", whole.topology)}, files.bonds(), &log);
    REQUIRE(names_of(alanine, 14) == std::set<std::string>{"N", "CA", "C", "O", "CB"});
    REQUIRE(!has_moved(whole, alanine));
    REQUIRE(log.changes.size() == 1);
    REQUIRE(log.changes[0].kind == "mutated");
    REQUIRE(log.changes[0].from == "LYS");
    REQUIRE(log.changes[0].to == "ALA");

    auto const tyrosine = mutated("A:4:PHE>TYR");
    REQUIRE(names_of(tyrosine, 3) == names_of(whole, 9));
    REQUIRE(!has_moved(whole, tyrosine));
    REQUIRE(has_bond(tyrosine, atom_of(tyrosine, "4", "CZ"), atom_of(tyrosine, "4", "OH")));

    auto const arginine = mutated("A:8:PRO>ARG");
    REQUIRE(names_of(arginine, 7) == names_of(whole, 0));
    REQUIRE(!has_bond(arginine, atom_of(arginine, "8", "CD"), atom_of(arginine, "8", "N")));
    REQUIRE(place_of(arginine, "8", "CB") == place_of(whole, "8", "CB"));
    REQUIRE(nearest_contact(arginine) > 0.2);

    auto const leucine = mutated("A:12:GLY>LEU");
    REQUIRE(chirality(leucine, "12", "CA", "N", "C", "CB") > 2e-3);

    // CG1 of valine is where isoleucine has CG2: one of them must move.
    auto const valine = mutated("A:18:ILE>VAL");
    REQUIRE(chirality(valine, "18", "CB", "CA", "CG1", "CG2") < -1e-3);
    auto const threonine = mutated("A:18:ILE>THR");
    REQUIRE(chirality(threonine, "18", "CB", "CA", "OG1", "CG2") > 1e-3);
    REQUIRE(place_of(threonine, "18", "CG2") == place_of(whole, "18", "CG2"));

    // The ring of phenylalanine is no branch of leucine.
    auto const branch = mutated("A:4:PHE>LEU");
    REQUIRE(chirality(branch, "4", "CG", "CB", "CD1", "CD2") < -1e-3);
    REQUIRE(place_of(branch, "4", "CG") == place_of(whole, "4", "CG"));
}

TEST_CASE("wrong mutations are refused") {
    RepairFiles const files;
    auto const whole = files.read("aprotinin.pdb").structure;
    auto const refused = [&](std::string const& text) {
        return message_of<InputError>([&] { mutate(whole, {parse_mutation(text, whole.topology)}, files.bonds()); });
    };
    REQUIRE_THAT(refused("A:4:LYS>ALA"), Contains("PHE A:4 is to become \"ALA\", but is no \"LYS\""));
    REQUIRE_THAT(refused("A:4:PHE>XYZ"), Contains("\"XYZ\", expected a standard amino acid or nucleotide"));
    REQUIRE_THAT(refused("A:4:PHE>DA"), Contains("PHE A:4 cannot become DA"));
    REQUIRE_THAT(refused("A:99:PHE>ALA"), Contains("there is no residue \"A:99\""));
    for (auto const* text : {"", ">", "A:4:PHE", "PHE>ALA", "A:4:>ALA", "A:4:PHE>", ":PHE>ALA"})
        REQUIRE_THAT(refused(text), Contains("expected CHAIN:NUMBER:FROM>TO"));
    Mutation const same{3, "PHE", "ALA"};
    REQUIRE_THROWS_WITH(mutate(whole, {same, same}, files.bonds()), Contains("PHE A:4 is changed twice"));
    REQUIRE_THROWS_WITH(mutate(whole, {{99, "PHE", "ALA"}}, files.bonds()),
                        Contains("no residue 99; the structure has 20"));
}

TEST_CASE("atoms are kept or removed by index") {
    RepairFiles const files;
    auto const whole = files.read("aprotinin.pdb").structure;
    ChangeLog log;
    auto const one = keep_atoms(whole, {atom_of(whole, "1", "N"), atom_of(whole, "1", "CA")}, &log);
    REQUIRE(one.topology.atom_count() == 2);
    REQUIRE(one.topology.bonds.size() == 1);
    REQUIRE(log.changes.size() == 20);
    REQUIRE(log.changes[0].what == "lost 9 atoms");
    REQUIRE(log.changes[1].what == "was deleted");
    REQUIRE(log.changes[1].kind == "dropped");
    REQUIRE(remove_atoms(whole, {0}).topology.atom_count() == whole.topology.atom_count() - 1);
    REQUIRE_THROWS_WITH(keep_atoms(whole, {-1}), Contains("there is no atom -1"));
    REQUIRE_THROWS_AS(remove_atoms(whole, {100000}), InputError);
}
