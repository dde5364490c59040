// Radial functions of the generalized Kirkwood reaction field.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>

#include <trotter/amoeba/multipoles/dual.hpp>

namespace trotter::amoeba {

/// Functions F_l^(n) of moments of order l = 0, 1, 2 and derivatives n = 0 … 3: a table for `potential_of`.
struct KirkwoodTable {
    std::array<std::array<double, 4>, 3> f{};  ///< [l][n]

    ///@{
    double s(int l, int n) const { return f[static_cast<std::size_t>(l)][static_cast<std::size_t>(n)]; }
    double v(int l, int n) const { return s(l, n); }
    double w(int n) const { return s(2, n); }
    ///@}
};

/// The table with which moments of the other site get the derivatives, and those of this one the radial functions: the
/// adjoint, for derivatives of an energy by the moments that cause the potential.
struct AdjointTable {
    KirkwoodTable const& table;  ///< of the same pair

    ///@{
    double s(int l, int n) const { return table.s(n, l); }
    double v(int l, int n) const { return table.s(n + 1, l - 1); }
    double w(int) const { return table.s(2, 0); }
    ///@}
};

/// A table and its derivative by the product of both Born radii.
struct KirkwoodPair {
    KirkwoodTable table, by_product;
};

/// The reaction field of a solvent with relative permittivity ε: F_l = c_l (2l-1)!!/f^(2l+1) with c_l =
/// (l+1)(1-ε)/((l+1)ε
/// + l) and f² = r² + ab exp(-r²/(2.455 ab)) for the Born radii a, b (M. J. Schnieders, J. W. Ponder, J. Chem. Theory
/// Comput. 3, 2083 (2007)).
class KirkwoodFunction {
public:
    explicit KirkwoodFunction(double permittivity) {
        for (std::size_t l = 0; l < 3; ++l) {
            auto const order = static_cast<double>(l);
            factors_[l] = (order + 1) * (1 - permittivity) / ((order + 1) * permittivity + order);
        }
    }

    /// For a squared distance and a product of Born radii.
    KirkwoodPair operator()(double square, double product) const {
        using Number = Dual<1>;
        auto const number = [](double constant) { return Number(constant); };
        Number const r2 = number(square), ab = Number::variable(product, 0), inverse = number(1 / c) / ab;
        Number const e = exp(-r2 * inverse), f2 = r2 + ab * e, over = number(1) / f2;
        // Derivatives -2 d/dr²: of (2k-1)!!/f^(2k+1) the next one times e1, of e1 is e2, of e2 is e3.
        Number const e1 = number(1) - e * number(1 / c), e2 = e * inverse * number(-2 / c),
                     e3 = e2 * inverse * number(2);
        std::array<Number, 6> g;
        g[0] = sqrt(over);
        for (std::size_t k = 1; k < g.size(); ++k) g[k] = g[k - 1] * over * number(2 * static_cast<double>(k) - 1);
        KirkwoodPair result;
        for (std::size_t l = 0; l < 3; ++l) {
            std::array<Number, 4> const f{g[l], e1 * g[l + 1], e2 * g[l + 1] + e1 * e1 * g[l + 2],
                                          e3 * g[l + 1] + number(3) * e1 * e2 * g[l + 2] + e1 * e1 * e1 * g[l + 3]};
            for (std::size_t n = 0; n < f.size(); ++n) {
                result.table.f[l][n] = factors_[l] * f[n].value;
                result.by_product.f[l][n] = factors_[l] * f[n].slope[0];
            }
        }
        return result;
    }
    /// F_1 and its first derivative alone, for the field of a dipole.
    std::array<double, 2> of_dipole(double square, double product) const {
        double const e = std::exp(-square / (c * product)), over = 1 / (square + product * e), root = std::sqrt(over);
        return {factors_[1] * root * over, factors_[1] * 3 * root * over * over * (1 - e / c)};
    }

private:
    static constexpr double c = 2.455;
    std::array<double, 3> factors_{};
};

}  // namespace trotter::amoeba
