// Text in a template argument.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace trotter {

/// A string literal as a template argument: `Expression<"k/2*(r - length)^2">`.
template <std::size_t N>
struct FixedString {
    char text[N]{};  ///< with the 0 at its end

    /// Copies a literal.
    constexpr FixedString(char const (&literal)[N]) {
        for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
    }
    /// Without the 0 at its end.
    constexpr std::string_view view() const { return {text, N - 1}; }
    constexpr bool operator==(FixedString const&) const = default;  ///< compares all characters
};

}  // namespace trotter
