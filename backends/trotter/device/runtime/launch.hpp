// Launches kernels with C++ arguments.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/queue.hpp>

namespace trotter::device {

template <class A> Argument argument_of(A const& value) {
    if constexpr (requires { value.argument(); })
        return value.argument();
    else {
        static_assert(Storable<A>, "an argument of a kernel is an array, a number, or a vector of two or four");
        return {&value, sizeof value};
    }
}

/// Launches a kernel. Arguments are arrays, numbers, and vectors of two or four, in the order of the kernel's
/// parameters. Numbers that may change between launches must be ChangingNumbers.
template <DeviceQueue Q, class... As>
void launch(Q& queue, typename Q::Kernel& kernel, LaunchGrid groups, As&&... arguments) {
    static_assert((... && !(Storable<std::remove_reference_t<As>> && std::is_lvalue_reference_v<As>
                            && !std::is_const_v<std::remove_reference_t<As>>)),
                  "a variable among the arguments of a kernel is a ChangingNumber, or const");
    std::array<Argument, sizeof...(As)> const list{argument_of(arguments)...};
    queue.launch(kernel, groups, list);
}

/// Work-groups for `items` work-items, up to the number that keeps the device busy: kernels loop over the rest.
inline LaunchGrid grid_for(DeviceProperties const& properties, std::size_t items, std::size_t size = 64) {
    std::size_t const needed = (items + size - 1) / size,
                      enough = static_cast<std::size_t>(properties.compute_units) * 32;
    return {std::clamp<std::size_t>(needed, 1, std::min<std::size_t>(enough, 4096)), size};
}

/// Number of partial sums (groups of 64) over so many items; it depends on nothing else, for reproducible bits.
inline std::int32_t parts_of(std::size_t items) {
    return static_cast<std::int32_t>(std::clamp<std::size_t>(items / 128, 1, 1024));
}

}  // namespace trotter::device
