// AmoebaVdwForce: files and invalid parameters.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <limits>
#include <string>
#include <vector>

#include <trotter/amoeba/vdw.hpp>
#include <trotter/io/forces.hpp>

#include "vdw_molecules.hpp"

namespace amoeba_vdw_test {
namespace {

using Catch::Matchers::Contains;

std::string refusal(AmoebaVdwForce const& force, Box const& box = cube) {
    try {
        check(force, 2, box);
    } catch (InputError const& error) {
        return error.what();
    }
    return {};
}

AmoebaVdwForce read_text(std::string const& text, int particles) {
    auto const document = parse_xml(text, "test");
    return detail::read_force<AmoebaVdwForce>(document.root("Force"), particles);
}
std::string written(AmoebaVdwForce const& force) {
    XmlWriter xml;
    detail::write_force(xml, force);
    return xml.finish();
}
std::string version(int number, std::string const& settings, std::string const& particle) {
    return "<Force type=\"AmoebaVdwForce\" version=\"" + std::to_string(number)
           + "\" SigmaCombiningRule=\"GEOMETRIC\" EpsilonCombiningRule=\"W-H\" VdwCutoff=\".9\" method=\"1\" "
           + settings + "><VdwParticles><Particle ivIndex=\"0\" sigma=\".3\" epsilon=\".2\" reductionFactor=\".9\" "
           + particle
           + "><ParticleExclusions><excl index=\"0\"/></ParticleExclusions></Particle></VdwParticles></Force>";
}

}  // namespace

TEST_CASE("invalid parameters of AMOEBA's van der Waals force", "[amoeba]") {
    auto refused = [](auto const& change, Box const& box = cube) {
        auto force = pair_of();
        change(force);
        return refusal(force, box);
    };
    auto with_types = [](AmoebaVdwForce& force) {
        force.use_types = true;
        force.types = {{0.3, 0.5}};
        force.particles[0].type = force.particles[1].type = 0;
    };
    CHECK(refused([](auto&) {}).empty());
    CHECK_THAT(refused([](auto& f) { f.particles.pop_back(); }), Contains("parameters of 1 particles, expected 2"));
    CHECK_THAT(refused([](auto& f) { f.particles[1].sigma = 0; }), Contains("Particle 1: sigma is 0"));
    CHECK_THAT(refused([](auto& f) { f.particles[1].epsilon = -1; }), Contains("Particle 1: epsilon is -1"));
    CHECK_THAT(refused([](auto& f) { f.particles[0].parent = 2; }),
               Contains("Particle 0: its parent: there is no particle 2"));
    CHECK_THAT(refused([](auto& f) { f.particles[0].exclusions = {-1}; }),
               Contains("its exclusion: there is no particle -1"));
    CHECK_THAT(refused([](auto& f) { f.particles[0].reduction = NAN; }), Contains("reduction factor is nan"));
    CHECK_THAT(refused([](auto& f) { f.particles[0].scale = INFINITY; }), Contains("scale factor is inf"));
    CHECK_THAT(refused([](auto& f) { f.softcore_power = -1; }), Contains("softcore power is -1"));
    CHECK_THAT(refused([](auto& f) { f.softcore_alpha = -1; }), Contains("softcore alpha is -1"));
    CHECK_THAT(refused([](auto& f) { f.use_types = true; }),
               Contains("Particle 0: there is no type -1; the force has 0"));
    CHECK_THAT(refused([&](auto& f) { with_types(f), f.types[0].sigma = -1; }), Contains("Type 0: sigma is -1"));
    CHECK_THAT(refused([&](auto& f) { with_types(f), f.types[0].epsilon = -1; }), Contains("Type 0: epsilon is -1"));
    CHECK_THAT(refused([&](auto& f) {
                   with_types(f), f.type_pairs = {{0, 1, 0.3, 1}};
               }),
               Contains("Type pair 0: there is no type 1"));
    CHECK_THAT(refused([&](auto& f) {
                   with_types(f), f.type_pairs = {{0, 0, 0, 1}};
               }),
               Contains("Type pair 0: sigma is 0"));
    CHECK_THAT(refused([](auto& f) { f.method = Method::cutoff_periodic, f.cutoff_distance = 1.6; }),
               Contains("at most 1.5"));
    CHECK_THAT(refused([](auto& f) { f.method = Method::cutoff_periodic, f.cutoff_distance = 0; }),
               Contains("the cutoff is 0"));
}

TEST_CASE("files of AMOEBA's van der Waals force", "[amoeba]") {
    auto force = molecules(3, Method::cutoff_periodic);
    CHECK(written(read_text(written(force), 9)) == written(force));
    CHECK(read_text(written(force), 9).particles[4].reduction == 0.91);
    force.use_types = true;
    for (auto& particle : force.particles) particle.type = 1;
    force.types = {{0.1, 0.2}, {0.3, 0.4}};
    force.type_pairs = {{1, 0, 0.5, 0.6}};
    CHECK(written(read_text(written(force), 9)) == written(force));
    force.use_dispersion_correction = false;
    CHECK_THROWS_WITH(written(force), Contains("the dispersion correction is off"));
}

TEST_CASE("versions of AMOEBA's van der Waals force", "[amoeba]") {
    auto const oldest = read_text(version(1, "", ""), 1);
    CHECK(oldest.sigma_rule == SigmaRule::geometric);
    CHECK(oldest.epsilon_rule == EpsilonRule::waldman_hagler);
    CHECK(oldest.method == Method::cutoff_periodic);
    CHECK(oldest.particles[0].exclusions == std::vector{0});
    std::string const soft = "n=\"3\" alpha=\".6\" alchemicalMethod=\"2\" ",
                      potential = "useTypes=\"0\" potentialFunction=\"1\"";
    std::string const scaled = "isAlchemical=\"1\" scaleFactor=\".5\"";
    auto const third = read_text(version(3, soft, scaled), 1);
    CHECK(third.alchemy == Alchemy::annihilate);
    CHECK(third.softcore_power == 3);
    CHECK(third.particles[0].is_alchemical);
    CHECK(third.particles[0].scale == 0.5);
    CHECK(read_text(version(4, soft + potential, "isAlchemical=\"1\""), 1).potential == Potential::lennard_jones);
    CHECK(read_text(version(5, soft + potential, scaled), 1).particles[0].scale == 0.5);
    CHECK_THROWS_WITH(read_text(version(4, soft + potential, scaled), 1), Contains("no such attribute in version 4"));
    CHECK_THROWS_WITH(read_text(version(2, "", "isAlchemical=\"1\""), 1), Contains("no such attribute in version 2"));
    CHECK_THROWS_WITH(read_text(version(5, soft + potential, "isAlchemical=\"1\""), 1), Contains("scaleFactor"));
    CHECK_THROWS_WITH(read_text(version(6, soft + potential, ""), 1), Contains("version"));
    CHECK_THROWS_WITH(read_text(version(2, "alchemicalMethod=\"1\"", ""), 1), Contains("alchemicalMethod"));
    std::string text = version(1, "", "");
    text.replace(text.find("W-H"), 3, "w-h");
    CHECK_THROWS_WITH(read_text(text, 1), Contains("ARITHMETIC, GEOMETRIC, HARMONIC, W-H or HHG"));
}

}  // namespace amoeba_vdw_test
