// The global parameters of a Context: values that forces share by name.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <string_view>

#include <trotter/error.hpp>

namespace trotter {

/// Names and values of the parameters that forces declare.
class GlobalParameters {
public:
    /// Throws InputError for a default that is not finite, or differs from an earlier force's default.
    [[gnu::cold]] void declare(std::string_view name, double default_value);
    bool has(std::string_view name) const;  ///< whether a force has declared the name
    /// Throws InputError with the known names for an unknown one.
    double value(std::string_view name) const;
    void set(std::string_view name, double value);  ///< throws InputError as `value` does
    /// Current values by name.
    std::map<std::string, double, std::less<>> const& values() const { return values_; }
    double default_value(std::string_view name) const;  ///< of a declared name
    /// Increases whenever a value changes.
    long version() const { return version_; }

private:
    [[gnu::cold]] InputError unknown(std::string_view name) const;

    std::map<std::string, double, std::less<>> values_, defaults_;
    long version_ = 0;
};

}  // namespace trotter
