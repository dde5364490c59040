// The global parameters of a Context: values that forces share by name.
// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include <trotter/error.hpp>

namespace trotter {

/// Names and values; the names are those that forces declare.
class GlobalParameters {
public:
    /// Throws InputError for a default that is not finite, or other than that of an earlier force for the name.
    [[gnu::cold]] void declare(std::string_view name, double default_value) {
        if (!std::isfinite(default_value))
            throw InputError("the default value of the global parameter '" + std::string(name) + "' is "
                             + std::to_string(default_value) + ", expected a finite number");
        auto const [place, added] = defaults_.emplace(name, default_value);
        if (!added && place->second != default_value)
            throw InputError("two forces give the global parameter '" + std::string(name) + "' different default values, "
                             + std::to_string(place->second) + " and " + std::to_string(default_value));
        values_.emplace(name, default_value);
    }
    bool has(std::string_view name) const { return values_.contains(name); }
    /// Throws InputError that lists the known names.
    double value(std::string_view name) const {
        auto const place = values_.find(name);
        if (place == values_.end()) throw unknown(name);
        return place->second;
    }
    void set(std::string_view name, double value) {
        auto const place = values_.find(name);
        if (place == values_.end()) throw unknown(name);
        if (place->second != value) ++version_;
        place->second = value;
    }
    std::map<std::string, double, std::less<>> const& values() const { return values_; }
    double default_value(std::string_view name) const { return defaults_.find(name)->second; }
    /// Grows whenever a value changes.
    long version() const { return version_; }

private:
    [[gnu::cold]] InputError unknown(std::string_view name) const {
        std::string known;
        for (auto const& entry : values_) known += (known.empty() ? "" : ", ") + entry.first;
        return InputError("there is no global parameter '" + std::string(name) + "'; known: " + (known.empty() ? "none" : known));
    }

    std::map<std::string, double, std::less<>> values_, defaults_;
    long version_ = 0;
};

}  // namespace trotter
