// The program: finds the command, and turns every failure into one line and an exit status.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include <trotter/error.hpp>

#include "commands.hpp"
#include "exit_status.hpp"
#include "options.hpp"

namespace {

using namespace trotter::program;

int carry_out(Options const& options) {
    static constexpr std::array commands{std::pair{std::string_view{"run"}, &run},
                                         std::pair{std::string_view{"energy"}, &energy},
                                         std::pair{std::string_view{"step"}, &step},
                                         std::pair{std::string_view{"check"}, &check},
                                         std::pair{std::string_view{"minimize"}, &minimize},
                                         std::pair{std::string_view{"platforms"}, &platforms},
                                         std::pair{std::string_view{"benchmark"}, &benchmark}};
    for (auto const& [name, command] : commands)
        if (name == options.command) return command(options);
    throw std::logic_error("there is no command " + options.command);
}

int complain(std::string message, int status) {
    std::replace(message.begin(), message.end(), '\n', ' ');
    std::fprintf(stderr, "trotter: %s\n", message.c_str());
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    // A closed pipe and a file that may not grow become errors of the write itself.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        auto const options = parse_options(argc, argv);
        return options ? carry_out(*options) : done;
    } catch (trotter::InputError const& error) {
        return complain(error.what(), wrong_input);
    } catch (trotter::SimulationError const& error) {
        return complain(error.what(), simulation_failed);
    } catch (trotter::UnsupportedError const& error) {
        return complain(error.what(), unsupported);
    } catch (trotter::OutputError const& error) {
        return complain(error.what(), output_failed);
    } catch (std::bad_alloc const&) {
        return complain("out of memory", unsupported);
    } catch (std::exception const& error) {
        return complain(std::string("a defect of trotter, please report it: ") + error.what(), defect);
    }
}
