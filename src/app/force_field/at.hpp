// Elements of containers by the int indices of topologies and templates.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

namespace trotter::app {

/// The element of this index, which must exist.
template <class Container> decltype(auto) at(Container& container, int index) {
    return container[static_cast<std::size_t>(index)];
}
/// Number of elements.
template <class Container> int count(Container const& container) { return static_cast<int>(container.size()); }

}  // namespace trotter::app
