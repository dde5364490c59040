// Measures the time of steps.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>

namespace trotter::program {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Timing {
    std::int64_t steps = 0;
    double seconds = 0, processor_seconds = 0;

    double ms_per_step() const { return 1000 * seconds / static_cast<double>(steps); }
};

/// Steps for about this time, in growing portions, so that reading the clock is negligible.
template <class Simulation> Timing step_for(Simulation& simulation, double seconds) {
    Timing timing;
    auto const start = std::chrono::steady_clock::now();
    std::clock_t const processor_start = std::clock();
    for (std::int64_t portion = 1; timing.seconds < seconds;) {
        simulation.step(portion);
        timing.steps += portion;
        timing.seconds = seconds_since(start);
        double const left = (seconds - timing.seconds) * static_cast<double>(timing.steps) / timing.seconds;
        portion = std::clamp<std::int64_t>(std::llround(std::min(left, 1e9)), 1, 2 * portion);
    }
    timing.processor_seconds = static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC;
    return timing;
}

}  // namespace trotter::program
