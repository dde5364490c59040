// Shuffles the lanes of registers.
// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <trotter/cpu/simd/simd.hpp>

namespace trotter::cpu {

/// Lane k of the result is lane choice[k] of `a` followed by `b`.
template <int... choice, class Real, class Arch>
[[gnu::always_inline]] inline Batch<Real, Arch> chosen_lanes(Batch<Real, Arch> const& a, Batch<Real, Arch> const& b) {
    using Register = typename Batch<Real, Arch>::register_type;
    using Numbers [[gnu::vector_size(sizeof(Register))]] = Real;
    return (Register)__builtin_shufflevector((Numbers)(Register)a, (Numbers)(Register)b, choice...);
}

template <int... from, class Real, class Arch, int... lane>
[[gnu::always_inline]] inline Batch<Real, Arch> shuffled_lanes(Batch<Real, Arch> const& a, Batch<Real, Arch> const& b,
                                                               std::integer_sequence<int, lane...>) {
    constexpr int width = sizeof...(lane), group = sizeof...(from), choice[] = {from...};
    return chosen_lanes<(lane - lane % group + choice[lane % group] % group
                         + choice[lane % group] / group * width)...>(a, b);
}
/// Shuffles groups of as many lanes as there are `from`, the indices of lanes in a group of `a`, then of `b`.
template <int... from, class Real, class Arch>
[[gnu::always_inline]] inline Batch<Real, Arch> shuffled(Batch<Real, Arch> const& a, Batch<Real, Arch> const& b) {
    return shuffled_lanes<from...>(a, b, std::make_integer_sequence<int, static_cast<int>(Batch<Real, Arch>::size)>{});
}

template <int... four, class Real, class Arch, int... lane>
[[gnu::always_inline]] inline Batch<Real, Arch> fours(Batch<Real, Arch> const& a, Batch<Real, Arch> const& b,
                                                      std::integer_sequence<int, lane...>) {
    constexpr int width = sizeof...(lane), choice[] = {four...};
    return chosen_lanes<(4 * choice[lane / 4] + lane % 4 + lane / (width / 2) * width)...>(a, b);
}
/// Selects groups of four lanes: for the first half of the result from `a`, for the other from `b`.
template <int... four, class Real, class Arch>
[[gnu::always_inline]] inline Batch<Real, Arch> halves(Batch<Real, Arch> const& a, Batch<Real, Arch> const& b) {
    return fours<four...>(a, b, std::make_integer_sequence<int, static_cast<int>(Batch<Real, Arch>::size)>{});
}

/// Transposes rows to columns in each group of four lanes.
template <class Real, class Arch> [[gnu::always_inline]] inline void rows_to_columns(Batch<Real, Arch> (&rows)[4]) {
    using B = Batch<Real, Arch>;
    B const low0 = shuffled<0, 4, 1, 5>(rows[0], rows[1]), high0 = shuffled<2, 6, 3, 7>(rows[0], rows[1]),
            low1 = shuffled<0, 4, 1, 5>(rows[2], rows[3]), high1 = shuffled<2, 6, 3, 7>(rows[2], rows[3]);
    rows[0] = shuffled<0, 1, 4, 5>(low0, low1);
    rows[1] = shuffled<2, 3, 6, 7>(low0, low1);
    rows[2] = shuffled<0, 1, 4, 5>(high0, high1);
    rows[3] = shuffled<2, 3, 6, 7>(high0, high1);
}

}  // namespace trotter::cpu
