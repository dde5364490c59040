// SPDX-License-Identifier: MIT
#include <trotter/app/analysis/mean_square_displacement.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <trotter/app/analysis/statistics.hpp>
#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>
#include <trotter/units.hpp>

#include "app/analysis/autocorrelation.hpp"

namespace trotter::app {
namespace {

constexpr std::size_t most_groups = 10;

}  // namespace

MoleculePaths::MoleculePaths(std::vector<int> const& atoms, Frames const& frames) {
    std::map<int, std::vector<int>> of_molecules;
    for (int const atom : atoms)
        of_molecules[frames.molecules().of_atoms()[static_cast<std::size_t>(atom)]].push_back(atom);
    if (of_molecules.empty()) throw InputError("there are no molecules to follow, expected one or more");
    auto const masses = masses_of(frames.topology());
    for (auto& [molecule, members] : of_molecules) groups_.push_back(AtomGroup::of(std::move(members), masses));
    last_.resize(groups_.size());
    paths_.resize(groups_.size());
}

void MoleculePaths::add(Frame const& frame) {
    times_.push_back(frame.time);
    if (times_.size() > 2) {
        double const step = frame.time - times_[times_.size() - 2];
        if (!(std::abs(step - interval()) <= 1e-3 * std::abs(interval())))
            throw InputError("frame " + std::to_string(frame.index) + " is " + format_number(step)
                             + " ps behind the one before, expected " + format_number(interval())
                             + " ps as between the first two");
    }
    if (frame.box) volumes_ += frame.box->volume();
    for (std::size_t n = 0; n < groups_.size(); ++n) {
        auto const center = groups_[n].center(frame.positions);
        if (paths_[n].empty()) {
            paths_[n].push_back(center);
        } else {
            auto const moved = center - last_[n];
            paths_[n].push_back(paths_[n].back() + (frame.box ? nearest_image(moved, *frame.box) : moved));
        }
        last_[n] = center;
    }
}

std::optional<double> MoleculePaths::mean_volume() const {
    if (volumes_ == 0) return {};
    return volumes_ / static_cast<double>(times_.size());
}

std::vector<double> mean_square_displacement(std::span<Vec3<> const> path) {
    std::size_t const count = path.size();
    std::vector<double> squares(count), products(count);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<double> values(count);
        // From the first point, since large coordinates would cancel.
        for (std::size_t n = 0; n < count; ++n) squares[n] += std::pow(values[n] = path[n][axis] - path[0][axis], 2);
        auto const correlated = autocorrelation(values);
        for (std::size_t lag = 0; lag < count; ++lag) products[lag] += correlated[lag];
    }
    // Sum over windows of x(i)² + x(i + lag)²: all squares twice, less those that no window of this lag begins or ends with.
    double sum = 0;
    for (double const square : squares) sum += 2 * square;
    std::vector<double> result(count);
    for (std::size_t lag = 0; lag < count; ++lag) {
        if (lag > 0) sum -= squares[lag - 1] + squares[count - lag];
        result[lag] = lag == 0 ? 0 : std::max(sum - 2 * products[lag], 0.) / static_cast<double>(count - lag);
    }
    return result;
}

Displacements displacements(MoleculePaths const& paths) {
    auto const molecules = paths.molecule_count();
    auto const count = std::min(most_groups, molecules);
    Displacements result;
    result.mean.resize(paths.frame_count());
    result.groups.assign(count, result.mean);
    for (std::size_t n = 0; n < molecules; ++n) {
        auto const of_one = mean_square_displacement(paths.path(n));
        auto& group = result.groups[n % count];
        auto const in_group = static_cast<double>((molecules - n % count + count - 1) / count);
        for (std::size_t lag = 0; lag < of_one.size(); ++lag) {
            result.mean[lag] += of_one[lag] / static_cast<double>(molecules);
            group[lag] += of_one[lag] / in_group;
        }
    }
    return result;
}

Diffusion diffusion(Displacements const& displacements, double interval, double from, double to) {
    auto const last = static_cast<double>(displacements.mean.size()) - 1;
    auto const first_lag = static_cast<std::size_t>(std::max(1., std::ceil(from * last)));
    auto const end = static_cast<std::size_t>(std::max(0., std::floor(to * last))) + 1;
    if (end < first_lag + 2 || end > displacements.mean.size())
        throw InputError("the fit of the diffusion coefficient has fewer than two lags between "
                         + format_number(from) + " and " + format_number(to) + " of the trajectory");
    std::vector<double> lags;
    for (auto lag = first_lag; lag < end; ++lag) lags.push_back(static_cast<double>(lag) * interval);
    auto const coefficient = [&](std::vector<double> const& values) {
        return fit_line(lags, std::span(values).subspan(first_lag, lags.size())).slope / 6;
    };
    Diffusion result{coefficient(displacements.mean), {}, lags.front(), lags.back()};
    if (displacements.groups.size() > 1) {
        std::vector<double> of_groups;
        for (auto const& group : displacements.groups) of_groups.push_back(coefficient(group));
        result.error = average_of(of_groups).deviation / std::sqrt(static_cast<double>(of_groups.size()));
    }
    return result;
}

double yeh_hummer_correction(double temperature, double viscosity, double volume) {
    constexpr double xi = 2.837297;
    constexpr double millipascal_second = 1e-21 * constants::avogadro;  // [amu/nm/ps]
    double const kT = constants::gas_constant * temperature;
    return xi * kT / (6 * std::numbers::pi * viscosity * millipascal_second * std::cbrt(volume));
}

}  // namespace trotter::app
