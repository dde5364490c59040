// SPDX-License-Identifier: MIT
#include <trotter/app/analysis/radial_distribution.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>
#include <utility>

#include "app/cell_grid.hpp"

namespace trotter::app {
namespace {

constexpr std::size_t most_bins = 1'000'000;

void check(RadialDistributionOptions const& options) {
    if (!(options.maximum > 0 && std::isfinite(options.maximum)))
        throw InputError("the largest distance is " + format_number(options.maximum) + " nm, expected a positive number");
    if (!(options.bin_width > 0 && options.bin_width <= options.maximum))
        throw InputError("the width of bins is " + format_number(options.bin_width)
                         + " nm, expected a positive number up to the largest distance");
    if (options.maximum / options.bin_width > most_bins)
        throw InputError("the width of bins is " + format_number(options.bin_width) + " nm, which makes more than "
                         + std::to_string(most_bins) + " bins");
}

std::vector<int> units_of(ExcludedPairs excluded, Frames const& frames) {
    if (excluded == ExcludedPairs::molecule) return frames.molecules().of_atoms();
    std::vector<int> units;
    if (excluded == ExcludedPairs::residue)
        for (auto const& atom : frames.topology().atoms) units.push_back(atom.residue);
    return units;
}

double shell_volume(double inner, double outer) {
    return 4 * std::numbers::pi / 3 * (outer * outer * outer - inner * inner * inner);
}

}  // namespace

RadialDistribution::RadialDistribution(std::vector<int> centers, std::vector<int> counted, Frames const& frames,
                                       RadialDistributionOptions const& options)
    : centers_(std::move(centers)),
      counted_(std::move(counted)),
      options_(options),
      units_(units_of(options.excluded, frames)) {
    check(options_);
    pairs_.resize(static_cast<std::size_t>(std::floor(options_.maximum / options_.bin_width + 1e-6)));  // whole bins
    // Pairs are all but those within a unit, which are the products of its numbers of atoms.
    std::vector<double> of_unit(frames.topology().atoms.size());
    auto const unit_of = [&](int atom) {
        return static_cast<std::size_t>(units_.empty() ? atom : units_[static_cast<std::size_t>(atom)]);
    };
    for (int const atom : counted_) ++of_unit[unit_of(atom)];
    for (int const atom : centers_) pair_count_ += static_cast<double>(counted_.size()) - of_unit[unit_of(atom)];
    if (!(pair_count_ > 0)) throw InputError("there are no pairs of atoms to count, expected one or more");
}

bool RadialDistribution::is_excluded(int atom1, int atom2) const {
    return atom1 == atom2
           || (!units_.empty() && units_[static_cast<std::size_t>(atom1)] == units_[static_cast<std::size_t>(atom2)]);
}

void RadialDistribution::add(Frame const& frame) {
    auto const where = "frame " + std::to_string(frame.index) + " at " + format_number(frame.time) + " ps: ";
    if (!frame.box) throw InputError(where + "has no box, which a radial distribution needs");
    double const end = static_cast<double>(pairs_.size()) * options_.bin_width;
    if (double const width = frame.box->shortest_width(); 2 * options_.maximum > width)
        throw InputError(where + "the box is " + format_number(width) + " nm wide, less than twice the largest distance of "
                         + format_number(options_.maximum) + " nm");
    std::vector<Vec3<>> places;
    for (int const atom : counted_) places.push_back(frame.positions[static_cast<std::size_t>(atom)]);
    CellGrid const grid(std::move(places), end, frame.box);
    for (int const center : centers_)
        grid.any_within(frame.positions[static_cast<std::size_t>(center)], end, [&](int n, double distance) {
            auto const bin = static_cast<std::size_t>(distance / options_.bin_width);
            if (bin < pairs_.size() && !is_excluded(center, counted_[static_cast<std::size_t>(n)])) ++pairs_[bin];
            return false;
        });
    inverse_volumes_ += 1 / frame.box->volume();
    ++frame_count_;
}

std::vector<RadialBin> RadialDistribution::bins() const {
    std::vector<RadialBin> result;
    double sum = 0;
    double const centers = static_cast<double>(centers_.size()) * static_cast<double>(std::max<std::int64_t>(frame_count_, 1));
    for (std::size_t bin = 0; bin < pairs_.size(); ++bin) {
        double const inner = static_cast<double>(bin) * options_.bin_width, outer = inner + options_.bin_width;
        auto const pairs = static_cast<double>(pairs_[bin]);
        double const of_ideal_gas = pair_count_ * inverse_volumes_ * shell_volume(inner, outer);
        sum += pairs;
        result.push_back({(inner + outer) / 2, of_ideal_gas > 0 ? pairs / of_ideal_gas : 0, sum / centers});
    }
    return result;
}

}  // namespace trotter::app
