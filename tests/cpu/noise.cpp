// Normal random numbers have the same bits for every instruction set.
// SPDX-License-Identifier: MIT
#include <cstdint>

#include "catch_compat.hpp"

#include <trotter/cpu.hpp>

using namespace trotter;

TEST_CASE("A block of normal numbers has the same bits in the widest vectors") {
    RandomStream const stream{99, 3};
    NormalBlock block;
    int different = 0;
    for (std::uint32_t first = 0; first < 6400; first += NormalBlock::size) {
        cpu::IntegrationTable::of<xsimd::default_arch>().fill_normals(stream, 12, first, block);
        for (std::uint32_t i = 0; i < NormalBlock::size; ++i) different += block[i] != stream.normals(12, first + i);
    }
    CHECK(different == 0);
}
