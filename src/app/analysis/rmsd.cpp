// SPDX-License-Identifier: MIT
#include <trotter/app/analysis/rmsd.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <trotter/app/analysis/superposition.hpp>
#include <trotter/error.hpp>
#include <utility>

namespace trotter::app {

Fit::Fit(std::vector<int> atoms, std::vector<double> weights, std::span<Vec3<> const> reference)
    : atoms_(std::move(atoms)), weights_(std::move(weights)), reference_(selected_points(reference, atoms_)) {
    if (atoms_.empty()) throw InputError("there are no atoms to superpose, expected one or more");
    if (!(std::accumulate(weights_.begin(), weights_.end(), 0.) > 0))
        throw InputError("the atoms to superpose have no mass, expected one with mass");
}

std::vector<Vec3<>> Fit::fitted(std::span<Vec3<> const> positions, std::span<int const> wanted) const {
    auto const superposition = superpose(selected_points(positions, atoms_), reference_, weights_);
    auto result = selected_points(positions, wanted);
    for (auto& position : result) position = superposition(position);
    return result;
}

void Fluctuations::add(std::span<Vec3<> const> positions) {
    mean_.resize(positions.size());
    squares_.resize(positions.size());
    ++count_;
    for (std::size_t atom = 0; atom < positions.size(); ++atom) {
        Vec3<> const before = positions[atom] - mean_[atom];
        mean_[atom] += before / static_cast<double>(count_);
        squares_[atom] += dot(before, positions[atom] - mean_[atom]);
    }
}

std::vector<double> Fluctuations::root_mean_square() const {
    std::vector<double> result;
    for (double const sum : squares_) result.push_back(std::sqrt(std::max(sum, 0.) / static_cast<double>(count_)));
    return result;
}

std::vector<Vec3<>> average_positions(Frames const& frames, std::vector<int> const& fit,
                                      std::vector<double> const& weights) {
    std::vector<int> all(frames.topology().atoms.size());
    std::iota(all.begin(), all.end(), 0);
    auto reference = frames.first().positions;
    for (int pass = 0; pass < 2; ++pass) {
        Fit const superposed(fit, weights, reference);
        Fluctuations fluctuations;
        frames.for_each([&](Frame const& frame) { fluctuations.add(superposed.fitted(frame.positions, all)); });
        reference = fluctuations.mean();
    }
    return reference;
}

}  // namespace trotter::app
