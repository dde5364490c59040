// Eigenvectors and Cholesky factors of matrices, by Eigen.
// SPDX-License-Identifier: MIT
#include <optional>
#include <utility>
#include <vector>

#include "linear_algebra.hpp"

// Renames Eigen's namespace: a program that also uses Eigen may be compiled for other instruction sets and alignments,
// and the linker would keep one body of a function for both.
#define Eigen trotter_eigen
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace trotter::reference {

EigenSystem eigen_system(Matrix4 const& matrix) {
    using Matrix = Eigen::Matrix4d;
    Eigen::SelfAdjointEigenSolver<Matrix> const solver(Eigen::Map<Matrix const>(matrix.front().data()));
    EigenSystem result;
    Eigen::Map<Eigen::Vector4d>(result.values.data()) = solver.eigenvalues().reverse();
    Eigen::Map<Matrix>(result.vectors.front().data()) = solver.eigenvectors().rowwise().reverse();
    return result;
}

std::optional<CholeskyFactor> CholeskyFactor::of(std::vector<std::vector<double>> const& columns) {
    std::vector<double> elements;
    for (auto const& column : columns) elements.insert(elements.end(), column.begin(), column.end());
    auto const size = static_cast<Eigen::Index>(columns.size());
    Eigen::Map<Eigen::MatrixXd> matrix(elements.data(), size, size);
    Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> const factorized_in_place(matrix);
    // Eigen does not report NaN.
    if (factorized_in_place.info() != Eigen::Success || !(matrix.diagonal().array() > 0).all()) return {};
    return CholeskyFactor(std::move(elements));
}

std::vector<double> CholeskyFactor::solve(std::vector<double> b) const {
    auto const size = static_cast<Eigen::Index>(b.size());
    auto const lower = Eigen::Map<Eigen::MatrixXd const>(elements_.data(), size, size).triangularView<Eigen::Lower>();
    Eigen::Map<Eigen::VectorXd> x(b.data(), size);
    lower.solveInPlace(x);
    lower.transpose().solveInPlace(x);
    return b;
}

}  // namespace trotter::reference
