// What `trotter analyze` can do with a trajectory.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <trotter/app/analysis/frames.hpp>
#include <trotter/app/report/plot.hpp>
#include <trotter/app/structure.hpp>

#include "program/input/options.hpp"

namespace trotter::program {

/// A number that follows from all frames.
struct Fact {
    std::string name;
    double value = 0;
    std::string unit;  ///< empty if it has none
};

/// A table, its plot, and what follows from it.
struct Analysis {
    std::string table;  ///< CSV with titles
    app::Plot plot{};
    std::vector<Fact> facts{};
};

/// A trajectory with what was asked for.
struct AnalysisInput {
    app::Frames frames;
    app::Structure structure;               ///< of the topology's file
    std::vector<std::string> selections;    ///< behind the name of the analysis
    Options const& options;
    std::vector<std::string> data_folders;  ///< for a file of the reference

    /// Atoms of the selection with this index, or of the default if it was not given. Throws InputError.
    std::vector<int> atoms(std::size_t selection, std::string const& by_default) const;
    /// The text of the selection, for titles.
    std::string text(std::size_t selection, std::string const& by_default) const;
};

///@{
/// Throw InputError for selections without atoms, and as the classes of `trotter::app` that they use.
Analysis analyze_rmsd(AnalysisInput const& input);
Analysis analyze_rmsf(AnalysisInput const& input);
Analysis analyze_radius_of_gyration(AnalysisInput const& input);
Analysis analyze_center(AnalysisInput const& input);
Analysis analyze_distance(AnalysisInput const& input);
Analysis analyze_angle(AnalysisInput const& input);
Analysis analyze_dihedral(AnalysisInput const& input);
Analysis analyze_radial_distribution(AnalysisInput const& input);
Analysis analyze_hydrogen_bonds(AnalysisInput const& input);
Analysis analyze_displacement(AnalysisInput const& input);
///@}

/// A quantity by time: a table of two columns, a plot, its mean and error. The title has the unit in parentheses.
Analysis analyze_series(std::string const& title, std::vector<double> const& times, std::vector<double> const& values);

/// A column of a log, `density` for example. Throws InputError if the log has none, or no number in it.
Analysis analyze_log(std::string_view quantity, std::string const& path, AnalyzeOptions const& options);

/// A field of a table in quotation marks if it needs them.
std::string csv_field(std::string_view text);

}  // namespace trotter::program
