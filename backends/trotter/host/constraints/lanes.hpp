// A few numbers that processors calculate with at once: clusters of one kind are solved side by side.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <trotter/vec3.hpp>

namespace trotter {

/// Four numbers in two vectors. Every 64-bit processor has vectors of two doubles, so this needs no code for each
/// instruction set; two of them hide the latency of divisions and roots.
class Lanes {
public:
    static constexpr std::size_t count = 4;

    Lanes() = default;
    Lanes(double value) : low_{value, value}, high_{value, value} {}
    Lanes(double a, double b, double c, double d) : low_{a, b}, high_{c, d} {}

    double operator[](std::size_t lane) const { return lane < 2 ? low_[lane] : high_[lane - 2]; }
    void set(std::size_t lane, double value) {
        if (lane < 2)
            low_[lane] = value;
        else
            high_[lane - 2] = value;
    }

    friend Lanes operator+(Lanes const& a, Lanes const& b) { return {a.low_ + b.low_, a.high_ + b.high_}; }
    friend Lanes operator-(Lanes const& a, Lanes const& b) { return {a.low_ - b.low_, a.high_ - b.high_}; }
    friend Lanes operator*(Lanes const& a, Lanes const& b) { return {a.low_ * b.low_, a.high_ * b.high_}; }
    friend Lanes operator/(Lanes const& a, Lanes const& b) { return {a.low_ / b.low_, a.high_ / b.high_}; }
    friend Lanes operator-(Lanes const& a) { return {-a.low_, -a.high_}; }
    Lanes& operator+=(Lanes const& b) { return *this = *this + b; }
    Lanes& operator-=(Lanes const& b) { return *this = *this - b; }
    Lanes& operator*=(Lanes const& b) { return *this = *this * b; }

    friend Lanes sqrt(Lanes const& a) {
        return {std::sqrt(a.low_[0]), std::sqrt(a.low_[1]), std::sqrt(a.high_[0]), std::sqrt(a.high_[1])};
    }

private:
    using Two [[gnu::vector_size(2 * sizeof(double))]] = double;
    Lanes(Two low, Two high) : low_(low), high_(high) {}

    Two low_{}, high_{};
};

/// One particle for each lane.
using LaneParticles = std::array<std::size_t, Lanes::count>;

inline Vec3<Lanes> gather(std::vector<Vec3<>> const& from, LaneParticles const& particles) {
    Vec3<> const &a = from[particles[0]], &b = from[particles[1]], &c = from[particles[2]], &d = from[particles[3]];
    return {{a.x, b.x, c.x, d.x}, {a.y, b.y, c.y, d.y}, {a.z, b.z, c.z, d.z}};
}

inline void scatter(Vec3<Lanes> const& values, std::vector<Vec3<>>& to, LaneParticles const& particles) {
    for (std::size_t lane = 0; lane < Lanes::count; ++lane)
        to[particles[lane]] = {values.x[lane], values.y[lane], values.z[lane]};
}

}  // namespace trotter
