// A quantity that changes in time, linearly between given points.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace trotter::app {

/// A value at a time.
struct RampPoint {
    double time = 0;   ///< since the beginning of a stage [ps]
    double value = 0;  ///< of the quantity, in its unit

    friend bool operator==(RampPoint const&, RampPoint const&) = default;  ///< compares all members
};

/// A piecewise linear function of time; constant before its first and behind its last point.
struct Ramp {
    std::vector<RampPoint> points;  ///< at least one, at increasing times

    Ramp() = default;
    /// A constant.
    Ramp(double value) : points{{0, value}} {}
    /// Throws InputError unless there is a point, all numbers are finite, and times begin at 0 or later and increase.
    explicit Ramp(std::vector<RampPoint> given);

    double at(double time) const;  ///< value at a time [ps]
    double first() const { return points.front().value; }  ///< value at the beginning
    double last() const { return points.back().value; }    ///< value at the end
    bool is_constant() const;  ///< whether all values are the same
    double smallest() const;  ///< least of all values

    /// `0:10,50:300` is 10 at the beginning and 300 from 50 ps on; digits as needed to read the same bits.
    std::string text() const;
    /// Reads such a text, or a single number. Throws InputError.
    static Ramp parse(std::string_view text);

    friend bool operator==(Ramp const&, Ramp const&) = default;  ///< compares all members
};

}  // namespace trotter::app
