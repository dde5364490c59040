// Normal modes and contractions of a ring of copies.
// SPDX-License-Identifier: MIT
#include <trotter/rpmd/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <trotter/units.hpp>

namespace trotter::rpmd {

namespace {

constexpr double pi = std::numbers::pi;

/// Number of waves of a row of `normal_modes`.
int waves_of(int row) { return (row + 1) / 2; }

/// Particles whose copies are multiplied together, so that they stay in the cache.
constexpr std::size_t block_particles = 16, block_numbers = 3 * block_particles;
using Block = std::array<double, block_numbers>;

void gather(std::vector<Vec3<>> const& from, std::size_t first, std::span<int const> particles, Block& block) {
    for (std::size_t p = 0; p < particles.size(); ++p)
        for (std::size_t axis = 0; axis < 3; ++axis)
            block[3 * p + axis] = from[first + static_cast<std::size_t>(particles[p])][axis];
}
void scatter(Block const& block, std::vector<Vec3<>>& to, std::size_t first, std::span<int const> particles,
             bool adds) {
    for (std::size_t p = 0; p < particles.size(); ++p) {
        Vec3<>& vector = to[first + static_cast<std::size_t>(particles[p])];
        Vec3<> const sum{block[3 * p], block[3 * p + 1], block[3 * p + 2]};
        vector = adds ? vector + sum : sum;
    }
}

}  // namespace

Matrix Matrix::transposed(double factor) const {
    Matrix result{columns, rows};
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column) result(column, row) = factor * (*this)(row, column);
    return result;
}

Matrix normal_modes(int copies) {
    auto const n = static_cast<std::size_t>(copies);
    Matrix result{n, n};
    for (int row = 0; row < copies; ++row)
        for (int copy = 0; copy < copies; ++copy) {
            int const waves = waves_of(row);
            double const angle = 2 * pi * static_cast<double>(std::int64_t{waves} * copy % copies) / copies;
            bool const is_single = row == 0 || 2 * waves == copies;
            result(static_cast<std::size_t>(row), static_cast<std::size_t>(copy)) =
                std::sqrt((is_single ? 1.0 : 2.0) / copies)
                * (row % 2 == 1 || row == 0 ? std::cos(angle) : std::sin(angle));
        }
    return result;
}

double mode_frequency(int row, int copies, double temperature) {
    double const of_springs = copies * constants::gas_constant * temperature / constants::reduced_planck;
    return 2 * of_springs * std::sin(waves_of(row) * pi / copies);
}

Matrix contraction(int copies, int contracted) {
    Matrix result{static_cast<std::size_t>(contracted), static_cast<std::size_t>(copies)};
    for (int to = 0; to < contracted; ++to)
        for (int from = 0; from < copies; ++from) {
            double const turn = 2 * pi * (static_cast<double>(to) / contracted - static_cast<double>(from) / copies);
            double sum = 1;
            for (int waves = 1; 2 * waves <= contracted; ++waves)
                sum += (2 * waves == contracted ? 1 : 2) * std::cos(waves * turn);
            result(static_cast<std::size_t>(to), static_cast<std::size_t>(from)) = sum / copies;
        }
    return result;
}

void multiply(Matrix const& matrix, std::vector<Vec3<>> const& from, std::vector<Vec3<>>& to, std::size_t stride,
              std::span<int const> particles, Threads& threads, bool adds) {
    threads.for_ranges(
        particles.size(),
        [&](std::size_t begin, std::size_t end) {
            auto const own = particles.subspan(begin, end - begin);
            std::vector<Block> in(matrix.columns);
            for (std::size_t column = 0; column < matrix.columns; ++column)
                gather(from, column * stride, own, in[column]);
            for (std::size_t row = 0; row < matrix.rows; ++row) {
                Block sum{};
                for (std::size_t column = 0; column < matrix.columns; ++column) {
                    double const factor = matrix(row, column);
                    for (std::size_t n = 0; n < block_numbers; ++n) sum[n] += factor * in[column][n];
                }
                scatter(sum, to, row * stride, own, adds);
            }
        },
        block_particles);
}

}  // namespace trotter::rpmd
