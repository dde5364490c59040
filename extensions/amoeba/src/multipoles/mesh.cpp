// Spreads multipoles on a mesh, and gathers their potentials.
// SPDX-License-Identifier: MIT
#include "mesh.hpp"

#include <cmath>

#include "direct_space.hpp"

namespace trotter::amoeba {

MultipoleMesh::MultipoleMesh(MeshSettings const& mesh)
    : mesh_(mesh),
      padded_((static_cast<std::size_t>(mesh.nz) + lanes - 1) / lanes * lanes),
      real_(row(mesh.nx, 0)),
      imaginary_(real_.size()),
      along_x_(mesh.nx),
      along_y_(mesh.ny),
      along_z_(mesh.nz) {}

// The mesh begins in the middle of the box, as in OpenMM: this changes numbers for odd sizes. A position that is not
// finite has NaN weights.
MultipoleMesh::Place MultipoleMesh::place_of(Vec3<> const& position, Box const& box) const {
    Vec3<> const s = box.fractions(position);
    std::array<int, 3> const sizes{mesh_.nx, mesh_.ny, mesh_.nz};
    Place result;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double const shifted = s[axis] + 0.5, u = (shifted - std::floor(shifted)) * sizes[axis], left = std::floor(u);
        result.weights[axis] = spline_derivatives(u - left);
        int const first = std::isfinite(left) ? static_cast<int>(left) : 0;
        for (int j = 0; j < 5; ++j) result.points[axis][static_cast<std::size_t>(j)] = (first + j) % sizes[axis];
    }
    return result;
}

void MultipoleMesh::place(std::vector<Vec3<>> const& positions, Box const& box, Threads& threads) {
    rows_ = {box.reciprocal({static_cast<double>(mesh_.nx), 0, 0}),
             box.reciprocal({0, static_cast<double>(mesh_.ny), 0}),
             box.reciprocal({0, 0, static_cast<double>(mesh_.nz)})};
    places_.resize(positions.size());
    for_each_site(threads, positions.size(), [&](std::size_t i) { places_[i] = place_of(positions[i], box); });
    sort_by_plane();
    if (influence_.empty() || !(influence_box_ == box)) find_influence(box, threads);
}

void MultipoleMesh::sort_by_plane() {
    auto plane_of = [&](std::size_t i) { return static_cast<std::size_t>(places_[i].points[0][0]); };
    first_of_plane_.assign(static_cast<std::size_t>(mesh_.nx) + 1, 0);
    for (std::size_t i = 0; i < places_.size(); ++i) ++first_of_plane_[plane_of(i) + 1];
    for (std::size_t x = 1; x < first_of_plane_.size(); ++x) first_of_plane_[x] += first_of_plane_[x - 1];
    sorted_.resize(places_.size());
    auto next = first_of_plane_;
    for (std::size_t i = 0; i < places_.size(); ++i) sorted_[next[plane_of(i)]++] = static_cast<int>(i);
}

Vec3<> MultipoleMesh::fractional(Vec3<> const& d) const {
    return {dot(rows_[0], d), dot(rows_[1], d), dot(rows_[2], d)};
}

Moments<> MultipoleMesh::fractional(Moments<> const& m) const {
    std::array<Vec3<>, 3> const q{m.quadrupole * rows_[0], m.quadrupole * rows_[1], m.quadrupole * rows_[2]};
    return {m.charge,
            fractional(m.dipole),
            {dot(q[0], rows_[0]), dot(q[0], rows_[1]), dot(q[0], rows_[2]), dot(q[1], rows_[1]), dot(q[1], rows_[2]),
             dot(q[2], rows_[2])}};
}

Potential<> MultipoleMesh::cartesian(Potential<> const& p) const {
    Vec3<> const x{rows_[0].x, rows_[1].x, rows_[2].x}, y{rows_[0].y, rows_[1].y, rows_[2].y},
        z{rows_[0].z, rows_[1].z, rows_[2].z}, px = p.second * x, py = p.second * y, pz = p.second * z;
    return {p.value, cartesian(p.first), {dot(x, px), dot(x, py), dot(x, pz), dot(y, py), dot(y, pz), dot(z, pz)}, {}};
}

// Each plane takes the part of all sites that reach it, in one order.
void MultipoleMesh::spread_plane(int plane, std::vector<Moments<>> const& moments, std::vector<double>& grid) {
    for (std::size_t n = row(plane, 0); n < row(plane + 1, 0); ++n) grid[n] = 0;
    if (moments.empty()) return;
    for (int k = 0; k < static_cast<int>(spline_order); ++k) {
        auto const first = static_cast<std::size_t>((plane - k + mesh_.nx) % mesh_.nx),
                   kth = static_cast<std::size_t>(k);
        for (std::size_t n = first_of_plane_[first]; n < first_of_plane_[first + 1]; ++n) {
            auto const i = static_cast<std::size_t>(sorted_[n]);
            auto const& [points, weights] = places_[i];
            auto const &wx = weights[0].order, &wy = weights[1].order, &wz = weights[2].order;
            auto const& [charge, d, q] = moments[i];
            double const x0 = wx[0][kth], x1 = wx[1][kth], x2 = wx[2][kth];
            // Factors of the products of y and z weights and their derivatives: 00, 10, 20, 01, 11, 02.
            double const of_00 = charge * x0 + d.x * x1 + q.xx * x2, of_10 = d.y * x0 + 2 * q.xy * x1,
                         of_20 = q.yy * x0, of_01 = d.z * x0 + 2 * q.xz * x1, of_11 = 2 * q.yz * x0, of_02 = q.zz * x0;
            for (std::size_t y = 0; y < spline_order; ++y) {
                double const y0 = wy[0][y], y1 = wy[1][y], y2 = wy[2][y], z0 = of_00 * y0 + of_10 * y1 + of_20 * y2,
                             z1 = of_01 * y0 + of_11 * y1, z2 = of_02 * y0;
                double* const line = &grid[row(plane, points[1][y])];
                for (std::size_t z = 0; z < spline_order; ++z)
                    line[points[2][z]] += z0 * wz[0][z] + z1 * wz[1][z] + z2 * wz[2][z];
            }
        }
    }
}

void MultipoleMesh::find_potentials(std::vector<Moments<>> const& real, std::vector<Moments<>> const& imaginary,
                                    Threads& threads) {
    threads.run(mesh_.nx, [&](int x) {
        spread_plane(x, real, real_);
        spread_plane(x, imaginary, imaginary_);
        transform_plane<true>(x);
    });
    convolve_lines(threads);
    threads.run(mesh_.nx, [&](int x) { transform_plane<false>(x); });
}

// Sums over z, then y, then x of the potential times derivatives of weights.
template <int most> Potential<> MultipoleMesh::gather(std::size_t site, std::vector<double> const& grid) const {
    auto const& [points, weights] = places_[site];
    constexpr std::size_t count = most + 1;
    std::array<std::array<std::array<double, count>, count>, count> sums{};
    for (std::size_t x = 0; x < spline_order; ++x) {
        std::array<std::array<double, count>, count> of_x{};
        for (std::size_t y = 0; y < spline_order; ++y) {
            std::array<double, count> of_y{};
            double const* const line = &grid[row(points[0][x], points[1][y])];
            for (std::size_t z = 0; z < spline_order; ++z)
                for (std::size_t c = 0; c < count; ++c) of_y[c] += line[points[2][z]] * weights[2].order[c][z];
            for (std::size_t b = 0; b < count; ++b)
                for (std::size_t c = 0; b + c < count; ++c) of_x[b][c] += of_y[c] * weights[1].order[b][y];
        }
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t b = 0; a + b < count; ++b)
                for (std::size_t c = 0; a + b + c < count; ++c) sums[a][b][c] += of_x[b][c] * weights[0].order[a][x];
    }
    auto const& s = sums;
    Potential<> p;
    p.value = s[0][0][0];
    p.first = {s[1][0][0], s[0][1][0], s[0][0][1]};
    if constexpr (most >= 2) p.second = {s[2][0][0], s[1][1][0], s[1][0][1], s[0][2][0], s[0][1][1], s[0][0][2]};
    if constexpr (most >= 3)
        p.third = {s[3][0][0], s[2][1][0], s[2][0][1], s[1][2][0], s[1][1][1],
                   s[1][0][2], s[0][3][0], s[0][2][1], s[0][1][2], s[0][0][3]};
    return p;
}

template <int most> std::array<Potential<>, 2> MultipoleMesh::potentials(std::size_t site) const {
    return {gather<most>(site, real_), gather<most>(site, imaginary_)};
}
template <int most> Potential<> MultipoleMesh::potential(std::size_t site) const { return gather<most>(site, real_); }

template std::array<Potential<>, 2> MultipoleMesh::potentials<1>(std::size_t) const;
template Potential<> MultipoleMesh::potential<2>(std::size_t) const;
template std::array<Potential<>, 2> MultipoleMesh::potentials<3>(std::size_t) const;

}  // namespace trotter::amoeba
