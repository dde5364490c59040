// Small dense matrices that mix the copies of a particle, applied to all particles.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include <trotter/vec3.hpp>

#include <trotter/common/threads/threads.hpp>

namespace trotter::rpmd {

/// Elements by row.
struct Matrix {
    std::size_t rows = 0, columns = 0;                                   ///< both may be 0
    std::vector<double> elements = std::vector<double>(rows * columns);  ///< rows one after the other

    ///@{
    /// Element of a row and a column.
    double& operator()(std::size_t row, std::size_t column) { return elements[row * columns + column]; }
    double operator()(std::size_t row, std::size_t column) const { return elements[row * columns + column]; }
    ///@}
    /// With rows and columns exchanged, and all elements multiplied by `factor`.
    Matrix transposed(double factor = 1) const;
};

/// For the real orthonormal basis in which the springs of a ring of copies are independent oscillators: row 0 gives the
/// mean of the copies times the root of their number, rows 2k - 1 and 2k cosine and sine of k waves, the last row of an
/// even number of copies alternates.
Matrix normal_modes(int copies);
/// Frequency of a row of `normal_modes` [1/ps]: that of k waves is 2 w sin(pi k/copies), w = copies kT/(h/2pi).
double mode_frequency(int row, int copies, double temperature);

/// Gives positions of `contracted` copies from those of `copies`: a Fourier series in the place on the ring, without
/// its shortest waves. (T. E. Markland, D. E. Manolopoulos, J. Chem. Phys. 129, 024105 (2008), eq. 20.) Forces on the
/// copies are `copies / contracted` times the transpose of those on the contracted ones. An even number of them keeps
/// the cosine of the shortest wave with half its amplitude, as OpenMM.
Matrix contraction(int copies, int contracted);

/// `to[row][i]` = sum over columns of matrix(row, column) `from[column][i]` for each of these `particles` i; or adds
/// it. A row has `stride` vectors. Each particle's sum has a fixed order.
void multiply(Matrix const& matrix, std::vector<Vec3<>> const& from, std::vector<Vec3<>>& to, std::size_t stride,
              std::span<int const> particles, Threads& threads, bool adds = false);

}  // namespace trotter::rpmd
