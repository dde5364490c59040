// Checks of options' values.
// SPDX-License-Identifier: MIT
#pragma once
#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>

#include <trotter/io/number_text.hpp>

namespace trotter::program {

/// Accepts integers within limits.
inline CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
    return {[low, high](std::string& text) -> std::string {
                std::uint64_t value = 0;
                auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
                if (error == std::errc{} && end == text.data() + text.size() && value >= low && value <= high)
                    return {};
                return "'" + text + "' is no whole number from " + std::to_string(low) + " to " + std::to_string(high);
            },
            "N"};
}

/// Accepts finite numbers that are not negative.
inline CLI::Validator number(bool may_be_zero) {
    return {[may_be_zero](std::string& text) -> std::string {
                auto const value = parse_number(text);
                if (value && (*value > 0 || (may_be_zero && *value == 0))) return {};
                return "'" + text + "' is no finite number " + (may_be_zero ? "from 0 on" : "above 0");
            },
            "X"};
}

}  // namespace trotter::program
