// Dispersion between solute and continuous water, for implicit solvent with AMOEBA.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>

namespace trotter {

/// The attractive half of buffered-14-7-like wells between each particle and the oxygens and hydrogens of continuous
/// water, integrated over the volume that no particle fills, by pairwise descreening (M. J. Schnieders, J. W. Ponder,
/// J. Chem. Theory Comput. 3, 2083 (2007)):
///
///     E = slevy awater Σ_i (∫ u_i(x) d³x - Σ_j ∫_j u_i(x) d³x),    u = u_oxygen + 2 u_hydrogen,
///     u(x) = -epsilon for x < rmin, else epsilon ((rmin/x)^14 - 2 (rmin/x)^7)
///
/// The first integral begins at the distance rmin/2 + `dispersion_offset` from the particle; the second is over the
/// part of a sphere around j, of its radius times `descreening_scale`, beyond this distance.
struct AmoebaWcaDispersionForce {
    static constexpr std::string_view name = "AmoebaWcaDispersionForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member

    /// Well of a particle with its own kind; a particle for which one is 0 has no dispersion.
    struct Particle {
        double radius = 0;   ///< half of the distance of the minimum [nm]
        double epsilon = 0;  ///< depth [kJ/mol]
    };
    std::vector<Particle> particles{};  ///< one for each particle of the System
    double epsilon_oxygen = 0.46024, epsilon_hydrogen = 0.056484;  ///< of water [kJ/mol]
    double radius_oxygen = 0.17025, radius_hydrogen = 0.13275;     ///< of water [nm]
    double water_density = 33.428;      ///< molecules per volume [1/nm³]
    double descreening_scale = 0.82;    ///< of radii of spheres that displace water
    double dispersion_offset = 0.1056;  ///< [nm]
    double energy_scale = 1;            ///< of the whole energy
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields = std::array{Field{"radius", &Particle::radius, Valid::not_negative},
                                              Field{"epsilon", &Particle::epsilon, Valid::not_negative}};
    /// Parameters of the water, likewise.
    static constexpr auto water_fields = std::array{
        Field{"epsilon of oxygen", "Epso", &AmoebaWcaDispersionForce::epsilon_oxygen, Valid::not_negative},
        Field{"epsilon of hydrogen", "Epsh", &AmoebaWcaDispersionForce::epsilon_hydrogen, Valid::not_negative},
        Field{"radius of oxygen", "Rmino", &AmoebaWcaDispersionForce::radius_oxygen, Valid::not_negative},
        Field{"radius of hydrogen", "Rminh", &AmoebaWcaDispersionForce::radius_hydrogen, Valid::not_negative},
        Field{"density of water", "Awater", &AmoebaWcaDispersionForce::water_density},
        Field{"descreening scale", "Shctd", &AmoebaWcaDispersionForce::descreening_scale, Valid::not_negative},
        Field{"dispersion offset", "Dispoff", &AmoebaWcaDispersionForce::dispersion_offset},
        Field{"energy scale", "Slevy", &AmoebaWcaDispersionForce::energy_scale}};
};

/// Reads the Force element of an OpenMM System, version 1 or 2. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, AmoebaWcaDispersionForce& force, int particle_count);
void write(XmlWriter& xml, AmoebaWcaDispersionForce const& force);  ///< as an OpenMM Force element

/// Throws InputError for the first invalid parameter of the force in a System of `particle_count` particles.
void check(AmoebaWcaDispersionForce const& force, int particle_count);

}  // namespace trotter
