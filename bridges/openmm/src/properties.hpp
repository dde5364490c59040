// Platform properties that OpenMM users may set.
// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <vector>

#include <trotter/compiled_contexts.hpp>

namespace trotter::openmm {

/// Properties as in OpenMM: texts by name.
using Properties = std::map<std::string, std::string>;

/// Default values; that of the backend means the best available.
Properties const& default_properties();
/// Returns the choice that all properties describe, and sets a backend that was left open. Throws InputError for an
/// invalid value, and for an unavailable backend or device.
BackendChoice checked_choice(Properties& properties);
/// Sets the properties to the actual choice.
void record(PlatformDescription const& description, Properties& properties);

/// Returns the properties of each usable device, or of the processor.
std::vector<Properties> usable_devices();

}  // namespace trotter::openmm
