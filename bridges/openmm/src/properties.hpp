// What a user of OpenMM may choose of the platform.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <vector>

#include <trotter/any_context.hpp>

namespace trotter::openmm {

/// Properties as OpenMM keeps them: texts by names.
class Properties {
public:
    static std::vector<std::string> const& names();
    static std::string default_value(std::string const& name);

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

/// The fastest that there is: cuda or opencl where it has an accelerator, else cpu or reference.
std::string best_backend();
/// The choices that each make a Context with a device of its own, or on the processor.
std::vector<std::map<std::string, std::string>> usable_devices();

}  // namespace trotter::openmm
