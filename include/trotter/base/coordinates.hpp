// Positions and velocities from arrays of other programs.
// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <trotter/error.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// An external array: one Vec3 for each particle, or three numbers x0 y0 z0 x1 … .
template <class A>
concept CoordinateArray = std::convertible_to<A const&, std::span<Vec3<> const>>
                          || std::convertible_to<A const&, std::span<double const>>;

/// Copies the array. Throws InputError unless there are three numbers for each particle; `what` names the array.
template <CoordinateArray A> std::vector<Vec3<>> vectors_of(A const& array, std::string const& what) {
    if constexpr (std::convertible_to<A const&, std::span<Vec3<> const>>) {
        std::span<Vec3<> const> const vectors = array;
        return {vectors.begin(), vectors.end()};
    } else {
        std::span<double const> const numbers = array;
        if (numbers.size() % 3 != 0)
            throw InputError(std::to_string(numbers.size()) + " numbers were given as " + what
                             + ", expected three for each particle");
        std::vector<Vec3<>> result(numbers.size() / 3);
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
        return result;
    }
}

}  // namespace trotter
