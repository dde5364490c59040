// Three-dimensional Fourier transforms of real meshes, in pieces for tasks.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include <trotter/cpu/loops.hpp>
#include <trotter/cpu/neighbor_list/clusters.hpp>

namespace trotter::cpu {

/// The passes of lines of one length. `Arch` only keeps symbols of different instruction sets apart.
template <class Arch, class Real> class LinePlan {
public:
    explicit LinePlan(int length) : length_(length) {
        std::vector<std::size_t> begins, first_powers;
        int rest = length;
        for (int const radix : factors(length)) {
            rest /= radix;
            passes_.push_back({radix, rest, nullptr, nullptr, nullptr});
            begins.push_back(tables_.size());
            for (int p = 1; p < rest; ++p)
                for (int k = 1; k < radix; ++k) add_root(std::int64_t{p} * k, radix * rest);
            begins.push_back(tables_.size());
            first_powers.push_back(powers_.size());
            if (radix > LinePass<Real>::largest_known)
                for (int const power : powers_of_root(radix)) {
                    add_root(power, radix);
                    powers_.push_back(power);
                }
            else
                for (int n = 0; n < radix; ++n) add_root(n, radix);
            largest_ = std::max(largest_, radix);
        }
        for (std::size_t n = 0; n < passes_.size(); ++n) {
            passes_[n].twiddles = tables_.data() + begins[2 * n];
            passes_[n].roots = tables_.data() + begins[2 * n + 1];
            passes_[n].powers = powers_.data() + first_powers[n];
        }
    }
    LinePlan(LinePlan const&) = delete;
    LinePlan& operator=(LinePlan const&) = delete;

    /// `is_backward`: with the other sign of the exponent.
    void run(SplitRows<Real> in, SplitRows<Real> out, int columns, bool is_backward, Real* scratch) const {
        if (is_backward) std::swap(in.re, in.im), std::swap(out.re, out.im);
        loops<Arch, Real>().transform_lines({passes_.data(),
                                             static_cast<int>(passes_.size()),
                                             length_,
                                             columns,
                                             {in.re, in.im, in.step},
                                             out,
                                             scratch});
    }
    std::vector<LinePass<Real>> const& passes() const { return passes_; }
    int largest_radix() const { return largest_; }
    std::size_t scratch_size() const { return line_scratch<Real>(length_, largest_); }

private:
    /// Large primes first: they cost least in the pass that reads from distant memory.
    static std::vector<int> factors(int length) {
        std::vector<int> result;
        int twos = 0;
        for (; length % 2 == 0; length /= 2) ++twos;
        for (int factor = 3; length > 1; length % factor == 0 ? length /= factor : factor += 2)
            if (length % factor == 0) result.insert(result.begin(), factor);
        for (; twos % 3 != 0 && twos > 2; twos -= 2) result.push_back(4);
        for (; twos >= 3; twos -= 3) result.push_back(8);
        if (twos > 0) result.push_back(1 << twos);
        if (result.empty()) result.push_back(1);
        return result;
    }
    /// Powers of the smallest primitive root of a prime: 1, g, g² … modulo the prime, until 1 recurs.
    static std::vector<int> powers_of_root(int prime) {
        for (std::int64_t g = 2;; ++g) {
            std::vector<int> powers{1};
            for (std::int64_t next = g; next != 1; next = next * g % prime) powers.push_back(static_cast<int>(next));
            if (static_cast<int>(powers.size()) == prime - 1) return powers;
        }
    }
    void add_root(std::int64_t numerator, int denominator) {
        double const angle =
            2 * std::numbers::pi * static_cast<double>(numerator % denominator) / static_cast<double>(denominator);
        tables_.push_back(static_cast<Real>(std::cos(angle)));
        tables_.push_back(static_cast<Real>(std::sin(angle)));
    }

    int length_, largest_ = 1;
    std::vector<LinePass<Real>> passes_;
    Aligned<Real> tables_;
    std::vector<std::int32_t> powers_;
};

/// Transforms of a real mesh [x][y][z], which may be in place: planes of equal x in z and y, then lines along x. Rows
/// of the transform hold the real parts and then the imaginary parts, and are aligned to 64 bytes.
template <class Arch, class Real> class MeshTransform {
public:
    MeshTransform(int nx, int ny, int nz) : size{nx, ny, nz}, lines_x_(nx), lines_y_(ny), lines_z_(nz) {}

    std::array<int, 3> const size;
    /// Reals from one y to the next, with padding for a stencil.
    int row() const { return (size[2] + 8 + 15) / 16 * 16; }
    int used() const { return size[2] / 2 + 1; }  ///< complex numbers used in a row
    /// Numbers of the real or the imaginary part of a row, padded.
    int columns() const { return (used() + line - 1) / line * line; }
    int split_row() const { return 2 * columns(); }
    /// Numbers from one x to the next, of the mesh and of the transform.
    std::size_t plane() const { return count(size[1], std::max(row(), split_row())); }
    /// Numbers in the lines along x of a row.
    std::size_t line_numbers() const { return count(size[0], split_row()); }

    /// `out` may be `plane`.
    void forward_plane(Real* plane, Real* out) const {
        Real* const rows = scratch(plane_scratch());
        loops<Arch, Real>().forward_rows(row_view(plane, rows));
        lines_y_.run(split(rows), split(out), columns(), false, behind_plane(rows));
    }
    /// Transforms a plane back to a real one in place.
    void backward_plane(Real* plane) const {
        Real* const rows = scratch(plane_scratch());
        lines_y_.run(split(plane), split(rows), columns(), true, behind_plane(rows));
        loops<Arch, Real>().backward_rows(row_view(plane, rows));
    }
    /// Transforms the lines along x that start in the row at `row`, calls `change(lines)` with the result, ordered by
    /// x, and transforms back.
    template <class Change> void change_lines(Real* row, Change const& change) const {
        Real *const lines = scratch(line_numbers() + lines_x_.scratch_size()), *const rest = lines + line_numbers();
        SplitRows<Real> const far{row, row + columns(), static_cast<std::ptrdiff_t>(plane())};
        lines_x_.run(far, split(lines), columns(), false, rest);
        change(lines);
        lines_x_.run(split(lines), far, columns(), true, rest);
    }

private:
    static constexpr int line = 64 / sizeof(Real);

    static std::size_t count(int a, int b) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); }
    SplitRows<Real> split(Real* rows) const { return {rows, rows + columns(), split_row()}; }
    /// The size of a plane of rows and the scratch memory of its transforms.
    std::size_t plane_scratch() const {
        return count(size[1], split_row())
               + std::max(row_scratch<Real>(size[2], lines_z_.largest_radix()), lines_y_.scratch_size());
    }
    Real* behind_plane(Real* rows) const { return rows + count(size[1], split_row()); }
    static Real* scratch(std::size_t numbers) {
        static thread_local Aligned<Real> memory;
        if (memory.size() < numbers) memory.resize(numbers);
        return memory.data();
    }

    RowView<Real> row_view(Real* real, Real* rows) const {
        auto const& passes = lines_z_.passes();
        return {real,
                row(),
                split(rows),
                size[1],
                size[2],
                columns(),
                passes.data(),
                static_cast<int>(passes.size()),
                behind_plane(rows)};
    }

    LinePlan<Arch, Real> lines_x_, lines_y_, lines_z_;
};

}  // namespace trotter::cpu
