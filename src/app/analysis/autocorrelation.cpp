// SPDX-License-Identifier: MIT
#include "app/analysis/autocorrelation.hpp"

#include <complex>

// Renames Eigen's namespace: see superposition.cpp.
#define Eigen trotter_eigen
#include <unsupported/Eigen/FFT>

namespace trotter::app {

std::vector<double> autocorrelation(std::span<double const> values) {
    std::size_t length = 1;
    while (length < 2 * values.size()) length *= 2;  // zeros keep the ends apart
    std::vector<std::complex<double>> series(values.begin(), values.end()), waves;
    series.resize(length);
    Eigen::FFT<double> transform;
    transform.fwd(waves, series);
    for (auto& wave : waves) wave = std::norm(wave);
    transform.inv(series, waves);
    std::vector<double> result;
    for (std::size_t lag = 0; lag < values.size(); ++lag) result.push_back(series[lag].real());
    return result;
}

}  // namespace trotter::app
