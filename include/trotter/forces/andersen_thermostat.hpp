// The Andersen thermostat.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include <trotter/base/field.hpp>
#include <trotter/base/not_set.hpp>

namespace trotter {

/// Gives constraint-connected groups of particles new Maxwellian velocities, each with probability 1 -
/// exp(-collision_frequency·step size) a step (H. C. Andersen, J. Chem. Phys. 72, 2384 (1980)). Temperature and
/// frequency are Context parameters; their defaults are members.
struct AndersenThermostat {
    static constexpr std::string_view name = "AndersenThermostat";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member
    static constexpr std::string_view temperature_parameter = "AndersenTemperature";  ///< Context parameter [K]
    /// Context parameter [1/ps].
    static constexpr std::string_view collision_frequency_parameter = "AndersenCollisionFrequency";

    double temperature = not_set;          ///< [K]
    double collision_frequency = not_set;  ///< [1/ps]
    std::uint64_t seed = 0;          ///< 0: derived from the Context's
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, AndersenThermostat& force);
void write(XmlWriter& xml, AndersenThermostat const& force);  ///< as an OpenMM Force element

}  // namespace trotter
