// Divides the FFT of a mesh among work-groups.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

#include <trotter/device/mesh/fft_lines.hpp>

namespace trotter::device {

/// The next size whose prime factors have codelets, from 64 on; below that, sums over a larger prime are cheap.
int fast_size(int size);

/// Lines along x or y: `planes` times `size` rows of `columns` numbers; a work-group takes `lines` adjacent columns.
struct FftColumns {
    int size = 1, planes = 1, columns = 1, lines = 1, group = 64;

    int blocks_per_plane() const { return (columns + lines - 1) / lines; }
    int blocks() const { return planes * blocks_per_plane(); }
    FftLines local() const { return {size, lines, 1, lines}; }
};

/// Rows are transformed in pairs, as real and imaginary parts; one work-group takes `pairs` of them. Meshes of a batch
/// are stored consecutively, and no work-group has rows of two meshes.
struct FftPlan {
    FftPlan(std::array<int, 3> const& mesh_size, bool is_double, std::size_t local_memory, std::size_t largest_group,
            int meshes_of_that_size = 1);

    std::array<int, 3> size;
    int meshes = 1;
    bool whole_planes = false;
    int pairs = 1, row_group = 64;
    FftColumns x, y;

    int used() const { return size[2] / 2 + 1; }    ///< complex numbers per row of the transform
    int rows() const { return size[0] * size[1]; }  ///< per mesh
    int rows_per_block() const { return whole_planes ? size[1] : 2 * pairs; }
    int blocks_per_mesh() const { return (rows() + rows_per_block() - 1) / rows_per_block(); }
    int row_blocks() const { return meshes * blocks_per_mesh(); }
    /// Complex numbers in each of a work-group's two buffers.
    int row_numbers() const { return std::max(pairs * size[2], 2 * pairs * used()); }
    std::size_t spectrum_size() const;

private:
    FftColumns columns(int n, int planes, int count, std::size_t local_memory) const;
    /// Work-group size for so many numbers: one work-item per codelet of a stage.
    int group(int numbers, int n, int other) const;
    static int largest_radix(int n);
    [[noreturn]] static void refuse(int n, std::size_t local_memory);

    int most_ = 0, largest_group_ = 64;
};

}  // namespace trotter::device
