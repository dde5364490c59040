// Writes the log of a run: a CSV file with the columns of OpenMM's StateDataReporter.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include <trotter/io/file.hpp>

namespace trotter {

/// One line of the log. Unknown values are written as in OpenMM: a speed as 0, the time left as `--`; an undefined
/// volume or density as `nan`.
struct LogRow {
    std::int64_t step = 0;  ///< number of steps taken
    double progress = 0;          ///< of the run [%]
    double time = 0;              ///< [ps]
    double potential_energy = 0;  ///< [kJ/mol]
    double kinetic_energy = 0;    ///< [kJ/mol]; the total is their sum
    double temperature = 0;       ///< [K]
    std::optional<double> volume{};     ///< [nm³]
    std::optional<double> density{};    ///< [g/mL]
    std::optional<double> speed{};      ///< [ns/day]
    std::optional<double> remaining{};  ///< time left [s]
};

/// Writes the log line by line.
class LogWriter {
public:
    /// Starts a log, or continues at the state recorded in a checkpoint; later lines are removed. Throws OutputError;
    /// InputError if the existing file does not begin with the recorded contents.
    explicit LogWriter(std::string path, std::optional<FileMark> const& resume_at = {});

    /// Throws OutputError; the file then ends with the previous line.
    void write(LogRow const& row);

    /// Flushes all lines to disk. Call before writing a checkpoint with `mark()`.
    void sync() { file_.sync(); }
    /// Length and checksum of the complete lines.
    FileMark const& mark() const { return file_.mark(); }

private:
    AppendFile file_;
};

/// Formats as `d:hh:mm:ss` without leading zero parts, at least `m:ss`. Fractions of a second are truncated.
std::string format_duration(double seconds);

/// The shortest text that reads back exactly, with a point in it, as Python writes a float: `300.0`, `1e-05`.
std::string format_log_number(double value);

}  // namespace trotter
