// Fourier transforms of complex lines side by side.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include <trotter/reference/mesh/fft.hpp>

namespace trotter::amoeba {

/// The same element of two lines: as many as a register holds without further instruction sets.
inline constexpr std::size_t lanes = 2;
using Pack [[gnu::vector_size(lanes * sizeof(double))]] = double;
/// Real and imaginary parts.
struct ComplexPack {
    Pack re, im;
};

/// X_k = Σ_j x_j exp(-2 pi i j k/size), unnormalized, in the passes of T. G. Stockham (Proc. AFIPS 28, 229 (1966)), one
/// for each prime factor; a size with a large prime is left to the Reference backend's transform. Exchanging real and
/// imaginary parts before and after changes the sign of the exponent.
class LineTransform {
public:
    explicit LineTransform(int size);

    std::size_t size() const { return size_; }
    /// Transforms `line`, with `scratch` of the same size; returns which of the two has the result.
    ComplexPack* run(ComplexPack* line, ComplexPack* scratch) const;

private:
    struct Pass {
        std::size_t radix, rest, side_by_side;
        std::vector<double> twiddles;  // cosine and sine of 2 pi p k/(radix rest), for p below rest and k from 1 on
        std::vector<double> roots;     // of 2 pi j k/radix, for j and k from 1 to half of the radix
    };
    static Pass pass_of(std::size_t radix, std::size_t rest, std::size_t side_by_side);
    static void run_pass(Pass const& pass, ComplexPack const* in, ComplexPack* out);
    ComplexPack* run_each(ComplexPack* line) const;

    std::size_t size_;
    std::vector<Pass> passes_;
    std::optional<int> large_prime_;  // size for the other transform
};

}  // namespace trotter::amoeba
