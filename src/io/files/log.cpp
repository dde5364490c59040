// Writes titles, numbers and durations of the log as OpenMM's StateDataReporter.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <trotter/error.hpp>
#include <trotter/io/log.hpp>

namespace trotter {
namespace {

constexpr std::string_view titles =
    "#\"Progress (%)\",\"Step\",\"Time (ps)\",\"Potential Energy (kJ/mole)\",\"Kinetic Energy (kJ/mole)\","
    "\"Total Energy (kJ/mole)\",\"Temperature (K)\",\"Box Volume (nm^3)\",\"Density (g/mL)\",\"Speed (ns/day)\","
    "\"Time Remaining\"\n";

AppendFile open(std::string const& path, std::optional<FileMark> const& resume_at) {
    if (resume_at) {
        if (resume_at->bytes < titles.size())
            throw InputError(path + ": cannot be continued at byte " + std::to_string(resume_at->bytes) +
                             ", which is inside the titles");
        return {path, *resume_at};
    }
    AppendFile file{path};
    file.append(titles);
    return file;
}

}  // namespace

LogWriter::LogWriter(std::string path, std::optional<FileMark> const& resume_at) : file_(open(path, resume_at)) {}

void LogWriter::write(LogRow const& row) {
    constexpr auto unknown = std::numeric_limits<double>::quiet_NaN();
    file_.append(fmt::format("{:.1f}%,{},{},{},{},{},{},{},{},{},{}\n", row.progress, row.step, format_log_number(row.time),
                             format_log_number(row.potential_energy), format_log_number(row.kinetic_energy),
                             format_log_number(row.potential_energy + row.kinetic_energy), format_log_number(row.temperature),
                             format_log_number(row.volume.value_or(unknown)),
                             format_log_number(row.density.value_or(unknown)), fmt::format("{:.3g}", row.speed.value_or(0)),
                             row.remaining ? format_duration(*row.remaining) : "--"));
}

std::string format_duration(double seconds) {
    if (!(seconds < 1e15)) return "--";
    auto const all = static_cast<std::int64_t>(std::max(seconds, 0.0));
    auto const days = all / 86400, hours = all / 3600 % 24, minutes = all / 60 % 60, rest = all % 60;
    if (days > 0) return fmt::format("{}:{}:{:02}:{:02}", days, hours, minutes, rest);
    if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, rest);
    return fmt::format("{}:{:02}", minutes, rest);
}

std::string format_log_number(double value) {
    if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    auto const size = std::abs(value);
    bool const plain = size == 0 || (size >= 1e-4 && size < 1e16);
    std::array<char, 32> text{};
    auto const end = std::to_chars(text.data(), text.data() + text.size(), value,
                                   plain ? std::chars_format::fixed : std::chars_format::scientific).ptr;
    std::string result{text.data(), end};
    if (plain && result.find('.') == result.npos) result += ".0";
    return result;
}

}  // namespace trotter
