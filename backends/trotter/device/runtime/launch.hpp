// Launches kernels with C++ arguments.
// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trotter/base/fixed_string.hpp>
#include <trotter/device/runtime/array.hpp>
#include <trotter/device/runtime/queue.hpp>
#include <trotter/device/runtime/signature.hpp>

namespace trotter::device {

template <class A> Argument argument_of(A const& value) {
    if constexpr (requires { value.argument(); })
        return value.argument();
    else {
        static_assert(Storable<A>, "an argument of a kernel is an array, a number, or a vector of two or four");
        return {&value, sizeof value};
    }
}

/// Arrays, numbers, and vectors of two or four, in the order of a kernel's parameters. Numbers that may change between
/// launches must be ChangingNumbers.
template <class... As> std::array<Argument, sizeof...(As)> pack(As&&... arguments) {
    static_assert((... && !(Storable<std::remove_reference_t<As>> && std::is_lvalue_reference_v<As>
                            && !std::is_const_v<std::remove_reference_t<As>>)),
                  "a variable among the arguments of a kernel is a ChangingNumber, or const");
    return {argument_of(arguments)...};
}
/// The same, checked against a kernel's signature.
template <class Signature, class... As> std::array<Argument, sizeof...(As)> pack_for(As&&... arguments) {
    constexpr std::size_t count = Signature::parameters.count;
    static_assert(sizeof...(As) == count, "a launch has as many arguments as the kernel has parameters");
    constexpr std::size_t first_wrong_argument = [] {
        std::size_t n = 0;
        (... && (fits<std::remove_cvref_t<As>>(Signature::parameters.list[n]) && ++n));
        return n;
    }();
    static_assert(first_wrong_argument == sizeof...(As) || sizeof...(As) != count,
                  "an argument of a launch does not have the type of the kernel's parameter");
    return pack(std::forward<As>(arguments)...);
}
/// The same for a kernel whose list is put together at run time.
template <class Signature, class... As> void append_for(std::vector<Argument>& list, As&&... arguments) {
    auto const more = pack_for<Signature>(std::forward<As>(arguments)...);
    list.insert(list.end(), more.begin(), more.end());
}
template <class Signature, class... As> std::vector<Argument> list_for(As&&... arguments) {
    std::vector<Argument> result;
    append_for<Signature>(result, std::forward<As>(arguments)...);
    return result;
}

/// A kernel with a signature.
template <DeviceQueue Q, class Signature> class TypedKernel {
public:
    void take(auto&& program, std::string const& name) { kernel_ = program.kernel(name); }

    template <class... As> void launch(Q& queue, LaunchGrid groups, As&&... arguments) {
        queue.launch(kernel_, groups, pack_for<Signature>(std::forward<As>(arguments)...));
    }

private:
    typename Q::Kernel kernel_{};
};

/// All kernels of a source, whose parameter lists are their signatures; `macros` define lists in these.
template <DeviceQueue Q, auto const& source, auto const&... macros> class SourceKernels {
    static constexpr std::size_t count = [] {
        std::size_t result = 0;
        signature::for_each_kernel(source, [&](auto...) { ++result; });
        return result;
    }();
    static constexpr std::array<std::string_view, count> names = [] {
        std::array<std::string_view, count> result;
        std::size_t n = 0;
        signature::for_each_kernel(source, [&](std::string_view name, auto) { result[n++] = name; });
        return result;
    }();
    static constexpr std::size_t index_of(std::string_view name) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    }

public:
    using Queue = Q;
    template <FixedString name> using Signature = SignatureIn<source, name, macros...>;
    template <FixedString name> static constexpr bool has = index_of(name.view()) < count;

    /// `program` was compiled from the source.
    void take(auto&& program) {
        for (std::size_t n = 0; n < count; ++n) kernels_[n] = program.kernel(std::string(names[n]));
    }
    template <FixedString name> auto& kernel() { return kernels_[index_of(name.view())]; }

private:
    std::array<typename Q::Kernel, count> kernels_{};
};

/// Launches a kernel of a source.
template <FixedString name, class Kernels, class... As>
void launch(typename Kernels::Queue& queue, Kernels& kernels, LaunchGrid groups, As&&... arguments) {
    static_assert(Kernels::template has<name>, "the source has no kernel of this name");
    if constexpr (Kernels::template has<name>)
        queue.launch(kernels.template kernel<name>(), groups,
                     pack_for<typename Kernels::template Signature<name>>(std::forward<As>(arguments)...));
}
/// Launches a kernel whose signature is not known here.
template <DeviceQueue Q, class... As>
void launch(Q& queue, typename Q::Kernel& kernel, LaunchGrid groups, As&&... arguments) {
    queue.launch(kernel, groups, pack(std::forward<As>(arguments)...));
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
