// Plots as SVG: curves, histograms, and marks.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace trotter::app {

/// Points that are joined by lines; where a coordinate is not finite there is a gap.
struct Curve {
    std::string name{};        ///< in the legend; none if it is empty
    std::vector<double> x{};   ///< coordinates to the right
    std::vector<double> y{};   ///< coordinates upward, as many
    bool is_reference = false;  ///< dashed and in a color of its own: what the others are compared with
};

/// A vertical line with a name.
struct PlotMark {
    double x = 0;      ///< where it is
    std::string name;  ///< written above its upper end
};

/// A diagram.
struct Plot {
    std::string title{};        ///< above, and read by screen readers
    std::string description{};  ///< for screen readers: what is seen
    std::string x_label{};      ///< with unit
    std::string y_label{};      ///< with unit
    std::vector<Curve> curves{};    ///< in the order in which they are drawn
    Curve bars{};                   ///< middles and heights of bars of equal width, from 0 up; may be empty
    std::vector<PlotMark> marks{};  ///< vertical lines
    double width = 448;             ///< [px]
    double height = 268;            ///< [px]
};

/// An SVG element that needs nothing else; of at most some 1000 points for each curve, which show its extremes. Text is
/// 12 px and larger.
std::string to_svg(Plot const& plot);

/// The text with `&`, `<`, `>` and quotation marks as entities; characters that XML cannot hold become U+FFFD.
std::string escaped(std::string_view text);

/// A number of about four digits, for readers: `12.35`, `1.2e+06`, or `–` if it is not finite.
std::string short_number(double value);

}  // namespace trotter::app
