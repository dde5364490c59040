// The four Monte Carlo barostats.
// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include <trotter/base/field.hpp>
#include <trotter/base/not_set.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// Constant pressure by Monte Carlo moves of the volume, with rigid molecules (K.-H. Chow and D. M. Ferguson, Comput.
/// Phys. Commun. 91, 283 (1995); J. Åqvist et al., Chem. Phys. Lett. 384, 288 (2004)). Pressure and temperature are
/// Context parameters; their defaults are members.
struct MonteCarloBarostat {
    static constexpr std::string_view name = "MonteCarloBarostat";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member
    static constexpr std::string_view pressure_parameter = "MonteCarloPressure";  ///< Context parameter [bar]
    static constexpr std::string_view temperature_parameter = "MonteCarloTemperature";  ///< Context parameter [K]

    double pressure = 1;       ///< [bar]
    double temperature = not_set;  ///< [K]
    int frequency = 25;        ///< steps between moves; 0: never
    bool scale_molecules_as_rigid = true;  ///< moves centres of molecules; else scales every position
    std::uint64_t seed = 0;    ///< 0: derived from the Context's
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, MonteCarloBarostat& force);
void write(XmlWriter& xml, MonteCarloBarostat const& force);  ///< as an OpenMM Force element

/// Monte Carlo barostat with a separate pressure for each axis; each move scales one enabled axis, chosen at random.
struct MonteCarloAnisotropicBarostat {
    static constexpr std::string_view name = "MonteCarloAnisotropicBarostat";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member
    static constexpr std::string_view pressure_x_parameter = "MonteCarloPressureX";  ///< Context parameter [bar]
    static constexpr std::string_view pressure_y_parameter = "MonteCarloPressureY";  ///< Context parameter [bar]
    static constexpr std::string_view pressure_z_parameter = "MonteCarloPressureZ";  ///< Context parameter [bar]
    /// Context parameter [K].
    static constexpr std::string_view temperature_parameter = "AnisotropicMonteCarloTemperature";

    Vec3<> pressure{1, 1, 1};  ///< [bar]
    double temperature = not_set;  ///< [K]
    bool scale_x = true, scale_y = true, scale_z = true;  ///< axes that change
    int frequency = 25;        ///< steps between moves; 0: never
    bool scale_molecules_as_rigid = true;  ///< moves centres of molecules; else scales every position
    std::uint64_t seed = 0;    ///< 0: derived from the Context's
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, MonteCarloAnisotropicBarostat& force);
void write(XmlWriter& xml, MonteCarloAnisotropicBarostat const& force);  ///< as an OpenMM Force element

/// For membranes in the xy plane: constant pressure and surface tension (Y. Zhang, S. E. Feller, B. R. Brooks,
/// R. W. Pastor, J. Chem. Phys. 103, 10252 (1995)).
struct MonteCarloMembraneBarostat {
    static constexpr std::string_view name = "MonteCarloMembraneBarostat";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member
    static constexpr std::string_view pressure_parameter = "MembraneMonteCarloPressure";  ///< Context parameter [bar]
    /// Context parameter [bar nm].
    static constexpr std::string_view surface_tension_parameter = "MembraneMonteCarloSurfaceTension";
    /// Context parameter [K].
    static constexpr std::string_view temperature_parameter = "MembraneMonteCarloTemperature";

    /// Whether x and y are scaled by one factor or independently.
    enum class XYMode { isotropic, anisotropic };
    /// Whether z is scaled independently, never, or to conserve the volume.
    enum class ZMode { free, fixed, constant_volume };

    double pressure = 1;         ///< [bar]
    double surface_tension = 0;  ///< [bar nm]
    double temperature = not_set;  ///< [K]
    XYMode xy_mode = XYMode::isotropic;  ///< of the membrane plane
    ZMode z_mode = ZMode::free;  ///< of the membrane normal
    int frequency = 25;          ///< steps between moves; 0: never
    bool scale_molecules_as_rigid = true;  ///< moves centres of molecules; else scales every position
    std::uint64_t seed = 0;      ///< 0: derived from the Context's
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, MonteCarloMembraneBarostat& force);
void write(XmlWriter& xml, MonteCarloMembraneBarostat const& force);  ///< as an OpenMM Force element

/// All six elements of the box vectors change: for crystals.
struct MonteCarloFlexibleBarostat {
    static constexpr std::string_view name = "MonteCarloFlexibleBarostat";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member
    static constexpr std::string_view pressure_parameter = "MonteCarloPressure";  ///< Context parameter [bar]
    static constexpr std::string_view temperature_parameter = "MonteCarloTemperature";  ///< Context parameter [K]

    double pressure = 1;       ///< [bar]
    double temperature = not_set;  ///< [K]
    int frequency = 25;        ///< steps between moves; 0: never
    bool scale_molecules_as_rigid = true;  ///< moves centres of molecules; else scales every position
    std::uint64_t seed = 0;    ///< 0: derived from the Context's
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, MonteCarloFlexibleBarostat& force);
void write(XmlWriter& xml, MonteCarloFlexibleBarostat const& force);  ///< as an OpenMM Force element

}  // namespace trotter
