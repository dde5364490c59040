// The log of a run: a CSV file with the columns of OpenMM's StateDataReporter.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include <trotter/io/file.hpp>

namespace trotter {

/// One line of the log. What is not known is written as OpenMM does: a speed as 0, the time left as `--`; a volume or
/// density that does not exist as `nan`.
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
    /// Starts a log, or goes on after what a checkpoint recorded; what stands behind that is cut off.
    /// Throws OutputError; InputError if the file there does not begin with what was recorded.
    explicit LogWriter(std::string path, std::optional<FileMark> const& resume_at = {});

    /// Throws OutputError, and then the file ends with the line before.
    void write(LogRow const& row);

    /// Waits until all lines are on the disk. To be called before a checkpoint that holds `mark()`.
    void sync() { file_.sync(); }
    /// The whole lines so far.
    FileMark const& mark() const { return file_.mark(); }

private:
    AppendFile file_;
};

/// `d:hh:mm:ss` with leading parts dropped, at least `m:ss`. Parts of a second are dropped.
std::string format_duration(double seconds);

/// The shortest text that reads back exactly, with a point in it, as Python writes a float: `300.0`, `1e-05`.
std::string format_log_number(double value);

}  // namespace trotter
