// Bonds and torsions in SIMD batches, summed by particle, against hand-written loops for each force.
// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <trotter/cpu.hpp>
#include <trotter/forces/harmonic_bond.hpp>
#include <trotter/forces/periodic_torsion.hpp>

using namespace trotter;

namespace {

constexpr int particles = 4096;

/// A random chain without nearly straight or folded angles.
std::vector<Vec3<>> chain() {
    std::mt19937 generator(1);
    auto uniform = [&] { return static_cast<double>(generator()) / 0x1p32 - 0.5; };
    std::vector<Vec3<>> positions;
    for (int n = 0; n < particles; ++n)
        positions.push_back(Vec3<>{0.1 * n, n % 2 * 0.1, n / 2 % 2 * 0.05}
                            + Vec3<>{uniform(), uniform(), uniform()} * 0.02);
    return positions;
}
HarmonicBondForce bonds() {
    HarmonicBondForce force;
    for (int n = 0; n + 1 < particles; ++n) force.bonds.push_back({n, n + 1, 0.15, 2e5});
    return force;
}
PeriodicTorsionForce torsions() {
    PeriodicTorsionForce force;
    for (int n = 0; n + 3 < particles; ++n) force.torsions.push_back({n, n + 1, n + 2, n + 3, 1 + n % 4, 0.5, 4.0});
    return force;
}

double by_hand(HarmonicBondForce const& force, HostState& host) {
    double energy = 0;
    for (auto const& [i, j, length, k] : force.bonds) {
        auto const a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
        Vec3<> const d = host.positions[a] - host.positions[b];
        double const r = std::sqrt(dot(d, d)), x = r - length;
        energy += 0.5 * k * x * x;
        Vec3<> const push = d * (-k * x / r);
        host.forces[a] += push;
        host.forces[b] -= push;
    }
    return energy;
}
/// The gradient of a dihedral: A. Blondel and M. Karplus, J. Comput. Chem. 17, 1132 (1996), eq. 27.
double by_hand(PeriodicTorsionForce const& force, HostState& host) {
    double energy = 0;
    for (auto const& t : force.torsions) {
        auto const i = static_cast<std::size_t>(t.particle1), j = static_cast<std::size_t>(t.particle2),
                   k = static_cast<std::size_t>(t.particle3), l = static_cast<std::size_t>(t.particle4);
        auto const& x = host.positions;
        Vec3<> const f = x[i] - x[j], g = x[j] - x[k], h = x[l] - x[k], a = cross(f, g), b = cross(h, g);
        double const length = norm(g), angle = std::atan2(dot(cross(b, a), g) / length, dot(a, b));
        double const inner = t.periodicity * angle - t.phase;
        energy += t.k * (1 + std::cos(inner));
        double const slope = -t.k * t.periodicity * std::sin(inner);
        Vec3<> const to_i = a * (-length / dot(a, a)), to_l = b * (length / dot(b, b));
        Vec3<> const middle = a * (dot(f, g) / (dot(a, a) * length)) - b * (dot(h, g) / (dot(b, b) * length));
        host.forces[i] -= to_i * slope;
        host.forces[j] -= (middle - to_i) * slope;
        host.forces[k] += (middle + to_l) * slope;
        host.forces[l] -= to_l * slope;
    }
    return energy;
}

struct Setup {
    HostState host;
    Setup() : host(Particles{std::vector<double>(particles, 12.0)}, Box{}, 1, 1) { host.positions = chain(); }
};
void set_rate(benchmark::State& state, std::size_t terms) {
    state.counters["term"] = benchmark::Counter(
        static_cast<double>(terms), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <auto make> void batches(benchmark::State& state) {
    auto const name = cpu::instruction_sets()[static_cast<std::size_t>(state.range(0))];
    cpu::use_instruction_set(name);
    state.SetLabel(std::string(name));
    Setup setup;
    auto const force = make();
    cpu::TermForces<cpu::DynamicDispatch> forces(setup.host.size());
    cpu::Terms<decltype(make()), cpu::DynamicDispatch> terms(force, setup.host, forces, Registration{});
    for (auto _ : state) {
        benchmark::DoNotOptimize(terms.compute(setup.host, forces, Request{}));
        forces.add_to(setup.host.forces, setup.host.threads);
    }
    set_rate(state, (force.*decltype(force)::terms).size());
}
template <auto make> void hand_written(benchmark::State& state) {
    Setup setup;
    auto const force = make();
    for (auto _ : state) benchmark::DoNotOptimize(by_hand(force, setup.host));
    set_rate(state, (force.*decltype(force)::terms).size());
}

void each_instruction_set(benchmark::internal::Benchmark* benchmark) {
    for (std::size_t n = 0; n < cpu::instruction_sets().size(); ++n) benchmark->Arg(static_cast<std::int64_t>(n));
}

}  // namespace

BENCHMARK(hand_written<&bonds>);
BENCHMARK(batches<&bonds>)->Apply(each_instruction_set);
BENCHMARK(hand_written<&torsions>);
BENCHMARK(batches<&torsions>)->Apply(each_instruction_set);
BENCHMARK_MAIN();
