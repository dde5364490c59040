// HippoNonbondedForce: files and invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <trotter/amoeba/hippo_nonbonded.hpp>
#include <trotter/io/forces.hpp>

using namespace trotter;

namespace amoeba_hippo_files_test {
namespace {

using Catch::Matchers::Contains;
using AxisType = HippoNonbondedForce::AxisType;
using Method = HippoNonbondedForce::Method;

HippoNonbondedForce four_atoms() {
    HippoNonbondedForce force{.method = Method::pme,
                              .cutoff_distance = 0.8,
                              .switching_distance = 0.7,
                              .pme = {3.5, 20, 21, 22},
                              .dispersion_pme = {3.25, 10, 11, 12},
                              .extrapolation_coefficients = {0.1, 0.2, 0.3, 0.4},
                              .force_group = 3,
                              .label = "hippo"};
    for (int i = 0; i < 4; ++i)
        force.particles.push_back({.charge = 0.1 * i,
                                   .core_charge = 1,
                                   .alpha = 30,
                                   .epsilon = 2,
                                   .damping = 31,
                                   .c6 = 0.01,
                                   .pauli_k = 2,
                                   .pauli_q = 3,
                                   .pauli_alpha = 32,
                                   .polarizability = 0.001,
                                   .axis_type = AxisType::three_fold,
                                   .axis_z = (i + 1) % 4,
                                   .axis_x = (i + 2) % 4,
                                   .axis_y = (i + 3) % 4,
                                   .dipole = {0.1, 0.2, 0.3},
                                   .quadrupole = {0.1, 0.01, 0.02, 0.01, 0.2, 0.03, 0.02, 0.03, -0.3}});
    force.exceptions = {{0, 1, 0, 0.1, 0.2, 0.3, 0.4, 0.5}, {3, 2, 1, 1, 1, 1, 1, 0}};
    return force;
}
std::string written(HippoNonbondedForce const& force) {
    XmlWriter xml;
    detail::write_force(xml, force);
    return xml.finish();
}
HippoNonbondedForce read_text(std::string const& text, int particles = 4) {
    auto const document = parse_xml(text, "test");
    return detail::read_force<HippoNonbondedForce>(document.root("Force"), particles);
}
std::string replaced(std::string text, std::string const& from, std::string const& to) {
    auto const place = text.find(from);
    REQUIRE(place != std::string::npos);
    return text.replace(place, from.size(), to);
}
std::string refusal(HippoNonbondedForce const& force, Box const& box = Box{}) {
    try {
        check(force, 4, box);
    } catch (InputError const& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("HIPPO's files are read as written", "[hippo]") {
    auto const text = written(four_atoms());
    auto const force = read_text(text);
    CHECK(written(force) == text);
    CHECK(force.particles[2].axis_y == 1);
    CHECK(force.particles[2].quadrupole[5] == 0.03);
    CHECK(force.exceptions[0].charge_transfer_scale == 0.5);
    CHECK(force.extrapolation_coefficients.size() == 4);
    CHECK(force.dispersion_pme.ny == 11);
    CHECK(force.force_group == 3);
    CHECK(force.label == "hippo");
    CHECK_THAT(text, Contains(R"(version="0")"));
}

TEST_CASE("HIPPO's invalid files are refused", "[hippo]") {
    auto const text = written(four_atoms());
    std::vector<std::pair<std::string, std::string>> const changes{
        {R"(version="0")", R"(version="1")"},
        {R"(nonbondedMethod="1")", R"(nonbondedMethod="2")"},
        {R"( ctScale=".5")", ""},
        {R"(c3=".4")", R"(c4=".4")"},
        {R"(axisType="3")", R"(axisType="6")"},
        {R"(atomY="3")", R"(atomY="4")"},
        {R"(p1="3" p2="2")", R"(p1="1" p2="0")"},
        {R"(p1="3")", R"(p1="4")"},
        {R"(charge="0")", R"(charge="x")"},
        {R"(d2=".3")", ""},
        {R"(q8="-.3")", R"(q8="nan")"},
        {R"(pmeGridX="20")", R"(pmeGridX="2.5")"},
        {"ExtrapolationCoefficients", "extrapolationCoefficients"}};
    for (auto const& [from, to] : changes) {
        CAPTURE(from);
        CHECK_THROWS_AS(read_text(replaced(text, from, to)), InputError);
    }
    CHECK_THROWS_WITH(read_text(text, 5), Contains("5"));
    CHECK_THROWS_WITH(read_text(replaced(text, R"(p1="3" p2="2")", R"(p1="1" p2="0")")),
                      Contains("exception 1 repeats the pair of exception 0"));
}

TEST_CASE("HIPPO's invalid parameters are refused", "[hippo]") {
    auto const valid = four_atoms();
    CHECK(refusal(valid).empty());
    auto const changed = [&](auto const& change) {
        auto force = valid;
        change(force);
        return refusal(force);
    };
    CHECK_THAT(changed([](auto& f) { f.particles.pop_back(); }), Contains("3 particles, expected 4"));
    CHECK_THAT(changed([](auto& f) { f.particles[1].polarizability = -1; }),
               Contains("particle 1: polarizability is -1"));
    CHECK_THAT(changed([](auto& f) { f.particles[1].dipole.y = std::numeric_limits<double>::infinity(); }),
               Contains("particle 1: a component of the dipole is inf"));
    CHECK_THAT(changed([](auto& f) { f.particles[2].quadrupole[0] = 0.2; }),
               Contains("particle 2: the quadrupole has the trace 0.1"));
    CHECK_THAT(changed([](auto& f) { f.particles[2].quadrupole[5] = 0.2; }), Contains("components 5 and 7"));
    CHECK_THAT(changed([](auto& f) { f.particles[2].axis_z = -1; }),
               Contains("particle 2: the particle of the z axis is -1"));
    CHECK_THAT(changed([](auto& f) { f.particles[2].axis_y = 4; }),
               Contains("of the y axis is 4, expected a number from 0 to 3"));
    CHECK_THAT(changed([](auto& f) { f.particles[2].axis_x = 2; }), Contains("x axis is the particle itself"));
    CHECK_THAT(changed([](auto& f) { f.particles[2].axis_x = 3; }), Contains("z and x axes are both 3"));
    CHECK_THAT(changed([](auto& f) { f.particles[2].axis_type = static_cast<AxisType>(7); }),
               Contains("the axis type is 7"));
    CHECK_THAT(changed([](auto& f) { f.exceptions[1].particle1 = 4; }),
               Contains("exception 1: there is no particle 4"));
    CHECK_THAT(changed([](auto& f) { f.exceptions[1].particle1 = 2; }), Contains("pairs particle 2 with itself"));
    CHECK_THAT(changed([](auto& f) { f.exceptions[1] = {1, 0}; }), Contains("exception 1 repeats"));
    CHECK_THAT(changed([](auto& f) { f.exceptions[1].repulsion_scale = std::numeric_limits<double>::quiet_NaN(); }),
               Contains("exception 1: repulsion scale is nan"));
    CHECK_THAT(changed([](auto& f) { f.extrapolation_coefficients[2] = std::numeric_limits<double>::infinity(); }),
               Contains("extrapolation coefficient 2"));
    CHECK_THAT(changed([](auto& f) { f.cutoff_distance = 1.1; }), Contains("at most 1.0"));
    CHECK_THAT(changed([](auto& f) { f.cutoff_distance = 0; }), Contains("expected a positive number"));
    CHECK_THAT(changed([](auto& f) { f.switching_distance = std::numeric_limits<double>::quiet_NaN(); }),
               Contains("switching distance"));
    CHECK_THAT(changed([](auto& f) { f.pme = {3, 4, 10, 10}; }), Contains("PME"));
    CHECK_THAT(changed([](auto& f) { f.dispersion_pme.alpha = -3; }), Contains("dispersion PME"));
    CHECK_THAT(changed([](auto& f) { f.pme.alpha = 0, f.ewald_error_tolerance = 0.5; }), Contains("between 0 and 0.5"));
    CHECK_THAT(changed([](auto& f) { f.pme = {3, 1 << 20, 1 << 20, 1 << 20}; }), Contains("mesh of charges"));
    // Without a cutoff, its settings do not matter.
    CHECK(changed([](auto& f) { f.method = Method::no_cutoff, f.cutoff_distance = -1, f.pme.alpha = -1; }).empty());
}

}  // namespace amoeba_hippo_files_test
