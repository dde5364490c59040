// The Andersen thermostat.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include <trotter/field.hpp>
#include <trotter/not_set.hpp>

namespace trotter {

/// Gives constraint-connected groups of particles new Maxwellian velocities, each with probability
/// 1 - exp(-collision_frequency·step size) a step (H. C. Andersen, J. Chem. Phys. 72, 2384 (1980)).
/// Temperature and frequency are Context parameters whose defaults stand here.
struct AndersenThermostat {
    static constexpr std::string_view name = "AndersenThermostat";
    static constexpr bool is_all_members = true;
    static constexpr std::string_view temperature_parameter = "AndersenTemperature";
    static constexpr std::string_view collision_frequency_parameter = "AndersenCollisionFrequency";

    double temperature = not_set;          ///< [K]
    double collision_frequency = not_set;  ///< [1/ps]
    std::uint64_t seed = 0;          ///< 0: derived from the Context's
    int force_group = 0;
    std::string label{name};
};

void read(XmlNode const& node, AndersenThermostat& force);
void write(XmlWriter& xml, AndersenThermostat const& force);

}  // namespace trotter
