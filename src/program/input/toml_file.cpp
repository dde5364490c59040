// Reads and writes TOML.
// SPDX-License-Identifier: MIT
#include "toml_file.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <sstream>

#include <trotter/error.hpp>
#include <trotter/io/file.hpp>
#include <trotter/io/number_text.hpp>

#include "options.hpp"

namespace trotter::program {
namespace {

void append_values(toml::node const& node, std::string const& where, std::vector<std::string>& values) {
    if (auto const* list = node.as_array()) {
        for (auto const& item : *list) append_values(item, where, values);
    } else if (auto const text = node.value_exact<std::string>()) {
        values.push_back(*text);
    } else if (auto const number = node.value_exact<double>()) {
        values.push_back(format_number(*number));
    } else if (auto const integer = node.value_exact<std::int64_t>()) {
        values.push_back(std::to_string(*integer));
    } else if (auto const truth = node.value_exact<bool>()) {
        values.push_back(*truth ? "true" : "false");
    } else {
        throw InputError(where + " is neither a number, a text, true, false, nor a list of these");
    }
}

bool is_of_stages(std::string_view key) {
    return key == "prepare" || key == "equilibrate" || key == "stage" || key == "restraint";
}

}  // namespace

TomlOptions read_toml(std::string const& path) {
    constexpr std::uint64_t largest_file = 1 << 20;
    auto const in_line = [&](auto const& region) {
        return path + ", line " + std::to_string(region.begin.line) + ": ";
    };
    toml::table table;
    try {
        table = toml::parse(read_file(path, largest_file), path);
    } catch (toml::parse_error const& error) {
        std::string reason(error.description());
        std::replace(reason.begin(), reason.end(), '\n', ' ');
        throw InputError(in_line(error.source()) + reason);
    }
    TomlOptions options;
    for (auto const& [key, node] : table) {
        if (is_of_stages(key.str()) && (node.is_table() || node.is_array_of_tables())) {
            options.is_staged = true;
            continue;
        }
        TomlEntry entry{std::string(key.str()), in_line(node.source()) + std::string(key.str()), {}};
        append_values(node, entry.where, entry.values);
        options.entries.push_back(std::move(entry));
    }
    return options;
}

std::string effective_toml(Options const& o) {
    toml::table table;
    auto const path = [&](char const* key, std::string const& name) {
        if (!name.empty()) table.insert(key, std::filesystem::absolute(name).lexically_normal().string());
    };
    path("system", o.system);
    path("state", o.state);
    path("integrator", o.integrator);
    path("topology", o.topology);
    path("output", o.output);
    table.insert("platform", o.platform);
    table.insert("precision", o.precision);
    if (!o.device.empty()) table.insert("device", o.device);
    if (o.threads > 0) table.insert("threads", o.threads);
    if (!o.instruction_set.empty()) table.insert("instruction_set", o.instruction_set);
    if (o.list_buffer > 0) table.insert("list_buffer", o.list_buffer);
    if (o.seed) table.insert("seed", std::to_string(*o.seed));  // as text: TOML integers have 63 bits
    table.insert("max_input", static_cast<std::int64_t>(std::min<std::uint64_t>(o.max_input, INT64_MAX)));
    if (o.steps) table.insert("steps", *o.steps);
    table.insert("log_interval", o.log_interval);
    table.insert("trajectory_interval", o.trajectory_interval);
    table.insert("checkpoint_interval", o.checkpoint_interval);
    table.insert("trajectory", o.trajectory);
    if (!o.save.empty()) table.insert("save", o.save);
    table.insert("wrap", o.wrap);
    if (o.temperature) table.insert("temperature", *o.temperature);
    table.insert("minimize", o.minimize);
    if (o.minimize) table.insert("tolerance", o.tolerance);
    if (o.minimize && o.max_iterations > 0) table.insert("max_iterations", o.max_iterations);
    if (o.tune) table.insert("tune", true);
    toml::array assignments;
    for (auto const& [name, value] : o.assignments) assignments.push_back(name + "=" + format_number(value));
    if (!assignments.empty()) table.insert("set", assignments);
    toml::array ramps;
    for (auto const& [name, ramp] : o.ramps) ramps.push_back(name + "=" + ramp.text());
    if (!ramps.empty()) table.insert("ramp", ramps);
    std::ostringstream text;
    text << "# The effective input of this run; `trotter run --resume` reads it.\n" << table << '\n';
    return text.str();
}

}  // namespace trotter::program
