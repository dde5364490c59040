// Fourier transforms of real rows.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/mesh/line_transform.hpp>
#include <trotter/cpu/simd/transpose.hpp>

namespace trotter::cpu {

/// Each transform has length/2 + 1 numbers. Rows are aligned and padded to 64 bytes.
template <class Real> struct RowView {
    Real* real;
    int real_step;
    SplitRows<Real> split;
    int rows, length, columns;  ///< columns are those of `split`
    LinePass<Real> const* passes;
    int pass_count;
    Real* scratch;  ///< of size `row_scratch`
};

/// Numbers of scratch memory, given a length and its largest radix.
template <class Real> static constexpr std::size_t row_scratch(int length, int radix) {
    constexpr std::size_t line = 64 / sizeof(Real);
    return 4 * line * (static_cast<std::size_t>(length) + line) + line_scratch<Real>(length, radix);
}

/// Two rows a and b are one complex line a + ib: with Z its transform, A_k = (Z_k + Z*_-k)/2 and B_k = (Z_k -
/// Z*_-k)/2i. Blocks of rows are transposed to adjacent lines.
template <class Real, class Arch> struct RowTransform {
    /// Computes the first halves of the transforms of all rows.
    static void forward(RowView<Real> const& v) {
        SplitRows<Real> const lines = first_lines(v), transformed = second_lines(v);
        for (int first = 0; first < v.rows; first += 2 * width) {
            for (int part = 0; part < 2; ++part)
                for (int j = 0; j < v.length; j += width) {
                    Block block;
                    for (int r = 0; r < width; ++r) {
                        int const y = first + part * width + r;
                        block.rows[r] = y < v.rows ? B::load_aligned(v.real + y * v.real_step + j) : B(Real(0));
                    }
                    block.transpose();
                    for (int r = 0; r < width; ++r)
                        block.rows[r].store_aligned((part == 0 ? lines.re : lines.im) + (j + r) * lines.step);
                }
            transform(v, lines, transformed);
            for (int k = 0; k < v.columns; k += width) separate(v, transformed, first, k);
        }
    }
    /// Transforms back, scaled by the length.
    static void backward(RowView<Real> const& v) {
        SplitRows<Real> const lines = first_lines(v), transformed = second_lines(v);
        for (int first = 0; first < v.rows; first += 2 * width) {
            for (int k = 0; k < v.columns; k += width) join(v, lines, first, k);
            transform(v, {lines.im, lines.re, lines.step}, {transformed.im, transformed.re, transformed.step});
            for (int part = 0; part < 2; ++part)
                for (int j = 0; j < v.length; j += width) {
                    Block block;
                    for (int r = 0; r < width; ++r)
                        block.rows[r] = at(part == 0 ? transformed.re : transformed.im, transformed, j + r);
                    block.transpose();
                    for (int r = 0; r < width && first + part * width + r < v.rows; ++r)
                        block.rows[r].store_aligned(v.real + (first + part * width + r) * v.real_step + j);
                }
        }
    }

private:
    using B = Batch<Real, Arch>;
    using Block = SquareBlock<Real, Arch>;
    static constexpr int width = static_cast<int>(B::size);

    static void separate(RowView<Real> const& v, SplitRows<Real> const& lines, int first, int k_begin) {
        Block re[2], im[2];
        B const half(Real(0.5)), zero(Real(0));
        for (int r = 0; r < width; ++r) {
            int const k = k_begin + r, mirror = k == 0 ? 0 : v.length - k;
            if (2 * k > v.length) {
                re[0].rows[r] = im[0].rows[r] = re[1].rows[r] = im[1].rows[r] = zero;
                continue;
            }
            B const a = at(lines.re, lines, k), b = at(lines.im, lines, k), c = at(lines.re, lines, mirror),
                    d = at(lines.im, lines, mirror);
            re[0].rows[r] = half * (a + c);
            im[0].rows[r] = half * (b - d);
            re[1].rows[r] = half * (b + d);
            im[1].rows[r] = half * (c - a);
        }
        for (int part = 0; part < 2; ++part) {
            re[part].transpose();
            im[part].transpose();
            for (int r = 0; r < width && first + part * width + r < v.rows; ++r) {
                std::ptrdiff_t const place = (first + part * width + r) * v.split.step + k_begin;
                re[part].rows[r].store_aligned(v.split.re + place);
                im[part].rows[r].store_aligned(v.split.im + place);
            }
        }
    }

    static void join(RowView<Real> const& v, SplitRows<Real> const& lines, int first, int k_begin) {
        Block re[2], im[2];
        for (int part = 0; part < 2; ++part) {
            for (int r = 0; r < width; ++r) {
                int const y = first + part * width + r;
                std::ptrdiff_t const place = y * v.split.step + k_begin;
                re[part].rows[r] = y < v.rows ? B::load_aligned(v.split.re + place) : B(Real(0));
                im[part].rows[r] = y < v.rows ? B::load_aligned(v.split.im + place) : B(Real(0));
            }
            re[part].transpose();
            im[part].transpose();
        }
        for (int r = 0; r < width && 2 * (k_begin + r) <= v.length; ++r) {
            int const k = k_begin + r;
            bool const is_own = k == 0 || 2 * k == v.length;
            B const a = re[0].rows[r], b = re[1].rows[r], c = is_own ? B(Real(0)) : im[0].rows[r],
                    d = is_own ? B(Real(0)) : im[1].rows[r];
            B(a - d).store_aligned(lines.re + k * lines.step);
            B(c + b).store_aligned(lines.im + k * lines.step);
            if (is_own) continue;
            B(a + d).store_aligned(lines.re + (v.length - k) * lines.step);
            B(b - c).store_aligned(lines.im + (v.length - k) * lines.step);
        }
    }

    static B at(Real const* part, SplitRows<Real> const& lines, int n) {
        return B::load_aligned(part + n * lines.step);
    }
    /// Lines fill whole blocks.
    static SplitRows<Real> first_lines(RowView<Real> const& v) { return {v.scratch, v.scratch + width, 2 * width}; }
    static SplitRows<Real> second_lines(RowView<Real> const& v) {
        Real* const begin = v.scratch + 2 * width * (v.length + width);
        return {begin, begin + width, 2 * width};
    }
    static void transform(RowView<Real> const& v, SplitRows<Real> const& in, SplitRows<Real> const& out) {
        LineTransform<Real, Arch>::run({v.passes,
                                        v.pass_count,
                                        v.length,
                                        width,
                                        {in.re, in.im, in.step},
                                        out,
                                        v.scratch + 4 * width * (v.length + width)});
    }
};

}  // namespace trotter::cpu
