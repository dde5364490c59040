// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <trotter/app/analysis/statistics.hpp>
#include <trotter/app/report/plot.hpp>
#include <trotter/units.hpp>

#include "app/report/page/html.hpp"
#include "app/report/page/sections.hpp"

namespace trotter::app::page {
namespace {

struct Quantity {
    char const *column, *title, *unit;
};
constexpr Quantity quantities[] = {{log_titles::potential_energy, "Potential energy", "kJ/mol"},
                                   {log_titles::total_energy, "Total energy", "kJ/mol"},
                                   {log_titles::temperature, "Temperature", "K"},
                                   {log_titles::density, "Density", "g/mL"},
                                   {log_titles::volume, "Volume", "nm³"}};
constexpr Quantity speed{log_titles::speed, "Speed", "ns/day"};

/// Times of all stages in a row: a stage whose clock starts anew goes on where the one before ended.
struct TimeAxis {
    std::vector<double> begins;  // of stages with a log [ps]
    std::vector<Stage const*> stages;
    double end = 0;
    double unit = 1;  // of the axis [ps]

    explicit TimeAxis(RunFacts const& facts) {
        for (auto const& stage : facts.stages) {
            if (!stage.log || stage.log->column(log_titles::time).empty()) continue;
            auto const& times = stage.log->column(log_titles::time);
            double const offset = times.front() < end ? end : 0;
            if (!std::isfinite(times.front()) || !std::isfinite(times.back())) continue;
            stages.push_back(&stage);
            begins.push_back(offset);
            end = offset + times.back();
        }
        if (end > 2000) unit = 1000;
    }
    std::string label() const { return unit == 1 ? "Time (ps)" : "Time (ns)"; }
};

Curve curve_of(Quantity const& quantity, TimeAxis const& axis) {
    Curve curve;
    for (std::size_t n = 0; n < axis.stages.size(); ++n) {
        auto const& times = axis.stages[n]->log->column(log_titles::time);
        auto const& values = axis.stages[n]->log->column(quantity.column);
        for (std::size_t row = 0; row < std::min(times.size(), values.size()); ++row) {
            curve.x.push_back((axis.begins[n] + times[row]) / axis.unit);
            // A speed of 0 stands for one that is not known yet.
            bool const is_unknown = quantity.column == speed.column && values[row] == 0;
            curve.y.push_back(is_unknown ? std::nan("") : values[row]);
        }
        curve.x.push_back(std::nan(""));  // between stages there is a gap
        curve.y.push_back(std::nan(""));
    }
    return curve;
}

bool has_values(Curve const& curve) {
    return std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return std::isfinite(y); });
}

std::vector<PlotMark> marks_of(TimeAxis const& axis) {
    constexpr std::size_t most = 12;
    std::vector<PlotMark> marks;
    if (axis.stages.size() < 2 || axis.stages.size() > most) return marks;
    for (std::size_t n = 0; n < axis.stages.size(); ++n) {
        double const begin = axis.begins[n] + axis.stages[n]->log->column(log_titles::time).front();
        auto const width = axis.stages[n]->log->column(log_titles::time).back() + axis.begins[n] - begin;
        // Names have room beside long stages.
        bool const has_room = width > 0.012 * static_cast<double>(axis.stages[n]->name.size() + 2) * axis.end;
        marks.push_back({begin / axis.unit, has_room ? axis.stages[n]->name : ""});
    }
    return marks;
}

/// A line through the second half of the last stage, as a curve.
struct Drift {
    Line line;  // by ns
    Curve curve;
};

std::optional<Drift> drift_of(Quantity const& quantity, TimeAxis const& axis) {
    if (axis.stages.empty()) return {};
    auto const& times = axis.stages.back()->log->column(log_titles::time);
    auto const& values = axis.stages.back()->log->column(quantity.column);
    std::vector<double> x, y;
    for (std::size_t row = values.size() / 2; row < values.size(); ++row)
        if (std::isfinite(times[row]) && std::isfinite(values[row])) {
            x.push_back((axis.begins.back() + times[row]) / 1000);
            y.push_back(values[row]);
        }
    if (x.size() < 4) return {};
    Drift drift{fit_line(x, y), {.name = "drift", .is_reference = true}};
    for (double const time : {x.front(), x.back()}) {
        drift.curve.x.push_back(time * 1000 / axis.unit);
        drift.curve.y.push_back(drift.line.intercept + drift.line.slope * time);
    }
    return drift;
}

std::string figure_of(Quantity const& quantity, TimeAxis const& axis) {
    Plot plot{.title = quantity.title,
              .description = std::string(quantity.title) + " by time",
              .x_label = axis.label(),
              .y_label = std::string(quantity.title) + " (" + quantity.unit + ")",
              .curves = {curve_of(quantity, axis)},
              .marks = marks_of(axis)};
    if (!has_values(plot.curves[0])) return {};
    std::string caption;
    if (auto const drift = quantity.column == log_titles::total_energy ? drift_of(quantity, axis) : std::nullopt) {
        plot.curves.push_back(drift->curve);
        caption = fmt::format("Drift in the second half of stage {}: {} ± {} kJ/mol/ns", axis.stages.back()->name,
                              short_number(drift->line.slope), short_number(drift->line.slope_error));
    }
    return figure(to_svg(plot), caption);
}

/// Means in the second half of the last stage that simulates.
std::string table_of_means(Stage const& stage) {
    std::vector<std::vector<std::string>> rows;
    for (auto const& quantity : quantities) {
        auto const values = second_half(*stage.log, quantity.column);
        if (values.size() < 2) continue;
        auto const average = average_of(values);
        rows.push_back({std::string(quantity.title) + " (" + quantity.unit + ")", short_number(average.mean),
                        fmt::format("{:.2g}", average.error), fmt::format("{:.3g}", average.deviation),
                        fmt::format("{:.0f}", static_cast<double>(values.size()) / average.inefficiency)});
    }
    if (rows.empty()) return {};
    return "<h3>Means in the second half of " + escaped(stage.name) + "</h3>\n"
           + table({{"Quantity"}, {"Mean", true}, {"Standard error", true}, {"Standard deviation", true}, {"Independent values", true}}, rows);
}

void warn_of_temperature(RunFacts& facts, Stage const& stage) {
    auto const target = target_temperature(stage);
    auto const values = second_half(*stage.log, log_titles::temperature);
    if (!target || values.size() < 10) return;
    auto const average = average_of(values);
    // Five standard errors, and more than rounding.
    if (std::abs(average.mean - *target) < std::max(5 * average.error, 0.01 * *target)) return;
    facts.warnings.push_back(fmt::format("stage {} has a mean temperature of {} K in its second half, but {} K was asked for",
                                         stage.name, short_number(average.mean), short_number(*target)));
}

}  // namespace

std::optional<double> target_temperature(Stage const& stage) { return stage.temperature; }

std::vector<double> second_half(LogTable const& log, char const* title) {
    std::vector<double> values;
    auto const& all = log.column(title);
    for (std::size_t row = all.size() / 2; row < all.size(); ++row)
        if (std::isfinite(all[row])) values.push_back(all[row]);
    return values;
}

std::string section_of_curves(RunFacts& facts) {
    TimeAxis const axis(facts);
    std::string plots;
    for (auto const& quantity : quantities) plots += figure_of(quantity, axis);
    plots += figure_of(speed, axis);
    if (plots.empty())
        return section("Energies, temperature, density",
                       note("No stage has a log with a complete line yet: there is nothing to plot."));
    std::string html = figures(plots);
    if (auto const* const stage = facts.last_simulation()) {
        html += table_of_means(*stage);
        warn_of_temperature(facts, *stage);
    }
    return section("Energies, temperature, density", html);
}

}  // namespace trotter::app::page
