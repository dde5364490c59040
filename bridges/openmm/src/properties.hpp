// Platform properties that OpenMM users may set.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <vector>

#include <trotter/compiled_contexts.hpp>

namespace trotter::openmm {

/// Properties as in OpenMM: texts by name.
class Properties {
public:
    /// Default values; that of the backend means the best available.
    static std::map<std::string, std::string> const& defaults();

    /// Throws InputError for an invalid value, and for an unavailable backend or device.
    Properties(std::map<std::string, std::string> const& values);

    std::string const& at(std::string const& name) const { return values_.at(name); }
    std::map<std::string, std::string> const& values() const { return values_; }
    BackendChoice choice() const;
    /// Records the actual choice.
    void set(PlatformDescription const& description);

private:
    std::map<std::string, std::string> values_;
};

/// Returns the properties of each usable device, or of the processor.
std::vector<std::map<std::string, std::string>> usable_devices();

}  // namespace trotter::openmm
