// Lists of types.
// SPDX-License-Identifier: MIT
#pragma once

namespace trotter {

namespace detail {

template <class... Lists> struct Concatenation;
template <class List> struct Concatenation<List> {
    using Type = List;
};
template <template <class...> class List, class... First, class... Second, class... More>
struct Concatenation<List<First...>, List<Second...>, More...> {
    using Type = typename Concatenation<List<First..., Second...>, More...>::Type;
};

}  // namespace detail

/// The types of several lists of one kind, in one list: `ConcatenatedLists<StandardForces, ForceList<MyForce>>`.
template <class... Lists> using ConcatenatedLists = typename detail::Concatenation<Lists...>::Type;

}  // namespace trotter
