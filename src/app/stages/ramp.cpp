// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <trotter/app/stages/ramp.hpp>
#include <trotter/base/printable.hpp>
#include <trotter/error.hpp>
#include <trotter/io/number_text.hpp>

namespace trotter::app {

Ramp::Ramp(std::vector<RampPoint> given) : points(std::move(given)) {
    if (points.empty()) throw InputError("a ramp has no point, expected a time [ps] and a value at least");
    double earlier = -1;
    for (std::size_t n = 0; n < points.size(); ++n) {
        auto const& [time, value] = points[n];
        if (!std::isfinite(value) || !std::isfinite(time) || time < 0 || time <= earlier)
            throw InputError("point " + std::to_string(n) + " of a ramp is " + format_number(value) + " at "
                             + format_number(time)
                             + " ps, expected finite numbers at times that begin at 0 or later and increase");
        earlier = time;
    }
}

double Ramp::at(double time) const {
    auto const next = std::find_if(points.begin(), points.end(), [&](auto const& point) { return point.time > time; });
    if (next == points.begin()) return first();
    if (next == points.end()) return last();
    auto const& before = *(next - 1);
    double const part = (time - before.time) / (next->time - before.time);
    return before.value + part * (next->value - before.value);
}

bool Ramp::is_constant() const {
    return std::all_of(points.begin(), points.end(), [&](auto const& point) { return point.value == first(); });
}

double Ramp::smallest() const {
    return std::min_element(points.begin(), points.end(), [](auto const& a, auto const& b) {
               return a.value < b.value;
           })->value;
}

std::string Ramp::text() const {
    if (points.size() == 1 && points.front().time == 0) return format_number(first());
    std::string text;
    for (auto const& [time, value] : points)
        text += (text.empty() ? "" : ",") + format_number(time) + ':' + format_number(value);
    return text;
}

Ramp Ramp::parse(std::string_view text) {
    if (auto const value = parse_number(text)) return *value;
    std::vector<RampPoint> points;
    for (auto rest = text;; rest.remove_prefix(rest.find(',') + 1)) {
        auto const item = rest.substr(0, rest.find(','));
        auto const middle = item.find(':');
        auto const time = middle == item.npos ? std::nullopt : parse_number(item.substr(0, middle));
        auto const value = middle == item.npos ? std::nullopt : parse_number(item.substr(middle + 1));
        if (!time || !value)
            throw InputError(in_quotes(text, 200)
                             + " is no ramp, expected a number, or times [ps] with values such as 0:10,50:300");
        points.push_back({*time, *value});
        if (rest.find(',') == rest.npos) break;
    }
    return Ramp(std::move(points));
}

}  // namespace trotter::app
