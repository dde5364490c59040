// Systems in files: every class and version, error messages, and user-defined forces.
// SPDX-License-Identifier: MIT
#include <catch_compat.hpp>

#include <trotter/io/system.hpp>

#include "io/scratch.hpp"

using namespace trotter;
using testing::message_of;

namespace downstream {

/// A force with its own `read` and `write`.
struct Wall {
    static constexpr std::string_view name = "Wall";
    double height = 0;
    int force_group = 0;
};
void read(XmlNode const& node, Wall& wall) {
    node.version(1);
    only_force(node, {"height"});
    wall.height = node.number("height");
}
void write(XmlWriter& xml, Wall const& wall) { xml.attribute("version", 1).attribute("height", wall.height); }

/// A force read and written by its fields.
struct Tether {
    static constexpr std::string_view name = "Tether";
    struct Term {
        int particle = 0;
        double k = 0;
    };
    std::vector<Term> list{};
    int force_group = 0;

    static constexpr auto terms = &Tether::list;
    static constexpr std::string_view terms_name = "Tethers", term_name = "Tether";
    static constexpr auto particles = std::tuple{&Term::particle};
    static constexpr auto fields = std::tuple{Field{"k", "k", &Term::k, Valid::not_negative}};
};

/// A force without both.
struct Silent {
    static constexpr std::string_view name = "Silent";
    int force_group = 0;
};

}  // namespace downstream

namespace {

bool says(std::string_view message, std::string_view part) { return message.find(part) != message.npos; }
/// A System of four particles with the given forces; `particles` and `constraints` replace the defaults.
std::string system_text(
    std::string const& forces,
    std::string const& particles =
        R"(<Particle mass="1"/><Particle mass="2"/><Particle mass="3"/><Particle mass="0"/>)",
    std::string const& constraints = "",
    std::string const& box = R"(<A x="2" y="0" z="0"/><B x="0" y="2" z="0"/><C x="0" y="0" z="2"/>)") {
    return "<System type=\"System\" version=\"1\">\n<PeriodicBoxVectors>" + box + "</PeriodicBoxVectors>\n<Particles>"
           + particles + "</Particles>\n<Constraints>" + constraints + "</Constraints>\n<Forces>" + forces
           + "</Forces>\n</System>\n";
}
std::string refusal(std::string const& text) {
    return message_of<InputError>([&] { (void)parse_system(text, "s.xml"); });
}
std::string force_refusal(std::string const& force) { return refusal(system_text(force)); }

template <class F> F only_force_of(std::string const& force) {
    auto const system = parse_system(system_text(force));
    REQUIRE(system.template forces<F>().size() == 1);
    return system.template forces<F>().front();
}

std::string const four_particles = R"(<Particles><Particle q="0" sig="1" eps="0"/><Particle q=".5" sig="1" eps="0"/>)"
                                   R"(<Particle q="0" sig="1" eps="0"/><Particle q="0" sig="1" eps="0"/></Particles>)";
std::string nonbonded(int version, std::string const& attributes, std::string const& children = "",
                      std::string const& exceptions = "") {
    return "<Force type=\"NonbondedForce\" version=\"" + std::to_string(version) + "\" method=\"2\" cutoff=\".9\" "
           "rfDielectric=\"78.3\" ewaldTolerance=\".0005\" dispersionCorrection=\"0\" " + attributes + ">"
           + four_particles + "<Exceptions>" + exceptions + "</Exceptions>"
           + children + "</Force>";
}
std::string const no_offsets = "<GlobalParameters/><ParticleOffsets/><ExceptionOffsets/>";

}  // namespace

TEST_CASE("A System is read with everything it holds, and written so that it reads the same") {
    auto const text = system_text(
        R"(<Force type="CMMotionRemover" version="1" frequency="7" forceGroup="31" name="the &lt;remover&gt;"/>)"
        R"(<Force type="HarmonicBondForce" version="2" usesPeriodic="1"><Bonds>)"
        R"(<Bond p1="2" p2="0" d=".1" k="1e-308"/></Bonds></Force>)",
        R"(<Particle mass="1"/><Particle mass="2"/><Particle mass="3"/><Particle mass="0">)"
        R"(<OutOfPlaneSite p1="0" p2="1" p3="2" w12=".1" w13=".2" wc="-3"/></Particle>)",
        R"(<Constraint p1="0" p2="1" d=".3"/>)",
        R"(<A x="3" y="0" z="0"/><B x="-1" y="3" z="0"/><C x="1" y=".5" z="4"/>)");
    auto const first = parse_system(text);
    for (auto const& system : {first, parse_system(system_to_xml(first))}) {
        CHECK(system.box == Box{{3, 0, 0}, {-1, 3, 0}, {1, 0.5, 4}});
        CHECK(system.particles.masses == std::vector<double>{1, 2, 3, 0});
        REQUIRE(system.particles.constraints.size() == 1);
        CHECK(system.particles.constraints[0].particle2 == 1);
        CHECK(system.particles.constraints[0].distance == 0.3);
        auto const site = std::get<OutOfPlaneSite>(system.particles.virtual_sites.at(3));
        CHECK(site.particle3 == 2);
        CHECK(site.weight_cross == -3);
        REQUIRE(system.force_count() == 2);
        CHECK(system.order()[0].type != system.order()[1].type);
        auto const& remover = system.forces<CMMotionRemover>().at(0);
        CHECK(remover.frequency == 7);
        CHECK(remover.force_group == 31);
        CHECK(remover.label == "the <remover>");
        auto const& bonds = system.forces<HarmonicBondForce>().at(0);
        CHECK(bonds.periodic);
        CHECK(bonds.label == "HarmonicBondForce");
        CHECK(bonds.bonds.at(0).particle1 == 2);
        CHECK(bonds.bonds.at(0).k == 1e-308);
    }
    CHECK(system_to_xml(first) == system_to_xml(parse_system(system_to_xml(first))));
}

TEST_CASE("Systems go to files and come back, compressed or not") {
    testing::ScratchFolder const folder;
    auto const system = parse_system(system_text(""));
    write_system(folder / "plain.xml", system);
    write_system(folder / "compressed.xml.gz", system);
    CHECK(testing::bytes_of(folder / "plain.xml") == system_to_xml(system));
    CHECK(testing::bytes_of(folder / "compressed.xml.gz").substr(0, 2) == "\x1f\x8b");
    CHECK(system_to_xml(read_system(folder / "compressed.xml.gz")) == system_to_xml(system));
    CHECK_THROWS_AS(read_system(folder / "plain.xml", {.max_bytes = 100}), InputError);
}

TEST_CASE("All versions of the forces are read") {
    auto bonds = [](int version, std::string const& attributes) {
        return "<Force type=\"HarmonicBondForce\" version=\"" + std::to_string(version) + "\" " + attributes
               + "><Bonds/></Force>";
    };
    CHECK_FALSE(only_force_of<HarmonicBondForce>(bonds(1, "")).periodic);
    CHECK(only_force_of<HarmonicBondForce>(bonds(2, "usesPeriodic=\"1\"")).periodic);
    CHECK(force_refusal(bonds(2, "")).ends_with("the attribute usesPeriodic is missing"));
    CHECK(says(force_refusal(bonds(1, "usesPeriodic=\"1\"")), "no such attribute in version 1 of this element"));
    CHECK(says(force_refusal(bonds(3, "usesPeriodic=\"1\"")), "version 3 is newer than 2"));
    CHECK(says(force_refusal(bonds(0, "usesPeriodic=\"1\"")), "version is \"0\""));

    auto const first = only_force_of<NonbondedForce>(nonbonded(1, "alpha=\"2\" nx=\"5\" ny=\"6\" nz=\"7\""));
    CHECK(first.method == NonbondedForce::Method::cutoff_periodic);
    CHECK(first.pme.ny == 6);
    CHECK(first.ljpme.alpha == 0);
    CHECK(first.include_direct_space);
    CHECK(first.reciprocal_force_group == -1);
    CHECK_FALSE(first.use_switching_function);
    CHECK(only_force_of<NonbondedForce>(nonbonded(2, "ljAlpha=\"2\"")).ljpme.alpha == 2);
    CHECK(says(force_refusal(nonbonded(1, "ljAlpha=\"2\"")), "ljAlpha is \"2\", expected no such attribute"));
    CHECK(only_force_of<NonbondedForce>(nonbonded(3, "", no_offsets)).particles.size() == 4);
    CHECK(says(force_refusal(nonbonded(3, "")), "the element <GlobalParameters> is missing"));
    CHECK(says(force_refusal(nonbonded(4, "", no_offsets)), "exceptionsUsePeriodic is missing"));
    CHECK(
        only_force_of<NonbondedForce>(nonbonded(4, "exceptionsUsePeriodic=\"1\"", no_offsets)).exceptions_use_periodic);

    std::string const spheres =
        "><Particles><Particle q=\"0\" r=\".1\" scale=\".8\"/><Particle q=\"0\" r=\".1\" scale=\".8\"/>"
        "<Particle q=\"0\" r=\".1\" scale=\".8\"/><Particle q=\"0\" r=\".1\" scale=\".8\"/></Particles></Force>";
    std::string const gbsa =
        "<Force type=\"GBSAOBCForce\" method=\"1\" cutoff=\"1\" solventDielectric=\"80\" soluteDielectric=\"2\" ";
    CHECK(only_force_of<GBSAOBCForce>(gbsa + "version=\"1\"" + spheres).surface_area_energy == 2.25936);
    CHECK(only_force_of<GBSAOBCForce>(gbsa + "version=\"2\" surfaceAreaEnergy=\"0\"" + spheres).surface_area_energy
          == 0);
    CHECK(says(force_refusal(gbsa + "version=\"1\" surfaceAreaEnergy=\"0\"" + spheres), "surfaceAreaEnergy is \"0\""));

    std::string const barostat =
        "<Force type=\"MonteCarloBarostat\" version=\"1\" pressure=\"1\" temperature=\"300\" frequency=\"25\" "
        "randomSeed=\"-5\"";
    CHECK(only_force_of<MonteCarloBarostat>(barostat + "/>").scale_molecules_as_rigid);
    CHECK_FALSE(only_force_of<MonteCarloBarostat>(barostat + " rigidScaling=\"0\"/>").scale_molecules_as_rigid);
}

TEST_CASE("Parameters and their offsets are read") {
    auto const force = only_force_of<NonbondedForce>(nonbonded(
        4, "exceptionsUsePeriodic=\"0\" recipForceGroup=\"3\"",
        "<GlobalParameters><Parameter name=\"a\" default=\".5\"/></GlobalParameters>"
        "<ParticleOffsets><Offset parameter=\"a\" particle=\"3\" q=\"1\" sig=\"2\" eps=\"3\"/></ParticleOffsets>"
        "<ExceptionOffsets><Offset parameter=\"a\" exception=\"0\" q=\"4\" sig=\"5\" eps=\"6\"/></ExceptionOffsets>",
        "<Exception p1=\"0\" p2=\"1\" q=\"0\" sig=\"1\" eps=\"0\"/>"));
    CHECK(force.global_parameters.at(0).default_value == 0.5);
    CHECK(force.particle_offsets.at(0).index == 3);
    CHECK(force.particle_offsets.at(0).sigma_scale == 2);
    CHECK(force.exception_offsets.at(0).epsilon_scale == 6);
    CHECK(force.reciprocal_force_group == 3);
}

TEST_CASE("Whatever is wrong is refused with file, line, place, value and what was expected") {
    auto one_particle = [](std::string const& attributes) {
        return refusal(system_text("", "\n<Particle mass=\"1\"/>\n<Particle " + attributes + "/>"));
    };
    CHECK(one_particle("mass=\"1abc\"")
          == "s.xml, line 5, /System/Particles/Particle[1]: mass is \"1abc\", expected a finite number");
    CHECK(one_particle("mass=\"nan\"")
          == "s.xml, line 5, /System/Particles/Particle[1]: mass is \"nan\", expected a finite number");
    CHECK(one_particle("mass=\"-1\"")
          == "s.xml, line 5, /System/Particles/Particle[1]: mass is \"-1\", expected a number that is not negative");
    CHECK(one_particle("") == "s.xml, line 5, /System/Particles/Particle[1]: the attribute mass is missing");
    CHECK(says(one_particle("mass=\"1\" color=\"red\""), "unknown attribute \"color\" (known: mass)"));

    auto const site = [](std::string const& element) {
        return refusal(system_text("", "<Particle mass=\"1\"/><Particle mass=\"0\">" + element + "</Particle>"));
    };
    CHECK(says(site("<FourParticleSite/>"),
               "/System/Particles/Particle[1]/FourParticleSite: unknown element (known here: TwoParticleAverageSite,"));
    CHECK(says(site("<TwoParticleAverageSite p1=\"0\" p2=\"9\" w1=\"0\" w2=\"1\"/>"),
               "p2 is \"9\", expected an integer from 0 to 1"));
    CHECK(says(site("<LocalCoordinatesSite p1=\"0\"/>"), "needs two or more particles"));
    CHECK(says(site("<LocalCoordinatesSite p1=\"0\" p2=\"1\" p4=\"1\" pos1=\"0\" pos2=\"0\" pos3=\"0\" wo1=\"1\" "
                    "wo2=\"0\" wx1=\"1\" wx2=\"-1\" wy1=\"1\" wy2=\"-1\"/>"),
               "unknown attribute \"p4\""));

    auto constrained = [](std::string const& list) {
        return refusal(system_text("", R"(<Particle mass="1"/><Particle mass="2"/><Particle mass="0"/>)", list));
    };
    CHECK(says(constrained("<Constraint p1=\"0\" p2=\"3\" d=\"1\"/>"), "p2 is \"3\", expected an integer from 0 to 2"));
    CHECK(constrained("<Constraint p1=\"0\" p2=\"1\" d=\"1\"/><Constraint p1=\"1\" p2=\"0\" d=\"1\"/>")
              .find("s.xml, line 1, /System: constraint 1")
          == 0);
    CHECK(says(constrained("<Constraint p1=\"0\" p2=\"2\" d=\"1\"/>"), "massless"));

    CHECK(refusal(system_text("", "", "", R"(<A x="2" y="0" z="0"/><B x="1.1" y="2" z="0"/><C x="0" y="0" z="2"/>)"))
              .find("s.xml, line 2, /System/PeriodicBoxVectors: the box vectors are not in reduced form")
          == 0);
    CHECK(says(refusal("<System type=\"System\" version=\"2\"/>"), "version 2 is newer than 1"));
    CHECK(says(refusal("<System type=\"System\" version=\"1\"/>"), "<PeriodicBoxVectors> is missing"));
    CHECK(says(refusal("<State/>"), "the root element is <State>, expected <System>"));
}

TEST_CASE("What is wrong in a force is refused") {
    auto bond = [](std::string const& attributes) {
        return force_refusal("\n<Force type=\"HarmonicBondForce\" version=\"1\"><Bonds>\n<Bond " + attributes
                             + "/></Bonds></Force>");
    };
    CHECK(bond("p1=\"0\" p2=\"4\" d=\"1\" k=\"1\"")
          == "s.xml, line 7, /System/Forces/Force/Bonds/Bond: p2 is \"4\", expected an integer from 0 to 3");
    CHECK(bond("p1=\"0\" p2=\"1\" d=\"-1\" k=\"1\"").ends_with("d is \"-1\", expected a number that is not negative"));
    CHECK(bond("p1=\"0\" p2=\"1\" d=\"inf\" k=\"1\"").ends_with("d is \"inf\", expected a finite number"));
    CHECK(bond("p1=\"0\" p2=\"1\" d=\"1\"").ends_with("the attribute k is missing"));
    CHECK(says(bond("p1=\"0\" p2=\"1\" d=\"1\" k=\"1\" x=\"1\""), "unknown attribute \"x\""));
    CHECK(says(force_refusal("<Force type=\"PythonForce\" version=\"3\"/>"),
               "type is \"PythonForce\", expected one of the forces that are known here: HarmonicBondForce,"));
    CHECK(says(force_refusal("<Force type=\"CMMotionRemover\" version=\"1\" frequency=\"0\"/>"), "expected 1 or more"));
    CHECK(says(force_refusal("<Force type=\"CMMotionRemover\" version=\"1\" frequency=\"1\" forceGroup=\"32\"/>"),
               "expected an integer from 0 to 31"));

    std::string const torsion =
        "</Map></Maps><Torsions><Torsion a1=\"0\" a2=\"1\" a3=\"2\" a4=\"3\" b1=\"0\" b2=\"1\" b3=\"2\" b4=\"3\" "
        "map=\"1\"/></Torsions></Force>";
    std::string const cmap = "<Force type=\"CMAPTorsionForce\" version=\"1\"><Maps>";
    CHECK(says(force_refusal(cmap + "<Map size=\"2\"><Energy e=\"1\"/>" + torsion),
               "a map of size 2 has 1 energies, expected 4"));
    CHECK(says(force_refusal(cmap + "<Map size=\"2000000000\">" + torsion),
               "has 0 energies, expected 4000000000000000000"));
    CHECK(says(force_refusal(cmap + "<Map size=\"1\"><Energy e=\"1\"/>" + torsion),
               "size is \"1\", expected an integer from 2"));
    std::string const four = "<Energy e=\"1\"/><Energy e=\"1\"/><Energy e=\"1\"/><Energy e=\"1\"/>";
    CHECK(says(force_refusal(cmap + "<Map size=\"2\">" + four + torsion),
               "map is \"1\", expected an integer from 0 to 0"));

    std::string const v3 = "<GlobalParameters/>";
    CHECK(says(force_refusal(nonbonded(1, "nz=\"x\"")), "nz is \"x\", expected an integer"));
    CHECK(says(force_refusal(nonbonded(3, "",
                                       v3
                                           + "<ParticleOffsets><Offset parameter=\"b\" particle=\"0\" q=\"0\" "
                                             "sig=\"0\" eps=\"0\"/></ParticleOffsets><ExceptionOffsets/>")),
               "parameter is \"b\", expected the name of one of the force's global parameters"));
    CHECK(says(force_refusal(nonbonded(3, "",
                                       v3
                                           + "<ParticleOffsets/><ExceptionOffsets><Offset parameter=\"b\" "
                                             "exception=\"0\" q=\"0\" sig=\"0\" eps=\"0\"/></ExceptionOffsets>")),
               "there is nothing that it could refer to"));
    CHECK(says(force_refusal(nonbonded(2, "", "<ParticleOffsets><Offset/></ParticleOffsets>")),
               "expected version 3 or 4"));
    CHECK(says(refusal(system_text(nonbonded(1, ""), "<Particle mass=\"1\"/>")),
               "a NonbondedForce has 4 particles, expected 1 as in the System"));
}

TEST_CASE("Forces of a user are read and written by their own functions or their description") {
    using List = ExtendedList<StandardForces, downstream::Wall, downstream::Tether, downstream::Silent>;
    auto const text =
        system_text(R"(<Force type="Tether" version="1"><Tethers><Tether p1="3" k="2"/></Tethers></Force>)"
                    R"(<Force type="Wall" version="1" height="5" forceGroup="2"/>)");
    auto const system = parse_system<List>(system_to_xml(parse_system<List>(text)));
    CHECK(system.forces<downstream::Wall>().at(0).height == 5);
    CHECK(system.forces<downstream::Wall>().at(0).force_group == 2);
    CHECK(system.forces<downstream::Tether>().at(0).list.at(0).particle == 3);
    CHECK(says(refusal(text), "type is \"Tether\", expected one of the forces"));
    auto const silent = [] { (void)parse_system<List>(system_text("<Force type=\"Silent\" version=\"1\"/>")); };
    CHECK(says(message_of<InputError>(silent), "Silent cannot be read from a file"));
    auto const periodic = [] {
        (void)parse_system<List>(
            system_text("<Force type=\"Tether\" version=\"2\" usesPeriodic=\"1\"><Tethers/></Force>"));
    };
    CHECK(says(message_of<InputError>(periodic), "this force has no periodic images"));
}

TEST_CASE("What OpenMM's files cannot hold is not written") {
    StandardSystem system;
    system.add_particle(1);
    system.add(CMMotionRemover{.force_group = 40});
    CHECK(says(message_of<InputError>([&] { (void)system_to_xml(system); }), "the force group is 40"));
    StandardSystem seeded;
    seeded.add(AndersenThermostat{.temperature = 300, .collision_frequency = 1, .seed = std::uint64_t{1} << 40});
    CHECK(says(message_of<InputError>([&] { (void)system_to_xml(seeded); }), "32-bit seeds"));
}
