// Options from the command line and TOML files.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <trotter/app/stages/ramp.hpp>
#include <trotter/base/force_groups.hpp>
#include <trotter/io/file.hpp>

namespace trotter::program {

/// A Context parameter's new value.
struct Assignment {
    std::string name;
    double value = 0;
};

/// A ramp of `temperature`, `pressure`, or a Context parameter.
struct NamedRamp {
    std::string name;
    app::Ramp ramp;
};

/// Force groups and their text as given by the user.
struct NamedGroups {
    std::string text;
    ForceGroups groups;
};

/// Options of `analyze`. Selections and file names are as given by the user; empty if not given.
struct AnalyzeOptions {
    std::vector<std::string> words;  ///< the folder, if there is no trajectory; what is analyzed; selections
    std::string trajectory, topology, output, svg;
    double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();  ///< [ps]
    int every = 1;
    std::string of, fit, reference = "first";
    bool mass_weighted = false, unwrap = false;
    double bin_width = 0.002;  ///< [nm]
    std::optional<double> maximum;  ///< [nm]
    std::string exclude = "residue", criterion = "baker-hubbard";
    double minimum_occupancy = 0.1, lag_from = 0.1, lag_to = 0.5;  ///< fractions
    std::optional<double> viscosity;  ///< [mPa s]
};

/// Options of all commands; those that a command does not have keep their defaults. File names are as given by the
/// user; empty if not given.
struct Options {
    std::string command;

    std::string system, state, integrator;
    std::string platform;  ///< empty: the best available
    std::string precision = "mixed", device;
    int threads = 0;              ///< 0: all available to the process
    std::string instruction_set;  ///< of `cpu`; empty: the best available
    double list_buffer = 0;       ///< of `cpu` [nm]; 0: automatic
    bool tune = false;            ///< of `run` and `benchmark`: choose `threads` and `list_buffer` by measurement
    std::optional<std::uint64_t> seed;
    std::uint64_t max_input = default_max_input;
    std::vector<Assignment> assignments;

    std::string input;  ///< of `prepare` and `run`: TOML file; of `report`: folder
    std::string json, forces, out_state, out_system;
    std::vector<std::string> out_topologies, force_field_folders;  ///< of `prepare`; the latter of `analyze` and `report`, too
    std::string output_file, expression;  ///< of `convert` and `select`
    std::vector<NamedGroups> groups;
    bool deterministic = false;  ///< no effect: results always are; accepted for scripts
    bool arrays_inline = false, place_virtual_sites = false, table_as_json = false;
    bool virial = false, terms = false;  ///< also in the result of `energy`
    std::optional<std::int64_t> steps;
    double tolerance = 10;  ///< of `minimize` [kJ/mol/nm]
    int max_iterations = 0;
    double seconds = 10;   ///< of `benchmark`
    int replicas = 0;      ///< of `benchmark`; 0: a Context
    bool profile = false;  ///< of `benchmark`

    std::optional<double> time;  ///< of `run` [ps]
    std::string output = "trotter-output", trajectory = "dcd", topology, save, wrap;
    std::string whole_run;  ///< of a stage: the folder of all stages, which messages name in place of its own
    std::int64_t log_interval = 1000, trajectory_interval = 5000, checkpoint_interval = 10000;  ///< [steps]; 0: none
    std::optional<double> temperature, max_hours;  ///< the first one of `analyze`, too [K]
    bool minimize = false, resume = false, overwrite = false;
    std::vector<NamedRamp> ramps;  ///< in time from the first step on

    bool is_staged = false;   ///< of `run`: `input` has tables of stages
    bool dry_run = false;     ///< of a staged run: only show what would be done
    std::string from, until;  ///< of a staged run: stages to begin anew at, and to end with

    AnalyzeOptions analyze;

    // of a resumed run:
    std::string left_input;    ///< text of its run.toml
    bool state_given = false;  ///< on the command line
};

/// Parses the command line, and the TOML files that it names or that a resumed run has recorded. Handles `--help` and
/// `--version` (prints `version`); then returns no options. Throws InputError.
std::optional<Options> parse_options(int argc, char const* const* argv, std::string const& version);

/// Parses a time such as `10 ns`, in ps. Throws InputError.
double parse_time(std::string const& text);

/// Parses a mask, decimal or with 0x, or a comma-separated list of groups. Throws InputError.
NamedGroups parse_groups(std::string const& text);

/// Parses a device index. Throws InputError, and UnsupportedError for a list.
int parse_device(std::string const& text);

/// Parses a ramp such as `temperature=0:10,50:300`. Throws InputError.
NamedRamp parse_ramp(std::string const& text);

/// Parses `NAME=VALUE`. Throws InputError.
Assignment parse_assignment(std::string const& text);

}  // namespace trotter::program
