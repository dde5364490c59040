// SPDX-License-Identifier: MIT
#include "app/report/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace trotter::app {

Axis::Axis(double low, double high, double first_pixel, double last_pixel)
    : low_(low), high_(high), first_(first_pixel), last_(last_pixel) {
    if (!(low_ <= high_) || !std::isfinite(high_ - low_)) low_ = 0, high_ = 1;
    // Below, the digits of a double no longer tell values apart.
    double const narrowest = std::max(1e-9 * std::max(std::abs(low_), std::abs(high_)), 1e-300);
    if (high_ - low_ < narrowest) {
        double const margin = low_ == 0 ? 0.5 : 0.01 * std::abs(low_);
        low_ -= margin;
        high_ += margin;
    }
}

std::vector<Axis::Tick> Axis::ticks(int about) const {
    double const rough = (high_ - low_) / about, power = std::pow(10, std::floor(std::log10(rough)));
    double const step = (rough <= power ? 1 : rough <= 2 * power ? 2 : rough <= 5 * power ? 5 : 10) * power;
    int const decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
    bool const is_plain = std::max(std::abs(low_), std::abs(high_)) < 1e7 && step >= 1e-5;
    std::vector<Tick> result;
    for (double n = std::ceil(low_ / step - 1e-9); n * step <= high_ + 1e-9 * step && result.size() < 50; ++n) {
        double const value = n == 0 ? 0 : n * step;
        auto text = is_plain ? fmt::format("{:.{}f}", value, decimals) : fmt::format("{:.4g}", value);
        if (text.starts_with('-')) text.replace(0, 1, "−");
        result.push_back({value, std::move(text)});
    }
    return result;
}

}  // namespace trotter::app
