// Discrete Fourier transforms of any size, in one and three dimensions.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <complex>
#include <cstddef>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

namespace trotter::reference {

using Complex = std::complex<double>;

/// Complex product without std::complex's checks for infinity.
inline Complex times(Complex const& a, Complex const& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// X_k = Σ_j x_j exp(-2 pi i j k/size), or with + for the inverse, unnormalized. Sizes are factored into primes (J. W.
/// Cooley and J. W. Tukey, Math. Comput. 19, 297 (1965)); a size with a large prime is done as a convolution of
/// power-of-two size (L. I. Bluestein, IEEE Trans. Audio Electroacoust. 18, 451 (1970)).
class Fft {
public:
    explicit Fft(int size) : size_(static_cast<std::size_t>(size)), roots_(size_), scratch_(size_) {
        for (std::size_t k = 0; k < size_; ++k) roots_[k] = root(k, size_);
        std::size_t rest = size_;
        for (std::size_t p : {std::size_t{4}, std::size_t{2}})
            for (; rest % p == 0; rest /= p) factors_.push_back(p);
        for (std::size_t p = 3; rest > 1; p += 2)
            for (; rest % p == 0; rest /= p) factors_.push_back(p);
        if (!factors_.empty() && factors_.back() > largest_prime) prepare_convolution();
    }

    std::size_t size() const { return size_; }

    void forward(Complex* x) {
        if (convolution_) return convolve(x);
        transform(x, 1, scratch_.data(), size_, 0);
        for (std::size_t k = 0; k < size_; ++k) x[k] = scratch_[k];
    }
    void inverse(Complex* x) {
        for (std::size_t k = 0; k < size_; ++k) x[k] = std::conj(x[k]);
        forward(x);
        for (std::size_t k = 0; k < size_; ++k) x[k] = std::conj(x[k]);
    }

private:
    static constexpr std::size_t largest_prime = 50;

    static Complex root(std::size_t k, std::size_t n) {
        return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
    }

    // Transforms the n values in[0], in[stride], … to out: first those with equal index modulo p, then across.
    void transform(Complex const* in, std::size_t stride, Complex* out, std::size_t n, std::size_t level) {
        if (n == 1) {
            *out = *in;
            return;
        }
        std::size_t const p = factors_[level], m = n / p;
        for (std::size_t r = 0; r < p; ++r) transform(in + r * stride, stride * p, out + r * m, m, level + 1);
        for (std::size_t k = 0; k < m; ++k) butterfly(out + k, m, p, k * stride, stride * m);
    }

    // Transforms p values with stride m, after multiplying the r-th by the root with index `twiddle`·r.
    void butterfly(Complex* out, std::size_t m, std::size_t p, std::size_t twiddle, std::size_t unit) {
        std::array<Complex, largest_prime> t;
        for (std::size_t r = 0; r < p; ++r) t[r] = times(out[r * m], roots_[r * twiddle]);
        if (p == 2) {
            out[0] = t[0] + t[1];
            out[m] = t[0] - t[1];
        } else if (p == 4) {
            Complex const even = t[0] + t[2], odd = t[0] - t[2], sum = t[1] + t[3], difference = t[1] - t[3];
            Complex const turned{difference.imag(), -difference.real()};
            out[0] = even + sum;
            out[m] = odd + turned;
            out[2 * m] = even - sum;
            out[3 * m] = odd - turned;
        } else {
            for (std::size_t q = 0; q < p; ++q) {
                Complex sum = t[0];
                for (std::size_t r = 1; r < p; ++r) sum += times(t[r], roots_[q * r % p * unit]);
                out[q * m] = sum;
            }
        }
    }

    // jk = (j² + k² - (j-k)²)/2 makes the sum a convolution with the chirp exp(pi i k²/size).
    void prepare_convolution() {
        std::size_t length = 1;
        while (length < 2 * size_) length *= 2;
        convolution_ = std::make_unique<Fft>(static_cast<int>(length));
        chirp_.resize(size_);
        for (std::size_t k = 0; k < size_; ++k) chirp_[k] = root(k * k % (2 * size_), 2 * size_);
        filter_.assign(length, 0);
        for (std::size_t k = 0; k < size_; ++k) filter_[k] = filter_[(length - k) % length] = std::conj(chirp_[k]);
        convolution_->forward(filter_.data());
    }
    void convolve(Complex* x) {
        std::vector<Complex> padded(filter_.size());
        for (std::size_t k = 0; k < size_; ++k) padded[k] = times(x[k], chirp_[k]);
        convolution_->forward(padded.data());
        for (std::size_t k = 0; k < padded.size(); ++k) padded[k] = times(padded[k], filter_[k]);
        convolution_->inverse(padded.data());
        for (std::size_t k = 0; k < size_; ++k) x[k] = times(padded[k], chirp_[k]) / static_cast<double>(padded.size());
    }

    std::size_t size_;
    std::vector<std::size_t> factors_;
    std::vector<Complex> roots_, scratch_, chirp_, filter_;
    std::unique_ptr<Fft> convolution_;
};

/// Transforms along the three axes of a grid with element (x, y, z) at (x·ny + y)·nz + z.
class Fft3D {
public:
    Fft3D(int nx, int ny, int nz) : axes_{Fft(nx), Fft(ny), Fft(nz)} {}

    void forward(std::vector<Complex>& grid) {
        along_all(grid, [](Fft& fft, Complex* line) { fft.forward(line); });
    }
    void inverse(std::vector<Complex>& grid) {
        along_all(grid, [](Fft& fft, Complex* line) { fft.inverse(line); });
    }

private:
    template <class Transform> void along_all(std::vector<Complex>& grid, Transform const& transform) {
        std::size_t const ny = axes_[1].size(), nz = axes_[2].size();
        along(grid, axes_[2], 1, transform);
        along(grid, axes_[1], nz, transform);
        along(grid, axes_[0], ny * nz, transform);
    }
    template <class Transform>
    static void along(std::vector<Complex>& grid, Fft& fft, std::size_t stride, Transform const& transform) {
        std::vector<Complex> line(fft.size());
        for (std::size_t block = 0; block < grid.size(); block += stride * fft.size())
            for (std::size_t first = block; first < block + stride; ++first) {
                for (std::size_t k = 0; k < line.size(); ++k) line[k] = grid[first + k * stride];
                transform(fft, line.data());
                for (std::size_t k = 0; k < line.size(); ++k) grid[first + k * stride] = line[k];
            }
    }

    std::array<Fft, 3> axes_;
};

}  // namespace trotter::reference
