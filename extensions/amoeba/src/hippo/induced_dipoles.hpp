// Induced dipoles of HIPPO by extrapolation.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <trotter/vec3.hpp>

namespace trotter::amoeba::hippo {

/// With the fields E of permanent moments, polarizabilities α, and the field T μ of induced dipoles, the energy is
///
///     U = -½ Σ_n p_n μ_n·E,   μ_0 = α E,   μ_n = α T μ_{n-1},   p_n = Σ_{m≥n} c_m,
///
/// and its derivative is -μ·dE - ½ Σ_{n,m} p_{n+m+1} μ_n·dT μ_m with μ = Σ_n p_n μ_n (A. C. Simmonett, F. C. Pickard,
/// J. W. Ponder, B. R. Brooks, J. Chem. Phys. 145, 164101 (2016)).
class InducedDipoles {
public:
    explicit InducedDipoles(std::vector<double> const& coefficients);

    /// The number of orders n.
    std::size_t orders() const { return sums_.size(); }
    /// Reads the dipoles of order `n`.
    std::vector<Vec3<>> const& of_order(std::size_t n) const { return dipoles_[n]; }
    /// Sets μ_n.
    void set_order(std::size_t n, std::vector<Vec3<>> dipoles) { dipoles_[n] = std::move(dipoles); }
    /// Sums over orders, when all are set.
    void finish(std::size_t particles);

    /// The sums p_n of coefficients.
    std::vector<double> const& sums() const { return sums_; }
    std::vector<Vec3<>> const& total() const { return total_; }
    /// Pairs of order n interact with the partners of order n: Σ_m p_{n+m+1} μ_m, for n + 1 < orders.
    std::vector<Vec3<>> const& partners(std::size_t n) const { return partners_[n]; }

private:
    std::vector<double> sums_;  // p_n
    std::vector<std::vector<Vec3<>>> dipoles_, partners_;
    std::vector<Vec3<>> total_;
};

}  // namespace trotter::amoeba::hippo
