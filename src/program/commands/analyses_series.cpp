// Analyses that give one number for each frame.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>
#include <numbers>

#include <trotter/app/analysis/geometry.hpp>
#include <trotter/app/analysis/log_table.hpp>
#include <trotter/app/analysis/run_files.hpp>
#include <trotter/app/analysis/statistics.hpp>
#include <trotter/error.hpp>

#include "analyses.hpp"

namespace trotter::program {
namespace {

constexpr double degrees = 180 / std::numbers::pi;

using Measure = std::function<double(app::Frame const&)>;

Analysis measure(AnalysisInput const& input, std::string const& title, Measure const& value_of) {
    std::vector<double> times, values;
    input.frames.for_each([&](app::Frame const& frame) {
        times.push_back(frame.time);
        values.push_back(value_of(frame));
    });
    return analyze_series(title, times, values);
}

/// Centers of mass of the first groups of atoms that the selections name.
template <std::size_t count> auto centers(AnalysisInput const& input) {
    auto const masses = app::masses_of(input.frames.topology());
    std::array<app::AtomGroup, count> groups;
    for (std::size_t n = 0; n < count; ++n) groups[n] = app::AtomGroup::of(input.atoms(n, ""), masses);
    return [groups](app::Frame const& frame) {
        std::array<Vec3<>, count> result;
        for (std::size_t n = 0; n < count; ++n) result[n] = groups[n].center(frame.positions);
        return result;
    };
}

}  // namespace

Analysis analyze_series(std::string const& title, std::vector<double> const& times, std::vector<double> const& values) {
    Analysis result;
    result.table = "Time (ps)," + title + '\n';
    for (std::size_t n = 0; n < times.size(); ++n)
        fmt::format_to(std::back_inserter(result.table), "{:.10g},{:.9g}\n", times[n], values[n]);
    auto const open = title.find(" (");
    auto const name = title.substr(0, open), unit = title.substr(open + 2, title.size() - open - 3);
    auto const average = app::average_of(values);
    result.facts = {{"mean", average.mean, unit},
                    {"standard error", average.error, unit},
                    {"standard deviation", average.deviation, unit},
                    {"statistical inefficiency", average.inefficiency, "values"}};
    for (auto const& block : app::block_errors(values))
        result.facts.push_back({fmt::format("error by {} blocks of {}", block.blocks, block.length), block.error, unit});
    result.plot = {.title = name,
                   .description = fmt::format("{} by time: mean {:.6g} {}, standard error {:.2g}", name, average.mean, unit,
                                              average.error),
                   .x_label = "Time (ps)",
                   .y_label = title,
                   .curves = {{.x = times, .y = values}}};
    return result;
}

Analysis analyze_radius_of_gyration(AnalysisInput const& input) {
    auto const group =
        app::AtomGroup::of(input.atoms(0, "polymer"), app::masses_of(input.frames.topology()));
    return measure(input, "Radius of gyration (nm)",
                   [&](app::Frame const& frame) { return app::radius_of_gyration(group, frame.positions); });
}

Analysis analyze_distance(AnalysisInput const& input) {
    return measure(input, "Distance (nm)", [of = centers<2>(input)](app::Frame const& frame) {
        auto const p = of(frame);
        return app::distance(p[0], p[1], frame.box);
    });
}

Analysis analyze_angle(AnalysisInput const& input) {
    return measure(input, "Angle (degrees)", [of = centers<3>(input)](app::Frame const& frame) {
        auto const p = of(frame);
        return app::angle(p[0], p[1], p[2], frame.box) * degrees;
    });
}

Analysis analyze_dihedral(AnalysisInput const& input) {
    double last = 0;
    bool const unwrap = input.options.analyze.unwrap;
    return measure(input, "Dihedral (degrees)", [&, of = centers<4>(input)](app::Frame const& frame) {
        auto const p = of(frame);
        double value = app::dihedral(p[0], p[1], p[2], p[3], frame.box) * degrees;
        if (unwrap && frame.index > 0) value += 360 * std::round((last - value) / 360);
        return last = value;
    });
}

Analysis analyze_center(AnalysisInput const& input) {
    auto const center_of = centers<1>(input);
    Analysis result;
    result.table = "Time (ps),X (nm),Y (nm),Z (nm)\n";
    std::array<app::Curve, 3> curves{{{.name = "x"}, {.name = "y"}, {.name = "z"}}};
    input.frames.for_each([&](app::Frame const& frame) {
        auto const center = center_of(frame)[0];
        fmt::format_to(std::back_inserter(result.table), "{:.10g},{:.9g},{:.9g},{:.9g}\n", frame.time, center.x, center.y,
                       center.z);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            curves[axis].x.push_back(frame.time);
            curves[axis].y.push_back(center[axis]);
        }
    });
    result.plot = {.title = "Center of mass of " + input.text(0, ""),
                   .description = "Coordinates of the center of mass by time",
                   .x_label = "Time (ps)",
                   .y_label = "Coordinate (nm)",
                   .curves = {curves.begin(), curves.end()}};
    return result;
}

Analysis analyze_log(std::string_view quantity, std::string const& path, AnalyzeOptions const& options) {
    using namespace app::log_titles;
    struct Column {
        std::string_view quantity, title, own_title;
    };
    static constexpr std::array columns{Column{"density", density, "Density (g/mL)"},
                                        Column{"volume", volume, "Volume (nm³)"},
                                        Column{"temperature", temperature, "Temperature (K)"},
                                        Column{"potential", potential_energy, "Potential energy (kJ/mol)"},
                                        Column{"kinetic", kinetic_energy, "Kinetic energy (kJ/mol)"},
                                        Column{"total", total_energy, "Total energy (kJ/mol)"}};
    auto const log = app::read_log(path);
    for (auto const& column : columns) {
        if (column.quantity != quantity) continue;
        auto const &all_times = log.column(time), &all_values = log.column(std::string(column.title));
        std::vector<double> times, values;
        for (std::size_t n = 0; n < all_values.size(); ++n)
            if (std::isfinite(all_values[n]) && options.from <= all_times[n] && all_times[n] <= options.to) {
                times.push_back(all_times[n]);
                values.push_back(all_values[n]);
            }
        if (values.empty())
            throw InputError(path + ": has no number in the column \"" + std::string(column.title)
                             + "\" at the wanted times, expected one or more");
        return analyze_series(std::string(column.own_title), times, values);
    }
    throw InputError("there is no analysis '" + std::string(quantity) + "' of a log");
}

}  // namespace trotter::program
