// The page about a run: what it holds, whatever is missing; and the plots on it.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <trotter/app/report/plot.hpp>
#include <trotter/app/report/write_report.hpp>
#include <trotter/app/structure/write_structure.hpp>
#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/xml.hpp>

#include "app/analysis_text.hpp"
#include "app/structure_text.hpp"
#include "catch_compat.hpp"

using namespace trotter;
using namespace trotter::app;
using Catch::Matchers::Contains;

namespace {

constexpr auto titles =
    "#\"Progress (%)\",\"Step\",\"Time (ps)\",\"Potential Energy (kJ/mole)\",\"Kinetic Energy (kJ/mole)\",\"Total Energy "
    "(kJ/mole)\",\"Temperature (K)\",\"Box Volume (nm^3)\",\"Density (g/mL)\",\"Speed (ns/day)\",\"Time Remaining\"\n";

/// Kinetic energies of the canonical ensemble of 300 degrees of freedom.
std::string log_text(int rows, double temperature = 300) {
    constexpr double degrees = 300, gas_constant = 8.31446261815324e-3;
    std::mt19937 random(1);
    std::gamma_distribution<> kinetic(degrees / 2, gas_constant * temperature);
    std::string text = titles;
    for (int row = 1; row <= rows; ++row) {
        double const k = kinetic(random);
        text += fmt::format("{:.1f}%,{},{},-1000.0,{},{},{},27.0,0.99,12.5,0:10\n", 100. * row / rows, 500 * row, row, k, k - 1000,
                            2 * k / (degrees * gas_constant));
    }
    return text;
}

std::string stages_text(std::string const& status, std::string const& more = "") {
    return R"({"program": "trotter 9.8", "inputs": [{"path": "a<script>b.pdb", "sha256": "00ff", "bytes": 7}], "stages": [
        {"name": "prepared", "folder": "00-prepared", "kind": "prepare", "status": "done", "seconds": 3},
        {"name": "warm", "folder": "01-warm", "kind": "simulate", "status": ")"
           + status + R"(", "steps": 100, "timestep": 0.002, "time": 0.2, "temperature": 300, "pressure": null)" + more + "}]}";
}

/// The smallest size of text in styles and plots [px].
double smallest_text(std::string const& page) {
    double smallest = 100;
    for (std::string const start : {"font-size: ", "font-size=\"", "font: "})
        for (auto at = page.find(start); at != page.npos; at = page.find(start, at + 1))
            smallest = std::min(smallest, std::stod(page.substr(at + start.size(), 8)));
    return smallest;
}

std::string page_of(TestFolder const& folder, ReportOptions const& options = {}) {
    write_report(folder.path(), options);
    auto const page = read_file((folder.path() / "report.html").string());
    REQUIRE(page.starts_with("<!DOCTYPE html>"));
    REQUIRE(page.ends_with("</html>\n"));
    REQUIRE(page.size() < 2'000'000);
    REQUIRE(page.find("<script") == page.npos);
    for (auto const* const loads : {"src=", "@import", "url(", "<iframe", "<object", "http-equiv"}) REQUIRE(page.find(loads) == page.npos);
    REQUIRE(smallest_text(page) >= 12);
    return page;
}

std::size_t count_of(std::string const& text, std::string const& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

}  // namespace

TEST_CASE("a plot is XML with title, description, curves, bars and marks") {
    Plot plot{.title = "A <b> & \"c\"", .description = "what is seen", .x_label = "x (nm)", .y_label = "y"};
    plot.curves = {{.name = "first", .x = {0, 1, 2, 3}, .y = {1, std::nan(""), 2, 3}},
                   {.x = {0, 3}, .y = {1, 2}, .is_reference = true}};
    plot.marks = {{1.5, "begin"}, {99, "outside"}};
    auto const svg = to_svg(plot);
    auto const document = parse_xml(svg, "plot");
    auto const root = document.root("svg");
    REQUIRE(root.child("title").content() == "A <b> & \"c\"");
    REQUIRE(root.child("desc").content() == "what is seen");
    REQUIRE_THAT(svg, Contains(">begin</text>") && Contains(">first</text>") && Contains("stroke-dasharray=\"5 4\""));
    REQUIRE(svg.find("outside") == svg.npos);
    REQUIRE(svg.find("nan") == svg.npos);
    REQUIRE_THAT(svg, Contains(fmt::format("M{:.1f} ", 82 + (448 - 14 - 82) * 2 / 3.)));  // the curve begins anew behind its gap
    Plot const bars{.title = "bars", .bars = {.x = {1, 2, 3}, .y = {4, 5, 0}}};
    REQUIRE(count_of(to_svg(bars), "fill=\"#a9c3d6\"") == 3);
}

TEST_CASE("a plot of a million points is small, and shows a single peak") {
    Plot plot{.title = "long"};
    plot.curves.resize(1);
    for (int n = 0; n < 1'000'000; ++n) {
        plot.curves[0].x.push_back(n);
        plot.curves[0].y.push_back(n == 654'321 ? 1000 : std::sin(n));
    }
    auto const svg = to_svg(plot);
    REQUIRE(svg.size() < 40'000);
    // the peak is the highest point: 6 % of the range below the upper margin of 46 px, of 268 - 48 - 46 = 174 px
    REQUIRE_THAT(svg, Contains(fmt::format(" {:.1f}L", 46 + 174 * 0.06 / 1.12)));
}

TEST_CASE("plots of nothing, of one value, and of values that are no numbers") {
    for (auto const& y : {std::vector<double>{}, {5}, {std::nan("")}, {INFINITY, 1}, {1e308, -1e308}, {0, 1e-320}, {7, 7}}) {
        Plot plot{.title = "t"};
        plot.curves = {{.x = {}, .y = y}};
        for (std::size_t n = 0; n < y.size(); ++n) plot.curves[0].x.push_back(static_cast<double>(n));
        auto const svg = to_svg(plot);
        REQUIRE_NOTHROW(parse_xml(svg, "plot"));
        REQUIRE(svg.find("nan") == svg.npos);
        REQUIRE(svg.find("inf") == svg.npos);
    }
}

TEST_CASE("text is escaped, and numbers are short") {
    REQUIRE(escaped("<a href='x'>\"&") == "&lt;a href=&#39;x&#39;&gt;&quot;&amp;");
    REQUIRE(escaped(std::string("\x01\xff", 2)) == "\xef\xbf\xbd\xef\xbf\xbd");
    REQUIRE(short_number(-1234.56) == "−1235");
    REQUIRE(short_number(0.98765432) == "0.9877");
    REQUIRE(short_number(1.5e9) == "1.5e+09");
    REQUIRE(short_number(std::nan("")) == "–");
}

TEST_CASE("the page of a plain run") {
    TestFolder const folder("plain");
    folder.write("run.toml", "system = '</pre><script>alert(1)</script>'\nnonbonded = 'PME'\n");
    folder.write("log.csv", log_text(200));
    folder.write("final-state.xml.gz", "");
    auto const page = page_of(folder);
    REQUIRE_THAT(page, Contains("&lt;script&gt;alert(1)&lt;/script&gt;") && Contains("<h2>The run</h2>"));
    for (auto const* const title : {"Potential energy", "Total energy", "Temperature", "Density", "Volume", "Speed", "Kinetic energy"})
        REQUIRE_THAT(page, Contains("<title>" + std::string(title) + "</title>"));
    REQUIRE_THAT(page, Contains("Essmann et al."));
    REQUIRE_THAT(page, Contains("class=\"done\""));
    REQUIRE_THAT(page, Contains("300 degrees of freedom") && Contains("no temperature is known"));
    REQUIRE_THAT(page, Contains("Drift in the second half of stage run: "));
    REQUIRE(page.find("class=\"warnings\"") == page.npos);
    REQUIRE(page_of(folder) == page);  // nothing on it depends on when it was written
}

TEST_CASE("the page of a staged run, with its preparation") {
    TestFolder const folder("staged");
    folder.write("stages.json", stages_text("done"));
    folder.write("run.toml", "forcefield = ['amber14-all.xml']\n");
    folder.write("01-warm/log.csv", log_text(400));
    folder.write("00-prepared/prepare.json",
                 R"({"changes": [{"kind": "mutated", "chain": "A", "residue": 48, "icode": "B", "name": "LYS", "atoms": ["CB", "CG"],
                     "from": "LYS", "to": "ALA", "reason": "asked for <b>"}, {"step": "delete", "object": "HOH W:2", "what": "removed", "why": "x"}],
                     "choices": [{"what": "ph", "value": 7.5, "default": 7.0, "source": "run.toml"}],
                     "protonation": [{"residue": "HIS A:3", "variant": "HIE", "reason": "bond"}],
                     "solvent": {"waters": 1234, "ions": {"Na+": 3}}, "disulfides": [["A:1", "A:9"]], "warnings": ["a gap <i>"]})");
    auto const page = page_of(folder);
    for (auto const* const part : {"1 mutated", "LYS A:48B", "LYS → ALA (CB, CG)", "asked for &lt;b&gt;", "HOH W:2", "7.5", "HIE", "1234",
                                   "Na+: 3", "A:1, A:9", "<li>a gap &lt;i&gt;</li>", "a&lt;script&gt;b.pdb", "00ff", "trotter 9.8", "2 of 2",
                                   "Maier et al.", "300 K. Kolmogorov"})
        REQUIRE_THAT(page, Contains(part));
}

TEST_CASE("a failed stage comes first, in red; other temperatures and ensembles are warned of") {
    TestFolder const folder("failed");
    folder.write("stages.json", stages_text("failed", R"(, "message": "step 7: <NaN>")"));
    folder.write("01-warm/log.csv", log_text(400, 320));
    auto const page = page_of(folder);
    REQUIRE_THAT(page, Contains("<li>stage warm failed: step 7: &lt;NaN&gt;</li>") && Contains("class=\"failed\""));
    REQUIRE_THAT(page, Contains("K was asked for"));
    REQUIRE_THAT(page, Contains("is not distributed as in the canonical ensemble at 300 K"));
    REQUIRE(page.find("class=\"warnings\"") < page.find("<h2>Stages"));
    REQUIRE_THAT(page, Contains("run.toml is not there"));
    REQUIRE_THAT(page, Contains("prepare.json is not there"));
}

TEST_CASE("nothing is done yet; the joined log; folders without a manifest") {
    TestFolder const folder("begun");
    folder.write("stages.json", R"({"stages": [{"name": "min", "folder": "01-min", "kind": "minimize", "status": "waiting"}]})");
    auto page = page_of(folder);
    REQUIRE_THAT(page, Contains("0 of 1") && Contains("there is nothing to plot") && Contains("class=\"waiting\""));
    REQUIRE_THAT(page, Contains("there are 0.") && Contains("No stage that simulates has a trajectory yet"));
    folder.write("stages.json", R"({"stages": []})");
    REQUIRE_THAT(page_of(folder), Contains("No stages are listed, or begun."));

    folder.write("stages.json", stages_text("done"));
    folder.write("log.csv", "Stage,\"Time (ps)\",\"Temperature (K)\"\nwarm,1,290\nother,2,500\nwarm,3,310\n");
    REQUIRE_THAT(page_of(folder), Contains("<title>Temperature</title>") && Contains("310.0 K"));

    folder.write("01-warm/log.csv", log_text(30));
    folder.write("stages.json", stages_text("done").substr(0, 150));
    REQUIRE_THAT(page_of(folder), Contains("stages.json is damaged or cut") && Contains("<td>warm</td>"));
}

TEST_CASE("a page is written whatever a file was cut at") {
    TestFolder const folder("cut");
    std::string const stages = stages_text("running"), log = log_text(30), input = "steps = 5\n";
    std::string const changes = R"({"changes": [{"kind": "added", "residue": 5}], "warnings": [1, "w"], "solvent": 5})";
    for (std::size_t tenth = 0; tenth <= 10; ++tenth) {
        auto const part = [&](std::string const& text) { return text.substr(0, text.size() * tenth / 10); };
        folder.write("stages.json", part(stages));
        folder.write("run.toml", part(input));
        folder.write("01-warm/log.csv", part(log));
        folder.write("01-warm/trajectory.dcd", part("CORD84"));
        folder.write("01-warm/topology.pdb", part("ATOM      1"));
        folder.write("00-prepared/prepare.json", part(changes));
        REQUIRE_THAT(page_of(folder), Contains("How to cite"));
    }
    for (auto const* const odd : {"[]", "3", "{\"stages\": 3, \"inputs\": {\"a\": 1}}", "{\"stages\": [1, null, {\"name\": [1]}]}",
                                  "{\"stages\": [{\"folder\": \"../..\", \"kind\": \"simulate\", \"steps\": \"x\"}]}", "\xff"}) {
        folder.write("stages.json", odd);
        folder.write("00-prepared/prepare.json", R"({"changes": {"a": 1}, "choices": [1], "protonation": 7, "inputs": 4, "warnings": "w"})");
        REQUIRE_THAT(page_of(folder), Contains("How to cite"));
    }
    folder.write("stages.json", std::string(100'000, '[') + std::string(100'000, ']'));
    REQUIRE_THAT(page_of(folder), Contains("stages.json is damaged or cut"));
}

TEST_CASE("RMSD and RMSF by residue, also of a trajectory that was cut") {
    TestFolder const folder("motion"), data("motion-data");
    data.write("pdbNames.xml", "<Residues><Residue name=\"GLY\" type=\"Protein\"/></Residues>");
    data.write("residues.xml", "<Residues><Residue name=\"GLY\"><Bond from=\"-C\" to=\"N\"/><Bond from=\"N\" to=\"CA\"/><Bond from=\"CA\" "
                               "to=\"C\"/><Bond from=\"C\" to=\"O\"/></Residue></Residues>");
    std::string text;
    for (int residue = 0; residue < 5; ++residue)
        for (int atom = 0; atom < 4; ++atom)
            text += fmt::format("A GLY {} {} {} {} {} {}\n", residue + 1, "N\0CA\0C\0O" + std::array{0, 2, 5, 7}[static_cast<std::size_t>(atom)],
                                std::array{"N", "C", "C", "O"}[static_cast<std::size_t>(atom)], 0.35 * residue + 0.1 * atom, 0.1 * (atom % 2), 0.1 * residue);
    auto const structure = structure_from(text);
    folder.write("run.toml", "");
    folder.write("topology.pdb", to_pdb(structure));
    std::mt19937 random(2);
    std::normal_distribution<> noise(0, 0.02);
    {
        TrajectoryWriter writer((folder.path() / "trajectory.dcd").string(), {structure.positions.size(), 0.01, 100, 100, 0});
        for (int frame = 1; frame <= 20; ++frame) {
            auto positions = structure.positions;
            for (auto& p : positions) p += {noise(random), noise(random), noise(random)};
            writer.write(positions, {}, 100 * frame, frame);
        }
    }
    ReportOptions const options{{data.path().string()}};
    auto page = page_of(folder, options);
    REQUIRE_THAT(page, Contains("<title>RMSD</title>") && Contains("<title>RMSF by residue</title>") && Contains("20 frames, 5 residues"));

    std::filesystem::resize_file(folder.path() / "trajectory.dcd", std::filesystem::file_size(folder.path() / "trajectory.dcd") - 100);
    page = page_of(folder, options);
    REQUIRE_THAT(page, Contains("19 frames, 5 residues") && Contains("the trajectory was read in part: "));

    REQUIRE_THAT(page_of(folder), Contains("RMSD and RMSF are left out: "));  // without tables of bonds
    std::filesystem::remove(folder.path() / "topology.pdb");
    REQUIRE_THAT(page_of(folder, options), Contains("there is no topology.cif or topology.pdb"));
}

TEST_CASE("folders that are none of a run are refused") {
    TestFolder const folder("empty");
    REQUIRE_THROWS_WITH(write_report(folder.path()), Contains("has no run.toml, log.csv or stages.json, expected the folder of a run"));
    REQUIRE_THROWS_WITH(write_report(folder.path() / "nothing"), Contains("nothing is no folder, expected that of a run"));
    REQUIRE_FALSE(std::filesystem::exists(folder.path() / "report.html"));
}
