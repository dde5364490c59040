// The command line: finds the command, and turns every failure into one line and an exit status.
// SPDX-License-Identifier: MIT
#include <array>
#include <chrono>
#include <csignal>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <trotter/error.hpp>
#include <trotter/program.hpp>

#include "exit_status.hpp"
#include "program/commands/commands.hpp"
#include "program/input/options.hpp"
#include "program/output/messages.hpp"
#include "program/output/version_text.hpp"
#include "signals.hpp"

namespace trotter::program {
namespace {

int carry_out(Options const& options, KnownForces const& forces, Signals& signals) {
    if (options.command == "run") return run(options, forces, signals);
    static constexpr std::array commands{
        std::pair{std::string_view{"energy"}, &energy},       std::pair{std::string_view{"step"}, &step},
        std::pair{std::string_view{"check"}, &check},         std::pair{std::string_view{"minimize"}, &minimize},
        std::pair{std::string_view{"platforms"}, &platforms}, std::pair{std::string_view{"benchmark"}, &benchmark},
        std::pair{std::string_view{"prepare"}, &prepare},     std::pair{std::string_view{"forcefields"}, &force_fields},
        std::pair{std::string_view{"convert"}, &convert},     std::pair{std::string_view{"select"}, &select},
        std::pair{std::string_view{"analyze"}, &analyze},     std::pair{std::string_view{"report"}, &report}};
    for (auto const& [name, command] : commands)
        if (name == options.command) return command(options, forces);
    throw std::logic_error("there is no command " + options.command);
}

int complain(std::string const& message, int status) {
    tell("trotter: " + presentable(message) + '\n', std::chrono::seconds(1));
    return status;
}

}  // namespace

int run_command_line(int argc, char const* const* argv, KnownForces const& forces) {
    // A closed pipe and the file size limit are reported by write() instead.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    occupy_standard_streams();
    try {
        Signals signals;
        auto const options = parse_options(argc, argv, version_text(forces));
        return options ? carry_out(*options, forces, signals) : done;
    } catch (InputError const& error) {
        return complain(error.what(), wrong_input);
    } catch (SimulationError const& error) {
        return complain(error.what(), simulation_failed);
    } catch (UnsupportedError const& error) {
        return complain(error.what(), unsupported);
    } catch (OutputError const& error) {
        return complain(error.what(), output_failed);
    } catch (std::bad_alloc const&) {
        return complain("out of memory", unsupported);
    } catch (std::length_error const&) {
        return complain("out of memory: the input asks for more than any machine can hold", unsupported);
    } catch (std::filesystem::filesystem_error const& error) {
        return complain(error.path1().string() + ": " + error.code().message(), wrong_input);
    } catch (std::system_error const& error) {
        return complain(std::string("the machine refuses what is needed: ") + error.what(), unsupported);
    } catch (std::exception const& error) {
        return complain(std::string("a defect of trotter, please report it: ") + error.what(), defect);
    }
}

}  // namespace trotter::program
