// AmoebaWcaDispersionForce: values of OpenMM 8.6, gradients, files, and invalid input.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <trotter/amoeba/wca_dispersion.hpp>
#include <trotter/io/forces.hpp>

#include "simulation.hpp"

using namespace trotter;

namespace amoeba_wca_test {
namespace {

using Catch::Matchers::Contains;
using Vectors = std::vector<Vec3<>>;

struct Simulated : KernelSimulation<AmoebaWcaDispersionForce> {
    explicit Simulated(AmoebaWcaDispersionForce const& force, int threads = 1)
        : KernelSimulation(force, force.particles.size(), Box{}, threads) {}
};

AmoebaWcaDispersionForce const two{.particles = {{0.15, 0.4}, {0.2, 0.3}}};

AmoebaWcaDispersionForce cluster(std::size_t count) {
    AmoebaWcaDispersionForce force;
    for (std::size_t i = 0; i < count; ++i)
        force.particles.push_back(
            i % 6 == 5 ? AmoebaWcaDispersionForce::Particle{}
                       : AmoebaWcaDispersionForce::Particle{0.1 + 0.03 * double(i % 4), 0.2 + 0.1 * double(i % 3)});
    return force;
}
// Overlapping spheres of all kinds, in a cube of 1 nm.
Vectors places(std::size_t count) {
    std::mt19937 generator(5);
    auto uniform = [&] { return static_cast<double>(generator()) / 0x1p32; };
    Vectors positions(count);
    for (auto& x : positions) x = {uniform(), uniform(), uniform()};
    return positions;
}

AmoebaWcaDispersionForce read_text(std::string const& text, int particles) {
    auto const document = parse_xml(text, "test");
    return detail::read_force<AmoebaWcaDispersionForce>(document.root("Force"), particles);
}
std::string written(AmoebaWcaDispersionForce const& force) {
    XmlWriter xml;
    detail::write_force(xml, force);
    return xml.finish();
}

}  // namespace

TEST_CASE("dispersion of two particles with water", "[amoeba]") {
    struct Row {
        double r, energy, force;  // on the first particle
    };
    // Computed with OpenMM 8.6.
    for (auto const& [r, energy, force] : {Row{0.3, -11.461662720461797, 0.68566382240677},
                                           Row{0.1, -11.762917602762165, 0.29440874396025934},
                                           Row{0.6, -11.741973167698713, -0.2869244378815111}}) {
        Simulated simulated(two);
        CHECK(simulated.energy({{0, 0, 0}, {r, 0, 0}}) == Approx(energy).epsilon(1e-13));
        CHECK(simulated.forces[0].x == Approx(force).epsilon(1e-12));
        CHECK(simulated.forces[1].x == Approx(-force).epsilon(1e-12));
    }
}

TEST_CASE("the dispersion of distant particles is that of each alone", "[amoeba]") {
    auto alone = [](std::size_t n) {
        return Simulated(AmoebaWcaDispersionForce{.particles = {two.particles[n]}}).energy({{1, 2, 3}});
    };
    for (double const r : {1e3, 1e200})
        CHECK(Simulated(two).energy({{0, 0, 0}, {r, 0, 0}}) == Approx(alone(0) + alone(1)).epsilon(1e-12));
}

TEST_CASE("gradients of the dispersion with water", "[amoeba]") {
    auto const positions = places(24);
    Simulated simulated(cluster(24));
    simulated.energy(positions);
    auto const forces = simulated.forces;
    for (std::size_t i = 0; i < positions.size(); ++i)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            auto energy = [&](double shift) {
                auto moved = positions;
                moved[i][axis] += shift;
                return simulated.energy(moved);
            };
            double const h = 1e-5;  // the third derivative has steps where limits of integrals change
            double const slope = (energy(h) - energy(-h)) / (2 * h);
            CHECK(forces[i][axis] == Approx(-slope).margin(1e-5));
        }
}

TEST_CASE("the dispersion with water does not depend on threads", "[amoeba]") {
    auto const positions = places(100);
    Simulated one(cluster(100)), four(cluster(100), 4);
    CHECK(one.energy(positions) == four.energy(positions));
    CHECK(one.forces == four.forces);
}

TEST_CASE("updated parameters of the dispersion with water", "[amoeba]") {
    Simulated simulated(two);
    auto changed = two;
    changed.particles[0].radius = 0.17;
    changed.energy_scale = 0.5;
    simulated.kernel.update(changed, simulated.host);
    CHECK(simulated.energy({{0, 0, 0}, {0.3, 0, 0}}) == Simulated(changed).energy({{0, 0, 0}, {0.3, 0, 0}}));
}

TEST_CASE("invalid parameters of the dispersion with water", "[amoeba]") {
    auto refused = [](auto const& change) -> std::string {
        auto force = two;
        change(force);
        try {
            check(force, 2);
        } catch (InputError const& error) {
            return error.what();
        }
        return {};
    };
    CHECK(refused([](auto&) {}).empty());
    CHECK_THAT(refused([](auto& f) { f.particles.pop_back(); }), Contains("parameters of 1 particles, expected 2"));
    CHECK_THAT(refused([](auto& f) { f.particles[1].radius = -1; }), Contains("Particle 1: radius is -1"));
    CHECK_THAT(refused([](auto& f) { f.particles[0].epsilon = NAN; }), Contains("Particle 0: epsilon is nan"));
    CHECK_THAT(refused([](auto& f) { f.radius_oxygen = -1; }), Contains("water: radius of oxygen is -1"));
    CHECK_THAT(refused([](auto& f) { f.water_density = INFINITY; }), Contains("water: density of water is inf"));
}

TEST_CASE("files of the dispersion with water", "[amoeba]") {
    auto const text = written(two);
    CHECK(written(read_text(text, 2)) == text);
    std::string first = text;
    first.replace(first.find("version=\"2\""), 11, "version=\"1\"");
    CHECK(read_text(first, 2).particles[1].epsilon == 0.3);
    CHECK_THROWS_WITH(read_text(text, 3), Contains("3"));
    CHECK_THROWS_WITH(read_text("<Force type=\"AmoebaWcaDispersionForce\" version=\"3\"/>", 0), Contains("version"));
}

}  // namespace amoeba_wca_test
