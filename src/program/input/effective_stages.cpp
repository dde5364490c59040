// Writes what a staged run was asked for.
// SPDX-License-Identifier: MIT
#include <filesystem>
#include <sstream>

#include "options.hpp"
#include "stages_file.hpp"
#include "toml_file.hpp"

namespace trotter::program {
namespace {

/// Puts the folder before relative paths: a text, or each of a list.
void make_absolute(toml::table& table, char const* key, std::filesystem::path const& folder) {
    auto const resolve = [&](toml::node& node) {
        if (auto* text = node.as_string()) *text = (folder / text->get()).lexically_normal().string();
    };
    auto* node = table.get(key);
    if (node == nullptr) return;
    if (auto* list = node->as_array())
        for (auto& item : *list) resolve(item);
    else
        resolve(*node);
}

void make_restraints_absolute(toml::array& restraints, std::filesystem::path const& folder) {
    for (auto& item : restraints) {
        auto* table = item.as_table();
        auto const reference = (*table)["reference"].value_or(std::string("input"));
        if (reference != "input" && reference != "start") make_absolute(*table, "reference", folder);
    }
}

}  // namespace

std::string effective_stages(StagesFile const& file, Options const& options) {
    auto const folder = std::filesystem::absolute(file.path).parent_path();
    auto table = toml::parse(effective_toml(options));
    for (auto const* key : {"platform", "wrap", "minimize"})
        if (auto const text = table[key].value<std::string>(); !text || text->empty()) table.erase(key);
    toml::array folders{folder.string()};  // whose data come first for the original file, too
    for (auto const& name : options.force_field_folders)
        if (auto const whole = std::filesystem::absolute(name).lexically_normal(); whole != folder)
            folders.push_back(whole.string());
    table.insert("forcefields", folders);
    for (auto const* key : {"prepare", "equilibrate", "restraint", "stage"})
        if (auto const* node = file.document.get(key))
            node->visit([&](auto const& known) { table.insert(key, known); });
    if (auto* prepare = table["prepare"].as_table())
        for (auto const* key : {"structure", "prmtop", "top", "psf", "coordinates", "parameters", "include"})
            make_absolute(*prepare, key, folder);
    if (auto* restraints = table["restraint"].as_array()) make_restraints_absolute(*restraints, folder);
    std::ostringstream text;
    text << "# The effective input of this staged run; `trotter run --resume` reads it.\n" << table << '\n';
    return text.str();
}

}  // namespace trotter::program
