// The Monte Carlo barostats: ideal gases, box shapes, pressure, restart, invalid input.
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "catch_compat.hpp"
#include "harness.hpp"

#include <trotter/base/archive.hpp>

using namespace trotter;

namespace {

constexpr int molecule_count = 24;
constexpr double temperature = 300, pressure = 40;

/// Diatomic molecules, 10 amu per particle, in a box.
Engine<TestBackend, Double> make_gas(int threads = 1, Box box = Box::rectangular(3, 3, 3)) {
    Engine<TestBackend, Double> engine{
        HostState({.masses = std::vector<double>(2 * molecule_count, 10.0)}, box, threads, 11)};
    HostState& host = engine.host;
    host.is_periodic = true;
    for (int n = 0; n < molecule_count; ++n) host.molecules.push_back({2 * n, 2 * n + 1});
    RandomStream const random{5, 1};
    for (std::size_t i = 0; i < host.size(); ++i) {
        auto const u = random.uniforms(0, static_cast<std::uint32_t>(i));
        host.positions[i] = box.a * u[0] + box.b * u[1] + box.c * u[2];
        host.velocities[i] = random.normals(1, static_cast<std::uint32_t>(i));
    }
    return engine;
}

/// A barostat on a gas whose pairs of particles repel each other with strength · exp(-12r).
template <class Barostat> struct Gas {
    explicit Gas(Barostat const& barostat, int threads = 1, Box box = Box::rectangular(3, 3, 3))
        : engine(make_gas(threads, box)), kernel(barostat, engine, {}) {}

    double energy() const {
        double sum = 0;
        for (std::size_t i = 0; strength != 0 && i < engine.host.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                sum +=
                    strength
                    * std::exp(
                        -12 * norm(engine.host.box.minimum_image(engine.host.positions[i] - engine.host.positions[j])));
        return sum;
    }
    /// Attempts the given number of moves; returns the mean volume.
    double step(int count) {
        auto evaluate = [this](Request const&) { return energy(); };
        double sum = 0;
        for (int n = 0; n < count; ++n) {
            kernel.before_step(engine, evaluate);
            sum += engine.host.box.volume();
        }
        return sum / count;
    }
    auto current_pressure() {
        auto evaluate = [this](Request const&) { return energy(); };
        return kernel.current_pressure(engine, evaluate);
    }

    Engine<TestBackend, Double> engine;
    Kernel<Barostat, TestBackend, Double> kernel;
    double strength = 0;
};

/// <V> of n free molecules.
double ideal_volume(int n) { return (n + 1) * constants::gas_constant * temperature / (pressure * constants::bar); }

// The standard deviation of V is <V>/5 for 24 molecules. Successive moves are correlated over some 30, so the mean of
// 1,000,000 has a standard error of 0.2/sqrt(1000000/60) = 0.16 %.
constexpr int tries = 1'000'000;
constexpr double bound = 3 * 0.0016;

using Membrane = MonteCarloMembraneBarostat;

}  // namespace

TEMPLATE_TEST_CASE("An ideal gas of n molecules has the mean volume (n+1)kT/P", "[statistics]", MonteCarloBarostat,
                   MonteCarloAnisotropicBarostat, MonteCarloMembraneBarostat, MonteCarloFlexibleBarostat) {
    TestType barostat{.temperature = temperature, .frequency = 1};
    if constexpr (requires { barostat.pressure.x; })
        barostat.pressure = {pressure, pressure, pressure};
    else
        barostat.pressure = pressure;
    CHECK(Gas(barostat).step(tries) == Approx(ideal_volume(molecule_count)).epsilon(bound));
    barostat.scale_molecules_as_rigid = false;
    CHECK(Gas(barostat).step(tries) == Approx(ideal_volume(2 * molecule_count)).epsilon(bound));
}

TEMPLATE_TEST_CASE("Temperature and pressure are those of the Context, not of the barostat", "[statistics]", MonteCarloBarostat,
                   MonteCarloMembraneBarostat, MonteCarloFlexibleBarostat) {
    Gas gas(TestType{.pressure = 3, .temperature = 77, .frequency = 1});
    gas.engine.host.parameters.set(TestType::pressure_parameter, pressure);
    gas.engine.host.parameters.set(TestType::temperature_parameter, temperature);
    CHECK(gas.step(tries) == Approx(ideal_volume(molecule_count)).epsilon(bound));
}

TEST_CASE("Axes that are not enabled keep their length, and the others give the same mean volume", "[statistics]") {
    Gas one_axis(MonteCarloAnisotropicBarostat{
        .pressure = {1, pressure, 1}, .temperature = temperature, .scale_x = false, .scale_z = false, .frequency = 1});
    CHECK(one_axis.step(tries) == Approx(ideal_volume(molecule_count)).epsilon(bound));
    CHECK(one_axis.engine.host.box.a.x == 3);
    CHECK(one_axis.engine.host.box.c.z == 3);
    Gas plane(Membrane{.pressure = pressure,
                       .temperature = temperature,
                       .xy_mode = Membrane::XYMode::anisotropic,
                       .z_mode = Membrane::ZMode::fixed,
                       .frequency = 1});
    CHECK(plane.step(tries) == Approx(ideal_volume(molecule_count)).epsilon(bound));
    CHECK(plane.engine.host.box.c.z == 3);
}

TEST_CASE("A membrane of constant volume answers to the surface tension alone") {
    // exp(γA/kT) at constant volume: the area grows for positive surface tension, and shrinks for negative.
    for (double const tension : {2000.0, -2000.0}) {
        Gas gas(Membrane{.surface_tension = tension,
                         .temperature = temperature,
                         .z_mode = Membrane::ZMode::constant_volume,
                         .frequency = 1});
        gas.step(200);
        Box const box = gas.engine.host.box;
        CHECK(box.volume() == Approx(27).epsilon(1e-12));
        CHECK((box.a.x * box.b.y > 9) == (tension > 0));
        CHECK(box.a.x == Approx(box.b.y).epsilon(1e-14));
    }
}

TEST_CASE("An Einstein crystal in a flexible box keeps its strain at the thermal value") {
    // U = k/2 Σ(h-h0)² over the six elements, with only the two molecules that the weight needs: each element is
    // Gaussian. The weight (N-2) ln V + ln(a² b) shifts means by kT times its slope over k: below 1e-3 here, so
    // variances are kT/k.
    Gas gas(MonteCarloFlexibleBarostat{.pressure = 0, .temperature = temperature, .frequency = 1});
    gas.engine.host.molecules.resize(2);
    double const k = 2000, kT = constants::gas_constant * temperature;
    Box const rest = Box::rectangular(3, 3, 3);
    auto elements = [](Box const& b) { return std::array{b.a.x, b.b.x, b.b.y, b.c.x, b.c.y, b.c.z}; };
    auto evaluate = [&](Request const&) {
        double sum = 0;
        for (std::size_t n = 0; n < 6; ++n)
            sum += 0.5 * k * std::pow(elements(gas.engine.host.box)[n] - elements(rest)[n], 2);
        return sum;
    };
    std::array<double, 6> squares{};
    for (int n = 0; n < tries; ++n) {
        gas.kernel.before_step(gas.engine, evaluate);
        for (std::size_t e = 0; e < 6; ++e)
            squares[e] += std::pow(elements(gas.engine.host.box)[e] - elements(rest)[e], 2) / tries;
    }
    // 1,000,000 moves, correlated over about 60: 16,700 independent squares, with a relative deviation of √2 each: 1.1 %
    for (double square : squares) CHECK(square == Approx(kT / k).epsilon(3 * 0.011));
}

TEST_CASE("A reduced box is the same lattice, and one within its limits does not change") {
    Box const limit{{4, 0, 0}, {2, 3, 0}, {-2, 1.5, 5}};
    CHECK(reduced(limit) == limit);
    Box const box{{4, 0, 0}, {2.5, 3, 0}, {-1, 1.75, 5}};
    CHECK(reduced(box) == Box{{4, 0, 0}, {-1.5, 3, 0}, {0.5, -1.25, 5}});
}

TEST_CASE("Molecules keep their shape when the box changes") {
    Gas gas(MonteCarloFlexibleBarostat{.pressure = pressure, .temperature = temperature, .frequency = 1});
    auto const before = gas.engine.host.positions;
    Box const box = gas.engine.host.box;
    gas.step(100);
    HostState const& host = gas.engine.host;
    BoxMap const map(box, host.box);
    double const fractions = dot(host.positions[0] - before[0], host.positions[0] - before[0]);
    CHECK(fractions > 0);
    for (std::size_t i = 0; i < host.size(); i += 2) {
        CHECK(norm(host.positions[i + 1] - host.positions[i] - (before[i + 1] - before[i])) < 1e-12);
        // Off-diagonal elements may have been reduced by box vectors: compare centres as fractions of the diagonal.
        Vec3<> const center = (host.positions[i] + host.positions[i + 1]) * 0.5,
                     start = (before[i] + before[i + 1]) * 0.5;
        CHECK(center.z / host.box.c.z == Approx(start.z / box.c.z).epsilon(1e-12));
    }
}

TEST_CASE("The present pressure of an ideal gas is that of its molecules") {
    auto const gas = make_gas();
    Vec3<> sum;
    for (auto const& molecule : gas.host.molecules) {
        Vec3<> const v = (gas.host.velocities[static_cast<std::size_t>(molecule[0])]
                          + gas.host.velocities[static_cast<std::size_t>(molecule[1])])
                         * 0.5;
        for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += 20 * v[axis] * v[axis] / (27 * constants::bar);
    }
    CHECK(Gas(MonteCarloBarostat{.temperature = 300}).current_pressure() == Approx((sum.x + sum.y + sum.z) / 3).epsilon(1e-12));
    CHECK(Gas(MonteCarloFlexibleBarostat{.temperature = 300}).current_pressure() == Approx((sum.x + sum.y + sum.z) / 3).epsilon(1e-12));
    for (std::size_t axis = 0; axis < 3; ++axis) {
        CHECK(Gas(MonteCarloAnisotropicBarostat{.temperature = 300}).current_pressure()[axis] == Approx(sum[axis]).epsilon(1e-12));
        CHECK(Gas(Membrane{.temperature = 300}).current_pressure()[axis] == Approx(sum[axis]).epsilon(1e-12));
    }
}

TEST_CASE("The present stress of particles that repel each other is their virial") {
    // Without rigid molecules: Σ m v v - Σ f r over pairs, computed here from the forces 12·strength·exp(-12r) along r.
    Box const box{{3, 0, 0}, {0.4, 3.1, 0}, {-0.3, 0.5, 2.9}};
    Gas gas(MonteCarloFlexibleBarostat{.temperature = 300, .scale_molecules_as_rigid = false}, 1, box);
    gas.strength = 2000;
    std::array<double, 6> expected{};
    constexpr std::size_t rows[] = {0, 1, 2, 0, 0, 1}, columns[] = {0, 1, 2, 1, 2, 2};
    HostState const& host = gas.engine.host;
    for (std::size_t e = 0; e < 6; ++e) {
        for (std::size_t i = 0; i < host.size(); ++i) {
            expected[e] += 10 * host.velocities[i][rows[e]] * host.velocities[i][columns[e]];
            for (std::size_t j = 0; j < i; ++j) {
                Vec3<> const d = box.minimum_image(host.positions[i] - host.positions[j]);
                expected[e] += 12 * gas.strength * std::exp(-12 * norm(d)) / norm(d) * d[rows[e]] * d[columns[e]];
            }
        }
        expected[e] /= box.volume() * constants::bar;
    }
    auto evaluate = [&](Request const&) { return gas.energy(); };
    auto const stress = gas.kernel.stress_tensor(gas.engine, evaluate);
    // Central differences over strains of 1e-3 err by 1e-6/6 of the third derivative, (12 r)² ~ 100 times the first.
    for (std::size_t e = 0; e < 6; ++e) CHECK(stress[e] == Approx(expected[e]).margin(1e-4 * expected[0]));
    CHECK(gas.engine.host.box == box);
}

TEMPLATE_TEST_CASE("A barostat goes on with the same bits from what it saved, and with any number of threads", "",
                   MonteCarloBarostat, MonteCarloAnisotropicBarostat, MonteCarloMembraneBarostat,
                   MonteCarloFlexibleBarostat) {
    TestType const barostat{.temperature = temperature, .frequency = 3};
    Gas whole(barostat), first(barostat), threads(barostat, 3);
    for (auto* gas : {&whole, &first, &threads}) gas->strength = 20;
    whole.step(400);
    threads.step(400);
    CHECK(threads.engine.host.positions == whole.engine.host.positions);
    first.step(157);
    Archive written;
    first.kernel.save(written);
    Gas second(barostat);
    second.strength = 20;
    second.engine.host.positions = first.engine.host.positions;
    second.engine.host.box = first.engine.host.box;
    Archive read(written.bytes());
    second.kernel.load(read);
    CHECK(read.at_end());
    second.step(243);
    CHECK(second.engine.host.positions == whole.engine.host.positions);
    CHECK(second.engine.host.box == whole.engine.host.box);
}

TEST_CASE("Tries follow the frequency, and their size follows the acceptance") {
    Gas never(MonteCarloBarostat{.pressure = pressure, .temperature = temperature, .frequency = 0});
    never.step(1000);
    CHECK(never.engine.host.box.volume() == 27);
    Gas third(MonteCarloBarostat{.pressure = 0, .temperature = temperature, .frequency = 3});
    third.step(2);
    CHECK(third.engine.host.box.volume() == 27);
    TrialSize trial{.size = 1};
    for (int n = 0; n < 9; ++n) trial.record(true, 100);
    CHECK(trial.size == 1);
    trial.record(true, 100);
    CHECK(trial.size == 1.1);
    CHECK(trial.tried == 0);
    for (int n = 0; n < 10; ++n) trial.record(n < 2, 100);
    CHECK(trial.size == Approx(1));
    for (int n = 0; n < 100; ++n) trial.record(n % 2 == 0, 100);
    CHECK(trial.size == Approx(1));
    TrialSize limited{.size = 1};
    for (int n = 0; n < 10; ++n) limited.record(true, 1.05);
    CHECK(limited.size == 1.05);
}

TEST_CASE("Barostats refuse numbers without sense and systems without a box") {
    CHECK_THROWS_WITH(Gas(MonteCarloBarostat{.temperature = -1}), Catch::Contains("temperature of a barostat is -1"));
    CHECK_THROWS_WITH(Gas(Membrane{.temperature = 300, .frequency = -2}), Catch::Contains("frequency of a barostat is -2"));
    auto open = make_gas();
    open.host.is_periodic = false;
    CHECK_THROWS_WITH((Kernel<MonteCarloBarostat, TestBackend, Double>(MonteCarloBarostat{.temperature = 300}, open, {})),
                      Catch::Contains("a barostat needs a periodic System"));
}
