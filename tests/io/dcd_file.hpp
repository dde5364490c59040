// DCD files in variants that Trotter does not write.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <trotter/vec3.hpp>

namespace trotter::testing {

using Positions = std::vector<Vec3<double>>;
constexpr std::size_t particles = 12;
constexpr double charmm_time = 0.04888821;  // ps

/// The content of the files written by tests/io/foreign/make.py.
inline Positions on_grid(int frame) {
    Positions positions(particles);
    for (int i = 0; i < static_cast<int>(particles); ++i)
        for (int axis = 0; axis < 3; ++axis)
            positions[static_cast<std::size_t>(i)][static_cast<std::size_t>(axis)] =
                ((37 * i + 101 * frame + 53 * axis) % 500 - 250) / 1000.0;
    return positions;
}

/// A DCD file of three frames in a given variant.
struct Dcd {
    bool is_big_endian = false;
    std::string kind = "CORD";
    std::int32_t stated = 3, first = 20, interval = 10, fixed = 0, four = 0, version = 24;
    std::array<double, 6> cell{};
    bool has_cell = false;
    std::int32_t claimed = static_cast<std::int32_t>(particles);

    template <class T> void put(T value) {
        char text[sizeof value];
        std::memcpy(text, &value, sizeof value);
        if (is_big_endian) std::reverse(text, text + sizeof value);
        bytes.append(text, sizeof value);
    }
    void put_head() {
        put(std::int32_t{84});
        bytes += kind;
        for (std::int32_t const number : {stated, first, interval, 0, 0, 0, 0, 0, fixed}) put(number);
        if (version == 0) {
            put(double{0.002 / charmm_time});
            for (int unused = 0; unused < 8; ++unused) put(std::int32_t{0});
        } else {
            put(static_cast<float>(0.002 / charmm_time));
            put(std::int32_t{has_cell});
            put(four);
            for (int unused = 0; unused < 7; ++unused) put(std::int32_t{0});
        }
        put(version);
        put(std::int32_t{84});
        put(std::int32_t{84});
        put(std::int32_t{1});
        bytes.append(80, ' ');
        put(std::int32_t{84});
        put(std::int32_t{4});
        put(claimed);
        put(std::int32_t{4});
    }
    void put_frame(Positions const& positions) {
        if (has_cell) {
            put(std::int32_t{48});
            for (double const value : cell) put(value);
            put(std::int32_t{48});
        }
        for (std::size_t axis = 0; axis < 3; ++axis) {
            put(4 * claimed);
            for (auto const& position : positions) put(static_cast<float>(10 * position[axis]));
            put(4 * claimed);
        }
    }
    std::string const& write() {
        put_head();
        for (int frame = 0; frame < 3; ++frame) put_frame(on_grid(frame));
        return bytes;
    }
    std::string bytes{};
};

}  // namespace trotter::testing
