// Interpolates continuous tabulated functions, for any arithmetic type.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <trotter/expression/evaluate.hpp>

namespace trotter {

/// A view of a table: see TableShape and Tables.
struct TableView {
    bool is_discrete, periodic;  ///< as in TabulatedFunction
    int arguments;  ///< 1 to 3
    int sizes[3];  ///< values along each argument
    double const* numbers;  ///< as in Tables
};

/// Hermite polynomials for value and slope at the left, then at the right knot, and their derivatives.
template <class T> struct Hermite {
    T value[4], slope[4];  ///< of the polynomials at t

    /// At t from 0 to 1.
    [[gnu::always_inline]] explicit Hermite(T const& t) {
        T const one = expression::constant<T>(1), two = expression::constant<T>(2), six = expression::constant<T>(6);
        T const u = one - t;
        value[0] = (one + two * t) * u * u, value[1] = t * u * u;
        value[2] = t * t * (one + two * u), value[3] = -t * t * u;
        slope[0] = -six * t * u, slope[1] = u * (u - two * t);
        slope[2] = six * t * u, slope[3] = t * (t - two * u);
    }
};

/// Location of a point: its cell along each argument, and its position in the cell, from 0 to 1.
template <class T> struct TableCell {
    T cell[3], t[3];  ///< one for each argument
    T inside = expression::constant<T>(1);  ///< 1 in the ranges, else 0

    /// Finds the cells of the arguments `x`.
    [[gnu::always_inline]] TableCell(TableView const& table, T const* x) {
        using expression::choose, expression::constant, std::floor;
        T const zero = constant<T>(0);
        for (int n = 0; n < 3; ++n) cell[n] = t[n] = zero;
        for (int n = 0; n < table.arguments; ++n) {
            double const* const range = table.numbers + 4 * n;
            T const min = constant<T>(range[0]), max = constant<T>(range[1]), cells = constant<T>(table.sizes[n] - 1),
                    last = constant<T>(table.sizes[n] - 2);
            T u = (x[n] - min) * constant<T>(range[2]);
            if (table.periodic)
                u = u - cells * floor(u / cells);
            else
                inside = choose(x[n] < min, zero, choose(max < x[n], zero, inside));
            cell[n] = floor(choose(zero < u, choose(last < u, last, u), zero));  // NaN stays NaN
            t[n] = u - cell[n];
        }
    }
};

namespace detail {
/// A polynomial of the first argument, whose coefficients begin at an index of the table, and its derivative.
template <class T> struct AlongFirst {
    T value, slope;

    template <class At> [[gnu::always_inline]] AlongFirst(T const& begin, T const& t, At const& at) {
        using expression::constant;
        T const c1 = at(begin + constant<T>(1)), c2 = at(begin + constant<T>(2)), c3 = at(begin + constant<T>(3));
        value = at(begin) + t * (c1 + t * (c2 + t * c3));
        slope = c1 + t * (constant<T>(2) * c2 + t * constant<T>(3) * c3);
    }
};
}  // namespace detail

/// The value at `x`, a number for each argument; the derivatives are written to `slopes`. `at(place)` is
/// `table.numbers[place]` for an integer value of type T.
template <class T, class At> T evaluate_spline(TableView const& table, T const* x, T* slopes, At const& at) {
    using expression::choose, expression::constant;
    T const zero = constant<T>(0), four = constant<T>(4);
    TableCell<T> const cell_of_x(table, x);
    T value = zero;
    for (int n = 0; n < table.arguments; ++n) slopes[n] = zero;
    if (table.arguments == 1) {
        detail::AlongFirst<T> const line(four * (constant<T>(1) + cell_of_x.cell[0]), cell_of_x.t[0], at);
        value = line.value, slopes[0] = line.slope;
    } else {
        Hermite<T> const y(cell_of_x.t[1]), z(cell_of_x.t[2]);
        int const members = 1 << (table.arguments - 1);  // polynomials at a knot, and knots around a cell
        for (int knot = 0; knot < members; ++knot) {
            int const j = knot % 2, k = knot / 2;
            T const line = (cell_of_x.cell[2] + constant<T>(k)) * constant<T>(table.sizes[1]) + cell_of_x.cell[1]
                           + constant<T>(j),
                    first = line * constant<T>(table.sizes[0] - 1) + cell_of_x.cell[0];
            for (int m = 0; m < members; ++m) {
                T const begin = four * (constant<T>(table.arguments + m) + constant<T>(members) * first);
                detail::AlongFirst<T> const along(begin, cell_of_x.t[0], at);
                int const q = 2 * j + m % 2, r = 2 * k + m / 2;
                value = value + along.value * y.value[q] * z.value[r];
                slopes[0] = slopes[0] + along.slope * y.value[q] * z.value[r];
                slopes[1] = slopes[1] + along.value * y.slope[q] * z.value[r];
                if (table.arguments > 2) slopes[2] = slopes[2] + along.value * y.value[q] * z.slope[r];
            }
        }
    }
    for (int n = 0; n < table.arguments; ++n)
        slopes[n] = choose(cell_of_x.inside == zero, zero, slopes[n] * constant<T>(table.numbers[4 * n + 2]));
    return choose(cell_of_x.inside == zero, zero, value);
}

}  // namespace trotter
