// How far a structure is from a reference, and how much its atoms fluctuate.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <trotter/app/analysis/frames.hpp>
#include <trotter/vec3.hpp>

namespace trotter::app {

/// Superposes frames on a reference by some of their atoms.
class Fit {
public:
    /// `reference` has the positions of all atoms [nm]. `atoms` are those that are fitted, with the weights of equal
    /// number. Throws InputError if there are none, or if no weight is positive.
    Fit(std::vector<int> atoms, std::vector<double> weights, std::span<Vec3<> const> reference);

    /// Positions of the wanted atoms, of all atoms' positions, after the superposition [nm].
    std::vector<Vec3<>> fitted(std::span<Vec3<> const> positions, std::span<int const> wanted) const;

private:
    std::vector<int> atoms_;
    std::vector<double> weights_;
    std::vector<Vec3<>> reference_;
};

/// Mean and fluctuation of positions, without keeping them (B. P. Welford, Technometrics 4, 419 (1962)).
class Fluctuations {
public:
    /// Adds positions of the same atoms as before [nm].
    void add(std::span<Vec3<> const> positions);

    std::int64_t count() const { return count_; }                ///< how often positions were added
    std::vector<Vec3<>> const& mean() const { return mean_; }    ///< of each atom [nm]
    /// Root of the mean squared distance of each atom from its mean position [nm].
    std::vector<double> root_mean_square() const;

private:
    std::int64_t count_ = 0;
    std::vector<Vec3<>> mean_;
    std::vector<double> squares_;
};

/// Mean positions of all atoms after superposition on the first frame, and once more on the mean of these.
std::vector<Vec3<>> average_positions(Frames const& frames, std::vector<int> const& fit,
                                      std::vector<double> const& weights);

}  // namespace trotter::app
