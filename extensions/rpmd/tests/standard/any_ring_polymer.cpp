// Ring polymers on a backend chosen at run time.
// SPDX-License-Identifier: MIT
#include "catch_compat.hpp"

#include <trotter/base/archive.hpp>
#include <trotter/platforms.hpp>
#include <trotter/rpmd/any_ring_polymer.hpp>

#include "../rings.hpp"

using namespace trotter;
using namespace trotter::rpmd;
using Catch::Contains;

namespace {

RPMDIntegrator const hot{
    .copies = 4, .temperature = 300, .friction = 5, .step_size = 0.25 * fs, .contractions = {{1, 2}}};

StandardSystem standard_molecules() {
    StandardSystem result;
    auto const same = molecules();
    result.box = same.box;
    result.particles = same.particles;
    same.for_each_force([&](int, auto const& force) { result.add(force); });
    return result;
}
template <class Ring> Vectors after_steps(Ring& ring) {
    for (int k = 0; k < 4; ++k) ring.set_positions(k, scattered(places_of_molecules(), k, 0.003));
    ring.step(10);
    auto stiffer = molecules().forces<HarmonicBondForce>().front();
    for (auto& bond : stiffer.bonds) bond.k *= 1.5;
    ring.update(0, stiffer);
    ring.set_temperature(400);
    ring.step(10);
    return ring.positions(3);
}

}  // namespace

TEST_CASE("a ring polymer on a backend chosen at run time moves as on a known one", "[rpmd]") {
    RingPolymer known{molecules(), hot, Reference{}, Double{}};
    auto const expected = after_steps(known);
    for (auto const platform : list_platforms()) {
        CAPTURE(platform);
        if (platform == "cuda") continue;  // tested on request
        std::optional<AnyRingPolymer> ring;
        try {
            ring.emplace(standard_molecules(), hot,
                         ChosenBackend{{.platform = std::string(platform), .precision = "double"}});
        } catch (UnsupportedError const&) {
            continue;  // no device, or no Cpu in double precision
        }
        auto const found = after_steps(*ring);
        double largest = 0;
        for (std::size_t i = 0; i < found.size(); ++i) largest = std::max(largest, norm(found[i] - expected[i]));
        CHECK(largest < (platform == "reference" ? 1e-15 : 1e-9));
        CHECK(ring->state(2, StateData::energy).potential_energy
              == Approx(known.state(2, StateData::energy).potential_energy).epsilon(1e-9));
        CHECK(ring->evaluations() >= 20);
    }
}

TEST_CASE("a checkpoint of a ring polymer on a chosen backend", "[rpmd]") {
    auto const make = [] { return AnyRingPolymer{standard_molecules(), hot, ChosenBackend{{.platform = "reference"}}}; };
    auto first = make(), second = make();
    first.set_positions(places_of_molecules());
    first.step(3);
    Archive archive;
    first.save(archive);
    Archive saved{archive.bytes()};
    second.load(saved);
    first.step(3), second.step(3);
    CHECK(first.positions(1) == second.positions(1));
}

TEST_CASE("functions of users are called on the thread that uses the ring polymer", "[rpmd]") {
    auto system = standard_molecules();
    auto const here = std::this_thread::get_id();
    bool is_elsewhere = false;
    CallbackForce<> callback{.function = [&](Configuration const&, std::span<Vec3<>>) {
        is_elsewhere = is_elsewhere || std::this_thread::get_id() != here;
        return 0.0;
    }};
    CustomCVForce variable{.energy = RuntimeExpression("a")};
    variable.add_variable("a", callback);
    for (bool const is_inner : {false, true}) {
        auto with_callback = system;
        is_inner ? void(with_callback.add(variable)) : void(with_callback.add(callback));
        AnyRingPolymer ring{with_callback, hot, ChosenBackend{{.platform = "reference"}, 4}};
        ring.set_positions(places_of_molecules());
        ring.step(2);
        CHECK_FALSE(is_elsewhere);
    }
}

TEST_CASE("thermostats of Systems are refused on a chosen backend, too", "[rpmd]") {
    auto system = standard_molecules();
    system.add(AndersenThermostat{.temperature = 300, .collision_frequency = 1});
    CHECK_THROWS_WITH((AnyRingPolymer{system, hot, ChosenBackend{{.platform = "reference"}}}),
                      Contains("(AndersenThermostat) cannot act on a ring polymer"));
}
