// Bit-level coding of XTC's compressed coordinates: bits, mixed-radix triples, and the table of small ranges.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trotter::detail {

__extension__ using Wide = unsigned __int128;

using Triple = std::array<std::uint32_t, 3>;
using GridPoint = std::array<std::int32_t, 3>;

/// Three numbers below `xtc_range[r]` need r bits: the cube root of 2^r, with three irregular values of the format.
constexpr auto make_xtc_ranges() {
    std::array<std::uint32_t, 73> ranges{};
    for (unsigned r = 9; r < ranges.size(); ++r) {
        std::uint64_t root = 0;
        for (auto bit = std::uint64_t{1} << 24; bit > 0; bit >>= 1)
            if (auto const next = root | bit; Wide{next} * next * next <= Wide{1} << r) root = next;
        ranges[r] = static_cast<std::uint32_t>(root);
    }
    ranges[37] = 5060;
    ranges[57] = 524287;
    ranges[69] = 8388607;
    return ranges;
}
inline constexpr auto xtc_range = make_xtc_ranges();
inline constexpr int first_range = 9, last_range = 72;
inline constexpr int range_swing = 8;           ///< largest change of the range while packing
inline constexpr std::size_t longest_run = 8;

/// Writes bits, most significant first.
class BitWriter {
public:
    void put(unsigned count, std::uint32_t value) {
        pending_ = pending_ << count | value;
        for (held_ += count; held_ >= 8; held_ -= 8) bytes_ += static_cast<char>(pending_ >> (held_ - 8));
    }
    /// Writes three digits as a mixed-radix number, least significant byte first.
    void put(unsigned count, Triple const& sizes, Triple const& digits) {
        auto number = (Wide{digits[0]} * sizes[1] + digits[1]) * sizes[2] + digits[2];
        for (; count >= 8; count -= 8, number >>= 8) put(8, static_cast<std::uint32_t>(number & 255));
        if (count > 0) put(count, static_cast<std::uint32_t>(number & 255));
    }
    std::string finish() {
        if (held_ > 0) put(8 - held_, 0);
        return std::move(bytes_);
    }

private:
    std::string bytes_;
    std::uint64_t pending_ = 0;
    unsigned held_ = 0;
};

/// Reads bits; zeros beyond the end, where `overrun` is true.
class BitReader {
public:
    explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

    std::uint32_t get(unsigned count) {
        std::uint32_t value = 0;
        for (; count > 0; --count, ++position_) {
            auto const byte = position_ / 8 < bytes_.size() ? static_cast<unsigned char>(bytes_[position_ / 8]) : 0u;
            value = value << 1 | (byte >> (7 - position_ % 8) & 1);
        }
        return value;
    }
    Triple get(unsigned count, Triple const& sizes) {
        Wide number = 0;
        for (unsigned shift = 0; count > 0; shift += 8) {
            auto const part = count < 8 ? count : 8;
            number |= Wide{get(part)} << shift;
            count -= part;
        }
        auto const z = static_cast<std::uint32_t>(number % sizes[2]);
        number /= sizes[2];
        return {static_cast<std::uint32_t>(number / sizes[1]), static_cast<std::uint32_t>(number % sizes[1]), z};
    }
    bool overrun() const { return position_ > 8 * bytes_.size(); }

private:
    std::string_view bytes_;
    std::size_t position_ = 0;
};

/// Coding of full coordinates: together in mixed radix, or separately if a range exceeds 24 bits.
struct XtcBox {
    GridPoint low;
    Triple sizes;

    bool together() const { return (sizes[0] | sizes[1] | sizes[2]) <= 0xffffff; }
    unsigned bits() const {
        auto const volume = Wide{sizes[0]} * sizes[1] * sizes[2];
        auto const upper = static_cast<std::uint64_t>(volume >> 64), lower = static_cast<std::uint64_t>(volume);
        return static_cast<unsigned>(upper ? 64 + std::bit_width(upper) : std::bit_width(lower));
    }
};

struct XtcPacked {
    XtcBox box;
    GridPoint high;
    int range;  ///< initial range of small differences
    std::string bits;
};

/// Compresses one or more points, which must span less than 2^31 in each direction.
XtcPacked pack(std::vector<GridPoint> points);

/// Expands points; empty if the bits are damaged.
std::vector<GridPoint> unpack(XtcPacked const& packed, std::size_t count);

}  // namespace trotter::detail
