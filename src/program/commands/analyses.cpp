// Analyses that give a table of all frames, and those with a reference.
// SPDX-License-Identifier: MIT
#include "analyses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include <trotter/app/analysis/hydrogen_bonds.hpp>
#include <trotter/app/analysis/mean_square_displacement.hpp>
#include <trotter/app/analysis/radial_distribution.hpp>
#include <trotter/app/analysis/rmsd.hpp>
#include <trotter/app/analysis/run_files.hpp>
#include <trotter/app/analysis/statistics.hpp>
#include <trotter/app/analysis/superposition.hpp>
#include <trotter/app/structure/read_structure.hpp>
#include <trotter/error.hpp>

namespace trotter::program {
namespace {

std::vector<int> atoms_or_main(std::string const& selection, app::Structure const& structure) {
    return app::atoms_of(selection.empty() ? app::main_selection(structure) : app::Selection::parse(selection), structure);
}

std::vector<double> weights_of(std::vector<int> const& atoms, AnalysisInput const& input) {
    if (!input.options.analyze.mass_weighted) return std::vector<double>(atoms.size(), 1);
    auto const masses = app::masses_of(input.frames.topology());
    std::vector<double> result;
    for (int const atom : atoms) result.push_back(masses[static_cast<std::size_t>(atom)]);
    return result;
}

/// Atoms to superpose, atoms that are looked at, and the positions of the reference.
struct Comparison {
    std::vector<int> of, fit;
    std::vector<double> of_weights;
    std::vector<Vec3<>> reference;
    app::Fit superposed;
};

std::vector<Vec3<>> reference_of(AnalysisInput const& input, std::vector<int> const& fit) {
    auto const& reference = input.options.analyze.reference;
    if (reference == "first") return input.frames.first().positions;
    if (reference == "average") return app::average_positions(input.frames, fit, weights_of(fit, input));
    auto const structure = app::read_structure(reference, {.data_folders = input.data_folders});
    if (structure.positions.size() != input.frames.topology().atoms.size())
        throw InputError(reference + ": has " + std::to_string(structure.positions.size()) + " atoms, expected "
                         + std::to_string(input.frames.topology().atoms.size()) + " as in the topology");
    return structure.positions;
}

Comparison compare(AnalysisInput const& input) {
    auto const& options = input.options.analyze;
    auto const of = input.selections.empty() ? atoms_or_main(options.of, input.structure) : input.atoms(0, "");
    auto const fit = options.fit.empty() ? of : app::atoms_of(app::Selection::parse(options.fit), input.structure);
    auto const reference = reference_of(input, fit);
    return {of, fit, weights_of(of, input), reference, app::Fit(fit, weights_of(fit, input), reference)};
}

double largest_distance(AnalysisInput const& input) {
    if (input.options.analyze.maximum) return *input.options.analyze.maximum;
    auto const box = input.frames.first().box;
    if (!box) throw InputError(input.frames.trajectory() + ": has no box, which a radial distribution needs");
    // Boxes of later frames may be a bit smaller.
    return std::min(1.5, 0.95 * box->shortest_width() / 2);
}

app::ExcludedPairs excluded_pairs(std::string const& word) {
    return word == "none" ? app::ExcludedPairs::none
           : word == "residue" ? app::ExcludedPairs::residue
                               : app::ExcludedPairs::molecule;
}

std::string atom_name(int atom, app::Topology const& topology) {
    auto const& found = topology.atoms[static_cast<std::size_t>(atom)];
    return topology.residue_name(found.residue) + ' ' + found.name;
}

std::string table_of(std::map<app::HydrogenBond, std::int64_t> const& counts, double frames, double minimum,
                     app::Topology const& topology) {
    std::vector<std::pair<std::int64_t, app::HydrogenBond>> bonds;
    for (auto const& [bond, count] : counts)
        if (static_cast<double>(count) >= minimum * frames) bonds.emplace_back(-count, bond);
    std::sort(bonds.begin(), bonds.end());
    std::string table = "Donor,Hydrogen,Acceptor,Donor index,Hydrogen index,Acceptor index,Occupancy\n";
    for (auto const& [count, bond] : bonds)
        fmt::format_to(std::back_inserter(table), "{},{},{},{},{},{},{:.6g}\n", csv_field(atom_name(bond.donor, topology)),
                       csv_field(atom_name(bond.hydrogen, topology)), csv_field(atom_name(bond.acceptor, topology)),
                       bond.donor, bond.hydrogen, bond.acceptor, static_cast<double>(-count) / frames);
    return table;
}

std::vector<Fact> facts_of(app::Diffusion const& diffusion, std::optional<double> volume, Options const& options) {
    constexpr double to_common = 1e-3;  // 1e-5 cm²/s [nm²/ps]
    auto const unit = "1e-5 cm²/s";
    double const coefficient = diffusion.coefficient / to_common;
    std::vector<Fact> facts{{"diffusion coefficient", coefficient, unit}};
    if (diffusion.error) facts.push_back({"standard error", *diffusion.error / to_common, unit});
    facts.push_back({"fit from", diffusion.fit_from, "ps"});
    facts.push_back({"fit to", diffusion.fit_to, "ps"});
    if (!volume || !options.temperature) return facts;
    double const viscosity = options.analyze.viscosity.value_or(1);
    double const correction = app::yeh_hummer_correction(*options.temperature, viscosity, *volume) / to_common;
    facts.push_back({options.analyze.viscosity ? "correction for the size of the box (Yeh and Hummer)"
                                               : "correction for the size of the box at a viscosity of 1 mPa s",
                     correction, unit});
    if (options.analyze.viscosity) facts.push_back({"corrected diffusion coefficient", coefficient + correction, unit});
    return facts;
}

}  // namespace

std::vector<int> AnalysisInput::atoms(std::size_t selection, std::string const& by_default) const {
    return app::atoms_of(app::Selection::parse(text(selection, by_default)), structure);
}

std::string AnalysisInput::text(std::size_t selection, std::string const& by_default) const {
    return selection < selections.size() ? selections[selection] : by_default;
}

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\n") == text.npos) return std::string(text);
    std::string result = "\"";
    for (char const letter : text) result += letter == '"' ? "\"\"" : std::string(1, letter);
    return result + '"';
}

Analysis analyze_rmsd(AnalysisInput const& input) {
    auto const comparison = compare(input);
    auto const reference = app::selected_points(comparison.reference, comparison.of);
    std::vector<double> times, values;
    // The reference's atoms stay in their places: the fit moves the frame.
    input.frames.for_each([&](app::Frame const& frame) {
        times.push_back(frame.time);
        values.push_back(app::root_mean_square_distance(comparison.superposed.fitted(frame.positions, comparison.of),
                                                        reference, comparison.of_weights));
    });
    return analyze_series("RMSD (nm)", times, values);
}

Analysis analyze_rmsf(AnalysisInput const& input) {
    auto const comparison = compare(input);
    app::Fluctuations fluctuations;
    input.frames.for_each(
        [&](app::Frame const& frame) { fluctuations.add(comparison.superposed.fitted(frame.positions, comparison.of)); });
    auto const values = fluctuations.root_mean_square();
    Analysis result;
    result.table = "Atom index,Atom,RMSF (nm)\n";
    app::Curve curve;
    for (std::size_t n = 0; n < values.size(); ++n) {
        int const atom = comparison.of[n];
        fmt::format_to(std::back_inserter(result.table), "{},{},{:.9g}\n", atom,
                       csv_field(atom_name(atom, input.frames.topology())), values[n]);
        curve.x.push_back(atom);
        curve.y.push_back(values[n]);
    }
    result.facts = {{"mean", app::mean_of(values), "nm"}, {"frames", static_cast<double>(fluctuations.count()), ""}};
    result.plot = {.title = "RMSF",
                   .description = "Root mean square fluctuation of each atom",
                   .x_label = "Atom",
                   .y_label = "RMSF (nm)",
                   .curves = {curve}};
    return result;
}

Analysis analyze_radial_distribution(AnalysisInput const& input) {
    auto const& options = input.options.analyze;
    app::RadialDistribution distribution(
        input.atoms(0, ""), input.atoms(input.selections.size() > 1 ? 1 : 0, ""), input.frames,
        {options.bin_width, largest_distance(input), excluded_pairs(options.exclude)});
    input.frames.for_each([&](app::Frame const& frame) { distribution.add(frame); });
    Analysis result;
    result.table = "Distance (nm),g,Coordination number\n";
    app::Curve curve;
    for (auto const& bin : distribution.bins()) {
        fmt::format_to(std::back_inserter(result.table), "{:.9g},{:.9g},{:.9g}\n", bin.distance, bin.density,
                       bin.coordination);
        curve.x.push_back(bin.distance);
        curve.y.push_back(bin.density);
    }
    auto const highest = std::max_element(curve.y.begin(), curve.y.end());
    result.facts = {{"highest value", *highest, ""},
                    {"at", curve.x[static_cast<std::size_t>(highest - curve.y.begin())], "nm"}};
    result.plot = {.title = "Radial distribution",
                   .description = "Density of pairs by distance, relative to an ideal gas",
                   .x_label = "Distance (nm)",
                   .y_label = "g",
                   .curves = {curve}};
    return result;
}

Analysis analyze_hydrogen_bonds(AnalysisInput const& input) {
    auto const& options = input.options.analyze;
    app::HydrogenBonds bonds(input.atoms(0, "not water"), input.frames.topology(),
                             options.criterion == "baker-hubbard" ? app::HydrogenBondCriterion::baker_hubbard
                                                                  : app::HydrogenBondCriterion::distance_angle);
    std::vector<double> times, numbers;
    input.frames.for_each([&](app::Frame const& frame) {
        times.push_back(frame.time);
        numbers.push_back(static_cast<double>(bonds.add(frame).size()));
    });
    auto result = analyze_series("Hydrogen bonds (number)", times, numbers);
    result.table = table_of(bonds.counts(), static_cast<double>(bonds.frame_count()), options.minimum_occupancy,
                            input.frames.topology());
    return result;
}

Analysis analyze_displacement(AnalysisInput const& input) {
    auto const& options = input.options.analyze;
    app::MoleculePaths paths(input.atoms(0, "all"), input.frames);
    input.frames.for_each([&](app::Frame const& frame) { paths.add(frame); });
    auto const all = app::displacements(paths);
    auto const diffusion = app::diffusion(all, paths.interval(), options.lag_from, options.lag_to);
    Analysis result;
    result.table = "Lag (ps),Mean square displacement (nm²)\n";
    app::Curve curve{.name = "simulation"}, line{.name = "fit", .is_reference = true};
    for (std::size_t lag = 0; lag < all.mean.size(); ++lag) {
        curve.x.push_back(static_cast<double>(lag) * paths.interval());
        curve.y.push_back(all.mean[lag]);
        fmt::format_to(std::back_inserter(result.table), "{:.10g},{:.9g}\n", curve.x[lag], curve.y[lag]);
        if (curve.x[lag] < diffusion.fit_from || curve.x[lag] > diffusion.fit_to) continue;
        line.x.push_back(curve.x[lag]);
        line.y.push_back(curve.y[lag]);
    }
    auto const fitted = app::fit_line(line.x, line.y);
    for (std::size_t n = 0; n < line.x.size(); ++n) line.y[n] = fitted.intercept + fitted.slope * line.x[n];
    result.facts = facts_of(diffusion, paths.mean_volume(), input.options);
    result.plot = {.title = "Mean square displacement",
                   .description = "Mean square displacement of the centers of molecules by lag",
                   .x_label = "Lag (ps)",
                   .y_label = "Mean square displacement (nm²)",
                   .curves = {curve, line}};
    return result;
}

}  // namespace trotter::program
