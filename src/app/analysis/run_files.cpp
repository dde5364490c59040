// SPDX-License-Identifier: MIT
#include <trotter/app/analysis/run_files.hpp>

#include <system_error>
#include <trotter/error.hpp>

namespace trotter::app {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> first_of(fs::path const& folder, std::vector<std::string> const& names) {
    std::error_code error;
    for (auto const& name : names)
        if (fs::is_regular_file(folder / name, error)) return (folder / name).string();
    return {};
}

std::optional<std::string> only_structure(fs::path const& folder) {
    std::optional<std::string> found;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        auto const ending = entry->path().extension();
        std::error_code ignored;
        if ((ending != ".pdb" && ending != ".cif") || !entry->is_regular_file(ignored)) continue;
        if (found) return {};
        found = entry->path().string();
    }
    return found;
}

}  // namespace

RunFolderFiles find_run_files(fs::path const& folder) {
    auto topology = first_of(folder, {"topology.cif", "topology.pdb"});
    return {first_of(folder, {"log.csv"}), first_of(folder, {"trajectory.dcd", "trajectory.xtc"}),
            topology ? topology : only_structure(folder)};
}

std::vector<int> atoms_of(Selection const& selection, Structure const& structure) {
    auto atoms = selection.atoms(structure);
    if (atoms.empty()) throw InputError("the selection `" + selection.text() + "` has no atoms, expected one or more");
    return atoms;
}

Selection main_selection(Structure const& structure) {
    for (auto const* text : {"polymer and backbone", "heavy and not solvent"})
        if (auto const selection = Selection::parse(text); !selection.atoms(structure).empty()) return selection;
    return Selection::parse("all");
}

}  // namespace trotter::app
