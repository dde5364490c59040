// Units as constants, and the physical constants that Trotter uses.
// SPDX-License-Identifier: MIT
#pragma once
#include <numbers>

namespace trotter {

/// Multiply a number by its unit: `300 * kelvin`, `4 * fs`. Trotter's own units have the value 1: nm, ps, amu, e,
/// kJ/mol, K, radian. Pressures are in bar.
inline namespace units {
inline constexpr double nm = 1, angstrom = 0.1;  ///< length
inline constexpr double ps = 1, fs = 1e-3, ns = 1e3;  ///< time
inline constexpr double amu = 1, dalton = 1;  ///< mass
inline constexpr double elementary_charge = 1;  ///< charge
inline constexpr double kelvin = 1;  ///< temperature
inline constexpr double kJ_per_mol = 1, kcal_per_mol = 4.184;  ///< molar energy
inline constexpr double bar = 1, atmosphere = 1.01325;  ///< pressure
inline constexpr double radian = 1, degree = std::numbers::pi / 180;  ///< angle
}  // namespace units

/// CODATA 2018.
namespace constants {
inline constexpr double avogadro = 6.02214076e23;                      ///< [1/mol]
inline constexpr double gas_constant = 8.31446261815324e-3;            ///< R [kJ/mol/K]
inline constexpr double reduced_planck = 0.06350779927394205;          ///< h/2pi [kJ/mol ps]
inline constexpr double coulomb = 138.935457644382;                    ///< 1/(4 pi eps0) [kJ nm/mol/e²]
inline constexpr double bar = 1e-25 * avogadro;                           ///< 1 bar [kJ/mol/nm³]
}  // namespace constants

}  // namespace trotter
