// SPDX-License-Identifier: MIT
#include "app/report/page/html.hpp"

#include <algorithm>
#include <trotter/app/report/plot.hpp>

namespace trotter::app::page {
namespace {

// Widths fit A4 in print; nothing is smaller than 12 px.
constexpr std::string_view style = R"(
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #f6f7f9; color: #1f2937; font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 1000px; margin: 0 auto; padding: 40px 40px 56px; background: #fff; min-height: 100vh; border-left: 1px solid #e5e7eb; border-right: 1px solid #e5e7eb; }
header { border-bottom: 2px solid #2f6690; padding-bottom: 20px; margin-bottom: 8px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 4px; font-weight: 650; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { font-size: 19px; margin: 40px 0 12px; font-weight: 600; }
h3 { font-size: 15px; margin: 24px 0 8px; font-weight: 600; }
p { margin: 8px 0; max-width: 76ch; overflow-wrap: anywhere; }
.sub, .note, figcaption { color: #6b7280; }
.note { font-style: italic; }
.facts { display: flex; flex-wrap: wrap; gap: 12px 40px; margin: 20px 0 0; }
.facts div { min-width: 96px; }
.facts dt { font-size: 13px; color: #6b7280; }
.facts dd { margin: 0; font-size: 20px; font-weight: 600; font-variant-numeric: tabular-nums; }
.warnings { border-left: 4px solid #b42318; background: #fef3f2; padding: 14px 20px; margin: 24px 0 0; border-radius: 0 6px 6px 0; }
.warnings h2 { margin: 0 0 6px; font-size: 16px; color: #b42318; }
.warnings ul { margin: 0; padding-left: 20px; color: #912018; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; margin: 12px 0; }
table { border-collapse: collapse; width: 100%; font-size: 14px; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; font-size: 13px; color: #4b5563; border-bottom: 1px solid #9ca3af; padding: 6px 14px 6px 0; vertical-align: bottom; }
td { border-bottom: 1px solid #eef0f3; padding: 6px 14px 6px 0; vertical-align: top; overflow-wrap: break-word; }
.number { text-align: right; white-space: nowrap; }
.done { color: #27674a; } .failed { color: #b42318; font-weight: 600; } .running { color: #9a5b13; } .waiting { color: #6b7280; }
code, pre { font-family: ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 13px; }
pre { background: #f6f7f9; border: 1px solid #e5e7eb; border-radius: 6px; padding: 14px 16px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.long { overflow-wrap: anywhere; }
.hash { overflow-wrap: anywhere; font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 12px; }
.figures { display: flex; flex-wrap: wrap; gap: 20px 20px; }
figure { margin: 0; flex: 0 0 auto; max-width: 100%; }
figure svg { display: block; max-width: 100%; height: auto; }
figcaption { font-size: 13px; max-width: 448px; padding-left: 4px; }
a { color: #2f6690; }
@media (max-width: 720px) { main { padding: 20px; } }
@media print {
  @page { size: A4; margin: 16mm 14mm; }
  body { background: #fff; font-size: 13px; }
  main { max-width: none; padding: 0; border: 0; }
  figure, tr, .warnings { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .figures { display: block; }
  table { font-size: 12px; }
  th { font-size: 12px; }
}
)";

/// Whether a word is so long that a column must be able to break it.
bool has_long_word(std::string_view text) {
    constexpr std::size_t longest = 28;
    std::size_t length = 0;
    return std::any_of(text.begin(), text.end(), [&](char letter) { return (length = letter == ' ' ? 0 : length + 1) > longest; });
}

std::string cell(std::string_view tag, bool is_number, std::string_view text) {
    std::string name = is_number ? " class=\"number\"" : has_long_word(text) ? " class=\"long\"" : "";
    for (std::string_view const status : {"done", "failed", "running", "waiting"})
        if (text == status || (text.starts_with(status) && text.substr(status.size()).starts_with(" ("))) name = " class=\"" + std::string(status) + '"';
    bool const is_hash = text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
    if (is_hash) name = " class=\"hash\"";
    return "<" + std::string(tag) + name + ">" + escaped(text) + "</" + std::string(tag) + ">";
}

}  // namespace

std::string table(std::vector<Column> const& columns, std::vector<std::vector<std::string>> const& rows,
                  std::size_t most) {
    std::vector<std::size_t> shown;
    for (std::size_t n = 0; n < columns.size(); ++n)
        if (std::any_of(rows.begin(), rows.end(), [&](auto const& row) { return !row[n].empty(); })) shown.push_back(n);
    std::string html = "<div class=\"scroll\"><table><thead><tr>";
    for (auto const n : shown) html += cell("th", columns[n].is_number, columns[n].title);
    html += "</tr></thead><tbody>\n";
    for (std::size_t row = 0; row < std::min(most, rows.size()); ++row) {
        html += "<tr>";
        for (auto const n : shown) html += cell("td", columns[n].is_number, rows[row][n]);
        html += "</tr>\n";
    }
    html += "</tbody></table></div>\n";
    if (rows.size() > most) html += note("and " + std::to_string(rows.size() - most) + " more");
    return html;
}

std::string paragraph(std::string_view text) { return "<p>" + escaped(text) + "</p>\n"; }
std::string note(std::string_view text) { return "<p class=\"note\">" + escaped(text) + "</p>\n"; }

std::string section(std::string_view title, std::string_view html) {
    return "<section>\n<h2>" + escaped(title) + "</h2>\n" + std::string(html) + "</section>\n";
}

std::string figure(std::string_view svg, std::string_view caption) {
    std::string html = "<figure>" + std::string(svg);
    if (!caption.empty()) html += "<figcaption>" + escaped(caption) + "</figcaption>";
    return html + "</figure>\n";
}

std::string figures(std::string_view html) { return "<div class=\"figures\">\n" + std::string(html) + "</div>\n"; }

std::string document(std::string_view title, std::string_view html) {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<link rel=\"icon\" href=\"data:,\">\n<title>"
           + escaped(title) + "</title>\n<style>" + std::string(style) + "</style>\n</head>\n<body>\n<main>\n" + std::string(html)
           + "</main>\n</body>\n</html>\n";
}

}  // namespace trotter::app::page
