// Files of force fields are described and found without being loaded.
// SPDX-License-Identifier: MIT
#include <trotter/app/force_field/summary.hpp>

#include <cstdlib>
#include <filesystem>

#include <trotter/app/data_files.hpp>
#include <trotter/io/file.hpp>

#include "program_files.hpp"

using namespace trotter;
using namespace trotter::app;
using namespace trotter::testing;

namespace {

ForceFieldSummary summary_of(ProgramFiles const& files, std::string const& text) {
    return summarize_force_field(files.put("f.xml", text)).value();
}
std::string family(ProgramFiles const& files, std::string const& forces) {
    return summary_of(files, "<ForceField>" + forces + "</ForceField>").family;
}

}  // namespace

TEST_CASE("a force-field file is described by what it holds") {
    ProgramFiles const files;
    auto const summary = summary_of(files, R"(<!-- made
  by hand --><ForceField><Include file="other.xml"/>
<AtomTypes><Type name="a" class="A" mass="1"/><Type name="b" class="B" mass="1"/></AtomTypes>
<Residues>
 <Residue name="ONE"><Atom name="X" type="a" charge="0.25"/><Atom name="Y" type="b"/><ExternalBond atomName="X"/></Residue>
 <Residue name="TWO"><Atom name="M" type="c" charge="1"/><Atom name="N" type="c"/><VirtualSite/></Residue>
</Residues>
<Patches><Patch name="p"/></Patches>
<NonbondedForce coulomb14scale="0.8333333" lj14scale="0.5"><Atom type="b" charge="-1.5"/></NonbondedForce></ForceField>)");
    CHECK(summary.description == "made by hand");
    CHECK(summary.family == "AMBER");
    CHECK(summary.atom_types == 2);
    CHECK(summary.patches == 1);
    CHECK(summary.includes == std::vector<std::string>{"other.xml"});
    REQUIRE(summary.residues.size() == 2);
    CHECK(summary.residues[0].name == "ONE");
    CHECK(summary.residues[0].atoms == 2);
    CHECK(summary.residues[0].charge == -1.25);
    CHECK(summary.residues[0].external_bonds == 1);
    CHECK_FALSE(summary.residues[1].charge);  // type c is of another file
    CHECK(summary.residues[1].virtual_sites == 1);
    auto const origin = summary_of(files, "<ForceField><!--x--><Info><Source>a.lib</Source><Source>b.lib</Source></Info></ForceField>");
    CHECK(origin.description == "a.lib, b.lib");
}

TEST_CASE("the family of a force field follows from its forces") {
    ProgramFiles const files;
    CHECK(family(files, "").empty());
    CHECK(family(files, R"(<NonbondedForce coulomb14scale="0.5" lj14scale="0.5"/>)") == "OPLS");
    CHECK(family(files, R"(<NonbondedForce coulomb14scale="1.0" lj14scale="1.0"/>)") == "CHARMM");
    CHECK(family(files, R"(<NonbondedForce coulomb14scale="x" lj14scale="1.0"/>)").empty());
    CHECK(family(files, R"(<NonbondedForce coulomb14scale="0.833" lj14scale="0.5"/><LennardJonesForce/>)") == "CHARMM");
    CHECK(family(files, "<AmoebaBondForce/>") == "AMOEBA");
    CHECK(family(files, "<DrudeForce/>") == "Drude");
    CHECK(family(files, "<GBSAOBCForce/>") == "implicit solvent");
    CHECK(family(files, "<Script>force = GBSAOBC1Force()</Script>") == "implicit solvent");
}

TEST_CASE("what is no force field is told apart or refused") {
    ProgramFiles const files;
    CHECK_FALSE(summarize_force_field(files.put("h.xml", "<Residues/>")));
    CHECK(files.refusal([&] { summarize_force_field(files.path() + "/none.xml"); }).starts_with("none.xml: "));
    CHECK(files.refusal([&] { summarize_force_field(files.put("bad.xml", "<ForceField>")); }).starts_with("bad.xml"));
}

TEST_CASE("folders are listed with their files, compressed or not, those given first") {
    ProgramFiles const files;
    for (auto const* folder : {"/one", "/one/sub", "/python", "/python/openmm", "/python/openmm/app", "/python/openmm/app/data",
                               "/gromacs", "/gromacs/mine.ff"})
        std::filesystem::create_directory(files.path() + folder);
    files.put("one/b.xml", "<ForceField/>");
    files.put("one/readme.txt", "");
    write_file(files.path() + "/one/sub/a.xml.gz", "<ForceField/>");
    write_file(files.path() + "/one/b.xml.gz", "<ForceField/>");
    files.put("python/openmm/app/data/amber.xml", "<ForceField/>");
    ::setenv("PYTHONPATH", (files.path() + "/python").c_str(), 1);
    ::setenv("GMXLIB", (files.path() + "/gromacs").c_str(), 1);
    auto const folders = list_force_field_folders({files.path() + "/one", files.path() + "/nothing", files.path() + "/one/."});
    ::unsetenv("PYTHONPATH");
    ::unsetenv("GMXLIB");
    auto const found = [&](std::string const& origin, std::string const& path) -> ForceFieldFolder const* {
        for (auto const& folder : folders)
            if (folder.origin == origin && folder.path == path) return &folder;
        return nullptr;
    };
    REQUIRE(folders.size() >= 3);
    CHECK(folders[0].origin == "given");
    CHECK(folders[0].files == std::vector<std::string>{"b.xml", "sub/a.xml"});
    CHECK(folders[1].origin != "given");
    REQUIRE(found("openmm", files.path() + "/python/openmm/app/data"));
    CHECK(found("openmm", files.path() + "/python/openmm/app/data")->files == std::vector<std::string>{"amber.xml"});
    REQUIRE(found("GROMACS", files.path() + "/gromacs"));
    CHECK(found("GROMACS", files.path() + "/gromacs")->files == std::vector<std::string>{"mine.ff"});
}
