// SPDX-License-Identifier: MIT
#include "analyze_options.hpp"

#include <vector>

#include "option_checks.hpp"

namespace trotter::program {

void add_analyze_options(CLI::App& analyze, Options& options, AddText const& text) {
    auto& a = options.analyze;
    analyze.add_option("words", a.words,
                        "Folder of a run (none with --trajectory), then rmsd, rmsf, rg, com, distance, angle, dihedral, rdf, "
                        "hbonds, msd, or density, volume, temperature, potential, kinetic, total of the log; then selections");
    analyze.add_option("--trajectory", a.trajectory, "DCD or XTC file, in place of a folder");
    analyze.add_option("--topology", a.topology, "PDB or mmCIF file with the atoms of the trajectory");
    text("--forcefields", "Folder with tables of names and bonds; may be repeated",
         [&](auto const& t) { options.force_field_folders.push_back(t); });
    analyze.add_option("--output", a.output, "Write the table here instead of standard output");
    analyze.add_option("--svg", a.svg, "Write a plot to this file");
    analyze.add_option("--json", options.json, "Write means, errors and fits here instead of standard error");
    text("--from", "Time of the first frame, such as '10 ns'",
         [&a](auto const& t) { a.from = parse_time(t); });
    text("--to", "Time of the last frame", [&a](auto const& t) { a.to = parse_time(t); });
    analyze.add_option("--every", a.every, "Take one of so many frames")->check(whole_number(1, 1'000'000'000));
    analyze.add_option("--of", a.of, "Atoms whose RMSD or RMSF is wanted; default: the backbone");
    analyze.add_option("--fit", a.fit, "Atoms that are superposed; default: those of --of");
    analyze.add_option("--reference", a.reference, "first, average, or a PDB or mmCIF file");
    analyze.add_flag("--mass-weighted", a.mass_weighted, "Weights by mass in superposition and RMSD");
    analyze.add_flag("--unwrap", a.unwrap, "Dihedrals without jumps of 360 degrees");
    analyze.add_option("--bin", a.bin_width, "Width of bins of rdf [nm]")->check(number(false));
    analyze.add_option("--maximum", a.maximum, "Largest distance of rdf [nm]")->check(number(false));
    analyze.add_option("--exclude", a.exclude, "Pairs that rdf leaves out: none, or those of a residue or molecule")
        ->check(CLI::IsMember(std::vector<std::string>{"none", "residue", "molecule"}));
    analyze.add_option("--criterion", a.criterion, "Of hbonds: baker-hubbard, distance-angle")
        ->check(CLI::IsMember(std::vector<std::string>{"baker-hubbard", "distance-angle"}));
    analyze.add_option("--minimum-occupancy", a.minimum_occupancy, "Of hbonds: list those in this part of the frames")
        ->check(CLI::Range(0.0, 1.0));
    analyze.add_option("--lag-from", a.lag_from, "Of msd: where the fit begins, as a part of the trajectory")
        ->check(CLI::Range(0.0, 1.0));
    analyze.add_option("--lag-to", a.lag_to, "Of msd: where the fit ends")->check(CLI::Range(0.0, 1.0));
    analyze.add_option("--temperature", options.temperature, "Of msd: for the correction for the size of the box [K]")
        ->check(number(false));
    analyze.add_option("--viscosity", a.viscosity, "Of msd: for the same [mPa s]")->check(number(false));
}

}  // namespace trotter::program
