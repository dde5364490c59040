// Fourier transforms of adjacent complex lines.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

#include <trotter/cpu/simd/simd.hpp>

namespace trotter::cpu {

/// Rows of complex numbers: the real parts of row n begin at re + n step, the imaginary ones at im + n step.
template <class Number> struct SplitRows {
    Number *re, *im;
    std::ptrdiff_t step;

    [[gnu::always_inline]] SplitRows from_column(int column) const { return {re + column, im + column, step}; }
};

/// One pass of a transform of length n: `radix` numbers at a time, of `rest` interleaved sequences, after the passes
/// before have left n / (radix rest) adjacent transforms.
template <class Real> struct LinePass {
    int radix, rest;
    Real const* twiddles;  ///< cosine and sine of 2 pi p k/(radix rest), for p = 1 … rest - 1 and k = 1 … radix - 1
    /// Cosine and sine of 2 pi n/radix, for n = 0 … radix - 1; for primes above `largest_known`, of 2 pi gⁿ/radix with
    /// a primitive root g, for n = 0 … radix - 2, and `powers` are gⁿ modulo the radix, for n below half of it.
    Real const* roots;
    std::int32_t const* powers;

    static constexpr int largest_known = 8;
};

/// Lines across rows: line n consists of number n of each row. Rows are aligned to 64 bytes, and `columns` padded to
/// them.
template <class Real> struct LineView {
    LinePass<Real> const* passes;
    int pass_count, length, columns;
    SplitRows<Real const> in;
    SplitRows<Real> out;
    Real* scratch;  ///< of size `line_scratch`
};

/// Numbers of scratch memory, given a length and its largest radix.
template <class Real> static constexpr std::size_t line_scratch(int length, int radix) {
    return 4 * (64 / sizeof(Real)) * (static_cast<std::size_t>(length) + static_cast<std::size_t>(radix));
}

/// X_k = Σ_j x_j exp(-2 pi i j k/n), unscaled, in the passes of T. G. Stockham (Proc. AFIPS 28, 229 (1966)), which go
/// from one array to another and need no reordering. Exchanging real and imaginary parts on both sides changes the sign
/// of the exponent. A register holds the same element of adjacent lines, whose passes stay in the L1 cache.
template <class Real, class Arch> struct LineTransform {
    using B = Batch<Real, Arch>;
    static constexpr int width = static_cast<int>(B::size);

    static void run(LineView<Real> const& view) {
        for (int column = 0; column < view.columns; column += width) {
            SplitRows<Real const> from = view.in.from_column(column);
            for (int n = 0, side_by_side = 1; n < view.pass_count; ++n) {
                auto const& pass = view.passes[n];
                Real* const between = view.scratch + n % 2 * 2 * width * view.length;
                SplitRows<Real> const to = n + 1 == view.pass_count
                                               ? view.out.from_column(column)
                                               : SplitRows<Real>{between, between + width, 2 * width};
                choose(pass, side_by_side, from, to, view.scratch + 4 * width * view.length);
                side_by_side *= pass.radix;
                from = {to.re, to.im, to.step};
            }
        }
    }

private:
    struct Complex {
        B re, im;

        [[gnu::always_inline]] friend Complex operator+(Complex const& a, Complex const& b) {
            return {a.re + b.re, a.im + b.im};
        }
        [[gnu::always_inline]] friend Complex operator-(Complex const& a, Complex const& b) {
            return {a.re - b.re, a.im - b.im};
        }
        /// Multiplied by -i.
        [[gnu::always_inline]] Complex turned() const { return {im, -re}; }
        /// Multiplied by exp(-i angle).
        [[gnu::always_inline]] Complex turned(B const& cosine, B const& sine) const {
            return {multiply_add(im, sine, B(re * cosine)), subtract_product(B(im * cosine), re, sine)};
        }
    };

    static void choose(LinePass<Real> const& pass, int side_by_side, SplitRows<Real const> const& from,
                       SplitRows<Real> const& to, Real* scratch) {
        switch (pass.radix) {
            case 1:
                return run<1>(pass, side_by_side, from, to);
            case 2:
                return run<2>(pass, side_by_side, from, to);
            case 3:
                return run<3>(pass, side_by_side, from, to);
            case 4:
                return run<4>(pass, side_by_side, from, to);
            case 5:
                return run<5>(pass, side_by_side, from, to);
            case 7:
                return run<7>(pass, side_by_side, from, to);
            case 8:
                return run<8>(pass, side_by_side, from, to);
            default:
                return run_any(pass, side_by_side, from, to, scratch);
        }
    }

    template <int radix> static void run(LinePass<Real> const& pass, int side_by_side,
                                         SplitRows<Real const> const& from, SplitRows<Real> const& to) {
        Real const* twiddles = pass.twiddles;
        for (int p = 0; p < pass.rest; ++p) {
            for (int q = 0; q < side_by_side; ++q) {
                Complex x[radix];
                unroll<radix>([&](auto j) __attribute__((always_inline)) {
                    x[j] = load(from, q + side_by_side * (p + pass.rest * j));
                });
                transform<radix>(x, pass.roots);
                if (p > 0)
                    unroll<radix - 1>([&](auto k) __attribute__((always_inline)) {
                        x[k + 1] = x[k + 1].turned(B(twiddles[2 * k]), B(twiddles[2 * k + 1]));
                    });
                unroll<radix>([&](auto k) __attribute__((always_inline)) {
                    store(x[k], to, q + side_by_side * (radix * p + k));
                });
            }
            if (p > 0) twiddles += 2 * (radix - 1);
        }
    }
    /// Any odd prime. Indices are ordered as powers of a primitive root g (C. M. Rader, Proc. IEEE 56, 1107 (1968)):
    /// for X at gᵃ, the number at gᵇ has the root at gᵃ⁺ᵇ, so roots are read consecutively.
    static void run_any(LinePass<Real> const& pass, int side_by_side, SplitRows<Real const> const& from,
                        SplitRows<Real> const& to, Real* scratch) {
        Real const* twiddles = pass.twiddles;
        int const radix = pass.radix, half = radix / 2;
        for (int p = 0; p < pass.rest; ++p) {
            for (int q = 0; q < side_by_side; ++q) {
                auto const at = [&](int j) { return load(from, q + side_by_side * (p + pass.rest * j)); };
                auto const put = [&](Complex const& x, int k) {
                    bool const is_turned = p > 0 && k > 0;
                    Real const* const w = twiddles + 2 * (k - 1);
                    store(is_turned ? x.turned(B(w[0]), B(w[1])) : x, to, q + side_by_side * (radix * p + k));
                };
                Complex const first = at(0);
                Complex total = first;
                for (int n = 0; n < half; ++n) {
                    Complex const a = at(pass.powers[n]), b = at(radix - pass.powers[n]);
                    store_both(a + b, a - b, scratch + 4 * width * n);
                    total = total + (a + b);
                }
                put(total, 0);
                int n = 0;
                for (; n + together <= half; n += together) rotate<together>(scratch, pass, n, first, put);
                if constexpr (together > 2)
                    if (n + 2 <= half) rotate<2>(scratch, pass, n, first, put), n += 2;
                for (; n < half; ++n) rotate<1>(scratch, pass, n, first, put);
            }
            if (p > 0) twiddles += 2 * (radix - 1);
        }
    }

    /// Numbers of such a transform that are summed together, as registers allow.
    static constexpr int together = has_avx512<Arch> ? 4 : 2;
    /// Computes the numbers at powers n … n + count - 1 and their mirror images from the sums and differences at
    /// `from`.
    template <int count, class Put> [[gnu::always_inline]] static void rotate(Real const* from,
                                                                              LinePass<Real> const& pass, int n,
                                                                              Complex const& first, Put const& put) {
        Complex even[count], odd[count];
        unroll<count>([&](auto m) __attribute__((always_inline)) {
            even[m] = first;
            odd[m] = {B(Real(0)), B(Real(0))};
        });
        Real const* roots = pass.roots + 2 * n;
        for (int j = 0; j < pass.radix / 2; ++j, from += 4 * width, roots += 2) {
            Complex const sum{B::load_aligned(from), B::load_aligned(from + width)},
                difference{B::load_aligned(from + 2 * width), B::load_aligned(from + 3 * width)};
            unroll<count>([&](auto m) __attribute__((always_inline)) {
                B const cosine(roots[2 * m]), sine(roots[2 * m + 1]);
                even[m].re = multiply_add(cosine, sum.re, even[m].re);
                even[m].im = multiply_add(cosine, sum.im, even[m].im);
                odd[m].re = multiply_add(sine, difference.re, odd[m].re);
                odd[m].im = multiply_add(sine, difference.im, odd[m].im);
            });
        }
        unroll<count>([&](auto m) __attribute__((always_inline)) {
            int const k = pass.powers[n + m];
            put(even[m] + odd[m].turned(), k);
            put(even[m] - odd[m].turned(), pass.radix - k);
        });
    }

    [[gnu::always_inline]] static Complex load(SplitRows<Real const> const& rows, std::ptrdiff_t n) {
        return {B::load_aligned(rows.re + n * rows.step), B::load_aligned(rows.im + n * rows.step)};
    }
    [[gnu::always_inline]] static void store(Complex const& x, SplitRows<Real> const& rows, std::ptrdiff_t n) {
        x.re.store_aligned(rows.re + n * rows.step);
        x.im.store_aligned(rows.im + n * rows.step);
    }
    [[gnu::always_inline]] static void store_both(Complex const& a, Complex const& b, Real* to) {
        a.re.store_aligned(to);
        a.im.store_aligned(to + width);
        b.re.store_aligned(to + 2 * width);
        b.im.store_aligned(to + 3 * width);
    }

    template <int radix> [[gnu::always_inline]] static void transform(Complex (&x)[radix], Real const* roots) {
        if constexpr (radix == 2) {
            Complex const a = x[0], b = x[1];
            x[0] = a + b;
            x[1] = a - b;
        } else if constexpr (radix == 4) {
            Complex const a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = (x[1] - x[3]).turned();
            x[0] = a + c;
            x[1] = b + d;
            x[2] = a - c;
            x[3] = b - d;
        } else if constexpr (radix == 8) {
            Complex even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
            transform<4>(even, roots);
            transform<4>(odd, roots);
            B const root(Real(0.70710678118654752440));
            odd[1] = odd[1].turned(root, root);
            odd[2] = odd[2].turned();
            odd[3] = odd[3].turned(B(-root), root);
            unroll<4>([&](auto k) __attribute__((always_inline)) {
                x[k] = even[k] + odd[k];
                x[k + 4] = even[k] - odd[k];
            });
        } else if constexpr (radix % 2 == 1)
            transform_odd<radix>(x, roots);
    }
    /// Adds and subtracts mirror images: sums need the cosines alone, differences the sines.
    template <int radix> [[gnu::always_inline]] static void transform_odd(Complex (&x)[radix], Real const* roots) {
        constexpr int half = radix / 2;
        Complex sums[half + 1], differences[half + 1];
        Complex const first = x[0];
        unroll<half>([&](auto n) __attribute__((always_inline)) {
            constexpr int j = n + 1;
            sums[n] = x[j] + x[radix - j];
            differences[n] = x[j] - x[radix - j];
            x[0] = x[0] + sums[n];
        });
        unroll<half>([&](auto m) __attribute__((always_inline)) {
            constexpr int k = m + 1;
            Complex even = first, odd{B(Real(0)), B(Real(0))};
            unroll<half>([&](auto n) __attribute__((always_inline)) {
                constexpr int angle = k * (n + 1) % radix;
                B const cosine(roots[2 * angle]), sine(roots[2 * angle + 1]);
                even.re = multiply_add(cosine, sums[n].re, even.re);
                even.im = multiply_add(cosine, sums[n].im, even.im);
                odd.re = n == 0 ? B(sine * differences[n].re) : multiply_add(sine, differences[n].re, odd.re);
                odd.im = n == 0 ? B(sine * differences[n].im) : multiply_add(sine, differences[n].im, odd.im);
            });
            x[k] = even + odd.turned();
            x[radix - k] = even - odd.turned();
        });
    }
};

}  // namespace trotter::cpu
