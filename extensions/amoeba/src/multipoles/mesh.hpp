// Reciprocal-space part of particle mesh Ewald for multipoles.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include <trotter/amoeba/multipoles/moments.hpp>
#include <trotter/amoeba/multipoles/splines.hpp>
#include <trotter/box.hpp>
#include <trotter/common/threads/threads.hpp>

#include "line_transform.hpp"

namespace trotter::amoeba {

/// Potentials of the moments of all sites on a mesh (C. Sagui, L. G. Pedersen, T. A. Darden, J. Chem. Phys. 120, 73
/// (2004)). The real and imaginary parts of a complex mesh have the potentials of two sets of moments. Moments and
/// potentials are in units of mesh spacings along the box vectors ("fractional"); energies of these are the same.
class MultipoleMesh {
public:
    explicit MultipoleMesh(MeshSettings const& mesh);

    MeshSettings const& settings() const { return mesh_; }

    /// Takes the places of the sites.
    void place(std::vector<Vec3<>> const& positions, Box const& box, Threads& threads);
    /// Computes the potentials of `real` and, unless it is empty, of `imaginary`: fractional moments of each site.
    void find_potentials(std::vector<Moments<>> const& real, std::vector<Moments<>> const& imaginary, Threads& threads);
    /// The potentials of both sets at a site, with derivatives up to `most`.
    template <int most> std::array<Potential<>, 2> potentials(std::size_t site) const;
    template <int most> Potential<> potential(std::size_t site) const;  ///< of the first set alone

    Moments<> fractional(Moments<> const& m) const;  ///< in units of mesh spacings
    Vec3<> fractional(Vec3<> const& dipole) const;   ///< in units of mesh spacings
    /// A fractional gradient by the position in nm.
    Vec3<> cartesian(Vec3<> const& gradient) const {
        return rows_[0] * gradient.x + rows_[1] * gradient.y + rows_[2] * gradient.z;
    }
    /// First and second derivatives by the position in nm, and the value.
    Potential<> cartesian(Potential<> const& p) const;

private:
    struct Place {
        std::array<std::array<int, spline_order>, 3> points{};
        std::array<SplineDerivatives<double>, 3> weights{};
    };
    Place place_of(Vec3<> const& position, Box const& box) const;
    void sort_by_plane();
    void spread_plane(int plane, std::vector<Moments<>> const& moments, std::vector<double>& grid);
    void find_influence(Box const& box, Threads& threads);
    template <bool is_forward> void transform_plane(int x);
    template <bool is_forward> void transform_rows(int x, int first, std::vector<ComplexPack>& line);
    template <bool is_forward> void transform_columns(int x, std::size_t first, std::vector<ComplexPack>& line);
    void convolve_lines(Threads& threads);
    template <int most> Potential<> gather(std::size_t site, std::vector<double> const& grid) const;
    std::size_t row(int x, int y) const {
        return (static_cast<std::size_t>(x) * static_cast<std::size_t>(mesh_.ny) + static_cast<std::size_t>(y))
               * padded_;
    }

    MeshSettings mesh_;
    std::array<Vec3<>, 3> rows_{};  // gradients of mesh coordinates by positions
    std::vector<Place> places_;
    std::vector<std::size_t> first_of_plane_;  // in `sorted_`, by the first of the planes of a site
    std::vector<int> sorted_;
    std::size_t padded_;                    // numbers of a row, of which the last are 0
    std::vector<double> real_, imaginary_;  // [x][y][z]
    std::vector<double> influence_;
    Box influence_box_{};
    LineTransform along_x_, along_y_, along_z_;
};

}  // namespace trotter::amoeba
