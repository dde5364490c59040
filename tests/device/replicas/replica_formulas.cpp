// Tests batches of copies of a System with a user-defined pair formula.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"
#include "device/tested_device.hpp"

#include <vector>

#include <trotter/device.hpp>
#include <trotter/replicas.hpp>
#include <trotter/trotter.hpp>

using namespace trotter;

namespace {

struct Repulsion {
    static constexpr std::string_view name = "Repulsion";
    struct Particle {
        double strength = 0;
    };
    std::vector<Particle> particles{};
    PairSettings pairs{};
    int force_group = 0;

    static constexpr auto sites = &Repulsion::particles;
    static constexpr auto fields = std::tuple{Field{"strength", "k", &Particle::strength}};
    static constexpr Expression<"strength1*strength2*exp(-8*r)"> energy{};
};

}  // namespace

TEST_CASE("replicas with a formula of pairs", "[device][replicas]") {
    System<ForceList<Repulsion>> system;
    system.box = Box::rectangular(1.5, 1.5, 1.5);
    Repulsion force{.pairs = {.method = PairSettings::Method::cutoff_periodic, .cutoff_distance = 0.6}};
    std::vector<Vec3<>> places;
    for (int i = 0; i < 50; ++i) {
        system.add_particle(1 + i % 3);
        force.particles.push_back({10.0 + i % 4});
        places.push_back({0.29 * (i % 5) + 0.01 * (i % 7), 0.29 * (i / 5 % 5), 0.6 * (i / 25)});
        if (i > 0) force.pairs.exclusions.push_back({i - 1, i});
    }
    system.add(force);
    auto moved = places;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i].z += 0.05 * static_cast<double>(i % 6);
    VerletIntegrator const integrator{.step_size = 5 * fs};
    Replicas replicas{system, integrator, TestedDevice{}, Double{}, 2};
    replicas.set_positions(0, places);
    replicas.set_positions(1, moved);
    replicas.step(20);
    for (int k = 0; k < 2; ++k) {
        Context single{system, integrator, TestedDevice{}, Double{}};
        single.set_positions(k == 0 ? places : moved);
        single.step(20);
        auto const found = replicas.positions(k), &expected = single.positions();
        for (std::size_t i = 0; i < found.size(); ++i) CHECK(norm(found[i] - expected[i]) < 1e-9);
        CHECK(norm(expected[0] - (k == 0 ? places : moved)[0]) > 1e-3);
    }
}
