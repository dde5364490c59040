// Folders of force fields on this machine.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string_view>

#include <trotter/app/data_files.hpp>
#include <trotter/app/force_field/summary.hpp>

#include "../path_list.hpp"

namespace trotter::app {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 4;
constexpr int most_entries = 20'000;

/// Names of the entries of a folder, sorted; none if it cannot be read.
std::vector<fs::path> entries(fs::path const& folder) {
    std::vector<fs::path> result;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end && result.size() < most_entries; at.increment(error))
        result.push_back(at->path());
    std::sort(result.begin(), result.end());
    return result;
}

/// The XML files below a folder, which may be a large one by mistake.
class XmlFiles {
public:
    static std::vector<std::string> below(fs::path const& folder) {
        XmlFiles found;
        found.add(folder, {}, 0);
        return std::move(found.names_);
    }

private:
    void add(fs::path const& folder, fs::path const& name_of_folder, int depth) {
        std::error_code error;
        for (auto const& path : entries(folder)) {
            if (++visited_ > most_entries) return;
            auto name = (name_of_folder / path.filename()).string();
            if (fs::is_directory(path, error)) {
                if (depth < deepest) add(path, name, depth + 1);
                continue;
            }
            if (name.ends_with(".gz")) name.resize(name.size() - 3);
            bool const is_new = names_.empty() || names_.back() != name;  // a file and its compressed copy are neighbors
            if (name.ends_with(".xml") && is_new && fs::is_regular_file(path, error)) names_.push_back(std::move(name));
        }
    }

    std::vector<std::string> names_;
    int visited_ = 0;
};

/// Site packages of the Python installations below a prefix such as /usr.
void add_site_packages(fs::path const& prefix, std::vector<fs::path>& found) {
    for (auto const* lib : {"lib", "local/lib"})
        for (auto const& python : entries(prefix / lib))
            if (python.filename().string().starts_with("python"))
                for (auto const* kind : {"site-packages", "dist-packages"}) found.push_back(python / kind);
}

std::vector<fs::path> python_folders() {
    std::vector<fs::path> found;
    for (auto const* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        for (auto const& prefix : names_in_path_list(std::getenv(variable))) add_site_packages(prefix, found);
    for (auto const& folder : names_in_path_list(std::getenv("PYTHONPATH"))) found.emplace_back(folder);
    std::error_code error;
    for (auto const& folder : names_in_path_list(std::getenv("PATH")))
        if (fs::exists(fs::path(folder) / "python3", error)) add_site_packages(fs::path(folder).parent_path(), found);
    if (auto const* home = std::getenv("HOME")) add_site_packages(fs::path(home) / ".local", found);
    return found;
}

/// Each folder once.
class Listing {
public:
    void add(fs::path const& folder, std::string const& origin) {
        std::error_code error;
        auto const path = fs::canonical(folder, error);
        if (error || !fs::is_directory(path, error) || !seen_.insert(path.string()).second) return;
        folders_.push_back({folder.string(), origin, XmlFiles::below(path)});
    }
    void add_gromacs(fs::path const& folder) {
        std::error_code error;
        auto const path = fs::canonical(folder, error);
        if (error || !seen_.insert(path.string()).second) return;
        ForceFieldFolder listed{folder.string(), "GROMACS", {}};
        for (auto const& entry : entries(path))
            if (entry.extension() == ".ff") listed.files.push_back(entry.filename().string());
        if (!listed.files.empty()) folders_.push_back(std::move(listed));
    }
    std::vector<ForceFieldFolder> folders() && { return std::move(folders_); }

private:
    std::set<std::string> seen_;
    std::vector<ForceFieldFolder> folders_;
};

}  // namespace

std::vector<ForceFieldFolder> list_force_field_folders(std::vector<std::string> const& given) {
    Listing listing;
    for (auto const& folder : given) listing.add(folder, "given");
    for (auto const& folder : own_data_folders()) listing.add(folder, "Trotter");
    for (auto const& packages : python_folders()) {
        listing.add(packages / "openmm" / "app" / "data", "openmm");
        listing.add(packages / "openmmforcefields" / "ffxml", "openmmforcefields");
    }
    for (auto const& folder : names_in_path_list(std::getenv("GMXDATA"))) listing.add_gromacs(fs::path(folder) / "top");
    for (auto const& folder : names_in_path_list(std::getenv("GMXLIB"))) listing.add_gromacs(folder);
    for (auto const* prefix : {"/usr/local", "/usr"}) listing.add_gromacs(fs::path(prefix) / "share/gromacs/top");
    return std::move(listing).folders();
}

}  // namespace trotter::app
