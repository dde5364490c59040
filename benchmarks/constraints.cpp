// Constraint solvers in ns per constraint, against textbook SHAKE.
// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <trotter/common/constraints.hpp>

using namespace trotter;

namespace {

constexpr int molecules = 2048;
constexpr double tolerance = 1e-8;

/// Copies of a rigid molecule, at their constrained lengths and displaced as in a step of 2 fs at 300 K.
struct Copies {
    Particles particles;
    std::vector<Vec3<>> start, moved;

    Copies(std::vector<Vec3<>> const& shape, std::vector<double> const& masses,
           std::vector<std::pair<int, int>> const& ties) {
        std::mt19937 generator(1);
        auto uniform = [&] { return static_cast<double>(generator()) / 0x1p32 - 0.5; };
        for (int n = 0; n < molecules; ++n) {
            int const first = particles.count();
            for (std::size_t atom = 0; atom < shape.size(); ++atom) {
                particles.masses.push_back(masses[atom]);
                start.push_back(shape[atom] + Vec3<>{0.5 * n, 0, 0});
                double const scale = 2 * 0.002 * std::sqrt(3 * 2.494 / masses[atom]);
                moved.push_back(start.back() + Vec3<>{uniform(), uniform(), uniform()} * scale);
            }
            for (auto const& [i, j] : ties)
                particles.constraints.push_back(
                    {first + i, first + j,
                     norm(shape[static_cast<std::size_t>(i)] - shape[static_cast<std::size_t>(j)])});
        }
    }
};

/// The three constraints of water: SETTLE.
Copies water() {
    return {{{0, 0, 0}, {0.0957, 0, 0}, {-0.024, 0.0927, 0}}, {15.999, 1.008, 1.008}, {{0, 1}, {0, 2}, {1, 2}}};
}
/// A methyl group: SHAKE.
Copies methyl() {
    return {{{0, 0, 0}, {0.103, 0, 0.036}, {-0.051, 0.089, 0.036}, {-0.051, -0.089, 0.036}},
            {12.011, 1.008, 1.008, 1.008},
            {{0, 1}, {0, 2}, {0, 3}}};
}
/// A ring of six carbons: the general solver.
Copies ring() {
    std::vector<Vec3<>> shape;
    std::vector<std::pair<int, int>> ties;
    for (int n = 0; n < 6; ++n) {
        shape.push_back({0.14 * std::cos(n * 1.0471976), 0.14 * std::sin(n * 1.0471976), 0});
        ties.push_back({n, (n + 1) % 6});
    }
    return {shape, std::vector<double>(6, 12.011), ties};
}

/// SHAKE (J.-P. Ryckaert, G. Ciccotti and H. J. C. Berendsen, J. Comput. Phys. 23, 327 (1977)), molecule by molecule,
/// one constraint after the other until all are satisfied.
void textbook_shake(Copies const& copies, std::vector<Vec3<>>& positions) {
    auto const& [particles, start, moved] = copies;
    std::size_t const each = particles.constraints.size() / molecules;
    for (std::size_t first = 0; first < particles.constraints.size(); first += each)
        for (bool all_hold = false; !all_hold;) {
            all_hold = true;
            for (std::size_t n = first; n < first + each; ++n) {
                auto const& constraint = particles.constraints[n];
                auto const i = static_cast<std::size_t>(constraint.particle1),
                           j = static_cast<std::size_t>(constraint.particle2);
                Vec3<> const d = positions[i] - positions[j], direction = start[i] - start[j];
                double const wanted = constraint.distance * constraint.distance, excess = dot(d, d) - wanted;
                if (std::fabs(excess) <= 2 * tolerance * wanted) continue;
                all_hold = false;
                double const wi = 1 / particles.masses[i], wj = 1 / particles.masses[j];
                double const multiplier = excess / (2 * (wi + wj) * dot(d, direction));
                positions[i] -= direction * (multiplier * wi);
                positions[j] += direction * (multiplier * wj);
            }
        }
}

void set_rate(benchmark::State& state, Copies const& copies) {
    state.counters["constraint"] =
        benchmark::Counter(static_cast<double>(copies.particles.constraints.size()),
                           benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
template <auto make> void positions(benchmark::State& state) {
    Copies const copies = make();
    ConstraintSolver const solver(copies.particles);
    Threads threads(1);
    for (auto _ : state) {
        auto positions = copies.moved;
        solver.apply_to_positions(copies.start, positions, tolerance, threads);
        benchmark::DoNotOptimize(positions.data());
    }
    set_rate(state, copies);
}
template <auto make> void velocities(benchmark::State& state) {
    Copies const copies = make();
    ConstraintSolver const solver(copies.particles);
    Threads threads(1);
    for (auto _ : state) {
        auto velocities = copies.moved;
        solver.apply_to_velocities(copies.start, velocities, tolerance, threads);
        benchmark::DoNotOptimize(velocities.data());
    }
    set_rate(state, copies);
}
template <auto make> void positions_by_textbook(benchmark::State& state) {
    Copies const copies = make();
    for (auto _ : state) {
        auto positions = copies.moved;
        textbook_shake(copies, positions);
        benchmark::DoNotOptimize(positions.data());
    }
    set_rate(state, copies);
}

}  // namespace

BENCHMARK(positions_by_textbook<&water>);
BENCHMARK(positions<&water>);
BENCHMARK(velocities<&water>);
BENCHMARK(positions_by_textbook<&methyl>);
BENCHMARK(positions<&methyl>);
BENCHMARK(velocities<&methyl>);
BENCHMARK(positions_by_textbook<&ring>);
BENCHMARK(positions<&ring>);
BENCHMARK(velocities<&ring>);
BENCHMARK_MAIN();
