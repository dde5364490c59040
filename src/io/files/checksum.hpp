// CRC-64/XZ: detects every flipped bit and every burst up to 64 bits, and misses other damage once in 2^64.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace trotter::detail {

/// Table k advances a byte k bytes before the end of a block of eight.
constexpr auto make_crc_tables() {
    std::array<std::array<std::uint64_t, 256>, 8> tables{};
    for (std::uint64_t byte = 0; byte < 256; ++byte) {
        auto value = byte;
        for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) ? 0xC96C5795D7870F42u : 0u);
        tables[0][byte] = value;
    }
    for (std::size_t k = 1; k < 8; ++k)
        for (std::size_t byte = 0; byte < 256; ++byte)
            tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 255];
    return tables;
}

/// `before` is the checksum of the preceding bytes.
inline std::uint64_t checksum(std::string_view bytes, std::uint64_t before = 0) {
    static_assert(std::endian::native == std::endian::little);
    static constexpr auto tables = make_crc_tables();
    std::uint64_t value = ~before;
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
        std::uint64_t block = 0;
        std::memcpy(&block, bytes.data(), 8);
        block ^= value;
        value = 0;
        for (unsigned k = 0; k < 8; ++k) value ^= tables[7 - k][(block >> (8 * k)) & 255];
    }
    for (char const c : bytes) value = (value >> 8) ^ tables[0][(value ^ static_cast<unsigned char>(c)) & 255];
    return ~value;
}

}  // namespace trotter::detail
