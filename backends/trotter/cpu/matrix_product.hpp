// Products of small matrices.
// SPDX-License-Identifier: MIT
#pragma once
#include <trotter/cpu/simd.hpp>

namespace trotter::cpu {

/// c = a b. Rows of b and c begin at multiples of 64 bytes and are padded to such.
template <class Real> struct Product {
    Real const *a, *b;
    Real* c;
    int a_step, b_step, c_step;  ///< from one row to the next
    int rows, depth, columns;    ///< of c, and the columns of a; padding counts as columns
};

/// In blocks of c that fit into registers: each number is a sum in the order of the rows of b.
template <class Real, class Arch> struct MatrixProduct {
    using B = Batch<Real, Arch>;
    static constexpr int width = static_cast<int>(B::size), block_rows = 6;

    static void run(Product<Real> const& p) {
        int column = 0;
        for (; column + 2 * width <= p.columns; column += 2 * width) panel<2>(p, column);
        for (; column < p.columns; column += width) panel<1>(p, column);
    }

private:
    template <int vectors> [[gnu::always_inline]] static void panel(Product<Real> const& p, int column) {
        int row = 0;
        for (; row + block_rows <= p.rows; row += block_rows) block<block_rows, vectors>(p, row, column);
        for (; row < p.rows; ++row) block<1, vectors>(p, row, column);
    }
    template <int rows, int vectors>
    [[gnu::always_inline]] static void block(Product<Real> const& p, int row, int column) {
        Real const *a = p.a + row * p.a_step, *b = p.b + column;
        B sum[rows][vectors];
        unroll<rows * vectors>([&](auto n) __attribute__((always_inline)) { sum[n / vectors][n % vectors] = B(0); });
        for (int k = 0; k < p.depth; ++k, b += p.b_step) {
            B x[vectors];
            unroll<vectors>([&](auto v) __attribute__((always_inline)) { x[v] = B::load_aligned(b + v * width); });
            unroll<rows>([&](auto r) __attribute__((always_inline)) {
                B const factor(a[r * p.a_step + k]);
                unroll<vectors>([&](auto v) __attribute__((always_inline)) {
                    sum[r][v] = multiply_add(factor, x[v], sum[r][v]);
                });
            });
        }
        Real* const c = p.c + row * p.c_step + column;
        unroll<rows * vectors>([&](auto n) __attribute__((always_inline)) {
            sum[n / vectors][n % vectors].store_aligned(c + n / vectors * p.c_step + n % vectors * width);
        });
    }
};

}  // namespace trotter::cpu
