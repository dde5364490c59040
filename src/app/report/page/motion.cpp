// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <system_error>
#include <trotter/app/analysis/frames.hpp>
#include <trotter/app/analysis/rmsd.hpp>
#include <trotter/app/analysis/run_files.hpp>
#include <trotter/app/analysis/superposition.hpp>
#include <trotter/app/report/plot.hpp>
#include <trotter/app/structure/read_structure.hpp>
#include <trotter/error.hpp>

#include "app/report/page/html.hpp"
#include "app/report/page/sections.hpp"

namespace trotter::app::page {
namespace {

constexpr auto title = "Structure";
constexpr std::uintmax_t largest_trajectory = std::uintmax_t{4} << 30;  // reading more takes minutes

/// What a trajectory shows of the main selection.
struct Motion {
    Curve rmsd, rmsf;  // by time [ps], and by residue [nm]
    std::vector<PlotMark> chains;
    std::string incomplete{};  // why later frames are missing
};

/// Fluctuations of the atoms of each residue, as the root of their mean square.
void add_rmsf(Motion& motion, Fluctuations const& fluctuations, std::vector<int> const& atoms, Topology const& topology) {
    auto const of_atoms = fluctuations.root_mean_square();
    std::map<int, std::pair<double, int>> squares;
    for (std::size_t n = 0; n < of_atoms.size(); ++n) {
        auto& [sum, count] = squares[topology.atoms[static_cast<std::size_t>(atoms[n])].residue];
        sum += of_atoms[n] * of_atoms[n];
        ++count;
    }
    int last_chain = -1;
    for (auto const& [residue, sum] : squares) {
        int const chain = topology.residues[static_cast<std::size_t>(residue)].chain;
        auto const x = static_cast<double>(motion.rmsf.x.size() + 1);
        if (chain != last_chain) motion.chains.push_back({x, topology.chains[static_cast<std::size_t>(chain)].id});
        last_chain = chain;
        motion.rmsf.x.push_back(x);
        motion.rmsf.y.push_back(std::sqrt(sum.first / sum.second));
    }
    if (motion.chains.size() < 2) motion.chains.clear();
}

Motion motion_of(Frames const& frames, std::vector<int> const& atoms) {
    Motion motion;
    auto const reference = frames.first().positions;
    std::vector<double> const weights(atoms.size(), 1);
    Fit const fit(atoms, weights, reference);
    auto const start = selected_points(reference, atoms);
    Fluctuations fluctuations;
    try {
        frames.for_each([&](Frame const& frame) {
            auto const fitted = fit.fitted(frame.positions, atoms);
            motion.rmsd.x.push_back(frame.time);
            motion.rmsd.y.push_back(root_mean_square_distance(fitted, start, weights));
            fluctuations.add(fitted);
        });
    } catch (InputError const& error) {
        motion.incomplete = error.what();
    }
    add_rmsf(motion, fluctuations, atoms, frames.topology());
    return motion;
}

std::string html_of(Motion motion, std::string const& selection, std::string const& stage) {
    bool const in_ns = motion.rmsd.x.back() > 2000;
    if (in_ns)
        for (auto& time : motion.rmsd.x) time /= 1000;
    auto const frames = motion.rmsd.x.size(), residues = motion.rmsf.x.size();
    Plot const rmsd{.title = "RMSD",
                    .description = "Root mean square distance from the first frame by time",
                    .x_label = in_ns ? "Time (ns)" : "Time (ps)",
                    .y_label = "RMSD (nm)",
                    .curves = {std::move(motion.rmsd)}};
    Plot const rmsf{.title = "RMSF by residue",
                    .description = "Root mean square fluctuation of each residue",
                    .x_label = "Residue, in the order of the file",
                    .y_label = "RMSF (nm)",
                    .curves = {std::move(motion.rmsf)},
                    .marks = motion.chains};
    return paragraph(fmt::format("Of `{}`, superposed on the first frame of stage {}: {} frames, {} residues.", selection, stage,
                                 frames, residues))
           + figures(figure(to_svg(rmsd), "") + figure(to_svg(rmsf), ""));
}

/// The last stage that simulates and has a trajectory.
Stage const* stage_with_trajectory(RunFacts const& facts) {
    Stage const* last = nullptr;
    for (auto const& stage : facts.stages)
        if (stage.kind == "simulate" && find_run_files(stage.folder).trajectory) last = &stage;
    return last;
}

std::string describe(RunFacts& facts, Stage const& stage, std::vector<std::string> const& data_folders) {
    auto const files = find_run_files(stage.folder);
    if (!files.topology)
        return note("Beside the trajectory there is no topology.cif or topology.pdb, which tells what its atoms are (--topology "
                    "puts it there).");
    std::error_code error;
    if (std::filesystem::file_size(*files.trajectory, error) > largest_trajectory)
        return note("The trajectory is larger than 4 GiB: `trotter analyze` reads it.");
    auto structure = read_structure(*files.topology, {.data_folders = data_folders});
    auto const selection = main_selection(structure);
    if (selection.text() == "all") return note("There is nothing but solvent: an RMSD would mean nothing.");
    auto const atoms = atoms_of(selection, structure);
    auto motion = motion_of(Frames(*files.trajectory, std::move(structure.topology)), atoms);
    if (!motion.incomplete.empty()) facts.warnings.push_back("the trajectory was read in part: " + motion.incomplete);
    if (motion.rmsd.x.empty()) return note("The trajectory has no complete frame.");
    return html_of(std::move(motion), selection.text(), stage.name);
}

}  // namespace

std::string section_of_motion(RunFacts& facts, std::vector<std::string> const& data_folders) {
    auto const* const stage = stage_with_trajectory(facts);
    if (stage == nullptr) return section(title, note("No stage that simulates has a trajectory yet."));
    try {
        return section(title, describe(facts, *stage, data_folders));
    } catch (Error const& error) {
        return section(title, note(std::string("RMSD and RMSF are left out: ") + error.what()));
    }
}

}  // namespace trotter::app::page
