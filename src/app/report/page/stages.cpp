// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <trotter/app/report/plot.hpp>
#include <trotter/io/log.hpp>

#include "app/report/page/html.hpp"
#include "app/report/page/sections.hpp"

namespace trotter::app::page {
namespace {

std::string number(std::optional<double> const& value) { return value ? short_number(*value) : ""; }

std::optional<double> last_finite(LogTable const& log, char const* title) {
    auto const& values = log.column(title);
    for (auto value = values.rbegin(); value != values.rend(); ++value)
        if (std::isfinite(*value)) return *value;
    return {};
}

/// [ns/day]: as measured by the log, else by the manifest.
std::optional<double> speed_of(Stage const& stage) {
    if (stage.log)
        if (auto const logged = last_finite(*stage.log, log_titles::speed); logged && *logged > 0) return logged;
    if (!stage.time || !stage.seconds || !(*stage.seconds > 0) || !(*stage.time > 0)) return {};
    return *stage.time / 1000 / (*stage.seconds / 86400);
}

std::string done_of(Stage const& stage) {
    if (!stage.log || stage.status == "done") return "";
    auto const progress = last_finite(*stage.log, "Progress (%)");
    return progress ? fmt::format(" ({:.0f} %)", *progress) : "";
}

}  // namespace

std::string section_of_stages(RunFacts const& facts) {
    if (facts.stages.empty()) return section("Stages", note("No stages are listed, or begun."));
    std::vector<std::vector<std::string>> rows;
    for (auto const& stage : facts.stages) {
        auto steps = stage.steps, time = stage.time;
        if (stage.log && !steps) steps = last_finite(*stage.log, "Step");
        if (stage.log && !time) time = last_finite(*stage.log, log_titles::time);
        auto const done = done_of(stage);
        rows.push_back({stage.name, stage.kind, done.empty() ? stage.status : stage.status + done, number(steps), number(time),
                        number(stage.timestep), number(stage.temperature), number(stage.pressure),
                        stage.seconds ? format_duration(*stage.seconds) : "", number(speed_of(stage))});
    }
    auto html = table({{"Stage"},
                       {"Kind"},
                       {"Status"},
                       {"Steps", true},
                       {"Time (ps)", true},
                       {"Step (ps)", true},
                       {"T (K)", true},
                       {"p (bar)", true},
                       {"Took", true},
                       {"ns/day", true}},
                      rows);
    return section(facts.is_staged ? "Stages" : "The run", html);
}

}  // namespace trotter::app::page
