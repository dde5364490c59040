// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <trotter/app/analysis/statistics.hpp>
#include <trotter/app/report/plot.hpp>
#include <trotter/units.hpp>

#include "app/report/page/html.hpp"
#include "app/report/page/sections.hpp"

namespace trotter::app::page {
namespace {

constexpr auto title = "Kinetic energy";
constexpr std::size_t fewest = 20;  // values of a histogram

/// From the log: T = 2 K / (f R). The median, as a rounded value counts little.
double degrees_of_freedom(LogTable const& log) {
    auto const &energies = log.column(log_titles::kinetic_energy), &temperatures = log.column(log_titles::temperature);
    std::vector<double> degrees;
    for (std::size_t row = 0; row < std::min(energies.size(), temperatures.size()); ++row)
        if (double const f = 2 * energies[row] / (constants::gas_constant * temperatures[row]); std::isfinite(f) && f > 0)
            degrees.push_back(f);
    if (degrees.empty()) return 0;
    auto const middle = degrees.begin() + static_cast<std::ptrdiff_t>(degrees.size() / 2);
    std::nth_element(degrees.begin(), middle, degrees.end());
    return std::round(*middle);
}

Curve histogram(std::vector<double> const& values) {
    auto const [low, high] = std::minmax_element(values.begin(), values.end());
    auto const count = std::clamp<std::size_t>(static_cast<std::size_t>(std::sqrt(static_cast<double>(values.size()))), 6, 40);
    double const width = std::max((*high - *low) / static_cast<double>(count), 1e-9 * std::abs(*high) + 1e-300);
    Curve bars;
    for (std::size_t n = 0; n < count; ++n) {
        bars.x.push_back(*low + (static_cast<double>(n) + 0.5) * width);
        bars.y.push_back(0);
    }
    for (double const value : values) {
        auto const bin = std::min(static_cast<std::size_t>((value - *low) / width), count - 1);
        bars.y[bin] += 1 / (static_cast<double>(values.size()) * width);
    }
    return bars;
}

/// The density of the canonical ensemble: K is distributed as a gamma variable of shape f/2 and scale RT.
Curve canonical(Curve const& bars, double shape, double scale) {
    Curve curve{.name = "canonical ensemble", .is_reference = true};
    double const mean = shape * scale, deviation = std::sqrt(shape) * scale;
    double const low = std::min(bars.x.front(), mean - 3.5 * deviation), high = std::max(bars.x.back(), mean + 3.5 * deviation);
    constexpr int points = 200;
    for (int n = 0; n <= points; ++n) {
        curve.x.push_back(std::max(low + (high - low) * n / points, 0.));
        curve.y.push_back(gamma_density(curve.x.back(), shape, scale));
    }
    return curve;
}

/// Values that are far enough apart to be independent.
std::vector<double> independent(std::vector<double> const& values) {
    auto const stride = static_cast<std::size_t>(std::ceil(statistical_inefficiency(values)));
    std::vector<double> result;
    for (std::size_t n = 0; n < values.size(); n += stride) result.push_back(values[n]);
    return result;
}

}  // namespace

std::string section_of_kinetic_energy(RunFacts& facts) {
    auto const* const stage = facts.last_simulation();
    auto const values = stage == nullptr ? std::vector<double>{} : second_half(*stage->log, log_titles::kinetic_energy);
    double const degrees = stage == nullptr ? 0 : degrees_of_freedom(*stage->log);
    if (values.size() < fewest || !(degrees >= 1))
        return section(title, note(fmt::format("A histogram needs {} values in the second half of the last stage; there are {}.",
                                               fewest, values.size())));
    auto const target = target_temperature(*stage);
    double const temperature = target ? *target : 2 * mean_of(values) / (degrees * constants::gas_constant);
    double const shape = degrees / 2, scale = constants::gas_constant * temperature;
    if (!(temperature > 0) || !std::isfinite(shape * scale))
        return section(title, note("The particles do not move: there is no distribution."));
    Plot plot{.title = title,
              .description = "Histogram of the kinetic energy, and the density of the canonical ensemble",
              .x_label = "Kinetic energy (kJ/mol)",
              .y_label = "Density (mol/kJ)",
              .bars = histogram(values),
              .width = 640,
              .height = 300};
    plot.curves = {canonical(plot.bars, shape, scale)};
    auto const sample = independent(values);
    auto caption = fmt::format("{} values of the second half of {}, {} degrees of freedom, {} K{}.", values.size(), stage->name,
                               degrees, short_number(temperature), target ? "" : " (the mean: no temperature is known)");
    if (target && sample.size() >= 8) {
        double const p = gamma_test(sample, shape, scale);
        caption += fmt::format(" Kolmogorov–Smirnov test of {} independent values: p = {:.2g}.", sample.size(), p);
        if (p < 1e-3)
            facts.warnings.push_back(fmt::format("the kinetic energy of stage {} is not distributed as in the canonical ensemble "
                                                 "at {} K (p = {:.1g})", stage->name, short_number(temperature), p));
    }
    return section(title, figure(to_svg(plot), caption));
}

}  // namespace trotter::app::page
