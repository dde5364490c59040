// Fourier transforms of lengths with large prime factors, as products with matrices.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include <trotter/cpu/clusters.hpp>
#include <trotter/cpu/loops.hpp>

namespace trotter::cpu {

/// Many lines of one length at once. Numbers of a line that mirror each other are added and subtracted: sums need the
/// cosines alone, differences the sines, X_k = Σ_j (x_j + x_-j) cos(2 pi j k/n) ± i Σ_j (x_j - x_-j) sin(2 pi j k/n),
/// with half of the j and k. For lengths of meshes, matrix products at the full speed of the processor are faster than
/// the algorithms for primes that take fewer operations. `Arch` chooses the loops.
template <class Arch, class Real> class DenseTransform {
public:
    using Complex = std::complex<Real>;

    /// Whether a length has a factor that fast transforms have no special code for.
    static bool suits(int n) {
        for (int factor : {2, 3, 5, 7, 11, 13})
            while (n % factor == 0) n /= factor;
        return n > 1;
    }

    explicit DenseTransform(int n) : n_(n), count_(n / 2 + 1), row_(padded(count_)) {
        cosines_.resize(size(count_, row_));
        sines_.resize(size(count_, row_));
        for (int j = 0; j < count_; ++j)
            for (int k = 0; k < count_; ++k) {
                double const angle = 2 * std::numbers::pi * static_cast<double>(std::int64_t{j} * k % n) / n;
                cosines_[size(j, row_) + static_cast<std::size_t>(k)] = static_cast<Real>(std::cos(angle));
                sines_[size(j, row_) + static_cast<std::size_t>(k)] =
                    2 * j == n || 2 * k == n ? Real(0) : static_cast<Real>(std::sin(angle));
            }
    }

    /// Complex lines across rows, `row` numbers from one to the next. `sign` is that of the exponent.
    void transform_lines(Complex const* in, Complex* out, int row, int sign) const {
        Real const* const x = reinterpret_cast<Real const*>(in);
        Real* const y = reinterpret_cast<Real*>(out);
        int const columns = 2 * row;
        Real const direction = static_cast<Real>(sign);
        Scratch sums(count_, columns), differences(count_, columns), even(count_, columns), odd(count_, columns);
        for (int j = 0; j < count_; ++j) {
            Real const *a = x + size(j, columns), *b = x + size(mirror(j), columns);
            if (mirror(j) == j)
                for (int c = 0; c < columns; ++c) sums.row(j)[c] = a[c];
            else
                for (int c = 0; c < columns; ++c) {
                    sums.row(j)[c] = a[c] + b[c];
                    differences.row(j)[c] = a[c] - b[c];
                }
        }
        multiply(cosines_.data(), row_, sums, even);
        multiply(sines_.data(), row_, differences, odd);
        for (int k = 0; k < count_; ++k) {
            Real *const a = y + size(k, columns), *const b = y + size(mirror(k), columns);
            Real const *const e = even.row(k), *const o = odd.row(k);
            for (int c = 0; c < columns; c += 2) {
                Real const re = -direction * o[c + 1], im = direction * o[c];
                b[c] = e[c] - re;
                b[c + 1] = e[c + 1] - im;
                a[c] = e[c] + re;
                a[c + 1] = e[c + 1] + im;
            }
        }
    }

    /// Real lines, one in each row, to the first half of their transforms.
    void forward_rows(Real const* in, int in_step, int rows, Complex* out, int out_step) const {
        Scratch sums(rows, row_), differences(rows, row_), even(rows, row_), odd(rows, row_);
        for (int y = 0; y < rows; ++y) {
            Real const* const x = in + size(y, in_step);
            for (int j = 0; j < count_; ++j) {
                bool const is_own = mirror(j) == j;
                sums.row(y)[j] = is_own ? x[j] : x[j] + x[n_ - j];
                differences.row(y)[j] = is_own ? Real(0) : x[j] - x[n_ - j];
            }
        }
        multiply(sums, cosines_.data(), even);
        multiply(differences, sines_.data(), odd);
        for (int y = 0; y < rows; ++y)
            for (int k = 0; k < count_; ++k) out[size(y, out_step) + size(k, 1)] = {even.row(y)[k], -odd.row(y)[k]};
    }
    /// And back, times the length.
    void backward_rows(Complex const* in, int in_step, int rows, Real* out, int out_step) const {
        Scratch real(rows, row_), imaginary(rows, row_), even(rows, row_), odd(rows, row_);
        for (int y = 0; y < rows; ++y)
            for (int k = 0; k < count_; ++k) {
                Complex const c = in[size(y, in_step) + size(k, 1)];
                Real const weight = mirror(k) == k ? Real(1) : Real(2);
                real.row(y)[k] = weight * c.real();
                imaginary.row(y)[k] = weight * c.imag();
            }
        multiply(real, cosines_.data(), even);
        multiply(imaginary, sines_.data(), odd);
        for (int y = 0; y < rows; ++y) {
            Real* const x = out + size(y, out_step);
            for (int j = 0; j < count_; ++j) {
                x[mirror(j)] = even.row(y)[j] + odd.row(y)[j];
                x[j] = even.row(y)[j] - odd.row(y)[j];
            }
        }
    }

private:
    struct Scratch {
        int rows, step;
        Aligned<Real> numbers;
        Scratch(int row_count, int row_step) : rows(row_count), step(row_step), numbers(size(row_count, row_step)) {}
        Real* row(int n) { return numbers.data() + size(n, step); }
    };
    static constexpr std::size_t size(int a, int b) {
        return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
    }
    /// Rows begin at multiples of 64 bytes.
    static int padded(int n) {
        int const line = 64 / static_cast<int>(sizeof(Real));
        return (n + line - 1) / line * line;
    }
    int mirror(int j) const { return j == 0 ? 0 : n_ - j; }

    void multiply(Real const* matrix, int step, Scratch& b, Scratch& c) const {
        Loops<Arch, Real>::multiply(
            {matrix, b.row(0), c.row(0), step, b.step, c.step, c.rows, b.rows, c.step});
    }
    void multiply(Scratch& a, Real const* matrix, Scratch& c) const {
        Loops<Arch, Real>::multiply({a.row(0), matrix, c.row(0), a.step, row_, c.step, c.rows, count_, c.step});
    }

    int n_, count_, row_;
    Aligned<Real> cosines_, sines_;  ///< of 2 pi j k/n; both matrices are symmetric
};

}  // namespace trotter::cpu
