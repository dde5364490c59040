// Trajectories of ring polymers: conservation of energy, contractions, frozen particles and virtual sites, checkpoints.
// SPDX-License-Identifier: MIT
#include "backends.hpp"
#include "catch_compat.hpp"
#include "rings.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include <trotter/base/archive.hpp>

using namespace trotter;
using namespace trotter::rpmd;

namespace {

RPMDIntegrator const hot{.copies = 6, .temperature = 300, .friction = 2, .step_size = 0.5 * fs};
RPMDIntegrator without_thermostat(RPMDIntegrator integrator = hot) {
    integrator.apply_thermostat = false;
    return integrator;
}
template <class Ring> double drift_of_energy(Ring ring, int steps) {
    double const start = ring.conserved_energy();
    double worst = 0;
    for (int n = 0; n < steps; n += 10) {
        ring.step(10);
        worst = std::fmax(worst, std::abs(ring.conserved_energy() - start));
    }
    return worst;
}

}  // namespace

TEST_CASE("energy is conserved without thermostat, with contractions, too", "[rpmd]") {
    // 900 to 1,400 kJ/mol, of which bonds exchange some hundred; the error is of second order in the step.
    for (std::map<int, int> const& contractions : {std::map<int, int>{}, {{1, 1}}, {{1, 4}}, {{0, 5}, {1, 3}}}) {
        auto integrator = without_thermostat();
        integrator.contractions = contractions;
        auto const coarse = drift_of_energy(ring_of(molecules(), integrator, places_of_molecules()), 200);
        integrator.step_size /= 4;
        auto const fine = drift_of_energy(ring_of(molecules(), integrator, places_of_molecules()), 800);
        CHECK(coarse < 3);
        CHECK(fine < coarse / 10);
    }
}

TEST_CASE("the total energy is that of copies and springs", "[rpmd]") {
    auto const system = molecules();
    auto ring = ring_of(system, without_thermostat(), places_of_molecules());
    double expected = 0;
    double const frequency = 6 * constants::gas_constant * 300 / constants::reduced_planck;
    for (int k = 0; k < 6; ++k) {
        auto const state = ring.state(k, Energy);
        expected += state.potential_energy + state.kinetic_energy;
        auto const here = ring.positions(k), next = ring.positions((k + 1) % 6);
        for (std::size_t i = 0; i < here.size(); ++i) {
            Vec3<> const d = next[i] - here[i];
            expected += 0.5 * system.particles.masses[i] * frequency * frequency * dot(d, d);
        }
    }
    CHECK(ring.total_energy() == Approx(expected).epsilon(1e-12));
    CHECK(ring.conserved_energy() == Approx(expected).epsilon(1e-12));
    // Energies change nothing.
    auto other = ring_of(system, without_thermostat(), places_of_molecules());
    (void)ring.potential_energy(), (void)ring.kinetic_energy();
    ring.step(5), other.step(5);
    CHECK(all_vectors(ring) == all_vectors(other));
}

TEST_CASE("one copy without thermostat is velocity Verlet", "[rpmd]") {
    auto integrator = without_thermostat();
    integrator.copies = 1;
    auto ring = ring_of(in_potential(2, 3, "100*x^2+y^4"), integrator, {{0.1, 0.2, 0}, {0.3, 0.4, 0.5}});
    Vectors positions = ring.positions(0), velocities = ring.velocities(0);
    ring.step(3);
    auto const kick = [&] {
        for (std::size_t i = 0; i < 2; ++i)
            velocities[i] -= Vec3<>{200 * positions[i].x, 4 * std::pow(positions[i].y, 3), 0} * (0.25 * fs / 3);
    };
    for (int n = 0; n < 3; ++n) {
        kick();
        for (std::size_t i = 0; i < 2; ++i) positions[i] += velocities[i] * (0.5 * fs);
        kick();
    }
    CHECK(largest_difference(all_vectors(ring), {positions, velocities}) < 1e-12);
}

TEST_CASE("contractions change nothing where forces are uniform or all copies are kept", "[rpmd]") {
    auto const trajectory = [](TestSystem const& system, std::map<int, int> const& contractions) {
        auto integrator = hot;
        integrator.contractions = contractions;
        auto ring = ring_of(system, integrator, Vectors(3));
        ring.step(20);
        return all_vectors(ring);
    };
    auto const uniform = in_potential(3, 2, "30*x - 20*y", 3), stiff = in_potential(3, 2, "3000*x^2", 3);
    for (int const copies : {1, 2, 3, 4, 5})
        CHECK(largest_difference(trajectory(uniform, {{3, copies}}), trajectory(uniform, {})) < 1e-11);
    CHECK(trajectory(stiff, {{3, 6}, {4, 6}}) == trajectory(stiff, {}));
    CHECK(trajectory(stiff, {{4, 2}}) == trajectory(stiff, {}));  // no force is in this group
    CHECK(largest_difference(trajectory(stiff, {{3, 1}}), trajectory(stiff, {})) > 1e-4);
}

TEST_CASE("slowly varying forces need fewer copies", "[rpmd]") {
    auto const trajectory = [](std::map<int, int> const& contractions) {
        auto integrator = hot;
        integrator.contractions = contractions;
        auto ring = ring_of(molecules(), integrator, places_of_molecules());
        ring.step(40);
        return all_vectors(ring);
    };
    auto const full = trajectory({});
    double const few = largest_difference(trajectory({{1, 3}}), full),
                 one = largest_difference(trajectory({{1, 1}}), full);
    // Velocities are about 1 nm/ps times the root of 6.
    CHECK(few < 0.02);
    CHECK(one < 0.3);
    CHECK(few < one);
}

TEST_CASE("frozen particles stay to the bit, virtual sites follow in each copy", "[rpmd]") {
    auto integrator = hot;
    integrator.contractions = {{1, 2}};
    auto ring = ring_of(molecules(), integrator, places_of_molecules());
    for (int n = 0; n < 2; ++n) {
        for (int k = 0; k < 6; ++k) {
            auto const positions = ring.positions(k);
            CHECK(positions[24] == places_of_molecules()[24]);
            CHECK(norm(positions[2] - (positions[0] * 0.3 + positions[1] * 0.7)) < 1e-14);
        }
        ring.step(10);
    }
    CHECK(norm(ring.centroids()[5] - (ring.centroids()[3] * 0.3 + ring.centroids()[4] * 0.7)) < 1e-14);
    // Forces on the parents include those on sites.
    auto moved = ring.positions(1);
    auto const at = ring.state(1, Forces).forces[0].y;
    double energies[2];
    for (int const side : {0, 1}) {
        auto shifted = moved;
        shifted[0].y += side == 0 ? -1e-5 : 1e-5;
        ring.set_positions(1, shifted);
        energies[side] = ring.state(1, Energy).potential_energy;
    }
    CHECK(-(energies[1] - energies[0]) / 2e-5 == Approx(at).epsilon(1e-5));
}

TEST_CASE("the center of mass of each copy is at rest", "[rpmd]") {
    auto system = in_potential(3, 2, "0");
    system.particles.masses = {1, 0, 4};
    system.add(CMMotionRemover{.frequency = 2});
    auto ring = ring_of(system, without_thermostat(), Vectors(3));
    ring.step(3);
    for (int k = 0; k < 6; ++k) {
        auto const velocities = ring.velocities(k);
        CHECK(norm(velocities[0] + velocities[2] * 4.0) < 1e-12);
        CHECK(velocities[1] == scattered(Vectors(3), k, 1.0)[1]);
    }
    CHECK(ring.kinetic_energy() == Approx(1.5 * constants::gas_constant * 300));
}

TEST_CASE("temperature, parameters and box of a live ring polymer", "[rpmd]") {
    auto system = in_potential(2, 1, "0");
    system.add(CustomExternalForce{
        .energy = RuntimeExpression("pull*x"), .global_parameters = {{"pull", 0}}, .affected = {{.particle = 0}}});
    auto integrator = without_thermostat();
    auto ring = RingPolymer{system, integrator, Reference{}, Double{}};
    ring.set_positions({{0, 0, 0}, {1, 1, 1}});
    ring.step(1);
    CHECK(ring.positions(3)[0] == Vec3<>{});
    ring.set_parameter("pull", -10);
    ring.set_step_size(2 * fs);
    ring.step(1);
    CHECK(ring.positions(3)[0].x == Approx(0.5 * 10 * 4 * fs * fs));
    CHECK(ring.state(2, Parameters).parameters->at("pull") == -10);
    CHECK(ring.time() == Approx(2.5 * fs));
    CHECK(ring.step_count() == 2);
    ring.set_velocities_to_temperature(300, 8);
    auto const drawn = ring.velocities(0);
    ring.set_velocities_to_temperature(1200, 8);
    CHECK(norm(ring.velocities(0)[1] - drawn[1] * 2.0) < 1e-12);
    ring.set_temperature(100);
    CHECK(ring.integrator().temperature == 100);
    ring.set_box(Box::rectangular(3, 3, 3));
    CHECK(ring.state(5).box == Box::rectangular(3, 3, 3));
}

TEMPLATE_LIST_TEST_CASE("rings of all backends follow the same trajectory", "[rpmd]", TestedBackends) {
    // Forces of 1e3 kJ/mol/nm in single precision change velocities by 1e-4 in 20 steps.
    double const tolerance = TestType::is_double ? 1e-9 : 1e-3;
    // Without contractions, steps stay on a device.
    for (std::map<int, int> const& contractions : {std::map<int, int>{}, {{1, 3}}}) {
        auto integrator = hot;
        integrator.contractions = contractions;
        auto system = molecules();
        system.add(CMMotionRemover{.frequency = 3});
        auto expected = ring_of(system, integrator, places_of_molecules());
        auto found = ring_of(system, integrator, places_of_molecules(), typename TestType::Backend{},
                             typename TestType::Precision{});
        CHECK(found.conserved_energy() == Approx(expected.conserved_energy()).epsilon(tolerance));
        CHECK(found.total_energy() == Approx(expected.total_energy()).epsilon(tolerance));
        expected.step(20), found.step(20);
        CHECK(largest_difference(all_vectors(found), all_vectors(expected)) < tolerance);
        CHECK(found.kinetic_energy() == Approx(expected.kinetic_energy()).epsilon(tolerance));
        CHECK(found.time() == expected.time());
    }
}

TEMPLATE_LIST_TEST_CASE("a ring polymer continues from a checkpoint to the bit", "[rpmd]", TestedBackends) {
    typename TestType::Backend const backend{};
    for (std::map<int, int> const& contractions : {std::map<int, int>{}, {{1, 3}}}) {
        auto integrator = hot;
        integrator.contractions = contractions;
        integrator.barostat = RPMDMonteCarloBarostat{.pressure = 300, .frequency = 3};
        auto const make = [&] {
            return ring_of(molecules(), integrator, places_of_molecules(), backend, typename TestType::Precision{});
        };
        auto whole = make(), first = make(), second = make();
        whole.step(17);
        first.step(4);
        first.step(3);
        Archive archive;
        first.save(archive);
        second.set_temperature(77);
        second.step(2);
        Archive saved{archive.bytes()};
        second.load(saved);
        saved.expect_end();
        CHECK(all_vectors(first) == all_vectors(second));
        second.step(10);
        CHECK(all_vectors(whole) == all_vectors(second));
        CHECK(whole.box() == second.box());
        CHECK_FALSE(whole.box() == Box::rectangular(2.2, 2.3, 2.4));
        CHECK((second.step_count() == 17 && second.time() == Approx(whole.time())));
    }
}

TEMPLATE_LIST_TEST_CASE("a ring polymer that fails names the copy on every backend", "[rpmd]", TestedBackends) {
    RingPolymer ring{in_potential(2, 1, "sqrt(x)"), hot, typename TestType::Backend{}, typename TestType::Precision{}};
    ring.set_positions({{1, 0, 0}, {1, 0, 0}});
    ring.set_velocities(2, {{}, {-1e4, 0, 0}});
    CHECK_THROWS_AS(ring.step(10), NotFiniteError);
    ring.set_positions({{1, 0, 0}, {1, 0, 0}});
    ring.set_velocities(2, {{}, {}});
    CHECK_NOTHROW(ring.step(1));
}

TEST_CASE("molecules are wrapped alike in all copies", "[rpmd]") {
    auto outside = places_of_molecules();
    for (int const i : {3, 4}) outside[static_cast<std::size_t>(i)] += Vec3<>{-2.2, 4.6, 0};
    auto ring = ring_of(molecules(), hot, outside), inside = ring_of(molecules(), hot, places_of_molecules());
    for (int k = 0; k < 6; ++k) CHECK(largest_difference({ring.wrapped_positions(k)}, {inside.positions(k)}) < 1e-14);
    auto const crossing = scattered(places_of_molecules(), 0, 0);
    ring.set_positions(2, crossing);
    CHECK(norm(ring.wrapped_positions(2)[3] - crossing[3] - Vec3<>{2.2, -4.6, 0}) < 1e-14);
}

#if defined(TROTTER_HAVE_CPU) && !defined(TROTTER_TEST_DEVICES)
TEST_CASE("results of rings do not depend on the number of threads", "[rpmd]") {
    auto integrator = hot;
    integrator.contractions = {{1, 2}};
    auto const trajectory = [&](int threads) {
        auto ring = ring_of(molecules(), integrator, places_of_molecules(), Cpu{.threads = threads}, Mixed{});
        ring.step(20);
        return all_vectors(ring);
    };
    auto const serial = trajectory(1);
    CHECK(trajectory(2) == serial);
    CHECK(trajectory(16) == serial);
}
#endif
