// Vector type for formulas: three components that evaluators treat as one number.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <trotter/vec3.hpp>

namespace trotter::custom_integrator {

/// Arithmetic and functions act on each component.
struct Triple {
    using value_type = double;
    double x = 0, y = 0, z = 0;

    Triple() = default;
    explicit Triple(double all) : x(all), y(all), z(all) {}
    Triple(double a, double b, double c) : x(a), y(b), z(c) {}
    explicit Triple(Vec3<> const& v) : x(v.x), y(v.y), z(v.z) {}

    template <class F> static Triple each(Triple const& a, F const& f) { return {f(a.x), f(a.y), f(a.z)}; }
    template <class F> static Triple each(Triple const& a, Triple const& b, F const& f) {
        return {f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)};
    }

    friend Triple operator+(Triple const& a, Triple const& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Triple operator-(Triple const& a, Triple const& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Triple operator*(Triple const& a, Triple const& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
    friend Triple operator/(Triple const& a, Triple const& b) { return {a.x / b.x, a.y / b.y, a.z / b.z}; }
    friend Triple operator-(Triple const& a) { return {-a.x, -a.y, -a.z}; }

    struct Mask {
        bool x, y, z;
    };
    friend Mask operator<(Triple const& a, Triple const& b) { return {a.x < b.x, a.y < b.y, a.z < b.z}; }
    friend Mask operator<=(Triple const& a, Triple const& b) { return {a.x <= b.x, a.y <= b.y, a.z <= b.z}; }
    friend Mask operator==(Triple const& a, Triple const& b) { return {a.x == b.x, a.y == b.y, a.z == b.z}; }
    friend Triple select(Mask const& mask, Triple const& a, Triple const& b) {
        return {mask.x ? a.x : b.x, mask.y ? a.y : b.y, mask.z ? a.z : b.z};
    }

    friend Triple sqrt(Triple const& a) { return each(a, [](double v) { return std::sqrt(v); }); }
    friend Triple exp(Triple const& a) { return each(a, [](double v) { return std::exp(v); }); }
    friend Triple log(Triple const& a) { return each(a, [](double v) { return std::log(v); }); }
    friend Triple sin(Triple const& a) { return each(a, [](double v) { return std::sin(v); }); }
    friend Triple cos(Triple const& a) { return each(a, [](double v) { return std::cos(v); }); }
    friend Triple tan(Triple const& a) { return each(a, [](double v) { return std::tan(v); }); }
    friend Triple asin(Triple const& a) { return each(a, [](double v) { return std::asin(v); }); }
    friend Triple acos(Triple const& a) { return each(a, [](double v) { return std::acos(v); }); }
    friend Triple atan(Triple const& a) { return each(a, [](double v) { return std::atan(v); }); }
    friend Triple sinh(Triple const& a) { return each(a, [](double v) { return std::sinh(v); }); }
    friend Triple cosh(Triple const& a) { return each(a, [](double v) { return std::cosh(v); }); }
    friend Triple tanh(Triple const& a) { return each(a, [](double v) { return std::tanh(v); }); }
    friend Triple erf(Triple const& a) { return each(a, [](double v) { return std::erf(v); }); }
    friend Triple erfc(Triple const& a) { return each(a, [](double v) { return std::erfc(v); }); }
    friend Triple abs(Triple const& a) { return each(a, [](double v) { return std::abs(v); }); }
    friend Triple floor(Triple const& a) { return each(a, [](double v) { return std::floor(v); }); }
    friend Triple ceil(Triple const& a) { return each(a, [](double v) { return std::ceil(v); }); }
    friend Triple pow(Triple const& a, Triple const& b) {
        return each(a, b, [](double v, double w) { return std::pow(v, w); });
    }
    friend Triple atan2(Triple const& a, Triple const& b) {
        return each(a, b, [](double v, double w) { return std::atan2(v, w); });
    }
};

}  // namespace trotter::custom_integrator
