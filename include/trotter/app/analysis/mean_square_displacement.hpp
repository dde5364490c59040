// Mean square displacement of molecules, and their diffusion coefficient.
// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <span>
#include <vector>

#include <trotter/app/analysis/frames.hpp>
#include <trotter/app/analysis/geometry.hpp>

namespace trotter::app {

/// Follows the centers of molecules over the sides of the box: each moves by the nearest image of its displacement, in the
/// box of the later frame, which keeps displacements right when the box changes (von Bülow, Bullerjahn and Hummer,
/// J. Chem. Phys. 153, 021101 (2020)). Keeps the centers of all frames: 24 bytes for each molecule and frame.
class MoleculePaths {
public:
    /// The molecules of the given atoms, by those of their atoms that are given. Throws InputError for a molecule without
    /// mass.
    MoleculePaths(std::vector<int> const& atoms, Frames const& frames);

    /// Adds a frame. Throws InputError if the times of frames are not equally spaced.
    void add(Frame const& frame);

    std::size_t molecule_count() const { return groups_.size(); }         ///< number of molecules
    std::size_t frame_count() const { return times_.size(); }             ///< number of frames
    double interval() const { return times_.size() > 1 ? times_[1] - times_[0] : 0; }  ///< between frames [ps]
    /// Unwrapped centers of a molecule [nm].
    std::vector<Vec3<>> const& path(std::size_t molecule) const { return paths_[molecule]; }
    /// Mean volume of the box [nm³]; nothing if there was none.
    std::optional<double> mean_volume() const;

private:
    std::vector<AtomGroup> groups_;
    std::vector<Vec3<>> last_;  // centers in the last frame, as they were
    std::vector<std::vector<Vec3<>>> paths_;
    std::vector<double> times_;
    double volumes_ = 0;
};

/// Mean square displacement of one path at each lag of 0 … n-1 frames, over all windows [nm²]. In O(n log n) by Fourier
/// transforms: Calandrini et al., Collection SFN 12, 201 (2011).
std::vector<double> mean_square_displacement(std::span<Vec3<> const> path);

/// The mean of all molecules, and of each of several groups of molecules.
struct Displacements {
    std::vector<double> mean;                 ///< at each lag [nm²]
    std::vector<std::vector<double>> groups;  ///< the same of molecules n, n + 10, n + 20, …
};
/// Displacements of all molecules.
Displacements displacements(MoleculePaths const& paths);

/// A diffusion coefficient in three dimensions: a sixth of the slope of the mean square displacement.
struct Diffusion {
    double coefficient = 0;        ///< [nm²/ps]
    std::optional<double> error;   ///< standard error by groups of molecules; nothing for a single one
    double fit_from = 0, fit_to = 0;  ///< lags of the fit [ps]
};

/// Fits a line to lags between the fractions `from` and `to` of the trajectory. Throws InputError if there are fewer
/// than two lags between.
Diffusion diffusion(Displacements const& displacements, double interval, double from = 0.1, double to = 0.5);

/// What a periodic box of the given volume takes off a diffusion coefficient [nm²/ps], for a viscosity [mPa s]:
/// xi kT / (6 pi eta L) with xi = 2.837297 and L the edge of a cube. Source: Yeh and Hummer, J. Phys. Chem. B 108, 15873
/// (2004).
double yeh_hummer_correction(double temperature, double viscosity, double volume);

}  // namespace trotter::app
