// SPDX-License-Identifier: MIT
#include <trotter/app/report/write_report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <trotter/app/report/plot.hpp>
#include <trotter/io/file.hpp>
#include <trotter/version.hpp>

#include "app/report/page/html.hpp"
#include "app/report/page/sections.hpp"

namespace trotter::app {
namespace {

using page::RunFacts;

std::string fact(std::string_view name, std::string_view value) {
    return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", escaped(name), escaped(value));
}

/// The last finite value of a column.
double last_of(page::Stage const& stage, char const* title) {
    auto const& values = stage.log->column(title);
    auto const found = std::find_if(values.rbegin(), values.rend(), [](double value) { return std::isfinite(value); });
    return found == values.rend() ? std::nan("") : *found;
}

std::string header(RunFacts const& facts, std::string const& name) {
    auto const done = std::count_if(facts.stages.begin(), facts.stages.end(), [](auto const& stage) { return stage.status == "done"; });
    std::string numbers;
    if (facts.is_staged)
        numbers += fact("Stages done", fmt::format("{} of {}", done, facts.stages.size()));
    else
        numbers += fact("Status", facts.stages[0].status);
    if (auto const* const stage = facts.last_simulation()) {
        double const time = last_of(*stage, log_titles::time), speed = last_of(*stage, log_titles::speed);
        numbers += fact("Time reached", time > 1000 ? short_number(time / 1000) + " ns" : short_number(time) + " ps");
        if (speed > 0) numbers += fact("Speed", short_number(speed) + " ns/day");
        if (double const temperature = last_of(*stage, log_titles::temperature); std::isfinite(temperature))
            numbers += fact("Last temperature", fmt::format("{:.1f} K", temperature));
    }
    auto const made_by = facts.program.empty() ? "" : "Run by " + facts.program + ". ";
    return "<header><h1>" + escaped(name) + "</h1>\n<p class=\"sub\">" + escaped(made_by)
           + escaped("Report by trotter " + std::string(version) + ".") + "</p>\n<dl class=\"facts\">" + numbers
           + "</dl></header>\n";
}

std::string warnings_of(RunFacts const& facts) {
    if (facts.warnings.empty()) return {};
    std::string html = "<section class=\"warnings\" role=\"alert\"><h2>Warnings</h2>\n<ul>\n";
    for (auto const& warning : facts.warnings) html += "<li>" + escaped(warning) + "</li>\n";
    return html + "</ul></section>\n";
}

/// The folder's own name, whatever the path to it ends in.
std::string name_of(std::filesystem::path const& folder) {
    std::error_code error;
    auto const path = std::filesystem::weakly_canonical(folder, error);
    return error || path.filename().empty() ? folder.string() : path.filename().string();
}

}  // namespace

void write_report(std::filesystem::path const& folder, ReportOptions const& options) {
    auto facts = page::read_run(folder);
    // Sections first: they find what the warnings before them tell.
    auto const sections = page::section_of_stages(facts) + page::section_of_curves(facts) + page::section_of_kinetic_energy(facts)
                          + page::section_of_motion(facts, options.data_folders) + page::section_of_preparation(facts)
                          + page::section_of_input(facts) + page::section_of_citations(facts);
    auto const name = name_of(folder);
    write_file((folder / "report.html").string(),
               page::document(name + " – trotter", header(facts, name) + warnings_of(facts) + sections));
}

}  // namespace trotter::app
