// SPDX-License-Identifier: MIT
#include <trotter/app/report/plot.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "app/report/axis.hpp"

namespace trotter::app {
namespace {

// Of equal weight. References are orange, and dashed for those who do not see colors.
constexpr std::array colors{"#2f6690", "#7a5195", "#3a7d5d", "#8a6d1f"};
constexpr auto gray = "#6b7280", light = "#e5e7eb", ink = "#374151", reference_color = "#b45309";
constexpr double left = 82, right = 14, top = 46, bottom = 48;  // margins [px]

struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -low;

    void add(double value) {
        if (!std::isfinite(value)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    double length() const { return high - low; }
};

double bar_width(Curve const& bars) { return bars.x.size() > 1 ? bars.x[1] - bars.x[0] : 1; }

Axis x_axis(Plot const& plot) {
    Range range;
    for (auto const& curve : plot.curves)
        for (double const x : curve.x) range.add(x);
    for (double const x : plot.bars.x)
        for (double const side : {-0.5, 0.5}) range.add(x + side * bar_width(plot.bars));
    return {range.low, range.high, left, plot.width - right};
}

Axis y_axis(Plot const& plot) {
    Range range;
    for (auto const& curve : plot.curves)
        for (double const y : curve.y) range.add(y);
    for (double const y : plot.bars.y) range.add(y);
    bool const is_above_zero = range.low >= 0;
    double const margin = 0.06 * range.length();
    double low = range.low - margin;
    // A scale from 0 shows proportions, where the values do not lie in a narrow band.
    if (!plot.bars.x.empty() || (is_above_zero && range.low < 0.35 * range.high)) low = 0;
    return {low, range.high + margin, plot.height - bottom, top};
}

/// Appends the curve as a path. Of the points in one column of pixels only the first, the lowest, the highest and the last
/// are kept, in their order.
class PathWriter {
public:
    PathWriter(std::string& text, Axis const& x, Axis const& y) : text_(text), x_(x), y_(y) {}

    void add(double x, double y) {
        constexpr double farthest = 1e5;  // pixels; where no scale fits the values
        if (!(std::abs(x_(x)) < farthest) || !(std::abs(y_(y)) < farthest)) {
            flush();
            is_drawing_ = false;
            return;
        }
        Point const point{x_(x), y_(y), count_++};
        if (has_points_ && std::floor(point.x) != std::floor(column_[0].x)) flush();
        if (!has_points_) column_.fill(point);
        has_points_ = true;
        if (point.y < column_[1].y) column_[1] = point;
        if (point.y > column_[2].y) column_[2] = point;
        column_[3] = point;
    }

    void flush() {
        if (!has_points_) return;
        std::sort(column_.begin(), column_.end(), [](auto const& p, auto const& q) { return p.number < q.number; });
        for (std::size_t n = 0; n < column_.size(); ++n) {
            if (n > 0 && column_[n].number == column_[n - 1].number) continue;
            fmt::format_to(std::back_inserter(text_), "{}{:.1f} {:.1f}", is_drawing_ ? "L" : "M", column_[n].x, column_[n].y);
            is_drawing_ = true;
        }
        has_points_ = false;
    }

private:
    struct Point {
        double x, y;
        std::size_t number;
    };
    std::string& text_;
    Axis const &x_, &y_;
    std::array<Point, 4> column_{};  // the first, the lowest, the highest and the last one
    bool has_points_ = false;
    std::size_t count_ = 0;
    bool is_drawing_ = false;
};

class Drawing {
public:
    explicit Drawing(Plot const& plot) : plot_(plot), x_(x_axis(plot)), y_(y_axis(plot)) {}

    std::string text() {
        open();
        grid();
        bars();
        for (auto const& mark : plot_.marks) draw(mark);
        std::size_t number = 0;
        for (auto const& curve : plot_.curves) draw(curve, curve.is_reference ? reference_color : colors[number++ % colors.size()]);
        legend();
        return text_ += "</svg>\n";
    }

private:
    template <class... T> void add(fmt::format_string<T...> format, T&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<T>(values)...);
    }

    void label(double x, double y, std::string_view anchor, std::string_view color, std::string_view text, int size = 12,
               std::string_view more = "") {
        add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\" fill=\"{}\"{}>{}</text>\n", x, y, anchor, size,
            color, more, escaped(text));
    }

    void open() {
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" "
            "font-family=\"system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif\">\n<title>{2}</title>\n",
            plot_.width, plot_.height, escaped(plot_.title));
        if (!plot_.description.empty()) add("<desc>{}</desc>\n", escaped(plot_.description));
        add("<rect width=\"{:g}\" height=\"{:g}\" fill=\"#fff\"/>\n", plot_.width, plot_.height);
        label(left, 18, "start", "#111827", plot_.title, 14, " font-weight=\"600\"");
    }

    void grid() {
        double const lower = plot_.height - bottom, end = plot_.width - right;
        for (auto const& [value, text] : y_.ticks(5)) {
            add("<path d=\"M{:g} {:.1f}H{:g}\" stroke=\"{}\"/>\n", left, y_(value), end, light);
            label(left - 7, y_(value) + 4, "end", ink, text);
        }
        for (auto const& [value, text] : x_.ticks(5)) {
            add("<path d=\"M{:.1f} {:g}v4\" stroke=\"{}\"/>\n", x_(value), lower, gray);
            label(x_(value), lower + 18, "middle", ink, text);
        }
        add("<path d=\"M{:g} {:g}H{:g}\" stroke=\"{}\"/>\n", left, lower, end, gray);
        label((left + end) / 2, plot_.height - 8, "middle", ink, plot_.x_label);
        double const middle = (top + lower) / 2;
        label(13, middle, "middle", ink, plot_.y_label, 12, fmt::format(" transform=\"rotate(-90 13 {:.1f})\"", middle));
    }

    void bars() {
        double const half = bar_width(plot_.bars) / 2;
        for (std::size_t n = 0; n < plot_.bars.x.size(); ++n) {
            if (!std::isfinite(plot_.bars.y[n])) continue;
            double const begin = x_(plot_.bars.x[n] - half), end = x_(plot_.bars.x[n] + half), upper = y_(plot_.bars.y[n]);
            add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#a9c3d6\"/>\n", begin + 0.5, upper,
                std::max(end - begin - 1, 0.5), std::max(y_(0) - upper, 0.));
        }
    }

    void draw(PlotMark const& mark) {
        if (!(x_.low() <= mark.x && mark.x <= x_.high())) return;
        add("<path d=\"M{:.1f} {:g}V{:g}\" stroke=\"#9ca3af\" stroke-dasharray=\"2 3\"/>\n", x_(mark.x), top,
            plot_.height - bottom);
        label(x_(mark.x) + 1, top - 7, "start", gray, mark.name);
    }

    void draw(Curve const& curve, std::string_view color) {
        std::string path;
        PathWriter writer(path, x_, y_);
        for (std::size_t n = 0; n < std::min(curve.x.size(), curve.y.size()); ++n) writer.add(curve.x[n], curve.y[n]);
        writer.flush();
        if (path.empty()) return;
        add("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\"{}/>\n",
            path, color, curve.is_reference ? " stroke-dasharray=\"5 4\"" : "");
    }

    void legend() {
        double end = plot_.width - right;
        std::size_t number = 0;
        for (auto const& curve : plot_.curves) {
            std::string_view const color = curve.is_reference ? reference_color : colors[number++ % colors.size()];
            if (curve.name.empty()) continue;
            label(end, 18, "end", color, curve.name);
            end -= 7.2 * static_cast<double>(curve.name.size()) + 14;
        }
    }

    Plot const& plot_;
    Axis x_, y_;
    std::string text_;
};

}  // namespace

std::string to_svg(Plot const& plot) { return Drawing(plot).text(); }

}  // namespace trotter::app
