// Passes of Fourier transforms.
// SPDX-License-Identifier: MIT
#include "line_transform.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <trotter/common/simd/unroll.hpp>

namespace trotter::amoeba {
namespace {

constexpr std::size_t largest_radix = 128;

ComplexPack operator+(ComplexPack const& a, ComplexPack const& b) { return {a.re + b.re, a.im + b.im}; }
ComplexPack operator-(ComplexPack const& a, ComplexPack const& b) { return {a.re - b.re, a.im - b.im}; }
/// Times -i.
ComplexPack turned(ComplexPack const& a) { return {a.im, -a.re}; }
/// Times exp(-i angle).
ComplexPack turned(ComplexPack const& a, double const* w) {
    return {a.re * w[0] + a.im * w[1], a.im * w[0] - a.re * w[1]};
}

void transform_two(ComplexPack* x) {
    auto const sum = x[0] + x[1];
    x[1] = x[0] - x[1];
    x[0] = sum;
}
void transform_four(ComplexPack* x) {
    auto const even = x[0] + x[2], odd = x[0] - x[2], sum = x[1] + x[3], difference = turned(x[1] - x[3]);
    x[0] = even + sum;
    x[1] = odd + difference;
    x[2] = even - sum;
    x[3] = odd - difference;
}
/// Sums and differences of x_j and x_{radix-j}, which share products with cosines and sines.
struct Folded {
    std::array<ComplexPack, largest_radix / 2> sums, differences;
};

/// X_k and X_{radix-k} for `count` successive k, whose sums do not wait for each other.
template <int count> void transform_folded(Folded const& folded, ComplexPack* x, ComplexPack const& first,
                                           std::size_t radix, std::size_t k, double const* roots) {
    std::size_t const half = radix / 2;
    ComplexPack even[count], odd[count]{};
    for (auto& sum : even) sum = first;
    for (std::size_t j = 0; j < half; ++j) {
        ComplexPack const sum = folded.sums[j], difference = folded.differences[j];
        unroll<count>([&](auto n) __attribute__((always_inline)) {
            double const* const w = roots + 2 * (n * half + j);
            even[n].re += sum.re * w[0], even[n].im += sum.im * w[0];
            odd[n].re += difference.re * w[1], odd[n].im += difference.im * w[1];
        });
    }
    unroll<count>([&](auto n) __attribute__((always_inline)) {
        x[k + n] = even[n] + turned(odd[n]);
        x[radix - k - n] = even[n] - turned(odd[n]);
    });
}
void transform_odd(ComplexPack* x, std::size_t radix, double const* roots) {
    std::size_t const half = radix / 2;
    Folded folded;
    ComplexPack const first = x[0];
    for (std::size_t j = 1; j <= half; ++j) {
        folded.sums[j - 1] = x[j] + x[radix - j];
        folded.differences[j - 1] = x[j] - x[radix - j];
        x[0] = x[0] + folded.sums[j - 1];
    }
    std::size_t k = 1;
    for (; k + 1 <= half; k += 2) transform_folded<2>(folded, x, first, radix, k, roots + 2 * (k - 1) * half);
    if (k <= half) transform_folded<1>(folded, x, first, radix, k, roots + 2 * (k - 1) * half);
}

}  // namespace

LineTransform::LineTransform(int size) : size_(static_cast<std::size_t>(size)) {
    std::vector<std::size_t> factors;
    std::size_t rest = size_;
    for (std::size_t p : {std::size_t{4}, std::size_t{2}})
        for (; rest % p == 0; rest /= p) factors.push_back(p);
    for (std::size_t p = 3; rest > 1; p += 2)
        for (; rest % p == 0; rest /= p) factors.push_back(p);
    if (!factors.empty() && factors.back() >= largest_radix) {
        large_prime_ = size;
        return;
    }
    std::size_t side_by_side = 1;
    rest = size_;
    for (std::size_t const radix : factors) {
        rest /= radix;
        passes_.push_back(pass_of(radix, rest, side_by_side));
        side_by_side *= radix;
    }
}

LineTransform::Pass LineTransform::pass_of(std::size_t radix, std::size_t rest, std::size_t side_by_side) {
    Pass pass{radix, rest, side_by_side, {}, {}};
    auto add = [](std::vector<double>& table, std::size_t numerator, std::size_t denominator) {
        double const angle =
            2 * std::numbers::pi * static_cast<double>(numerator % denominator) / static_cast<double>(denominator);
        table.push_back(std::cos(angle));
        table.push_back(std::sin(angle));
    };
    for (std::size_t p = 0; p < rest; ++p)
        for (std::size_t k = 1; k < radix; ++k) add(pass.twiddles, p * k, radix * rest);
    for (std::size_t k = 1; k <= radix / 2; ++k)
        for (std::size_t j = 1; j <= radix / 2; ++j) add(pass.roots, j * k, radix);
    return pass;
}

void LineTransform::run_pass(Pass const& pass, ComplexPack const* in, ComplexPack* out) {
    std::size_t const radix = pass.radix, rest = pass.rest, beside = pass.side_by_side;
    std::array<ComplexPack, largest_radix> x;
    for (std::size_t p = 0; p < rest; ++p)
        for (std::size_t q = 0; q < beside; ++q) {
            for (std::size_t j = 0; j < radix; ++j) x[j] = in[q + beside * (p + rest * j)];
            if (radix == 2)
                transform_two(x.data());
            else if (radix == 4)
                transform_four(x.data());
            else
                transform_odd(x.data(), radix, pass.roots.data());
            double const* w = pass.twiddles.data() + 2 * p * (radix - 1);
            out[q + beside * radix * p] = x[0];
            for (std::size_t k = 1; k < radix; ++k, w += 2)
                out[q + beside * (radix * p + k)] = p == 0 ? x[k] : turned(x[k], w);
        }
}

ComplexPack* LineTransform::run_each(ComplexPack* line) const {
    reference::Fft fft(*large_prime_);
    std::vector<reference::Complex> one(size_);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        for (std::size_t n = 0; n < size_; ++n) one[n] = {line[n].re[lane], line[n].im[lane]};
        fft.forward(one.data());
        for (std::size_t n = 0; n < size_; ++n) line[n].re[lane] = one[n].real(), line[n].im[lane] = one[n].imag();
    }
    return line;
}

ComplexPack* LineTransform::run(ComplexPack* line, ComplexPack* scratch) const {
    if (large_prime_) return run_each(line);
    for (auto const& pass : passes_) {
        run_pass(pass, line, scratch);
        std::swap(line, scratch);
    }
    return line;
}

}  // namespace trotter::amoeba
