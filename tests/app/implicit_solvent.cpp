// Implicit solvent: radii, models, surfaces.
// SPDX-License-Identifier: MIT
#include "prmtop_text.hpp"

#include <cmath>

#include <trotter/app/implicit_solvent.hpp>

using namespace trotter;
using namespace trotter::app;
using namespace trotter::testing;
using Catch::Matchers::Contains;

namespace {

// Formamide-like H-N(-H)-C(=O)-O and a hydroxyl's hydrogen: N0 H1 H2 C3 O4 O5 H6, in a residue of this name.
Topology acid(std::string const& residue = "MOL") {
    Topology topology;
    topology.add_chain("A");
    topology.add_residue(residue, "1");
    for (auto const* symbol : {"N", "H", "H", "C", "O", "O", "H"})
        topology.add_atom(symbol, Element::from_symbol(symbol));
    for (auto const& [a, b] : {std::pair{0, 1}, {0, 2}, {0, 3}, {3, 4}, {3, 5}, {5, 6}}) topology.add_bond(a, b);
    return topology;
}

// A carboxylate: C0 with C1, O2, O3.
Topology carboxylate() {
    Topology topology;
    topology.add_chain("A");
    topology.add_residue("ASP", "1");
    for (auto const* symbol : {"C", "C", "O", "O", "H", "H", "H"})
        topology.add_atom(symbol, Element::from_symbol(symbol));
    for (auto const& [a, b] : {std::pair{0, 1}, {0, 2}, {0, 3}, {1, 4}, {1, 5}, {1, 6}}) topology.add_bond(a, b);
    return topology;
}

double radius(Topology const& topology, std::size_t atom, ImplicitSolvent model) {
    return standard_gb_atoms(topology, model)[atom].radius;
}

ImplicitSolventSettings settings_of(ImplicitSolvent model) {
    ImplicitSolventSettings settings;
    settings.model = model;
    return settings;
}

}  // namespace

TEST_CASE("radii of hydrogens depend on their partner and the model") {
    using enum ImplicitSolvent;
    auto const topology = acid();
    REQUIRE(radius(topology, 1, hct) == Approx(0.13));
    REQUIRE(radius(topology, 6, hct) == Approx(0.08));
    REQUIRE(radius(topology, 6, obc2) == Approx(0.12));
    REQUIRE(radius(topology, 1, obc1) == Approx(0.13));
    REQUIRE(radius(topology, 1, gbn) == Approx(0.12));
    REQUIRE(radius(topology, 0, gbn2) == Approx(0.155));
}

TEST_CASE("oxygens of carboxylates and hydrogens of arginine have other radii in GBn2") {
    using enum ImplicitSolvent;
    REQUIRE(radius(carboxylate(), 2, gbn2) == Approx(0.14));
    REQUIRE(radius(carboxylate(), 2, obc2) == Approx(0.15));
    REQUIRE(radius(acid(), 5, gbn2) == Approx(0.15));
    auto arginine = acid("ARG");
    arginine.atoms[1].name = "HH11", arginine.atoms[2].name = "HE";
    REQUIRE(radius(arginine, 1, gbn2) == Approx(0.117));
    REQUIRE(radius(arginine, 2, gbn2) == Approx(0.117));
}

TEST_CASE("screening and rescaling follow element and kind of residue") {
    using enum ImplicitSolvent;
    REQUIRE(standard_gb_atoms(acid(), obc2)[3].screening == 0.72);
    REQUIRE(standard_gb_atoms(acid(), gbn)[3].screening == 0.48435382330);
    REQUIRE(standard_gb_atoms(acid(), gbn2)[3].screening == 1.058554);
    REQUIRE(standard_gb_atoms(acid("DA"), gbn2)[3].screening == 1.268902);
    REQUIRE(standard_gb_atoms(acid("DA"), gbn2)[3].alpha == 0.331670);
}

TEST_CASE("a lone particle has the energy of Born") {
    Topology ion;
    ion.add_chain("A");
    ion.add_residue("NA", "1");
    ion.add_atom("NA", Element::from_symbol("Na"));
    auto settings = settings_of(ImplicitSolvent::hct);
    settings.surface_area = SurfaceArea::none;
    auto const force = generalized_born(settings, std::vector{1.0}, standard_gb_atoms(ion, ImplicitSolvent::hct));
    REQUIRE(force.particles[0][1] == Approx(0.141));
    REQUIRE(force.particles[0][2] == Approx(0.8 * 0.141));
    REQUIRE(force.energy_terms.size() == 2);
    auto const& born = force.energy_terms[0].expression;
    std::vector<double> arguments;
    for (auto const& name : born.names()) arguments.push_back(name == "charge" ? 1 : 0.141);
    REQUIRE(born.names().size() == 2);
    REQUIRE(force.computed_values.size() == 2);
}

TEST_CASE("necks have a table of the radii that occur") {
    auto const topology = acid();
    auto settings = settings_of(ImplicitSolvent::gbn);
    auto const atoms = standard_gb_atoms(topology, ImplicitSolvent::gbn);
    auto const force = generalized_born(settings, std::vector<double>(7), atoms);
    // Radii 0.12, 0.15, 0.155, 0.17; of H and H: row and column 4 of the full tables.
    REQUIRE(force.tabulated_functions.at(0).sizes == std::vector{4, 4});
    REQUIRE(force.tabulated_functions.at(0).values.at(0) == Approx(0.2679));
    REQUIRE(force.tabulated_functions.at(1).values.at(0) == Approx(0.280758));
    REQUIRE(force.particles[3].back() == 3);
    auto large = atoms;
    large[2].radius = 0.21;
    REQUIRE_THAT(message_of<InputError>([&] { generalized_born(settings, std::vector<double>(7), large); }),
                 Contains("atom 2 has a radius of 0.21 nm"));
}

TEST_CASE("settings of implicit solvent come from the options") {
    SystemOptions options;
    options.implicit_solvent = ImplicitSolvent::obc1;
    REQUIRE(implicit_solvent_settings(options).surface_area == SurfaceArea::ace);
    REQUIRE(implicit_solvent_settings(options, SurfaceArea::none).surface_area == SurfaceArea::none);
    REQUIRE(implicit_solvent_settings(options).kappa == 0);
    options.implicit_solvent_salt = 0.1;
    options.temperature = 300;
    REQUIRE(implicit_solvent_settings(options).kappa == Approx(50.33355 * std::sqrt(0.1 / 78.5 / 300) * 7.3));
    options.implicit_solvent_kappa = 2;
    REQUIRE(implicit_solvent_settings(options).kappa == 2);
    options.implicit_solvent_kappa = -1;
    REQUIRE_THAT(message_of<InputError>([&] { implicit_solvent_settings(options); }),
                 Contains("kappa of the implicit solvent is -1"));
    options.nonbonded_method = NonbondedMethod::pme;
    REQUIRE_THAT(message_of<InputError>([&] { implicit_solvent_settings(options); }),
                 Contains("implicit solvent does not go with"));
}

TEST_CASE("LCPO's types follow element and bonds") {
    auto const particles = lcpo_surface(carboxylate(), false).particles;
    REQUIRE(particles[0].p1 == 0.070344);  // C of three bonds to heavy atoms
    REQUIRE(particles[1].p1 == 0.77887);   // methyl
    REQUIRE(particles[2].p1 == 0.88857);   // carboxylate
    REQUIRE(particles[4].radius == 0);
    REQUIRE(particles[1].radius == Approx(0.31));
    REQUIRE(particles[1].p4 == Approx(0.039328));
    auto const acid_particles = lcpo_surface(acid(), true).particles;
    REQUIRE(acid_particles[0].p1 == 0.73511);  // planar nitrogen with one heavy atom
    REQUIRE(acid_particles[5].p1 == 0.77914);  // hydroxyl
    REQUIRE(lcpo_surface(acid(), true).periodic);
    Topology iron;
    iron.add_chain("A");
    iron.add_residue("FE", "1");
    iron.add_atom("FE", Element::from_symbol("Fe"));
    REQUIRE_THAT(message_of<InputError>([&] { lcpo_surface(iron, false); }),
                 Contains("atom 0 has no LCPO parameters: element of atomic number 26"));
}

TEST_CASE("implicit solvent is added to a System with one NonbondedForce") {
    auto const topology = acid();
    StandardSystem system;
    REQUIRE_THAT(
        message_of<InputError>([&] { add_implicit_solvent(system, topology, settings_of(ImplicitSolvent::obc2)); }),
        Contains("has 0"));
    NonbondedForce force;
    for (int i = 0; i < 7; ++i) force.particles.push_back({0.1 * i, 0.3, 0.4});
    system.add(force);
    auto settings = settings_of(ImplicitSolvent::obc2);
    settings.surface_area = SurfaceArea::lcpo;
    add_implicit_solvent(system, topology, settings);
    REQUIRE(system.forces<NonbondedForce>().at(0).reaction_field_dielectric == 1);
    REQUIRE(system.forces<CustomGBForce>().at(0).particles[6][0] == Approx(0.6));
    REQUIRE(system.forces<LCPOForce>().size() == 1);
}

TEST_CASE("implicit solvent of a prmtop has the file's radii") {
    ProgramFiles const files;
    PrmtopText prmtop;
    SystemOptions options;
    options.implicit_solvent = ImplicitSolvent::obc2;
    auto const system = prmtop.system(files, options);
    REQUIRE(system.forces<GBSAOBCForce>().at(0).particles[0].radius == Approx(0.12));
    REQUIRE(system.forces<NonbondedForce>().at(0).reaction_field_dielectric == 1);
    options.implicit_solvent_salt = 0.15;
    auto const salty = prmtop.system(files, options);
    REQUIRE(salty.forces<GBSAOBCForce>().empty());
    REQUIRE(salty.forces<CustomGBForce>().at(0).particles[1][1] == Approx(0.17 - 0.009));
    options.implicit_solvent = ImplicitSolvent::gbn2;
    REQUIRE_THAT(prmtop.refusal(files, options), Contains("radius of 0.08 nm"));
    options = {};
    options.implicit_solvent = ImplicitSolvent::obc1;
    options.surface_area = SurfaceArea::lcpo;
    REQUIRE_THAT(prmtop.refusal(files, options), Contains("LCPO"));
}
