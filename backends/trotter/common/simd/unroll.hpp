// Guaranteed loop unrolling.
// SPDX-License-Identifier: MIT
#pragma once
#include <type_traits>
#include <utility>

namespace trotter {

/// Calls `body` with the constants 0 … count-1.
template <int count, class Body> [[gnu::always_inline]] inline void unroll(Body&& body) {
    [&]<int... n>(std::integer_sequence<int, n...>) __attribute__((always_inline)) {
        (body(std::integral_constant<int, n>{}), ...);
    }
    (std::make_integer_sequence<int, count>{});
}

}  // namespace trotter
