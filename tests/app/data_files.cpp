// Data files are found in folders given, then in those of the program.
// SPDX-License-Identifier: MIT
#include <trotter/app/data_files.hpp>

#include <cstdlib>
#include <filesystem>

#include <trotter/app/structure/residue_names.hpp>
#include <trotter/io/file.hpp>

#include "program_files.hpp"

using namespace trotter;
using namespace trotter::app;
using namespace trotter::testing;

namespace {

/// The environment variable TROTTER_FORCEFIELDS for as long as this object lives.
class Environment {
public:
    explicit Environment(std::string const& value) { ::setenv("TROTTER_FORCEFIELDS", value.c_str(), 1); }
    Environment(Environment const&) = delete;
    Environment& operator=(Environment const&) = delete;
    ~Environment() { ::unsetenv("TROTTER_FORCEFIELDS"); }
};

}  // namespace

TEST_CASE("a data file is found as it is or compressed, in the first folder that has it") {
    ProgramFiles const files;
    std::filesystem::create_directory(files.path() + "/first");
    std::filesystem::create_directory(files.path() + "/second");
    std::vector<std::string> const folders{files.path() + "/first", files.path() + "/second"};
    CHECK_FALSE(locate_data_file("a.xml", folders));
    CHECK_FALSE(locate_data_file("", folders));
    CHECK_FALSE(locate_data_file(std::string_view("a\0.xml", 6), folders));
    auto const plain = files.put("second/a.xml", "<a/>");
    CHECK(locate_data_file("a.xml", folders) == plain);
    write_file(files.path() + "/first/a.xml.gz", "<b/>");
    CHECK(locate_data_file("a.xml", folders) == files.path() + "/first/a.xml.gz");
    CHECK(read_file(find_data_file("a.xml", folders)) == "<b/>");
    auto const beside = files.put("first/a.xml", "<c/>");
    CHECK(locate_data_file("a.xml", folders) == beside);
    CHECK(locate_data_file(plain, {}) == plain);
    CHECK(files.refusal([&] { find_data_file("b.xml", folders); })
          == "the file b.xml was not found in first, second; --forcefields names a folder that has it");
}

TEST_CASE("folders of the environment come before those of the program, each once and if it is there") {
    ProgramFiles const files;
    std::filesystem::create_directory(files.path() + "/a");
    auto const before = own_data_folders();
    Environment const environment(":" + files.path() + "/none:" + files.path() + "/a::" + files.path() + "/a/../a:");
    auto folders = own_data_folders();
    REQUIRE(folders.size() == before.size() + 1);
    CHECK(folders[0] == std::filesystem::canonical(files.path() + "/a").string());
    folders.erase(folders.begin());
    CHECK(folders == before);
}

TEST_CASE("the tables that are shipped are found without being asked for") {
    CHECK(ResidueNames::load(own_data_folders()).residue("WAT") == "HOH");
    for (auto const* name : {"residues.xml", "hydrogens.xml", "amber14-all.xml", "amber14/tip3p.xml",
                             "amber19/protein.ff19SB.xml", "implicit/obc2.xml", "tip3p.pdb"})
        CHECK(locate_data_file(name, own_data_folders()));
}
