// SPDX-License-Identifier: MIT
#include "stage_checks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <span>

#include <trotter/app/report/write_report.hpp>
#include <trotter/app/stages/plateau.hpp>
#include <trotter/error.hpp>

#include "program/output/messages.hpp"

namespace trotter::program {
namespace {

double mean_of_last_half(std::span<double const> values) {
    auto const half = values.last(values.size() - values.size() / 2);
    return std::accumulate(half.begin(), half.end(), 0.0) / static_cast<double>(half.size());
}

}  // namespace

std::string what_is_wrong(app::Stage const& stage, StageLog const& log) {
    constexpr double tolerance = 0.2;
    if (log.times.size() < 20) return {};
    double const temperature = mean_of_last_half(log.temperatures);
    if (stage.temperature && std::abs(temperature / stage.temperature->last() - 1) > tolerance)
        return fmt::format("the temperature is {:.1f} K, expected {:g} K within 20 %", temperature,
                           stage.temperature->last());
    double const density = mean_of_last_half(log.densities);
    if (stage.pressure && std::abs(density / log.densities.front() - 1) > tolerance)
        return fmt::format("the density went from {:.4f} to {:.4f} g/ml, expected a change of at most 20 %",
                           log.densities.front(), density);
    return {};
}

std::pair<bool, std::string> flatness(StageLog const& log) {
    try {
        auto const plateau = app::density_plateau(log.times, log.densities);
        return {plateau.is_flat, plateau.why};
    } catch (InputError const& error) {
        return {false, error.what()};
    }
}

void write_stage_report(std::filesystem::path const& folder, std::vector<std::string> const& data_folders) {
    try {
        app::write_report(folder, {.data_folders = data_folders});
    } catch (InputError const& error) {  // results are there all the same
        tell("trotter: warning: there is no report: " + presentable(error.what()) + '\n');
    }
}

}  // namespace trotter::program
