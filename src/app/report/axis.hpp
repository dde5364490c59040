// An axis of a plot: its range, and numbers that are easy to read.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace trotter::app {

/// A linear scale from values to pixels.
class Axis {
public:
    /// Pixels of the least and the largest value; the range becomes a bit wider if it is empty or not finite.
    Axis(double low, double high, double first_pixel, double last_pixel);

    /// Pixel of a value.
    double operator()(double value) const { return first_ + (value - low_) * (last_ - first_) / (high_ - low_); }

    /// A value and its text.
    struct Tick {
        double value;
        std::string text;
    };
    /// About so many round values within the range: multiples of 1, 2 or 5 times a power of ten.
    std::vector<Tick> ticks(int about) const;

    double low() const { return low_; }
    double high() const { return high_; }

private:
    double low_, high_, first_, last_;
};

}  // namespace trotter::app
