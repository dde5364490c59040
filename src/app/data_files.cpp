// SPDX-License-Identifier: MIT
#include <trotter/app/data_files.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <trotter/error.hpp>

#include "path_list.hpp"

namespace trotter::app {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> regular_file(fs::path const& path) {
    std::error_code ignored;  // a path that cannot be looked at has no file
    for (auto const* ending : {"", ".gz"})
        if (auto const file = path.string() + ending; fs::is_regular_file(file, ignored)) return file;
    return {};
}

fs::path data_below(fs::path const& folder) { return folder / "share" / "trotter" / "forcefields"; }

/// Each folder is listed once, and only if it is there.
class Folders {
public:
    void add(fs::path const& folder) {
        std::error_code error;
        auto const name = fs::canonical(folder, error).string();
        if (!error && fs::is_directory(name, error) && std::find(names_.begin(), names_.end(), name) == names_.end())
            names_.push_back(name);
    }
    /// `bin/trotter`, `lib/plugins/libTrotter.so` and `build/trotter` have the data beside or above them.
    void add_near(fs::path const& file) {
        std::error_code error;
        auto folder = fs::canonical(file, error).parent_path();
        for (int level = 0; !error && level < 3 && !folder.empty(); ++level, folder = folder.parent_path())
            add(data_below(folder));
    }
    std::vector<std::string> names() && { return std::move(names_); }

private:
    std::vector<std::string> names_;
};

/// The program, or the shared library, that this code was linked into.
fs::path own_library() {
    static char const here = 0;
    Dl_info info{};
    return dladdr(&here, &info) != 0 && info.dli_fname != nullptr && *info.dli_fname == '/' ? info.dli_fname : "";
}

}  // namespace

std::optional<std::string> locate_data_file(std::string_view name, std::vector<std::string> const& folders) {
    if (name.empty() || name.find('\0') != std::string_view::npos) return {};
    for (auto const& folder : folders)
        if (auto found = regular_file(fs::path(folder) / name)) return found;
    return regular_file(name);
}

std::string find_data_file(std::string_view name, std::vector<std::string> const& folders) {
    if (auto found = locate_data_file(name, folders)) return *found;
    std::string searched;
    for (auto const& folder : folders) searched += (searched.empty() ? "" : ", ") + (folder.empty() ? "." : folder);
    throw InputError("the file " + std::string(name) + " was not found"
                     + (searched.empty() ? ": no folder of force fields was given" : " in " + searched)
                     + "; --forcefields names a folder that has it");
}

std::vector<std::string> own_data_folders() {
    Folders folders;
    for (auto const& folder : names_in_path_list(std::getenv("TROTTER_FORCEFIELDS"))) folders.add(folder);
    folders.add_near("/proc/self/exe");
    if (auto const library = own_library(); !library.empty()) folders.add_near(library);
    folders.add(TROTTER_DATA_FOLDER);
    for (auto const* prefix : {"/usr/local", "/usr"}) folders.add(data_below(prefix));
    return std::move(folders).names();
}

}  // namespace trotter::app
