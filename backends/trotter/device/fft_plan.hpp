// How the transform of a mesh is cut into groups of work-items.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string>

#include <trotter/device/fft_lines.hpp>
#include <trotter/error.hpp>

namespace trotter::device {

/// The next size whose primes have codelets, from 64 on: below that the sums over a larger prime cost little.
inline int fast_size(int size) {
    auto is_fast = [](int n) {
        for (int p = 2; p <= largest_codelet; ++p)
            while (n % p == 0) n /= p;
        return n == 1;
    };
    while (size > 64 && !is_fast(size)) ++size;
    return size;
}

/// Lines along an axis that is not the last: `planes` times `size` rows of `columns` numbers, of which a group takes
/// `lines` neighbouring ones.
struct FftColumns {
    int size = 1, planes = 1, columns = 1, lines = 1, group = 64;

    int blocks_per_plane() const { return (columns + lines - 1) / lines; }
    int blocks() const { return planes * blocks_per_plane(); }
    FftLines local() const { return {size, lines, 1, lines}; }
};

/// Rows are transformed in pairs, one as real and one as imaginary parts; `pairs` of them by one group. Several meshes
/// stand one behind the other, and no group has rows of two of them.
struct FftPlan {
    FftPlan(std::array<int, 3> const& mesh_size, bool is_double, std::size_t local_memory, std::size_t largest_group,
            int meshes_of_that_size = 1)
        : size(mesh_size), meshes(meshes_of_that_size) {
        // Two buffers of complex numbers; sums of energies want room beside them.
        std::size_t const room = local_memory > 2048 ? local_memory - 2048 : 0;
        most_ = static_cast<int>(room / ((is_double ? 16 : 8) * 2));
        largest_group_ = static_cast<int>(std::bit_floor(std::clamp<std::size_t>(largest_group, 1, 256)));
        pairs = (size[1] + 1) / 2;
        whole_planes = row_numbers() <= most_;
        if (!whole_planes) {
            pairs = std::clamp(512 / size[2], 1, (size[0] * size[1] + 1) / 2);
            while (pairs > 1 && row_numbers() > most_) pairs /= 2;
        }
        if (row_numbers() > most_) refuse(size[2], local_memory);
        row_group = group(row_numbers(), size[2], whole_planes ? size[1] : 1);
        y = columns(size[1], size[0] * meshes, used(), local_memory);
        x = columns(size[0], meshes, size[1] * used(), local_memory);
    }

    std::array<int, 3> size;
    int meshes = 1;
    bool whole_planes = false;
    int pairs = 1, row_group = 64;
    FftColumns x, y;

    int used() const { return size[2] / 2 + 1; }    ///< numbers in a row of the transform
    int rows() const { return size[0] * size[1]; }  ///< of a mesh
    int rows_per_block() const { return whole_planes ? size[1] : 2 * pairs; }
    int blocks_per_mesh() const { return (rows() + rows_per_block() - 1) / rows_per_block(); }
    int row_blocks() const { return meshes * blocks_per_mesh(); }
    /// Numbers in each of the two buffers of a group.
    int row_numbers() const { return std::max(pairs * size[2], 2 * pairs * used()); }
    std::size_t spectrum_size() const {
        return static_cast<std::size_t>(meshes) * static_cast<std::size_t>(rows()) * static_cast<std::size_t>(used());
    }

private:
    FftColumns columns(int n, int planes, int count, std::size_t local_memory) const {
        if (n > most_) refuse(n, local_memory);
        FftColumns result{n, planes, count};
        // Eight neighbours are whole sectors of memory.
        result.lines = std::min(count, 8 * std::clamp(64 / n, 1, 4));
        while (result.lines > 1 && result.lines * n > most_) result.lines /= 2;
        result.group = group(result.lines * n, n, 1);
        return result;
    }
    /// Work-items for so many numbers: one for each small transform of a stage.
    int group(int numbers, int n, int other) const {
        int const largest = std::max(largest_radix(n), largest_radix(other));
        return std::clamp(static_cast<int>(std::bit_ceil(static_cast<unsigned>(numbers / largest))),
                          std::min(64, largest_group_), largest_group_);
    }
    static int largest_radix(int n) {
        int result = 1;
        for (int const radix : fft_stages(n))
            if (radix <= largest_codelet) result = std::max(result, radix);
        return result;
    }
    [[noreturn]] static void refuse(int n, std::size_t local_memory) {
        throw UnsupportedError("a mesh of " + std::to_string(n)
                               + " points along an axis cannot be transformed on a device with "
                               + std::to_string(local_memory) + " bytes of local memory");
    }

    int most_ = 0, largest_group_ = 64;
};

}  // namespace trotter::device
