// What the user asked for, on the command line and in TOML files.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <trotter/base/force_groups.hpp>
#include <trotter/io/file.hpp>

namespace trotter::program {

/// A Context parameter's new value.
struct Assignment {
    std::string name;
    double value = 0;
};

/// Force groups as the user wrote them.
struct NamedGroups {
    std::string text;
    ForceGroups groups;
};

/// The options of all commands; each command knows some of them, and the others keep their defaults. Files are named
/// as the user named them; an empty name is an option that was not given.
struct Options {
    std::string command;

    std::string system, state, integrator;
    std::string platform;  ///< empty: the best one
    std::string precision = "mixed", device;
    int threads = 0;              ///< 0: as many as the process may use
    std::string instruction_set;  ///< of `cpu`; empty: the best that the machine has
    double list_buffer = 0;       ///< of `cpu` [nm]; 0: its choice
    bool tune = false;            ///< of `run` and `benchmark`: measure which `threads` and `list_buffer` are fastest
    std::optional<std::uint64_t> seed;
    std::uint64_t max_input = default_max_input;
    std::vector<Assignment> assignments;

    std::string json, forces, out_state, out_system;
    std::vector<NamedGroups> groups;
    bool deterministic = false;  ///< kept for scripts: results always are
    bool arrays_inline = false, place_virtual_sites = false, table_as_json = false;
    bool virial = false, terms = false;  ///< also in the result of `energy`
    std::optional<std::int64_t> steps;
    double tolerance = 10;  ///< of `minimize` [kJ/mol/nm]
    int max_iterations = 0;
    double seconds = 10;   ///< of `benchmark`
    int replicas = 0;      ///< of `benchmark`; 0: a Context
    bool profile = false;  ///< of `benchmark`

    std::optional<double> time;  ///< that `run` simulates [ps]
    std::string output = "trotter-output", trajectory = "dcd", topology, wrap;
    std::int64_t log_interval = 1000, trajectory_interval = 5000, checkpoint_interval = 10000;  ///< [steps]; 0: none
    std::optional<double> temperature, max_hours;
    bool minimize = false, resume = false, overwrite = false;

    // Of a run that is resumed:
    std::string left_input;    ///< the text of its run.toml
    bool state_given = false;  ///< not by run.toml alone
};

/// Reads the command line, and the TOML files that it names or that a resumed run left. Answers `--help` and, by the
/// text given, `--version` itself; then there are no options. Throws InputError.
std::optional<Options> parse_options(int argc, char const* const* argv, std::string const& version);

/// A time such as `10 ns`, in ps. Throws InputError.
double parse_time(std::string const& text);

/// A mask, decimal or with 0x, or a list of groups separated by commas. Throws InputError.
NamedGroups parse_groups(std::string const& text);

/// The number of a device. Throws InputError, and UnsupportedError for a list of several.
int parse_device(std::string const& text);

/// `NAME=VALUE`. Throws InputError.
Assignment parse_assignment(std::string const& text);

}  // namespace trotter::program
