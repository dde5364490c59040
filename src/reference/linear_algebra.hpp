// Eigenvectors and Cholesky factors of matrices.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace trotter::reference {

using Matrix4 = std::array<std::array<double, 4>, 4>;

struct EigenSystem {
    std::array<double, 4> values{};  ///< descending
    Matrix4 vectors{};               ///< row k belongs to values[k]
};

/// Eigenvalues and eigenvectors of a symmetric matrix.
EigenSystem eigen_system(Matrix4 const& matrix);

/// Cholesky factorization L Lᵀ of a symmetric, positive definite matrix.
class CholeskyFactor {
public:
    /// Uses `columns[j][i]` for i ≥ j. Returns nothing if the matrix is not positive definite.
    static std::optional<CholeskyFactor> of(std::vector<std::vector<double>> const& columns);

    /// Solves A x = b.
    std::vector<double> solve(std::vector<double> b) const;

private:
    explicit CholeskyFactor(std::vector<double> elements) : elements_(std::move(elements)) {}

    std::vector<double> elements_;  // of L, column by column
};

}  // namespace trotter::reference
