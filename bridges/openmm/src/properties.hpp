// What a user of OpenMM may choose of the platform.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <vector>

#include <trotter/compiled_contexts.hpp>

namespace trotter::openmm {

/// Properties as OpenMM keeps them: texts by names.
class Properties {
public:
    /// Of each; the backend's stands for the best that there is.
    static std::map<std::string, std::string> const& defaults();

    /// Throws InputError for a value that is none, and for a backend or device that there is not.
    Properties(std::map<std::string, std::string> const& values);

    std::string const& at(std::string const& name) const { return values_.at(name); }
    std::map<std::string, std::string> const& values() const { return values_; }
    BackendChoice choice() const;
    /// What was chosen in the end.
    void set(PlatformDescription const& description);

private:
    std::map<std::string, std::string> values_;
};

/// The choices that each make a Context with a device of its own, or on the processor.
std::vector<std::map<std::string, std::string>> usable_devices();

}  // namespace trotter::openmm
