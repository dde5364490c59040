// SPDX-License-Identifier: MIT
#include <trotter/app/analysis/superposition.hpp>

#include <cmath>

// Renames Eigen's namespace: a program that also uses Eigen may be compiled for other instruction sets and alignments,
// and the linker would keep one body of a function for both.
#define Eigen trotter_eigen
#include <Eigen/Eigenvalues>

namespace trotter::app {
namespace {

std::array<Vec3<>, 3> rotation_of(Eigen::Vector4d const& q) {
    double const w = q[0], x = q[1], y = q[2], z = q[3];
    return {{{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
             {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
             {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}}};
}

}  // namespace

Vec3<> center(std::span<Vec3<> const> points, std::span<double const> weights) {
    Vec3<> sum;
    double total = 0;
    for (std::size_t n = 0; n < points.size(); ++n) {
        sum += points[n] * weights[n];
        total += weights[n];
    }
    return sum / total;
}

Superposition superpose(std::span<Vec3<> const> moved, std::span<Vec3<> const> reference,
                        std::span<double const> weights) {
    Superposition result;
    result.from = center(moved, weights);
    result.to = center(reference, weights);
    Eigen::Matrix3d s = Eigen::Matrix3d::Zero();  // sums of products of coordinates, of `moved` by rows
    for (std::size_t n = 0; n < moved.size(); ++n) {
        Vec3<> const p = (moved[n] - result.from) * weights[n], q = reference[n] - result.to;
        s += Eigen::Vector3d(p.x, p.y, p.z) * Eigen::RowVector3d(q.x, q.y, q.z);
    }
    Eigen::Matrix4d horn;  // equation 25 of Horn
    horn << s(0, 0) + s(1, 1) + s(2, 2), s(1, 2) - s(2, 1), s(2, 0) - s(0, 2), s(0, 1) - s(1, 0),  //
        0, s(0, 0) - s(1, 1) - s(2, 2), s(0, 1) + s(1, 0), s(2, 0) + s(0, 2),                        //
        0, 0, s(1, 1) - s(0, 0) - s(2, 2), s(1, 2) + s(2, 1),                                        //
        0, 0, 0, s(2, 2) - s(0, 0) - s(1, 1);
    horn.triangularView<Eigen::StrictlyLower>() = horn.transpose();
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> const solver(horn);
    result.rotation = rotation_of(solver.eigenvectors().col(3));
    return result;
}

double root_mean_square_distance(std::span<Vec3<> const> points, std::span<Vec3<> const> reference,
                                 std::span<double const> weights) {
    double sum = 0, total = 0;
    for (std::size_t n = 0; n < points.size(); ++n) {
        Vec3<> const d = points[n] - reference[n];
        sum += weights[n] * dot(d, d);
        total += weights[n];
    }
    return std::sqrt(sum / total);
}

std::vector<Vec3<>> selected_points(std::span<Vec3<> const> points, std::span<int const> indices) {
    std::vector<Vec3<>> result;
    result.reserve(indices.size());
    for (int const index : indices) result.push_back(points[static_cast<std::size_t>(index)]);
    return result;
}

}  // namespace trotter::app
