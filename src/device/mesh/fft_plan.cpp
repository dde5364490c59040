// Divides the FFT of a mesh among work-groups.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string>

#include <trotter/device/mesh/fft_plan.hpp>
#include <trotter/error.hpp>

namespace trotter::device {

int fast_size(int size) {
    auto is_fast = [](int n) {
        for (int p = 2; p <= largest_codelet; ++p)
            while (n % p == 0) n /= p;
        return n == 1;
    };
    while (size > 64 && !is_fast(size)) ++size;
    return size;
}

FftPlan::FftPlan(std::array<int, 3> const& mesh_size, bool is_double, std::size_t local_memory,
                 std::size_t largest_group, int meshes_of_that_size)
    : size(mesh_size), meshes(meshes_of_that_size) {
    // Two buffers of complex numbers, and room for sums of energies.
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
std::size_t FftPlan::spectrum_size() const {
    return static_cast<std::size_t>(meshes) * static_cast<std::size_t>(rows()) * static_cast<std::size_t>(used());
}
FftColumns FftPlan::columns(int n, int planes, int count, std::size_t local_memory) const {
    if (n > most_) refuse(n, local_memory);
    FftColumns result{n, planes, count};
    // Eight adjacent columns are whole memory sectors.
    result.lines = std::min(count, 8 * std::clamp(64 / n, 1, 4));
    while (result.lines > 1 && result.lines * n > most_) result.lines /= 2;
    result.group = group(result.lines * n, n, 1);
    return result;
}
int FftPlan::group(int numbers, int n, int other) const {
    int const largest = std::max(largest_radix(n), largest_radix(other));
    return std::clamp(static_cast<int>(std::bit_ceil(static_cast<unsigned>(numbers / largest))),
                      std::min(64, largest_group_), largest_group_);
}
int FftPlan::largest_radix(int n) {
    int result = 1;
    for (int const radix : fft_stages(n))
        if (radix <= largest_codelet) result = std::max(result, radix);
    return result;
}
void FftPlan::refuse(int n, std::size_t local_memory) {
    throw UnsupportedError("a mesh of " + std::to_string(n)
                           + " points along an axis cannot be transformed on a device with "
                           + std::to_string(local_memory) + " bytes of local memory");
}

}  // namespace trotter::device
