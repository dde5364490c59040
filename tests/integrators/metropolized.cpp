// Metropolized splittings: the canonical distribution with steps that are far too long without the acceptance test.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>
#include <string_view>

#include <trotter/base/archive.hpp>

#include "catch_compat.hpp"
#include "common/harness.hpp"

using namespace trotter;

namespace {

template <class Product> struct Metropolized {
    static constexpr std::string_view name = "Metropolized";
    static constexpr auto splitting = Product::splitting;
    static constexpr bool is_metropolized = Product::is_metropolized;

    double temperature = 300, friction = 10, step_size = 0;
    double constraint_tolerance = 1e-8;
    ForceGroups force_groups{};
};
struct KickFirst {
    static constexpr Splitting splitting{"O V R V"};
    static constexpr bool is_metropolized = true;
};
struct DriftFirst {
    static constexpr Splitting splitting{"O R V R"};
    static constexpr bool is_metropolized = true;
};
struct Long {
    static constexpr Splitting splitting{"O V R V R V R V"};
    static constexpr bool is_metropolized = true;
};
struct KickFirstUnchecked {
    static constexpr Splitting splitting{"O V R V"};
    static constexpr bool is_metropolized = false;
};

double const well_k = 2000, well_mass = 5, well_frequency = std::sqrt(well_k / well_mass);  // [1/ps]
int const well_count = 12;

template <class Product> TestSimulation<Metropolized<Product>> oscillators(double step_size) {
    Particles particles;
    particles.masses.assign(well_count, well_mass);
    TestSimulation<Metropolized<Product>> simulation(particles, {.step_size = step_size}, harmonic_well(well_k));
    simulation.host().positions.assign(well_count, {});
    simulation.host().velocities.assign(well_count, {});
    return simulation;
}
/// The mean energy of the oscillators divided by that of equipartition.
template <class Product> double energy_over_equipartition(TestSimulation<Metropolized<Product>>& simulation, int steps) {
    simulation.step(300);
    double sum = 0;
    for (int n = 0; n < steps; ++n) {
        simulation.step();
        for (auto const& x : simulation.host().positions) sum += 0.5 * well_k * dot(x, x);
    }
    return sum / steps / (1.5 * well_count * constants::gas_constant * 300);
}

}  // namespace

TEMPLATE_TEST_CASE("a metropolized splitting samples the canonical distribution whatever the step", "[integrators][statistics]",
                   KickFirst, DriftFirst, Long) {
    auto simulation = oscillators<TestType>(0.9 / well_frequency);
    CHECK(energy_over_equipartition(simulation, 8000) == Approx(1).epsilon(0.03));
    auto const counts = simulation.kernel.parameters();
    CHECK(counts.at("tried") == 8300);
    CHECK(counts.at("accepted") < 0.97 * counts.at("tried"));
    CHECK(counts.at("accepted") > 0.3 * counts.at("tried"));
}

TEST_CASE("the same splitting without a test has the error of its step", "[integrators][statistics]") {
    auto simulation = oscillators<KickFirstUnchecked>(0.9 / well_frequency);
    CHECK(energy_over_equipartition(simulation, 8000) > 1.15);  // 1/(1 - (ω dt)²/4)
}

TEST_CASE("a step that is refused leaves positions and forces, and reverses velocities", "[integrators]") {
    auto simulation = oscillators<KickFirst>(1.0 / well_frequency);
    auto& host = simulation.host();
    simulation.step(50);
    int refused = 0;
    for (int n = 0; n < 200; ++n) {
        auto const before = host.positions;
        double const accepted = simulation.kernel.parameters().at("accepted");
        simulation.step();
        bool const is_accepted = simulation.kernel.parameters().at("accepted") > accepted;
        CHECK((host.positions == before) == !is_accepted);
        refused += !is_accepted;
        for (std::size_t i = 0; i < host.size(); ++i) CHECK(norm(host.forces[i] + host.positions[i] * well_k) < 1e-9);
    }
    CHECK(refused > 20);
    CHECK(refused < 200);
    CHECK(host.time == Approx(250 * 1.0 / well_frequency));
}

TEST_CASE("a try that leads to what is no number is refused", "[integrators]") {
    Particles particles;
    particles.masses.assign(well_count, well_mass);
    auto const within_walls = [](HostState& host) {
        double const energy = harmonic_well(well_k)(host);
        for (auto const& x : host.positions)
            if (norm(x) > 0.1) throw NotFiniteError("", "the energy beyond the wall is not a finite number");
        return energy;
    };
    TestSimulation<Metropolized<KickFirst>> simulation(particles, {.step_size = 0.2 / well_frequency}, within_walls);
    auto& host = simulation.host();
    host.positions.assign(well_count, {});
    host.velocities.assign(well_count, {});
    for (int n = 0; n < 300; ++n) {
        simulation.step();
        for (auto const& x : host.positions) CHECK(norm(x) <= 0.1);
    }
    auto const counts = simulation.kernel.parameters();
    CHECK(counts.at("tried") == 300);
    CHECK(counts.at("accepted") < 300);
    CHECK(counts.at("accepted") > 30);
}

TEST_CASE("a metropolized step evaluates forces once, and goes on from a checkpoint with the same bits", "[integrators]") {
    auto through = oscillators<KickFirst>(0.9 / well_frequency), resumed = oscillators<KickFirst>(0.9 / well_frequency);
    through.step(50);
    auto const evaluations = through.host().evaluations;
    Archive archive;
    through.kernel.save(archive);
    resumed.host().positions = through.host().positions;
    resumed.host().velocities = through.host().velocities;
    resumed.host().step_count = through.host().step_count;
    through.step(50);
    CHECK(through.host().evaluations == evaluations + 50);
    Archive read(archive.bytes());
    resumed.kernel.load(read);
    resumed.step(50);
    CHECK(resumed.host().positions == through.host().positions);
    CHECK(resumed.kernel.parameters() == through.kernel.parameters());
}

TEST_CASE("a metropolized splitting keeps constraints", "[integrators]") {
    Particles particles;
    particles.masses.assign(2, well_mass);
    particles.constraints.push_back({0, 1, 0.1});
    TestSimulation<Metropolized<KickFirst>> simulation(particles, {.step_size = 0.01}, harmonic_well(well_k));
    auto& host = simulation.host();
    host.positions = {{-0.05, 0, 0}, {0.05, 0, 0}};
    host.velocities.assign(2, {});
    for (int n = 0; n < 500; ++n) {
        simulation.step();
        Vec3<> const d = host.positions[1] - host.positions[0];
        REQUIRE(norm(d) == Approx(0.1).epsilon(1e-6));
        REQUIRE(std::abs(dot(d, host.velocities[1] - host.velocities[0])) < 1e-6);
    }
    CHECK(simulation.kernel.parameters().at("accepted") > 100);
}
