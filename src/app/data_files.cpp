// SPDX-License-Identifier: MIT
#include <trotter/app/data_files.hpp>

#include <filesystem>
#include <trotter/error.hpp>

namespace trotter::app {

std::optional<std::string> locate_data_file(std::string_view name, std::vector<std::string> const& folders) {
    if (name.empty() || name.find('\0') != std::string_view::npos) return {};
    std::error_code ignored;  // a path that cannot be looked at has no file
    for (auto const& folder : folders) {
        auto const path = std::filesystem::path(folder) / name;
        if (std::filesystem::is_regular_file(path, ignored)) return path.string();
    }
    if (std::filesystem::is_regular_file(name, ignored)) return std::string(name);
    return {};
}

std::string find_data_file(std::string_view name, std::vector<std::string> const& folders) {
    if (auto found = locate_data_file(name, folders)) return *found;
    std::string searched;
    for (auto const& folder : folders) searched += (searched.empty() ? "" : ", ") + (folder.empty() ? "." : folder);
    throw InputError("the file " + std::string(name) + " was not found"
                     + (searched.empty() ? ": no folder of force fields was given" : " in " + searched)
                     + "; --forcefields names a folder that has it");
}

}  // namespace trotter::app
