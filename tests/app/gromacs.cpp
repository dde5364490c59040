// top files: preprocessor, sections, and Systems.
// SPDX-License-Identifier: MIT
#include "program_files.hpp"

#include <cmath>

#include <trotter/app/gromacs/create_system.hpp>

using namespace trotter;
using namespace trotter::app;
using namespace trotter::testing;
using Catch::Matchers::Contains;

namespace {

// Types, and a molecule A-B-C-D with a bond, an angle and a dihedral of each kind by types.
constexpr auto types = R"([ defaults ]
1 2 yes 0.5 0.8
[ atomtypes ]
A  6 12.0 0.1 A 0.3 0.4
B bB 12.0 0.2 A 0.2 0.1
H  1.0 0.0 A 0.1 0.0
[ bondtypes ]
A A 1 0.15 1000
A H 1 0.11 2000
[ angletypes ]
A A A 1 120 300
)";
constexpr auto chain = R"([ moleculetype ]
chain 3
[ atoms ]
1 A 1 MOL C1 1
2 A 1 MOL C2 1
3 A 1 MOL C3 1
4 A 1 MOL C4 1 0.5 13
[ bonds ]
1 2 1
2 3 1
3 4 1
)";
constexpr auto one_chain = "[ system ]\nname\n[ molecules ]\nchain 1\n";

GromacsTop read(ProgramFiles const& files, std::string const& text, ReadTopOptions const& options = {}) {
    return read_top(files.put("a.top", text), files.names(), options);
}
StandardSystem system_of(ProgramFiles const& files, std::string const& text, SystemOptions const& options = {}) {
    return create_system(read(files, text), options);
}
std::string refusal(ProgramFiles const& files, std::string const& text, SystemOptions const& options = {}) {
    return files.refusal([&] { system_of(files, text, options); });
}
NonbondedForce::Exception exception(StandardSystem const& system, int particle1, int particle2) {
    for (auto const& found : system.forces<NonbondedForce>().front().exceptions)
        if (found.particle1 == particle1 && found.particle2 == particle2) return found;
    return {-1, -1};
}

}  // namespace

TEST_CASE("optional columns of atom types are found by the letter of the particle's kind") {
    ProgramFiles const files;
    auto const top = read(files, std::string{types} + "[ moleculetype ]\nm 1\n[ atoms ]\n1 A 1 X C 1\n"
                      "2 B 1 X Na1 1\n3 H 2 SOL OW 1\n"
                                                      "[ molecules ]\nm 2\n");
    auto const& topology = top.topology;
    REQUIRE(topology.chains.size() == 2);
    REQUIRE(topology.residues.size() == 4);
    REQUIRE(topology.residues[3].id == "4");
    REQUIRE(topology.atoms[0].element->symbol() == "C");   // by number
    REQUIRE(topology.atoms[1].element->symbol() == "Na");  // by name
    REQUIRE(topology.residues[1].name == "HOH");
    REQUIRE(topology.atoms[2].name == "O");
    auto const system = create_system(top);
    REQUIRE(system.particles.masses[2] == 1);
    REQUIRE(system.forces<NonbondedForce>().front().particles[1].charge == 0.2);
}

TEST_CASE("masses and charges of atoms replace those of their types") {
    ProgramFiles const files;
    auto const system = system_of(files, std::string{types} + chain + one_chain);
    REQUIRE(system.particles.masses == std::vector<double>{12, 12, 12, 13});
    auto const& particles = system.forces<NonbondedForce>().front().particles;
    REQUIRE(particles[0].charge == 0.1);
    REQUIRE(particles[3].charge == 0.5);
    REQUIRE(particles[3].sigma == 0.3);
}

TEST_CASE("the preprocessor knows includes, macros and conditions") {
    ProgramFiles const files;
    files.put("types.itp", types);
    std::string const text =
        "#include \"types.itp\"\n#define LENGTH 0.2 \\\n 7 ; two lines\n#ifdef OTHER\n[ moleculetype ]\nother "
        "1\n#else\n"
        + std::string{chain} + "1 4 1 LENGTH\n#endif\n#ifndef FLEXIBLE\nnothing\n#endif\n* a comment\n" + one_chain;
    auto const bonds = system_of(files, text).forces<HarmonicBondForce>().front().bonds;
    REQUIRE(bonds.size() == 4);
    REQUIRE(bonds[3].length == 0.2);
    REQUIRE(bonds[3].k == 7);
    REQUIRE_THAT(files.refusal([&] {
        read(files, text, {{}, {"OTHER"}});
    }),
                 Contains("the molecule \"chain\" is not defined"));
    auto const from_outside =
        std::string{types} + chain + "1 4 1 LEN 5\n[ dihedrals ]\n1 2 3 4 1 LEN 2 3\n" + one_chain;
    auto const top = read(files, from_outside, {{}, {"LEN=0.25"}});
    REQUIRE(create_system(top).forces<HarmonicBondForce>().front().bonds[3].length == 0.25);
}

TEST_CASE("macros replace whole words outside of quotes, and may name earlier ones") {
    ProgramFiles const files;
    auto const text =
        std::string{types} + chain + "#define a 5\n#define LEN 0.1a\n#define K a\n1 3 1 0.3 K\n" + one_chain;
    auto const bonds = system_of(files, text).forces<HarmonicBondForce>().front().bonds;
    REQUIRE(bonds[3].k == 5);
}

TEST_CASE("included files are searched beside the top file, in the folders given, and beside the including file") {
    ProgramFiles const files;
    std::filesystem::create_directory(files.path() + "/in");
    files.put("in/types.itp", "#include \"more.itp\"\n");
    files.put("in/more.itp", types);
    REQUIRE(read(files, "#include \"in/types.itp\"\n" + std::string{chain} + one_chain).topology.atom_count() == 4);
    REQUIRE(read(files, "#include <types.itp>\n" + std::string{chain} + one_chain, {{files.path() + "/in"}, {}})
                .topology.atom_count()
            == 4);
    REQUIRE_THAT(refusal(files, "\n#include \"types.itp\"\n"), Contains("a.top, line 2: the file \"types.itp\""));
}

TEST_CASE("what the preprocessor does not know is refused") {
    ProgramFiles const files;
    REQUIRE_THAT(refusal(files, "#if 1\n#endif\n"), Contains("#if is not supported"));
    REQUIRE_THAT(refusal(files, "#error no\n"), Contains("states an error"));
    REQUIRE_THAT(refusal(files, "#define f(x) x\n"), Contains("has arguments"));
    REQUIRE_THAT(refusal(files, "#else\n"), Contains("a.top, line 1: #else has no #ifdef"));
    REQUIRE_THAT(refusal(files, "#endif\n"), Contains("#endif has no"));
    REQUIRE_THAT(refusal(files, "#ifdef X\n"), Contains("line 1: this condition has no #endif"));
    REQUIRE_THAT(refusal(files, "#include \"a.top\"\n"), Contains("does one include itself?"));
    std::string laughs = "#define l0 xxxxxxxxxx\n";
    for (int i = 1; i < 30; ++i)
        laughs += "#define l" + std::to_string(i) + " l" + std::to_string(i - 1) + " l" + std::to_string(i - 1) + "\n";
    REQUIRE_THAT(refusal(files, laughs + "[ system ]\nl29\n"), Contains("longer than"));
}

TEST_CASE("pairs of three bonds are scaled, and [ pairs ] replace them") {
    ProgramFiles const files;
    auto const scaled = exception(system_of(files, std::string{types} + chain + one_chain), 0, 3);
    REQUIRE(scaled.charge_product == Approx(0.1 * 0.5 * 0.8));
    REQUIRE(scaled.epsilon == Approx(0.4 * 0.5));
    auto const own =
        exception(system_of(files, std::string{types} + chain + "[ pairs ]\n1 4 1 0.25 0.7\n" + one_chain), 0, 3);
    REQUIRE(own.sigma == 0.25);
    REQUIRE(own.epsilon == 0.7);
    auto const typed = std::string{types} + "[ pairtypes ]\nA A 1 0.2 0.6\n" + chain + "[ pairs ]\n1 4 1\n" + one_chain;
    REQUIRE(exception(system_of(files, typed), 0, 3).epsilon == 0.6);
    auto no_pairs = std::string{types} + chain + "[ pairs ]\n1 4 1\n" + one_chain;
    no_pairs.replace(no_pairs.find("yes"), 3, "no ");
    REQUIRE_THAT(refusal(files, no_pairs), Contains("gen-pairs is no"));
}

TEST_CASE("nrexcl and [ exclusions ] exclude pairs") {
    ProgramFiles const files;
    auto far = std::string{types} + chain + "[ exclusions ]\n1 4\n" + one_chain;
    REQUIRE(exception(system_of(files, far), 0, 3).epsilon == 0);
    auto text = std::string{types} + chain + one_chain;
    text.replace(text.find("yes"), 3, "no ");
    REQUIRE(exception(system_of(files, text), 0, 3).charge_product == 0);
}

TEST_CASE("rules 1 and 3 put Lennard-Jones interactions into forces of their own") {
    ProgramFiles const files;
    auto text = std::string{types} + chain + "[ pairs ]\n1 4 1\n" + one_chain;
    text.replace(text.find("1 2 yes"), 7, "1 3 yes");
    auto const system = system_of(files, text);
    double const c6 = 4 * 0.4 * std::pow(0.3, 6), c12 = 4 * 0.4 * std::pow(0.3, 12);
    REQUIRE(system.forces<CustomNonbondedForce>().at(0).particles[0][0] == Approx(std::sqrt(c6)));
    REQUIRE(system.forces<CustomBondForce>().at(0).bonds.at(0).parameters[1] == Approx(0.5 * c12));
    REQUIRE(system.forces<NonbondedForce>().at(0).particles[0].epsilon == 0);
    text.replace(text.find("1 3 yes"), 7, "1 1 yes");
    REQUIRE(system_of(files, text).forces<CustomNonbondedForce>().at(0).particles[0][1] == Approx(std::sqrt(0.4)));
    SystemOptions options;
    options.nonbonded_method = NonbondedMethod::ljpme;
    auto top = read(files, text);
    top.box = Box::rectangular(3, 3, 3);
    REQUIRE_THAT(files.refusal([&] { create_system(top, options); }), Contains("LJPME"));
}

TEST_CASE("[ nonbond_params ] of types that occur become a table") {
    ProgramFiles const files;
    auto const with = [&](std::string const& pair) {
        return system_of(files, std::string{types} + "[ nonbond_params ]\n" + pair + "\n" + chain + one_chain);
    };
    REQUIRE(with("B A 1 0.3 0.9").forces<CustomNonbondedForce>().empty());
    auto const system = with("A A 1 0.2 0.9");
    auto const& tables = system.forces<CustomNonbondedForce>().at(0).tabulated_functions;
    REQUIRE(tables.at(1).values.at(0) == Approx(4 * 0.9 * std::pow(0.2, 6)));
    REQUIRE(system.forces<NonbondedForce>().at(0).particles[0].epsilon == 0);
}

TEST_CASE("dihedral types: the first without X, else the last with X; lines of function 9 add up") {
    ProgramFiles const files;
    auto const torsions = [&](std::string const& list, std::string const& function) {
        auto const system = system_of(files, std::string{types} + "[ dihedraltypes ]\n" + list + chain
                                                 + "[ dihedrals ]\n1 2 3 4 " + function + "\n" + one_chain);
        std::vector<double> k;
        for (auto const& torsion : system.forces<PeriodicTorsionForce>().at(0).torsions) k.push_back(torsion.k);
        return k;
    };
    REQUIRE(torsions("X A A X 1 0 1 3\nA A A A 1 0 2 3\nX A A X 9 0 7 3\n", "1") == std::vector<double>{2});
    REQUIRE(torsions("X A A X 1 0 1 3\nA A A X 1 0 3 3\n", "1") == std::vector<double>{3});
    REQUIRE(torsions("X X X X 1 0 4 3\nX A A X 1 0 1 3\n", "1") == std::vector<double>{4});  // X inside comes last
    REQUIRE(torsions("A A A A 9 0 1 1\nA A A A 9 180 2 2\n", "9") == std::vector<double>{1, 2});
    REQUIRE(torsions("A A A A 1 0 1 1\nA A A A 1 180 2 2\n", "1") == std::vector<double>{2});
    REQUIRE(torsions("A A 1 0 6 1\n", "1") == std::vector<double>{6});  // two types: the inner ones
}

TEST_CASE("functions of dihedrals and angles") {
    ProgramFiles const files;
    auto const text = std::string{types} + chain + "[ angles ]\n1 2 3 5 120 300 0.25 80\n2 3 4 2 100 50\n"
                      "[ dihedrals ]\n1 2 3 4 3 1 2 3 4 5 6\n"
                      "1 2 3 4 5 1 2 3 4\n1 2 3 4 2 270 9\n" + one_chain;
    auto const system = system_of(files, text);
    REQUIRE(system.forces<HarmonicAngleForce>().at(0).angles.size() == 1);
    REQUIRE(system.forces<HarmonicBondForce>().at(0).bonds.size() == 4);  // Urey and Bradley's
    REQUIRE(system.forces<CustomAngleForce>().at(0).angles.size() == 1);
    auto const& rb = system.forces<RBTorsionForce>().at(0).torsions;
    REQUIRE(rb[0].c5 == 6);
    REQUIRE(rb[1].c0 == Approx(2 + 0.5 * (1 + 3)));
    REQUIRE(rb[1].c4 == Approx(-16));
    REQUIRE(system.forces<CustomTorsionForce>().at(0).torsions.at(0).parameters[0] == Approx(-std::acos(0.0)));
}

TEST_CASE("settles are three constraints, virtual sites follow their functions") {
    ProgramFiles const files;
    auto const text = std::string{types} + "[ moleculetype ]\nw 1\n[ atoms ]\n1 A 1 SOL OW 1\n"
                      "2 H 1 SOL HW1 1\n3 H 1 SOL HW2 1\n4 H 1 SOL MW 1 0 0\n"
                      "[ settles ]\n1 1 0.1 0.16\n[ virtual_sites3 ]\n4 1 2 3 1 0.2 0.3\n[ molecules ]\nw 2\n";
    auto const system = system_of(files, text);
    REQUIRE(system.particles.constraints.size() == 6);
    REQUIRE(system.particles.constraints[5].particle2 == 6);
    REQUIRE(system.particles.constraints[5].distance == 0.16);
    REQUIRE(std::get<ThreeParticleAverageSite>(system.particles.virtual_sites.at(7)).weight1 == Approx(0.5));
    REQUIRE_THAT(refusal(files, std::string{types} + chain + "[ virtual_sites4 ]\n1 2 3 4 1 1 1\n" + one_chain),
                 Contains("kind of virtual site"));
}

TEST_CASE("options of a top file's System") {
    ProgramFiles const files;
    auto const text = std::string{types} + "[ moleculetype ]\nw 2\n[ atoms ]\n1 A 1 SOL OW 1\n"
                      "2 H 1 SOL HW1 1\n3 H 1 SOL HW2 1\n[ bonds ]\n1 2 1\n1 3 1\n"
                      "[ angles ]\n2 1 3 1 109.47 300\n[ molecules ]\nw 1\n";
    REQUIRE(system_of(files, text).particles.constraints.size() == 3);
    SystemOptions options;
    options.rigid_water = false;
    REQUIRE(system_of(files, text, options).particles.constraints.empty());
    options.constraints = Constraints::h_bonds;
    options.hydrogen_mass = 2;
    auto const system = system_of(files, text, options);
    REQUIRE(system.particles.constraints.size() == 2);
    REQUIRE(system.particles.masses == std::vector<double>{10, 2, 2});
}

TEST_CASE("sections without a force are named, and errors have their lines") {
    ProgramFiles const files;
    REQUIRE(
        read(files, std::string{types} + chain + "[ position_restraints ]\n1 1 1 1 1\n" + one_chain).ignored_sections
        == std::vector<std::string>{"position_restraints"});
    auto const with = [&](std::string const& text) {
        return refusal(files, std::string{types} + chain + text + one_chain);
    };
    REQUIRE_THAT(with("1 9 1\n"), Contains("a.top, line 23: atom 9 does not exist"));
    REQUIRE_THAT(with("1 2 7\n"), Contains("function \"7\" of [ bonds ] is not supported"));
    REQUIRE_THAT(with("1 2\n"), Contains("must have 3 values or more"));
    REQUIRE_THAT(with("[ angles ]\n1 2 x 1\n"), Contains("must be an integer"));
    REQUIRE_THAT(with("[ dihedrals ]\n1 2 3 4 1\n"),
                 Contains("the dihedral of atoms 1, 2, 3, 4 has no parameters of function 1"));
    REQUIRE_THAT(with("[ cmap ]\n1 2 3 4 4 1\n"), Contains("the map of atoms"));
    REQUIRE_THAT(with("[ exclusions ]\n1 1\n"), Contains("excluded from itself"));
    REQUIRE_THAT(refusal(files, std::string{types} + chain), Contains("there are no [ molecules ]"));
    REQUIRE_THAT(refusal(files, std::string{types} + chain + "[ molecules ]\nchain 2000000000\n"),
                 Contains("adds up to more than"));
    REQUIRE_THAT(refusal(files, std::string{types} + chain + "[ molecules ]\nchain -1\n"),
                 Contains("must be 0 or more"));
    REQUIRE_THAT(refusal(files, "[ defaults ]\n2 1\n"), Contains("must have 5 values"));
    REQUIRE_THAT(refusal(files, "[ defaults ]\n2 1 no\n"), Contains("kind of nonbonded function"));
    REQUIRE_THAT(refusal(files, "[ bonds ]\n1 2 1\n"), Contains("before the first [ moleculetype ]"));
    REQUIRE_THAT(refusal(files, "1 2\n"), Contains("before the first [ section ]"));
}

TEST_CASE("of atoms within nrexcl those listed in pairs interact alone, if that is asked for") {
    ProgramFiles const files;
    auto const text = std::string(types) + chain + "[ pairs ]\n1 4 1\n" + one_chain;
    auto const without = std::string(types) + chain + one_chain;
    SystemOptions listed;
    listed.listed_pairs_only = true;
    REQUIRE(exception(system_of(files, without), 0, 3).epsilon == Approx(0.2));  // 0.5 of 0.4, as OpenMM makes it
    auto const excluded = exception(system_of(files, without, listed), 0, 3);
    REQUIRE((excluded.particle1 == 0 && excluded.epsilon == 0 && excluded.charge_product == 0));
    REQUIRE(exception(system_of(files, text, listed), 0, 3).epsilon == Approx(0.2));
    REQUIRE(exception(system_of(files, text, listed), 0, 3).charge_product
            == exception(system_of(files, text), 0, 3).charge_product);
}
