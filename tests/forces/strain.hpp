// Virials by finite differences of energies of strained Systems.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>

#include "../catch_compat.hpp"

#include "finite_differences.hpp"

namespace trotter {

inline Vec3<> strained(Vec3<> v, std::size_t row, std::size_t column, double strain) {
    double const other = v[column];
    v[row] += strain * other;
    return v;
}

/// -(8 (E(h) - E(-h)) - (E(2h) - E(-2h)))/(12 h) for one element of the strain, with virtual sites recomputed. A
/// strain of a row above its column keeps the reduced form of a box.
template <class ContextType>
double numerical_virial(ContextType& context, Vectors const& positions, std::size_t row, std::size_t column) {
    Box const box = context.box();
    auto const energy = [&](double strain) {
        auto moved = positions;
        for (auto& x : moved) x = strained(x, row, column, strain);
        context.set_positions(moved);
        if (row <= column)
            context.set_box({strained(box.a, row, column, strain), strained(box.b, row, column, strain),
                             strained(box.c, row, column, strain)});
        context.compute_virtual_sites();
        return context.evaluate({});
    };
    double const slope = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
    context.set_box(box);
    context.set_positions(positions);
    context.compute_virtual_sites();
    return -slope;
}

/// Whether an energy is invariant under rotation, so that its virial is symmetric, or depends only on positions,
/// so that all its elements can be found by straining these.
enum class Invariance { rotation, none };

inline Tensor virial(AnyContext& context) { return context.virial(); }

/// Checks every element of the virial against Reference's energies, within 1e-6 of the largest: the rounding of
/// energies some hundred times as large in differences over 1e-4, and their fourth order.
template <class ContextType> void check_virial(ContextType& context, Vectors const& positions,
                                               Invariance invariance = Invariance::rotation, double tolerance = 1e-6) {
    Tensor const found = virial(context);
    double largest = 0;
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column) largest = std::max(largest, std::abs(found[row][column]));
    CHECK(largest > 1e-3);
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column) {
            CAPTURE(row, column, largest);
            bool const is_mirrored = row > column && invariance == Invariance::rotation;
            double const expected =
                is_mirrored ? found[column][row] : numerical_virial(context, positions, row, column);
            CHECK(std::abs(found[row][column] - expected) < tolerance * largest);
        }
}
template <Force F> void check_virial(F const& force, Vectors const& positions, Box const& box,
                                     Invariance invariance = Invariance::rotation, double tolerance = 1e-6) {
    INFO(F::name);
    auto context = context_of(reference_platform, system_of(force, positions.size(), box), positions);
    check_virial(context, positions, invariance, tolerance);
}

/// Positions of which no pair comes near the cutoff when strained.
inline Vectors off_cutoff(std::size_t count, double cutoff, Box const& box, double apart = 0.27) {
    for (unsigned seed = 1;; ++seed)
        if (auto positions = scattered(count, box, apart, seed); no_pair_at(cutoff, positions, box)) return positions;
}

}  // namespace trotter
