// Correlation of a series with itself.
// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

namespace trotter::app {

/// Sum of x(n) x(n + lag) over n, for each lag from 0 to the last; by Fourier transforms.
std::vector<double> autocorrelation(std::span<double const> values);

}  // namespace trotter::app
