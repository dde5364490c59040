// Reciprocal-space part of smooth particle mesh Ewald, for charges and for dispersion.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <trotter/box.hpp>
#include <trotter/parts/mesh/particle_mesh.hpp>
#include <trotter/reference/mesh/fft.hpp>
#include <trotter/reference/mesh/wave_virial.hpp>

namespace trotter::reference {

/// A mesh with its influence function.
class ParticleMesh {
public:
    ParticleMesh(MeshSettings const& mesh, MeshKind kind)
        : mesh_(mesh),
          formula_(influence_of(kind)),
          slope_(influence_slope_of(kind)),
          fft_(mesh.nx, mesh.ny, mesh.nz) {}

    /// Adds the forces on `charges`; returns the energy E = ½ Σ q phi.
    double add(std::vector<double> const& charges, std::vector<Vec3<>> const& positions, Box const& box,
               std::vector<Vec3<>>& forces) {
        find_potential(charges, positions, box);
        double energy = 0;
        for (std::size_t i = 0; i < charges.size(); ++i) {
            auto const [potential, slope] = gather(Place(positions[i], box, mesh_));
            energy += charges[i] * potential / 2;
            forces[i] -= box.reciprocal(slope) * charges[i];
        }
        return energy;
    }

    /// Potential of all charges at each of them, including its own.
    std::vector<double> potentials(std::vector<double> const& charges, std::vector<Vec3<>> const& positions,
                                   Box const& box) {
        find_potential(charges, positions, box);
        std::vector<double> result;
        for (auto const& position : positions) result.push_back(gather(Place(position, box, mesh_)).value);
        return result;
    }

    /// Matrix of potentials between unit charges: element [j][i] is that at position i of a charge at position j. On
    /// mesh points it depends on their difference alone, so that one transform serves all pairs; products of spline
    /// weights with equal difference are summed first.
    std::vector<std::vector<double>> potentials_of_units(std::vector<Vec3<>> const& positions, Box const& box) {
        grid_.assign(index(mesh_.nx, 0, 0), 0);
        grid_[0] = 1;
        fft_.forward(grid_);
        convolve(box);
        fft_.inverse(grid_);
        std::vector<Place> places;
        for (auto const& position : positions) places.emplace_back(position, box, mesh_);
        std::vector<std::vector<double>> result(places.size(), std::vector<double>(places.size()));
        for (std::size_t j = 0; j < places.size(); ++j)
            for (std::size_t i = 0; i <= j; ++i) result[i][j] = result[j][i] = between(places[i], places[j]);
        return result;
    }

    /// Virial summed over waves, for a strain of positions and box at fixed spline weights.
    Tensor virial(std::vector<double> const& charges, std::vector<Vec3<>> const& positions, Box const& box) {
        transform(charges, positions, box);
        MeshInfluence const influence(mesh_, box, formula_);
        Tensor sum;
        for (int x = 0; x < mesh_.nx; ++x)
            for (int y = 0; y < mesh_.ny; ++y)
                for (int z = 0; z < mesh_.nz; ++z)
                    sum += influence.mean_of_waves(x, y, z, [&](Vec3<> const& m) {
                        return wave_virial(m, formula_, slope_, mesh_.alpha, box.volume());
                    }) * (std::norm(grid_[index(x, y, z)]) / 2);
        return sum;
    }

private:
    // Mesh points and spline weights of a particle along each axis; weights are NaN for a position that is not finite.
    struct Place {
        Place(Vec3<> const& position, Box const& box, MeshSettings const& mesh) {
            Vec3<> const s = box.fractions(position);
            std::array<int, 3> const sizes{mesh.nx, mesh.ny, mesh.nz};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                double const u = (s[axis] - std::floor(s[axis])) * sizes[axis], left = std::floor(u);
                weights[axis] = spline_weights(u - left);
                int const first = std::isfinite(left) ? static_cast<int>(left) : 0;
                for (int j = 0; j < 5; ++j) points[axis][static_cast<std::size_t>(j)] = (first + j) % sizes[axis];
            }
        }
        std::array<std::array<int, spline_order>, 3> points;
        std::array<SplineWeights<double>, 3> weights;
    };

    std::size_t index(int x, int y, int z) const {
        return (static_cast<std::size_t>(x) * static_cast<std::size_t>(mesh_.ny) + static_cast<std::size_t>(y))
                   * static_cast<std::size_t>(mesh_.nz)
               + static_cast<std::size_t>(z);
    }

    void transform(std::vector<double> const& charges, std::vector<Vec3<>> const& positions, Box const& box) {
        grid_.assign(index(mesh_.nx, 0, 0), 0);
        for (std::size_t i = 0; i < charges.size(); ++i)
            if (charges[i] != 0) spread(charges[i], Place(positions[i], box, mesh_));
        fft_.forward(grid_);
    }
    void find_potential(std::vector<double> const& charges, std::vector<Vec3<>> const& positions, Box const& box) {
        transform(charges, positions, box);
        convolve(box);
        fft_.inverse(grid_);
    }
    void spread(double charge, Place const& place) {
        auto const& [wx, wy, wz] = place.weights;
        for (std::size_t x = 0; x < spline_order; ++x)
            for (std::size_t y = 0; y < spline_order; ++y) {
                double const weight = charge * wx.value[x] * wy.value[y];
                for (std::size_t z = 0; z < spline_order; ++z)
                    grid_[index(place.points[0][x], place.points[1][y], place.points[2][z])] += weight * wz.value[z];
            }
    }

    void convolve(Box const& box) {
        if (influence_.empty() || !(box == influence_box_)) {
            MeshInfluence const influence(mesh_, box, formula_);
            influence_.clear();
            for (int x = 0; x < mesh_.nx; ++x)
                for (int y = 0; y < mesh_.ny; ++y)
                    for (int z = 0; z < mesh_.nz; ++z) influence_.push_back(influence(x, y, z));
            influence_box_ = box;
        }
        for (std::size_t n = 0; n < grid_.size(); ++n) grid_[n] *= influence_[n];
    }

    // Differences of the mesh points of two places along an axis, and the sum of products of weights for each.
    static constexpr std::size_t difference_count = 2 * spline_order - 1;
    struct Differences {
        Differences(Place const& to, Place const& from, std::size_t axis, int size) {
            int const lowest = to.points[axis].front() - from.points[axis].back();  // modulo the size
            for (std::size_t n = 0; n < difference_count; ++n)
                points[n] = (lowest + size + static_cast<int>(n)) % size;
            for (std::size_t a = 0; a < spline_order; ++a)
                for (std::size_t b = 0; b < spline_order; ++b)
                    weights[a + spline_order - 1 - b] += to.weights[axis].value[a] * from.weights[axis].value[b];
        }
        std::array<int, difference_count> points;
        std::array<double, difference_count> weights{};
    };
    // Potential at place `to` of a unit charge at `from`; `grid_` has that of a unit charge at mesh point 0.
    double between(Place const& to, Place const& from) const {
        Differences const x(to, from, 0, mesh_.nx), y(to, from, 1, mesh_.ny), z(to, from, 2, mesh_.nz);
        double sum = 0;
        for (std::size_t a = 0; a < difference_count; ++a)
            for (std::size_t b = 0; b < difference_count; ++b) {
                double of_line = 0;
                for (std::size_t c = 0; c < difference_count; ++c)
                    of_line += z.weights[c] * grid_[index(x.points[a], y.points[b], z.points[c])].real();
                sum += x.weights[a] * y.weights[b] * of_line;
            }
        return sum;
    }

    struct Potential {
        double value;
        Vec3<> slope;  // by fractional coordinates
    };
    Potential gather(Place const& place) const {
        auto const& [wx, wy, wz] = place.weights;
        Potential result{};
        for (std::size_t x = 0; x < spline_order; ++x)
            for (std::size_t y = 0; y < spline_order; ++y)
                for (std::size_t z = 0; z < spline_order; ++z) {
                    double const phi = grid_[index(place.points[0][x], place.points[1][y], place.points[2][z])].real();
                    result.value += phi * wx.value[x] * wy.value[y] * wz.value[z];
                    result.slope +=
                        Vec3<>{wx.slope[x] * wy.value[y] * wz.value[z], wx.value[x] * wy.slope[y] * wz.value[z],
                               wx.value[x] * wy.value[y] * wz.slope[z]}
                        * phi;
                }
        return {result.value, {result.slope.x * mesh_.nx, result.slope.y * mesh_.ny, result.slope.z * mesh_.nz}};
    }

    MeshSettings mesh_;
    MeshInfluence::Formula formula_, slope_;  // slope_: derivative by m², for the virial
    Fft3D fft_;
    std::vector<Complex> grid_;
    std::vector<double> influence_;
    Box influence_box_;
};

}  // namespace trotter::reference
