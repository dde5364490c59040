// SPDX-License-Identifier: MIT
#include <trotter/app/report/plot.hpp>

#include "app/report/page/html.hpp"
#include "app/report/page/sections.hpp"

namespace trotter::app::page {
namespace {

constexpr std::size_t longest_input = 100'000;  // bytes shown

std::string table_of_inputs(Json const& inputs) {
    std::vector<std::vector<std::string>> rows;
    for (auto const& input : inputs) {
        auto const bytes = number_of(input, "bytes");
        rows.push_back({text_of(input, "path"), bytes ? short_number(*bytes) : "", text_of(input, "sha256")});
    }
    if (rows.empty()) return note("No list of input files with their checksums is there.");
    return "<h3>Input files</h3>\n" + table({{"File"}, {"Bytes", true}, {"SHA-256"}}, rows);
}

}  // namespace

std::string section_of_input(RunFacts const& facts) {
    std::string html;
    if (!facts.input) {
        html = note("run.toml is not there, or cannot be read: what was asked is not known.");
    } else {
        html = paragraph("The input as it was in effect, run.toml:");
        html += "<pre>" + escaped(std::string_view(*facts.input).substr(0, longest_input)) + "</pre>\n";
        if (facts.input->size() > longest_input) html += note("The rest is left out.");
    }
    return section("What was asked", html + table_of_inputs(facts.inputs));
}

}  // namespace trotter::app::page
