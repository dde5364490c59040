// Visits the members of an aggregate.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

namespace trotter {

namespace detail {

struct AnyMember {
    template <class T> operator T() const;
};
template <class T, std::size_t... n> constexpr bool takes(std::index_sequence<n...>) {
    return requires { T{(static_cast<void>(n), AnyMember{})...}; };
}
template <class T, std::size_t n = 0> constexpr std::size_t count_members() {
    if constexpr (takes<T>(std::make_index_sequence<n + 1>{}))
        return count_members<T, n + 1>();
    else
        return n;
}

}  // namespace detail

/// Calls `visit(members...)` of an aggregate without bases, arrays of C and optionals, and with at most 20 members.
template <class T, class Visit> void visit_members([[maybe_unused]] T const& object, Visit const& visit) {
    static_assert(std::is_aggregate_v<T>);
    constexpr std::size_t count = detail::count_members<T>();
    // clang-format off
    if constexpr (count == 1) { auto const& [a] = object; visit(a); }
    else if constexpr (count == 2) { auto const& [a, b] = object; visit(a, b); }
    else if constexpr (count == 3) { auto const& [a, b, c] = object; visit(a, b, c); }
    else if constexpr (count == 4) { auto const& [a, b, c, d] = object; visit(a, b, c, d); }
    else if constexpr (count == 5) { auto const& [a, b, c, d, e] = object; visit(a, b, c, d, e); }
    else if constexpr (count == 6) { auto const& [a, b, c, d, e, f] = object; visit(a, b, c, d, e, f); }
    else if constexpr (count == 7) { auto const& [a, b, c, d, e, f, g] = object; visit(a, b, c, d, e, f, g); }
    else if constexpr (count == 8) { auto const& [a, b, c, d, e, f, g, h] = object; visit(a, b, c, d, e, f, g, h); }
    else if constexpr (count == 9) { auto const& [a, b, c, d, e, f, g, h, i] = object; visit(a, b, c, d, e, f, g, h, i); }
    else if constexpr (count == 10) { auto const& [a, b, c, d, e, f, g, h, i, j] = object; visit(a, b, c, d, e, f, g, h, i, j); }
    else if constexpr (count == 11) { auto const& [a, b, c, d, e, f, g, h, i, j, k] = object; visit(a, b, c, d, e, f, g, h, i, j, k); }
    else if constexpr (count == 12) { auto const& [a, b, c, d, e, f, g, h, i, j, k, l] = object; visit(a, b, c, d, e, f, g, h, i, j, k, l); }
    else if constexpr (count == 13) { auto const& [a, b, c, d, e, f, g, h, i, j, k, l, m] = object; visit(a, b, c, d, e, f, g, h, i, j, k, l, m); }
    else if constexpr (count == 14) { auto const& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = object; visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n); }
    else if constexpr (count == 15) { auto const& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = object; visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o); }
    else if constexpr (count == 16) { auto const& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = object; visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p); }
    else if constexpr (count == 17) { auto const& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = object; visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q); }
    else if constexpr (count == 18) { auto const& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = object; visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r); }
    else if constexpr (count == 19) { auto const& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = object; visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s); }
    else if constexpr (count == 20) { auto const& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = object; visit(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t); }
    // clang-format on
    else static_assert(count == 0, "visit_members takes structs of at most 20 members, for C++20 has to name each");
}

}  // namespace trotter
