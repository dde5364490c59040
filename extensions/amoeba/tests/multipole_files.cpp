// AmoebaMultipoleForce and AmoebaGeneralizedKirkwoodForce: files, invalid input, updates, and answers.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <trotter/io/forces.hpp>
#include <trotter/units.hpp>

#include "multipole_molecules.hpp"

namespace amoeba_multipole_test {
namespace {

using Catch::Matchers::Contains;

std::string multipole_refusal(AmoebaMultipoleForce const& force, Box const& box = skewed) {
    try {
        Simulated{force, box};
    } catch (InputError const& error) {
        return error.what();
    }
    return {};
}
std::string solvent_refusal(AmoebaGeneralizedKirkwoodForce const& force, std::size_t particles) {
    HostState host(Particles{.masses = std::vector<double>(particles, 1)}, skewed, 1, 1);
    try {
        HostKernel<AmoebaGeneralizedKirkwoodForce>(force, host, {});
    } catch (InputError const& error) {
        return error.what();
    }
    return {};
}
template <class F> std::string text_of(F const& force) {
    XmlWriter xml;
    trotter::detail::write_force(xml, force);
    return xml.finish();
}
template <class F> F read_back(std::string const& text, int particles) {
    auto const document = parse_xml(text, "file");
    return trotter::detail::read_force<F>(document.root("Force"), particles);
}
std::string replaced(std::string text, std::string const& from, std::string const& to) {
    std::size_t const at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}
std::vector<Axis> const two_axes{Axis::z_then_x, Axis::z_bisect};

}  // namespace

TEST_CASE("multipole files have every parameter", "[amoeba][multipole]") {
    auto force = molecules(2, two_axes, Polarization::extrapolated, Method::pme);
    force.extrapolation_coefficients = {0.1, 0.2, 0.7};
    force.force_group = 3;
    force.label = "electrostatics";
    std::string const text = text_of(force);
    auto const read = read_back<AmoebaMultipoleForce>(text, 10);
    CHECK(text_of(read) == text);
    CHECK(read.extrapolation_coefficients == force.extrapolation_coefficients);
    CHECK(read.multipoles[4].covalent == force.multipoles[4].covalent);
    CHECK(read.multipoles[3].quadrupole == force.multipoles[3].quadrupole);
    CHECK(read.label == "electrostatics");

    auto solvent = solvent_of(force);
    solvent.tanh_rescaling = true;
    solvent.descreen_offset = 0.01;
    std::string const solvent_text = text_of(solvent);
    CHECK(text_of(read_back<AmoebaGeneralizedKirkwoodForce>(solvent_text, 10)) == solvent_text);
}

TEST_CASE("multipole files of early versions", "[amoeba][multipole]") {
    auto text = replaced(text_of(molecules(2, two_axes)), "version=\"4\"", "version=\"2\"");
    auto const begin = text.find("<ExtrapolationCoefficients"), end = text.find('>', begin);
    text.erase(begin, end + 1 - begin);
    CHECK(read_back<AmoebaMultipoleForce>(text, 10).extrapolation_coefficients.size() == 4);
    text = replaced(text, "version=\"2\"", "version=\"1\"");
    CHECK_NOTHROW(read_back<AmoebaMultipoleForce>(replaced(text, " polarizationType=\"0\"", ""), 10));
    CHECK_THROWS_AS(
        read_back<AmoebaMultipoleForce>(replaced(text, "polarizationType=\"0\"", "polarizationType=\"1\""), 10),
        InputError);
    CHECK_THROWS_AS(read_back<AmoebaMultipoleForce>(text, 11), InputError);
    CHECK_THROWS_AS(read_back<AmoebaMultipoleForce>(replaced(text, "axisType=\"0\"", "axisType=\"6\""), 10),
                    InputError);
    CHECK_THROWS_AS(read_back<AmoebaMultipoleForce>(replaced(text, "v=\"1\"", "v=\"10\""), 10), InputError);

    AmoebaGeneralizedKirkwoodForce solvent{.particles = {{0.1, 0.2, 0.69, 0.2, 0}}};
    auto const early = replaced(text_of(solvent), "version=\"3\"", "version=\"2\"");
    CHECK_THROWS_WITH(read_back<AmoebaGeneralizedKirkwoodForce>(early, 1),
                      Contains("GeneralizedKirkwoodDielectricOffset"));
}

TEST_CASE("invalid multipoles", "[amoeba][multipole]") {
    auto const valid = molecules(2, two_axes);
    auto refusal_of = [&](auto const& change) {
        auto force = valid;
        change(force);
        return multipole_refusal(force);
    };
    CHECK(refusal_of([](auto&) {}).empty());
    double const nan = std::numeric_limits<double>::quiet_NaN();
    using F = AmoebaMultipoleForce;
    CHECK_THAT(refusal_of([&](F& f) { f.multipoles[3].charge = nan; }), Contains("particle 3: the charge is nan"));
    CHECK_THAT(refusal_of([&](F& f) { f.multipoles[3].dipole[1] = nan; }), Contains("dipole is nan"));
    CHECK_THAT(refusal_of([](F& f) { f.multipoles[2].quadrupole[0] += 0.1; }),
               Contains("particle 2: the trace of the quadrupole is 0.1"));
    CHECK_THAT(refusal_of([](F& f) { f.multipoles[2].quadrupole[5] += 0.1; }), Contains("the components yz and zy"));
    CHECK_THAT(refusal_of([](F& f) { f.multipoles[1].polarizability = -1; }), Contains("the polarizability is -1"));
    CHECK_THAT(refusal_of([](F& f) { f.multipoles[1].thole = -1; }), Contains("Thole's parameter is -1"));
    CHECK_THAT(refusal_of([](F& f) { f.multipoles[1].damping = -1; }), Contains("the damping factor is -1"));
    CHECK_THAT(refusal_of([](F& f) { f.multipoles[1].axis = static_cast<Axis>(7); }), Contains("the axis type is 7"));
    CHECK_THAT(refusal_of([](F& f) { f.multipoles[0].z_particle = -1; }),
               Contains("the z particle of its frame is -1"));
    CHECK_THAT(refusal_of([](F& f) { f.multipoles[0].x_particle = 10; }),
               Contains("the x particle of its frame is 10"));
    CHECK_THAT(refusal_of([](F& f) { f.multipoles[1].y_particle = 1; }),
               Contains("expected another particle than itself"));
    CHECK_THAT(refusal_of([](F& f) { f.multipoles[1].covalent[2] = {11}; }), Contains("there is no particle 11"));
    CHECK_THAT(refusal_of([](F& f) { f.mutual_target_epsilon = 0; }),
               Contains("the target error of induced dipoles is 0"));
    CHECK_THAT(refusal_of([](F& f) { f.mutual_max_iterations = -1; }),
               Contains("the largest number of iterations is -1"));
    CHECK_THAT(refusal_of([](F& f) {
                   f.polarization = Polarization::extrapolated;
                   f.extrapolation_coefficients.clear();
               }),
               Contains("the number of extrapolation coefficients is 0"));
}

TEST_CASE("invalid meshes and cutoffs of multipoles", "[amoeba][multipole]") {
    auto force = molecules(2, two_axes, Polarization::direct, Method::pme);
    CHECK(multipole_refusal(force).empty());
    force.cutoff_distance = 1.1;
    CHECK_THAT(multipole_refusal(force), Contains("cutoff"));
    force.cutoff_distance = 0.8;
    force.pme = {3, 4, 8, 8};
    CHECK_THAT(multipole_refusal(force), Contains("4 x 8 x 8"));
    force.pme = {3, 0, 8, 8};  // all are chosen
    CHECK(multipole_refusal(force).empty());
    force.ewald_error_tolerance = 0.6;
    CHECK_THAT(multipole_refusal(force), Contains("the Ewald error tolerance is 0.6"));
    force.ewald_error_tolerance = 1e-4;
    CHECK(multipole_refusal(force).empty());
    force.solvent = solvent_of(force);
    CHECK_THAT(multipole_refusal(force), Contains("PME with an AmoebaGeneralizedKirkwoodForce"));
}

TEST_CASE("invalid implicit solvents of multipoles", "[amoeba][multipole]") {
    auto force = molecules(2, two_axes);
    auto const valid = solvent_of(force);
    CHECK(solvent_refusal(valid, 10).empty());
    CHECK_THAT(solvent_refusal(valid, 11), Contains("10"));
    auto changed = valid;
    changed.particles[7].radius = std::numeric_limits<double>::infinity();
    CHECK_THAT(solvent_refusal(changed, 10), Contains("particle 7: radius is inf"));
    changed = valid;
    changed.solvent_dielectric = 0;
    CHECK_THAT(solvent_refusal(changed, 10), Contains("the dielectric constant of the solvent is 0"));
    changed = valid;
    changed.has_multipoles = false;
    CHECK_THAT(solvent_refusal(changed, 10), Contains("no AmoebaMultipoleForce"));
    force.solvent = valid;
    force.solvent->particles[4].charge = 5;
    CHECK_THAT(multipole_refusal(force), Contains("particle 4: the charge is 0.05"));
}

TEST_CASE("induced dipoles that do not converge", "[amoeba][multipole]") {
    auto force = molecules(2, two_axes);
    force.mutual_max_iterations = 3;
    Simulated simulated(force);
    CHECK_THROWS_WITH(simulated.energy(places(2)), Contains("did not converge: after 3 iterations"));
    force.mutual_target_epsilon = 0.1;
    simulated.kernel.update(force, simulated.host);
    CHECK_NOTHROW(simulated.energy(places(2)));
}

TEST_CASE("multipole forces find the implicit solvent of their System", "[amoeba][multipole]") {
    auto const force = molecules(2, two_axes);
    System<ForceList<AmoebaMultipoleForce, AmoebaGeneralizedKirkwoodForce>> system;
    system.add(force);
    CHECK_FALSE(joined(force, system).solvent);
    system.add(solvent_of(force));
    REQUIRE(joined(force, system).solvent);
    CHECK(joined(solvent_of(force), system).has_multipoles);
    CHECK_FALSE(joined(solvent_of(force), System<ForceList<AmoebaGeneralizedKirkwoodForce>>{}).has_multipoles);
    CHECK_FALSE(joined(force, System<ForceList<AmoebaMultipoleForce>>{}).solvent);
    Simulated simulated(force);
    double const alone = simulated.energy(places(2));
    simulated.kernel.update(joined(force, system), simulated.host);
    CHECK(simulated.energy(places(2)) < alone - 1);
}

TEST_CASE("answers of multipole forces", "[amoeba][multipole]") {
    auto force = molecules(2, {Axis::none}, Polarization::mutual, Method::pme);
    Simulated simulated(force);
    auto const positions = places(2);
    simulated.energy(positions);
    auto answer = simulated.kernel.answer<AmoebaMultipoleForce>();
    CHECK(answer.iterations > 3);
    auto const d = force.multipoles[6].dipole;
    CHECK(answer.permanent_dipoles[6] == Vec3<>{d[0], d[1], d[2]});
    CHECK(answer.total_dipoles()[6] == answer.permanent_dipoles[6] + answer.induced_dipoles[6]);
    CHECK(norm(answer.induced_dipoles[6]) > 1e-4);
    CHECK(answer.induced_dipoles[4] == Vec3<>{});  // not polarizable
    Vec3<> const point{1, 1.1, 0.2};
    CHECK(answer.potential({point})[0] == Approx(answer.potential({point - skewed.a + skewed.c})[0]));
    CHECK_THROWS_WITH(answer.system_moments({1, 2}), Contains("there are 2 masses"));

    // A dipole of two charges, and a quadrupole, about the middle.
    MultipoleAnswer pair{.positions = {{0, 0, 0}, {0, 0, 0.1}},
                         .charges = {-1, 1},
                         .permanent_dipoles = Vectors(2),
                         .quadrupoles = {{}, {-1, 0, 0, -1, 0, 2}},
                         .induced_dipoles = Vectors(2)};
    auto const moments = pair.system_moments({1, 1});
    CHECK(moments[0] == 0);
    CHECK(moments[3] == Approx(4.80321));
    CHECK(moments[12] == Approx(2 * 3 * 4.80321 * 100));
    CHECK(moments[4] == Approx(-moments[12] / 2));
    CHECK(pair.potential({{0, 0, 0.3}})[0]
          == Approx(constants::coulomb * (-1 / 0.3 + 1 / 0.2 + 6 / (0.2 * 0.2 * 0.2))));
}

}  // namespace amoeba_multipole_test
