// A copy of the state of a Context.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <trotter/base/named_numbers.hpp>
#include <trotter/box.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// Data to copy into a State.
enum class StateData : unsigned {
    none = 0, positions = 1, velocities = 2, forces = 4, energy = 8, parameters = 16, parameter_derivatives = 32,
    integrator_parameters = 64
};
/// The union of both.
constexpr StateData operator|(StateData a, StateData b) { return StateData(unsigned(a) | unsigned(b)); }
/// Whether both have data in common.
constexpr bool operator&(StateData a, StateData b) { return (unsigned(a) & unsigned(b)) != 0; }

inline namespace state_data {
///@{
/// Short for `StateData::positions` and so on.
inline constexpr auto Positions = StateData::positions, Velocities = StateData::velocities, Forces = StateData::forces,
                      Energy = StateData::energy, Parameters = StateData::parameters,
                      ParameterDerivatives = StateData::parameter_derivatives,
                      IntegratorParameters = StateData::integrator_parameters;
///@}
}

/// Time, step count and box are always set, the rest if requested (or in the file).
struct State {
    double time = 0;  ///< [ps]
    std::int64_t step_count = 0;  ///< number of steps taken
    std::optional<Box> box{};  ///< reduced box vectors [nm]
    std::vector<Vec3<>> positions{};   ///< [nm]; empty where absent, like the next two
    std::vector<Vec3<>> velocities{};  ///< [nm/ps]
    std::vector<Vec3<>> forces{};      ///< [kJ/mol/nm]; entries of virtual sites have no meaning
    double potential_energy = std::numeric_limits<double>::quiet_NaN();  ///< [kJ/mol]; NaN where absent, like the next
    double kinetic_energy = std::numeric_limits<double>::quiet_NaN();  ///< [kJ/mol]; NaN where absent
    AskedFor<NamedNumbers> parameters{};  ///< global parameters by name
    /// Derivatives of the energy by parameters that some force has in its `energy_parameter_derivatives` [kJ/mol per
    /// unit of the parameter].
    AskedFor<EnergyDerivatives> parameter_derivatives{};
    AskedFor<NamedNumbers> integrator_parameters{};  ///< state of integrators besides their settings
};

}  // namespace trotter
