// The quantum thermal bath: energies of oscillators, adaptive friction, checkpoints.
// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "catch_compat.hpp"
#include "common/harness.hpp"
#include "io/scratch.hpp"

#include <trotter/base/archive.hpp>
#include <trotter/context.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/integrators/qtb.hpp>
#include <trotter/io/integrator.hpp>
#include <trotter/io/state.hpp>
#include <trotter/reference.hpp>

using namespace trotter;
using testing::message_of;

namespace {

using Springs = System<ForceList<HarmonicBondForce>>;

QTBIntegrator bath() {
    return {.temperature = 300, .friction = 10, .step_size = 0.0005, .segment_length = 0.25, .cutoff_frequency = 1000, .seed = 8};
}
/// Springs between particles of 1 amu and the origin, with frequencies w given per particle.
auto wells(std::vector<double> const& frequencies) {
    return [=](HostState& host) {
        for (std::size_t i = 0; i < host.size(); ++i) {
            double const w = frequencies[i % frequencies.size()];
            host.forces[i] += host.positions[i] * (-w * w);
        }
        return 0.0;
    };
}
/// A chain of springs; the last particle is frozen.
Springs tied() {
    Springs system;
    for (double const mass : {1, 2, 2, 0}) system.add_particle(mass);
    system.add(HarmonicBondForce{.bonds = {{0, 1, 0.1, 5000}, {1, 2, 0.1, 5000}, {2, 3, 0.1, 5000}}});
    return system;
}
template <class I> auto tied_context(I const& integrator) {
    Context context(tied(), integrator, Reference{}, Double{}, 5);
    context.set_positions({{0, 0, 0}, {.1, 0, 0}, {.1, .1, 0}, {.1, .1, .1}});
    return context;
}
std::string refusal(QTBIntegrator const& integrator) {
    return message_of<InputError>([&] { Context(tied(), integrator, Reference{}, Double{}, 5); });
}

}  // namespace

TEST_CASE("A quantum oscillator has its zero-point energy when cold and kT when slow") {
    double const kT = constants::gas_constant * 300;
    CHECK(quantum_energy(0, 300) == kT);
    CHECK(quantum_energy(1, 300) == Approx(kT).epsilon(1e-3));
    CHECK(quantum_energy(700, 0) == Approx(0.5 * constants::reduced_planck * 700));
    // h w = kT: 1/2 + 1/(e - 1)
    CHECK(quantum_energy(kT / constants::reduced_planck, 300) == Approx(kT * (0.5 + 1 / (std::numbers::e - 1))));
}

TEST_CASE("What friction smears is made up for") {
    std::vector<double> wanted;
    double const spacing = 4, friction = 20;
    for (int k = 0; k < 300; ++k) wanted.push_back(quantum_energy(k * spacing, 300) / (1 + std::exp((k * spacing - 800) / 16)));
    auto const noise = unsmeared(wanted, spacing, friction);
    // The mean of the noise over the response of an oscillator, by the trapezoidal rule on a finer grid.
    for (double const w0 : {100., 300., 500.}) {
        double smeared = 0, plain = 0, norm = 0;
        for (int n = 1; n < 2990; ++n) {
            double const w = 0.1 * spacing * n, d = w * w - w0 * w0, response = w * w / (d * d + friction * friction * w * w);
            auto const at = [&](std::vector<double> const& y) {
                auto const k = static_cast<std::size_t>(n / 10);
                return y[k] + (y[k + 1] - y[k]) * (n % 10) / 10.;
            };
            smeared += response * at(noise), plain += response * at(wanted), norm += response;
        }
        double const theta = wanted[static_cast<std::size_t>(w0 / spacing)];
        CHECK(smeared / norm == Approx(theta).epsilon(0.01));
        CHECK(std::abs(smeared / norm - theta) < 0.5 * std::abs(plain / norm - theta));
    }
    CHECK(unsmeared(wanted, spacing, 0) == wanted);
}

TEST_CASE("The quantum bath gives oscillators the energy that quantum mechanics gives them", "[statistics]") {
    std::vector<double> const frequencies{30, 150, 400, 700};
    auto integrator = bath();
    for (int i = 0; i < 200; ++i) integrator.particle_types[i] = i % 4;
    TestSimulation<QTBIntegrator> simulation({.masses = std::vector<double>(200, 1.0)}, integrator, wells(frequencies));
    simulation.step(2000);
    std::vector<double> kinetic(4), potential(4);
    int samples = 0;
    for (int n = 0; n < 2000; ++n, ++samples) {
        simulation.step(4);
        auto const& host = simulation.host();
        for (std::size_t i = 0; i < host.size(); ++i) {
            kinetic[i % 4] += 0.5 * dot(host.velocities[i], host.velocities[i]);
            potential[i % 4] += 0.5 * std::pow(frequencies[i % 4], 2) * dot(host.positions[i], host.positions[i]);
        }
    }
    for (std::size_t n = 0; n < 4; ++n) {
        INFO(frequencies[n]);
        double const each = 0.5 * quantum_energy(frequencies[n], 300), count = 150. * samples;
        // 4 ps at a friction of 10/ps are 40 samples of 150 squares each: three standard errors are 5 %, and the
        // leapfrog step is off by (w dt)²/8, 1.5 % at most.
        CHECK(kinetic[n] / count == Approx(each).epsilon(0.065));
        // Friction broadens the spectrum of positions more towards low frequencies; the noise is corrected only for
        // velocities.
        if (frequencies[n] >= 40 * integrator.friction) CHECK(potential[n] / count == Approx(each).epsilon(0.065));
    }
}

TEST_CASE("Adapted friction stays where nothing leaks, and rises where energy leaks away") {
    auto integrator = bath();
    integrator.default_adaptation_rate = 5;
    for (int i = 0; i < 200; ++i) integrator.particle_types[i] = 0;
    auto const mean = [](std::vector<double> const& friction, std::size_t first, std::size_t count) {
        double sum = 0;
        for (std::size_t k = first; k < first + count; ++k) sum += friction[k];
        return sum / static_cast<double>(count);
    };
    // Segments of 500 steps of 0.5 fs: frequency k is k 2 pi/(0.75 ps) = 8.4 k/ps.
    auto const near = [&](QTBIntegrator const& i, auto const& forces, double w) {
        TestSimulation<QTBIntegrator> simulation({.masses = std::vector<double>(200, 1.0)}, i, forces);
        simulation.step(20 * 500);
        auto const k = static_cast<std::size_t>(w / 8.4);
        return mean(simulation.kernel.adapted_friction(17), k - 3, 7);
    };
    CHECK(near(integrator, wells({300}), 300) == Approx(10).epsilon(0.05));
    // Drag on every velocity removes energy without the bath's knowledge.
    auto const with_drag = [w = wells({300})](HostState& host) {
        w(host);
        for (std::size_t i = 0; i < host.size(); ++i) host.forces[i] -= host.velocities[i] * 5;
        return 0.0;
    };
    CHECK(near(integrator, with_drag, 300) > 10.5);
    integrator.default_adaptation_rate = 0;
    CHECK(near(integrator, with_drag, 300) == 10);
}

TEST_CASE("Noise goes on from segment to segment without a seam") {
    // One free particle: its velocity follows the noise; the correlation of successive kicks must be the
    // same within segments and across their boundaries.
    auto integrator = bath();
    integrator.temperature = 0;
    integrator.segment_length = 0.01;  // 20 steps
    integrator.default_adaptation_rate = 0;
    TestSimulation<QTBIntegrator> simulation({.masses = std::vector<double>(3000, 1.0)}, integrator, wells({0}));
    double within = 0, across = 0;
    int within_count = 0, across_count = 0;
    std::vector<Vec3<>> last(3000), kick(3000);
    double const a = std::exp(-integrator.friction * integrator.step_size);
    for (int n = 0; n < 200; ++n) {
        auto const before = simulation.host().velocities;
        simulation.step();
        double sum = 0;
        for (std::size_t i = 0; i < 3000; ++i) {
            kick[i] = simulation.host().velocities[i] - before[i] * a;
            sum += dot(kick[i], last[i]);
        }
        last = kick;
        if (n == 0) continue;
        (n % 20 == 0 ? across : within) += sum / 9000;
        ++(n % 20 == 0 ? across_count : within_count);
    }
    // Each mean over 9000 products has a relative error of a few per cent; ten segments are averaged.
    CHECK(across / across_count == Approx(within / within_count).epsilon(0.1));
}

TEST_CASE("The quantum bath goes on from States and checkpoints") {
    auto integrator = bath();
    integrator.segment_length = 0.005;  // 10 steps
    integrator.particle_types = {{1, 4}, {2, 4}};
    auto whole = tied_context(integrator);
    whole.step(34);
    Archive archive;
    whole.save(archive);
    auto const state = whole.state(IntegratorParameters);
    whole.step(30);
    auto again = tied_context(integrator);
    again.load(archive);
    again.step(30);
    CHECK(again.positions() == whole.positions());
    CHECK(again.velocities() == whole.velocities());

    auto from_state = tied_context(integrator);
    from_state.set_state(parse_state(state_to_xml(state)));
    CHECK(from_state.integrator_parameters() == state.integrator_parameters.value());
    CHECK(state.integrator_parameters->at("IntegratorParameters[0]/Friction[1]/particle") == 1);
    CHECK(state.integrator_parameters->at("IntegratorParameters[0]/Friction[2]/particle") == 3);
    CHECK(state.integrator_parameters->contains("IntegratorParameters[0]/Friction[1]/F[14]/v"));
    CHECK(!state.integrator_parameters->contains("IntegratorParameters[0]/Friction[1]/F[15]/v"));
    from_state.visit_integrator([&](auto& kernel) {
        CHECK(kernel.adapted_friction(1) == kernel.adapted_friction(2));
        CHECK(kernel.adapted_friction(0) != kernel.adapted_friction(1));
        CHECK(kernel.adapted_friction(3) == std::vector<double>(15, 10.0));  // frozen: not adapted
        CHECK_THROWS_AS(kernel.set_step_size(0.001), InputError);
        CHECK_THROWS_AS(kernel.set_temperature(-1), InputError);
    });
    auto longer = integrator;
    longer.segment_length = 0.01;
    auto other = tied_context(longer);
    CHECK(message_of<InputError>([&] { other.set_state(state); })
          == "the State has the adapted friction of particle 0 at another number of frequencies than the 30 of this "
             "QTBIntegrator");
}

TEST_CASE("The quantum bath refuses what makes no sense") {
    auto bad = bath();
    bad.particle_types = {{0, 1}, {1, 1}};
    CHECK(refusal(bad) == "particles 0 and 1 are of the same type of the QTBIntegrator, expected the same mass, not 1.000000 and "
                          "2.000000");
    bad = bath(), bad.particle_types = {{4, 1}};
    CHECK(refusal(bad) == "the QTBIntegrator has a type for particle 4 of a System of 4 particles");
    bad = bath(), bad.segment_length = -1;
    CHECK(refusal(bad) == "the segment length of QTBIntegrator is -1.000000, expected a positive number");
    bad = bath(), bad.segment_length = 1e9;
    CHECK(refusal(bad).find("expected at most a million") != std::string::npos);
    bad = bath(), bad.cutoff_frequency = 0;
    CHECK(refusal(bad) == "the cutoff frequency of QTBIntegrator is 0.000000, expected a positive number");
    bad = bath(), bad.type_adaptation_rates = {{3, -1}};
    CHECK(refusal(bad)
          == "the adaptation rate of type 3 of QTBIntegrator is -1.000000, expected a finite number that is not negative");
    bad = bath(), bad.step_size = 0;
    CHECK(refusal(bad) == "the step size of QTBIntegrator is 0.000000, expected a positive number");
}

TEST_CASE("The quantum bath is the same after a file") {
    auto integrator = bath();
    integrator.particle_types = {{0, 3}, {5, -2}};
    integrator.type_adaptation_rates = {{3, 0.25}};
    auto const text = integrator_to_xml(integrator);
    auto const again = std::get<QTBIntegrator>(parse_integrator(text));
    CHECK(again.particle_types == integrator.particle_types);
    CHECK(again.type_adaptation_rates == integrator.type_adaptation_rates);
    CHECK(again.segment_length == 0.25);
    CHECK(again.cutoff_frequency == 1000);
    CHECK(again.default_adaptation_rate == 0.01);
    CHECK(integrator_to_xml(again) == text);
    auto copy = text;
    copy.replace(copy.find("rate=\".25\""), 10, "rate=\"-1\"");
    CHECK(message_of<InputError>([&] { (void)parse_integrator(copy, "i.xml"); }).find("rate is \"-1\", expected a number that is not negative")
          != std::string::npos);
}
