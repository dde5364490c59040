// SPDX-License-Identifier: MIT
#include "options_from_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <trotter/error.hpp>
#include <trotter/io/file.hpp>

#include "toml_file.hpp"

namespace trotter::program {
namespace {

/// What is asked of one call of the program, and not of a run.
constexpr std::array<std::string_view, 6> only_on_command_line{"help",    "resume", "overwrite",
                                                               "dry_run", "from",   "until"};

bool takes_list(std::string_view key) { return key == "set" || key == "ramp" || key == "forcefields"; }

}  // namespace

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
}

void apply_toml(CLI::App& command, std::string const& path, Options& options) {
    auto const given = [&](char const* name) {
        auto const* option = command.get_option_no_throw(name);
        return option != nullptr && option->count() > 0;
    };
    bool const length_given = given("--steps") || given("--time");
    auto const file = read_toml(path);
    options.is_staged = options.is_staged || file.is_staged;
    for (auto const& [key, where, values] : file.entries) {
        std::string name = "--" + key;
        std::replace(name.begin() + 2, name.end(), '_', '-');
        auto* option = command.get_option_no_throw(name);
        if (option == nullptr || key.find('-') != key.npos
            || std::find(only_on_command_line.begin(), only_on_command_line.end(), key) != only_on_command_line.end())
            throw InputError(where + " is no option that a file can hold");
        if (option->count() > 0 || (length_given && (key == "steps" || key == "time"))) continue;
        if (values.size() > 1 && !takes_list(key)) throw InputError(where + " is a list, expected one value");
        bool const is_flag = option->get_expected_max() == 0;
        if (is_flag && values.front() != "true" && values.front() != "false")
            throw InputError(where + " is " + values.front() + ", expected true or false");
        if (is_flag && values.front() == "false") continue;
        try {
            for (auto const& value : values) option->add_result(value);
            if (!values.empty()) option->run_callback();
        } catch (CLI::ParseError const& error) {
            throw InputError(where + ": " + one_line(error.what()));
        }
    }
}

void apply_left(CLI::App& command, Options& options) {
    constexpr std::uint64_t largest_file = 1 << 20;
    auto const left = (std::filesystem::path(options.output) / "run.toml").string();
    std::error_code error;
    if (!std::filesystem::is_regular_file(left, error)) return;  // `run` reports the error
    options.left_input = read_file(left, largest_file);
    options.state_given = command.get_option("--state")->count() > 0;
    bool const was_given = !options.input.empty(), was_staged = options.is_staged;
    apply_toml(command, left, options);
    if (options.is_staged && !was_given) options.input = left;
    if (was_given && options.is_staged != was_staged)
        throw InputError(left + " is of a run with stages, but " + options.input
                         + " has none, expected the file of that run");
}

void check_is_staged(CLI::App& command) {
    for (auto const* name : {"--steps", "--time", "--temperature", "--minimize", "--tolerance", "--max-iterations",
                             "--ramp", "--integrator", "--save"})
        if (auto const* option = command.get_option_no_throw(name); option != nullptr && option->count() > 0)
            throw InputError(std::string(name) + " does not go with stages, expected it in a table [[stage]]");
}

}  // namespace trotter::program
