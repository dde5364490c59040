// Compile-time and run-time formulas against hand-written code: Lennard-Jones, Coulomb and dE/dr.
// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <trotter/cpu/simd/xsimd.hpp>
#include <trotter/expression/evaluator.hpp>
#include <trotter/expression/expression.hpp>
#include <trotter/expression/runtime_expression.hpp>

using namespace trotter;

namespace {

constexpr std::size_t count = 1024;
using Batch = xsimd::batch<double>;

/// r, sigma, epsilon and q of many pairs, in the order of the formula's names.
struct Pairs {
    std::array<std::vector<double>, 4> values;
    std::vector<double> energies = std::vector<double>(count), slopes = energies;

    Pairs() {
        std::mt19937 generator(1);
        for (auto& value : values)
            for (std::size_t n = 0; n < count; ++n) value.push_back(0.3 + static_cast<double>(generator()) / 0x1p33);
    }
    template <class T> std::array<T, 4> at(std::size_t n) const {
        std::array<T, 4> result;
        for (std::size_t v = 0; v < 4; ++v)
            if constexpr (std::is_same_v<T, double>)
                result[v] = values[v][n];
            else
                result[v] = T::load_unaligned(&values[v][n]);
        return result;
    }
};

struct Compiled {
    static constexpr Expression<"4*epsilon*((sigma/r)^12 - (sigma/r)^6) + 138.935*q/r"> formula{};
    template <class T> [[gnu::always_inline]] static EnergyAndSlopes<T, 1> evaluate(std::array<T, 4> const& arguments) {
        return formula.energy_and_slopes_of<"r">(arguments);
    }
};
struct ByHand {
    template <class T> [[gnu::always_inline]] static EnergyAndSlopes<T, 1> evaluate(std::array<T, 4> const& arguments) {
        auto const& [epsilon, sigma, r, q] = arguments;
        T const inverse_r = T(1) / r, s = sigma * inverse_r, s2 = s * s, s6 = s2 * s2 * s2;
        T const repulsion = T(4) * epsilon * s6 * s6, attraction = T(4) * epsilon * s6,
                coulomb = T(138.935) * q * inverse_r;
        return {repulsion - attraction + coulomb, {(T(6) * attraction - T(12) * repulsion - coulomb) * inverse_r}};
    }
};

void set_rate(benchmark::State& state) {
    state.counters["pair"] =
        benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// One pair after another, without vectorization.
template <class Formula> void scalar(benchmark::State& state) {
    Pairs pairs;
    for (auto _ : state)
        for (std::size_t n = 0; n < count; ++n) {
            auto result = Formula::evaluate(pairs.at<double>(n));
            benchmark::DoNotOptimize(result);
        }
    set_rate(state);
}
template <class Formula> void batches(benchmark::State& state) {
    Pairs pairs;
    for (auto _ : state) {
        for (std::size_t n = 0; n < count; n += Batch::size) {
            auto const result = Formula::evaluate(pairs.at<Batch>(n));
            result.energy.store_unaligned(&pairs.energies[n]);
            result.slopes[0].store_unaligned(&pairs.slopes[n]);
        }
        benchmark::ClobberMemory();
    }
    set_rate(state);
}

Evaluator<double> run_time_formula() {
    return {RuntimeExpression(std::string(Compiled::formula.formula())), std::array<std::string_view, 1>{"r"}};
}
void run_time_scalar(benchmark::State& state) {
    Pairs pairs;
    auto evaluate = run_time_formula();
    for (auto _ : state)
        for (std::size_t n = 0; n < count; ++n) {
            auto const arguments = pairs.at<double>(n);
            benchmark::DoNotOptimize(evaluate(arguments.data(), &pairs.slopes[n]));
        }
    set_rate(state);
}
void run_time_blocks(benchmark::State& state) {
    Pairs pairs;
    auto evaluate = run_time_formula();
    std::array<double const*, 4> arguments;
    for (std::size_t v = 0; v < 4; ++v) arguments[v] = pairs.values[v].data();
    std::array<double*, 1> slopes{pairs.slopes.data()};
    for (auto _ : state) {
        evaluate(count, arguments, pairs.energies.data(), slopes);
        benchmark::ClobberMemory();
    }
    set_rate(state);
}

}  // namespace

BENCHMARK(scalar<ByHand>);
BENCHMARK(scalar<Compiled>);
BENCHMARK(batches<ByHand>);
BENCHMARK(batches<Compiled>);
BENCHMARK(run_time_scalar);
BENCHMARK(run_time_blocks);
BENCHMARK_MAIN();
