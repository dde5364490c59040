// Generates kernel source that transforms lines of complex numbers in local memory.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>


namespace trotter::device {

/// Radices of a transform of n numbers: primes first, then powers of two, at most eight. Primes above `largest_codelet`
/// are summed without registers.
inline constexpr int largest_codelet = 13;
std::vector<int> fft_stages(int n);

/// Lines in local memory: number k of a line is at line*line_step + k*step.
struct FftLines {
    int size, count, line_step, step;
};

/// A function `name(first, second, roots)` that transforms lines stored in `first`; `fft_result` is the output buffer.
std::string fft_function(std::string const& name, FftLines const& lines, std::string const& suffix);
inline std::string fft_result(int size, std::string const& first, std::string const& second) {
    return fft_stages(size).size() % 2 == 0 ? first : second;
}

/// Appends exp(-2 pi i k/size) for k = 0 … size-1, alternating real and imaginary parts.
void append_roots(std::vector<double>& roots, int size);

}  // namespace trotter::device
