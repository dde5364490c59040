// Reads the log of a run, also one that is being written or was cut.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <vector>

namespace trotter::app {

/// Columns of a log.
struct LogTable {
    std::map<std::string, std::vector<double>> columns;  ///< by title, without percent signs; NaN for what is no number
    std::vector<std::string> stages;                     ///< the column `Stage`, if there is one
    std::size_t rows = 0;                                ///< complete lines
    bool is_cut = false;                                 ///< whether a line was left out that is not complete

    /// A column; empty if there is none of this title.
    std::vector<double> const& column(std::string const& title) const;
};

/// Titles of columns as LogWriter writes them.
namespace log_titles {
inline constexpr auto time = "Time (ps)";                             ///< [ps]
inline constexpr auto potential_energy = "Potential Energy (kJ/mole)";  ///< [kJ/mol]
inline constexpr auto kinetic_energy = "Kinetic Energy (kJ/mole)";    ///< [kJ/mol]
inline constexpr auto total_energy = "Total Energy (kJ/mole)";        ///< [kJ/mol]
inline constexpr auto temperature = "Temperature (K)";                ///< [K]
inline constexpr auto volume = "Box Volume (nm^3)";                   ///< [nm³]
inline constexpr auto density = "Density (g/mL)";                     ///< [g/mL]
inline constexpr auto speed = "Speed (ns/day)";                       ///< [ns/day]
}  // namespace log_titles

/// Reads a log of at most 256 MiB. Lines that have not all columns, such as a last one that is being written, are left
/// out. Throws InputError if the file cannot be read or its first line has no column `Time (ps)`.
LogTable read_log(std::string const& path);

}  // namespace trotter::app
