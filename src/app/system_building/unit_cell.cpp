// SPDX-License-Identifier: MIT
#include "unit_cell.hpp"

#include <cmath>
#include <numbers>

namespace trotter::app {

Box reduced_box(Box box) {
    // Halves go to the even neighbor, so that a dodecahedron keeps its half edges.
    box.c -= box.b * std::nearbyint(box.c.y / box.b.y);
    box.c -= box.a * std::nearbyint(box.c.x / box.a.x);
    box.b -= box.a * std::nearbyint(box.b.x / box.a.x);
    return box;
}

Box box_of_cell(double a, double b, double c, double alpha, double beta, double gamma) {
    constexpr double degree = std::numbers::pi / 180;
    alpha *= degree, beta *= degree, gamma *= degree;
    auto const cleaned = [](double v) { return std::abs(v) < 1e-6 ? 0 : v; };
    double const x = c * std::cos(beta), y = c * (std::cos(alpha) - std::cos(beta) * std::cos(gamma)) / std::sin(gamma);
    return reduced_box({{cleaned(a), 0, 0},
                        {cleaned(b * std::cos(gamma)), cleaned(b * std::sin(gamma)), 0},
                        {cleaned(x), cleaned(y), cleaned(std::sqrt(c * c - x * x - y * y))}});
}

}  // namespace trotter::app
