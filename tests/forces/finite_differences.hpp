// Forces by finite differences of energies, and positions where energies are smooth enough.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <random>

#include "evaluation.hpp"

namespace trotter {

inline constexpr double h = 1e-4;  // [nm]

/// (8 (E(h) - E(-h)) - (E(2h) - E(-2h)))/(12 h), fourth order.
template <class ContextType> Vectors numerical_forces(ContextType& context, Vectors const& positions) {
    Vectors result(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            auto energy = [&](double shift) {
                auto moved = positions;
                moved[i][axis] += shift;
                context.set_positions(moved);
                return context.evaluate({});
            };
            result[i][axis] = -(8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
        }
    return result;
}

/// The largest error of the particles' forces, each along one random direction, with a third of the energy evaluations
/// of
/// numerical_forces(): for Systems with expensive energies.
template <class ContextType>
double gradient_error(ContextType& context, Vectors const& positions, Vectors const& forces) {
    std::mt19937 generator(7);
    auto uniform = [&] { return static_cast<double>(generator()) / 0x1p31 - 1; };
    double largest = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        Vec3<> const drawn{uniform(), uniform(), uniform()}, direction = drawn * (1 / norm(drawn));
        auto energy = [&](double shift) {
            auto moved = positions;
            moved[i] += direction * shift;
            context.set_positions(moved);
            return context.evaluate({});
        };
        double const expected = -(8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
        largest = worst_of(largest, std::abs(dot(forces[i], direction) - expected));
    }
    return largest;
}

/// Whether no pair crosses the cutoff while particles are moved.
inline bool no_pair_at(double cutoff, Vectors const& positions, Box const& box) {
    for (std::size_t i = 0; i < positions.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (std::abs(norm(box.minimum_image(positions[i] - positions[j])) - cutoff) < 6 * h
                || std::abs(norm(positions[i] - positions[j]) - cutoff) < 6 * h)
                return false;
    return true;
}

}  // namespace trotter
