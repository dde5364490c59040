// Normal random numbers for thermostats, three for each particle: in SIMD, one by one, and from the standard library.
// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>

#include <trotter/cpu.hpp>
#include <trotter/cpu/dispatch_table.hpp>

using namespace trotter;

namespace {

constexpr std::uint32_t particles = 8192;

void set_rate(benchmark::State& state) {
    state.counters["number"] =
        benchmark::Counter(3 * particles, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// The instruction set chosen on this machine, or the baseline.
template <bool chosen> void vectors(benchmark::State& state) {
    auto* const fill =
        chosen ? cpu::IntegrationTable::of<cpu::DynamicDispatch>().fill_normals : &fill_normals<VectorLanes<16>>;
    NormalBlock block;
    std::uint64_t step = 0;
    for (auto _ : state) {
        for (std::uint32_t first = 0; first < particles; first += NormalBlock::size) {
            fill({1, 2}, step, first, block);
            benchmark::DoNotOptimize(block);
        }
        ++step;
    }
    set_rate(state);
}
void one_by_one(benchmark::State& state) {
    RandomStream const stream{1, 2};
    std::uint64_t step = 0;
    for (auto _ : state) {
        for (std::uint32_t n = 0; n < particles; ++n) benchmark::DoNotOptimize(stream.normals(step, n));
        ++step;
    }
    set_rate(state);
}
void standard_library(benchmark::State& state) {
    std::mt19937_64 generator(1);
    std::normal_distribution<double> normal;
    for (auto _ : state)
        for (std::uint32_t n = 0; n < 3 * particles; ++n) benchmark::DoNotOptimize(normal(generator));
    set_rate(state);
}

}  // namespace

BENCHMARK(vectors<true>);
BENCHMARK(vectors<false>);
BENCHMARK(one_by_one);
BENCHMARK(standard_library);
BENCHMARK_MAIN();
