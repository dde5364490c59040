// The global parameters of a Context: values that forces share by name.
// SPDX-License-Identifier: MIT
#include <cmath>

#include <trotter/base/global_parameters.hpp>

namespace trotter {

void GlobalParameters::declare(std::string_view name, double default_value) {
    if (!std::isfinite(default_value))
        throw InputError("the default value of the global parameter '" + std::string(name) + "' is "
                         + std::to_string(default_value) + ", expected a finite number");
    auto const [place, added] = defaults_.emplace(name, default_value);
    if (!added && place->second != default_value)
        throw InputError("two forces give the global parameter '" + std::string(name) + "' different default values, "
                         + std::to_string(place->second) + " and " + std::to_string(default_value));
    values_.emplace(name, default_value);
}
bool GlobalParameters::has(std::string_view name) const { return values_.contains(name); }
double GlobalParameters::value(std::string_view name) const {
    auto const place = values_.find(name);
    if (place == values_.end()) throw unknown(name);
    return place->second;
}
void GlobalParameters::set(std::string_view name, double value) {
    auto const place = values_.find(name);
    if (place == values_.end()) throw unknown(name);
    if (place->second != value) ++version_;
    place->second = value;
}
double GlobalParameters::default_value(std::string_view name) const { return defaults_.find(name)->second; }
InputError GlobalParameters::unknown(std::string_view name) const {
    std::string known;
    for (auto const& entry : values_) known += (known.empty() ? "" : ", ") + entry.first;
    return InputError("there is no global parameter '" + std::string(name)
                      + "'; known: " + (known.empty() ? "none" : known));
}

}  // namespace trotter
