// The potential on the mesh from the moments on it: transforms and the influence function.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "mesh.hpp"

namespace trotter::amoeba {
namespace {

ComplexPack load(std::vector<double> const& re, std::vector<double> const& im, std::size_t at) {
    ComplexPack result;
    std::memcpy(&result.re, &re[at], sizeof result.re);
    std::memcpy(&result.im, &im[at], sizeof result.im);
    return result;
}
void store(ComplexPack const& value, std::vector<double>& re, std::vector<double>& im, std::size_t at) {
    std::memcpy(&re[at], &value.re, sizeof value.re);
    std::memcpy(&im[at], &value.im, sizeof value.im);
}

}  // namespace

// exp(-pi² m²/alpha²)/(pi V m²), divided by the moduli of the splines, and 0 at m = 0: the mean of m and -m, which
// makes the potential real. They differ for Nyquist wave vectors of triclinic boxes, and by the moduli of odd sizes.
void MultipoleMesh::find_influence(Box const& box, Threads& threads) {
    std::array<int, 3> const sizes{mesh_.nx, mesh_.ny, mesh_.nz};
    std::array<std::vector<double>, 3> moduli;
    for (std::size_t axis = 0; axis < 3; ++axis) moduli[axis] = corrected_spline_moduli(sizes[axis]);
    auto at_point = [&](std::array<int, 3> const& point) {
        Vec3<> wave{};
        double modulus = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            wave[axis] = point[axis] < (sizes[axis] + 1) / 2 ? point[axis] : point[axis] - sizes[axis];
            modulus *= moduli[axis][static_cast<std::size_t>(point[axis])];
        }
        Vec3<> const m = box.reciprocal(wave);
        double const square = dot(m, m);
        if (square == 0) return 0.0;
        return coulomb_influence_beyond_zero(square, mesh_.alpha, box.volume()) / (constants::coulomb * modulus);
    };
    influence_.assign(real_.size(), 0);
    threads.run(mesh_.nx, [&](int x) {
        auto opposite = [](int n, int size) { return n == 0 ? 0 : size - n; };
        for (int y = 0; y < mesh_.ny; ++y)
            for (int z = 0; z < mesh_.nz; ++z)
                influence_[row(x, y) + static_cast<std::size_t>(z)] =
                    (at_point({x, y, z})
                     + at_point({opposite(x, mesh_.nx), opposite(y, mesh_.ny), opposite(z, mesh_.nz)}))
                    / 2;
    });
    influence_box_ = box;
}

// A pack of rows of a plane, along z.
template <bool is_forward> void MultipoleMesh::transform_rows(int x, int first, std::vector<ComplexPack>& line) {
    std::size_t const size = along_z_.size();
    std::array<std::size_t, lanes> rows{};
    for (int lane = 0; lane < static_cast<int>(lanes); ++lane)
        rows[static_cast<std::size_t>(lane)] = row(x, std::min(first + lane, mesh_.ny - 1));
    auto &re = is_forward ? real_ : imaginary_, &im = is_forward ? imaginary_ : real_;
    for (std::size_t z = 0; z < size; ++z)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            line[z].re[lane] = re[rows[lane] + z], line[z].im[lane] = im[rows[lane] + z];
    auto const* const result = along_z_.run(line.data(), line.data() + size);
    for (std::size_t z = 0; z < size; ++z)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            re[rows[lane] + z] = result[z].re[lane], im[rows[lane] + z] = result[z].im[lane];
}

// A pack of columns of a plane, along y.
template <bool is_forward>
void MultipoleMesh::transform_columns(int x, std::size_t first, std::vector<ComplexPack>& line) {
    auto &re = is_forward ? real_ : imaginary_, &im = is_forward ? imaginary_ : real_;
    std::size_t const size = along_y_.size(), begin = row(x, 0) + first;
    for (std::size_t y = 0; y < size; ++y) line[y] = load(re, im, begin + y * padded_);
    auto const* const result = along_y_.run(line.data(), line.data() + size);
    for (std::size_t y = 0; y < size; ++y) store(result[y], re, im, begin + y * padded_);
}

template <bool is_forward> void MultipoleMesh::transform_plane(int x) {
    std::vector<ComplexPack> line(2 * std::max(along_y_.size(), along_z_.size()));
    auto rows = [&] {
        for (int y = 0; y < mesh_.ny; y += static_cast<int>(lanes)) transform_rows<is_forward>(x, y, line);
    };
    if (is_forward) rows();
    for (std::size_t z = 0; z < padded_; z += lanes) transform_columns<is_forward>(x, z, line);
    if (!is_forward) rows();
}
template void MultipoleMesh::transform_plane<true>(int);
template void MultipoleMesh::transform_plane<false>(int);

// Along x, where the influence function is applied, and back.
void MultipoleMesh::convolve_lines(Threads& threads) {
    std::size_t const plane = row(1, 0), size = along_x_.size(), grain_of_lines = 32 * lanes;
    threads.for_ranges(
        plane,
        [&](std::size_t begin, std::size_t end) {
            std::vector<ComplexPack> line(2 * size);
            for (std::size_t n = begin; n < end; n += lanes) {
                for (std::size_t x = 0; x < size; ++x) line[x] = load(real_, imaginary_, x * plane + n);
                auto* const waves = along_x_.run(line.data(), line.data() + size);
                auto* const other = waves == line.data() ? waves + size : line.data();
                for (std::size_t x = 0; x < size; ++x) {
                    Pack const factor = load(influence_, influence_, x * plane + n).re;
                    waves[x] = {waves[x].im * factor, waves[x].re * factor};  // exchanged, for the inverse
                }
                auto const* const result = along_x_.run(waves, other);
                for (std::size_t x = 0; x < size; ++x) store(result[x], imaginary_, real_, x * plane + n);
            }
        },
        grain_of_lines);
}

}  // namespace trotter::amoeba
