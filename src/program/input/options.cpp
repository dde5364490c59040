// Grammar of the command line, which also applies to TOML files.
// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <sstream>
#include <system_error>

#include <trotter/error.hpp>

#include "analyze_options.hpp"
#include "file_commands.hpp"
#include "option_checks.hpp"
#include "options_from_file.hpp"
#include "program/output/output_names.hpp"
#include "program/output/report.hpp"

namespace trotter::program {
namespace {

constexpr std::uint64_t most_steps = 1'000'000'000'000'000'000;

/// Adds options to commands; `later_` runs when all values are known, including those from TOML files.
class Grammar {
public:
    Grammar(CLI::App& app, Options& options) : app_(app), o_(options) {}

    void add_commands() {
        auto* energy = add("energy", "Energy and forces at the given positions");
        inputs(energy);
        evaluation(energy);
        energy->add_option("--forces", o_.forces, "Write the forces to this .npy file");
        text(energy, "--groups", "Also the energy of these force groups: a mask (5, 0x5) or a list (0,2)",
             [this](auto const& t) { o_.groups.push_back(parse_groups(t)); });
        energy->add_flag("--place-virtual-sites", o_.place_virtual_sites,
                         "Compute the positions of virtual sites first");
        energy->add_flag("--virial", o_.virial, "Also the virial and, of a periodic System, the pressure tensor");
        energy->add_flag("--terms", o_.terms, "Also the energy of each term of each force");

        auto* step = add("step", "A number of steps and nothing else");
        inputs(step);
        evaluation(step);
        step->add_option("--steps", o_.steps, "How many steps")->check(whole_number(0, most_steps));
        step->add_option("--out-state", o_.out_state, "Write the State at the end to this XML file");

        auto* check = add("check", "Check the inputs and say what they hold");
        inputs(check);
        check->add_option("--out-system", o_.out_system, "Write the System, as it was understood, to this XML file");

        auto* minimize = add("minimize", "Local energy minimization");
        inputs(minimize);
        evaluation(minimize);
        minimization(minimize);
        minimize->add_option("--out-state", o_.out_state, "Write the State at the end to this XML file");

        add_run();
        add_prepare();
        add_file_commands(app_, o_);

        auto* analyze = add("analyze", "What a trajectory or a log shows, as a table and a plot");
        add_analyze_options(*analyze, o_, [&](auto const&... option) { text(analyze, option...); });

        auto* report = add("report", "A page about a run, report.html, in its folder");
        report->add_option("folder", o_.input, "Folder of a run, or of one with stages");
        force_fields(report, "Folder with tables of bonds (residues.xml); may be repeated");

        auto* platforms = add("platforms", "What this build holds and which devices it finds");
        platforms->add_flag("--json", o_.table_as_json, "As JSON");

        auto* benchmark = add("benchmark", "Speed of a simulation");
        inputs(benchmark);
        benchmark->add_option("--seconds", o_.seconds, "How long to measure")->check(number(false));
        benchmark->add_option("--replicas", o_.replicas, "So many replicas, together; times are of all of them")
            ->check(whole_number(1, 1'000'000));
        benchmark->add_flag("--profile", o_.profile, "Also what each part of a step takes, on reference and cpu")
            ->excludes("--replicas");
        tune(benchmark)->excludes("--replicas");
        benchmark->add_option("--json", o_.json, "Write the result here instead of standard output");
    }

    /// Parses option values given as text.
    void finish() {
        for (auto const& step : later_) step();
    }

private:
    CLI::App* add(std::string const& name, std::string const& what) { return app_.add_subcommand(name, what); }

    /// Adds an option with any number of text values, parsed by `read`.
    void text(CLI::App* command, std::string const& name, std::string const& what,
              std::function<void(std::string const&)> read) {
        auto* option = command->add_option(name, what)->expected(1)->take_all()->type_name("TEXT");
        option->allow_extra_args(false);
        later_.push_back([option, read] {
            for (auto const& value : option->results()) read(value);
        });
    }

    void inputs(CLI::App* command) {
        command->add_option("--system", o_.system, "System XML, plain or gzip");
        command->add_option("--state", o_.state, "State XML, plain or gzip");
        command->add_option("--integrator", o_.integrator, "Integrator XML, plain or gzip");
        command->add_option("--platform", o_.platform, "reference, cpu, opencl, cuda; default: the best that can do it")
            ->check(CLI::IsMember(std::vector<std::string>{"reference", "cpu", "opencl", "cuda"}));
        command->add_option("--precision", o_.precision, "single, mixed, double")
            ->check(CLI::IsMember(std::vector<std::string>{"single", "mixed", "double"}));
        command->add_option("--device", o_.device,
                            "For opencl and cuda: number of the device, as `trotter platforms` lists it");
        command->add_option("--threads", o_.threads, "For cpu; default: all that the process may use")
            ->check(whole_number(1, 4096));
        command->add_option("--instruction-set", o_.instruction_set,
                            "For cpu: avx512, avx2, sse4; default: the best of the machine. Each gives its own bits");
        command
            ->add_option("--list-buffer", o_.list_buffer,
                         "For cpu: how much farther than the cutoff pair lists reach [nm]. Each gives its own bits")
            ->check(CLI::Range(0.0, 1.0));
        command->add_option("--seed", o_.seed, "Seed of all random numbers whose own seed is 0")
            ->check(whole_number(0, UINT64_MAX));
        command->add_flag("--deterministic", o_.deterministic, "Bit-identical results: always so on these platforms");
        command->add_option("--max-input", o_.max_input, "Largest expanded input file [bytes]")
            ->check(whole_number(1, INT64_MAX));
        text(command, "--set", "NAME=VALUE: a Context parameter; may be repeated",
             [this](auto const& t) { o_.assignments.push_back(parse_assignment(t)); });
    }

    CLI::Option* tune(CLI::App* command) {
        return command->add_flag("--tune", o_.tune,
                                 "For cpu: first measure which --threads (up to those given) and --list-buffer are the "
                                 "fastest; a resumed run keeps them");
    }

    void minimization(CLI::App* command) {
        command->add_option("--tolerance", o_.tolerance, "RMS force to reach by minimization [kJ/mol/nm]")
            ->check(number(false));
        command->add_option("--max-iterations", o_.max_iterations, "Of the minimization; 0: no limit")
            ->check(whole_number(0, 1'000'000'000));
    }

    void evaluation(CLI::App* command) {
        command->add_option("--json", o_.json, "Write the result here instead of standard output");
        command->add_flag("--inline", o_.arrays_inline, "Forces, positions, velocities in the JSON");
    }

    void add_run() {
        auto* run = add("run", "A simulation, with a log, a trajectory and checkpoints");
        run->add_option("input", o_.input, "TOML file with options, their names with _ for -; the command line wins");
        inputs(run);
        run->add_option("--steps", o_.steps, "Steps from the State to the end, those of an interrupted run included")
            ->check(whole_number(0, most_steps));
        text(run, "--time", "Instead of --steps: how long to simulate, such as '10 ns'",
             [this](auto const& t) { o_.time = parse_time(t); });
        run->add_option("--output", o_.output, "Folder for all results");
        run->add_flag("--resume", o_.resume, "Go on where the run in the output folder stopped");
        run->add_flag("--overwrite", o_.overwrite, "Replace an earlier run in the output folder");
        for (auto [name, value] : {std::pair{"--log-interval", &o_.log_interval},
                                   {"--trajectory-interval", &o_.trajectory_interval},
                                   {"--checkpoint-interval", &o_.checkpoint_interval}})
            run->add_option(name, *value, "Steps; 0 for none")->check(whole_number(0, most_steps));
        run->add_option("--trajectory", o_.trajectory, "dcd, xtc, nc, none")
            ->check(CLI::IsMember(std::vector<std::string>{"dcd", "xtc", "nc", "none"}));
        run->add_option("--topology", o_.topology, "File that names the atoms (PDB, mmCIF, gro), to copy beside the trajectory");
        run->add_option("--save", o_.save, "Selection of the atoms, named by --topology, that the trajectory holds");
        run->add_option("--wrap", o_.wrap, "none, molecules; default: molecules in a periodic box")
            ->check(CLI::IsMember(std::vector<std::string>{"none", "molecules"}));
        run->add_option("--temperature", o_.temperature,
                        "Draw velocities at this temperature [K] where the State has none")
            ->check(number(true));
        run->add_flag("--minimize", o_.minimize, "Minimize the energy before the first step");
        minimization(run);
        text(run, "--ramp",
             "NAME=TIME:VALUE,…: temperature, pressure or a Context parameter, linear between these times [ps] since the "
             "first step; may be repeated",
             [this](auto const& t) { o_.ramps.push_back(parse_ramp(t)); });
        tune(run);
        add_stages(run);
        run->add_option("--max-hours", o_.max_hours, "Stop, with a checkpoint, after this time")->check(number(true));
    }

    /// Of a run whose file has tables of stages.
    void add_stages(CLI::App* run) {
        run->add_option("--from", o_.from, "With --resume, of stages: begin anew at the one of this name");
        run->add_option("--until", o_.until, "Of stages: end with the one of this name");
        run->add_flag("--dry-run", o_.dry_run, "Of stages: show what would be done, and do nothing");
        force_fields(run, "Of stages: folder with force fields and other data, searched after that of the TOML file");
    }

    void add_prepare() {
        auto* prepare = add("prepare", "From a structure to a System: what the table [prepare] of a TOML file asks for");
        prepare->add_option("input", o_.input, "TOML file with the table [prepare]; names in it are relative to its folder");
        prepare->add_option("--out-system", o_.out_system, "Write the System to this XML file");
        prepare->add_option("--out-state", o_.out_state, "Write positions, box and velocities to this State XML file");
        text(prepare, "--out-topology", "Write the structure to this .json, .pdb or .cif file; may be repeated",
             [this](auto const& t) { o_.out_topologies.push_back(t); });
        prepare->add_option("--json", o_.json, "Write what was found and done here instead of standard output");
        force_fields(prepare, "Folder with force fields and other data, searched after that of the TOML file; may be repeated");
        prepare->add_option("--max-input", o_.max_input, "Largest expanded input file [bytes]")->check(whole_number(1, INT64_MAX));
    }

    void force_fields(CLI::App* command, std::string const& what) {
        text(command, "--forcefields", what, [this](auto const& t) { o_.force_field_folders.push_back(t); });
    }

    CLI::App& app_;
    Options& o_;
    std::vector<std::function<void()>> later_;
};

/// Returns the arguments in CLI11's order, the last one first; `help energy` becomes `energy --help`.
std::vector<std::string> arguments(int argc, char const* const* argv, CLI::App const& app) {
    std::vector<std::string> result(argv + 1, argv + argc);
    if (!result.empty() && result.front() == "help") {
        result.erase(result.begin());
        result.resize(std::min<std::size_t>(result.size(), 1));
        result.push_back("--help");
    }
    if (result.empty()) throw InputError("a command is missing (see `trotter help`)");
    auto const known =
        app.get_subcommands([&](CLI::App const* command) { return command->get_name() == result.front(); });
    if (!result.front().starts_with('-') && known.empty())
        throw InputError("there is no command '" + result.front() + "' (see `trotter help`)");
    std::reverse(result.begin(), result.end());
    return result;
}

}  // namespace

std::optional<Options> parse_options(int argc, char const* const* argv, std::string const& version) {
    Options options;
    CLI::App app("Molecular simulation: trotter COMMAND [options]", "trotter");
    app.require_subcommand(1);
    app.option_defaults()->always_capture_default();
    app.set_version_flag("--version", version);
    app.footer("`trotter help COMMAND` lists the options of a command. Units: nm, ps, amu, kJ/mol, K, bar.");
    Grammar grammar(app, options);
    grammar.add_commands();
    try {
        app.parse(arguments(argc, argv, app));
    } catch (CLI::Success const& answer) {
        std::ostringstream text;
        app.exit(answer, text, text);
        print(text.str());
        return {};
    } catch (CLI::ParseError const& error) {
        throw InputError(one_line(error.what()) + " (see `trotter help`)");
    }
    auto& command = *app.get_subcommands().front();
    options.command = command.get_name();
    if (options.command == "run" && !options.input.empty()) apply_toml(command, options.input, options);
    if (options.resume) apply_left(command, options);
    if (options.is_staged) check_is_staged(command);
    grammar.finish();
    check_output_names(options);
    return options;
}

}  // namespace trotter::program
