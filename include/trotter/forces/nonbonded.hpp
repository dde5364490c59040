// Lennard-Jones and Coulomb interactions of all pairs.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/box.hpp>
#include <trotter/parts/mesh/mesh_settings.hpp>

namespace trotter {

/// Coulomb and Lennard-Jones interactions:
///
///     E = q1 q2 / (4 pi eps0 r) + 4 epsilon ((sigma/r)^12 - (sigma/r)^6)
///
/// with sigma the arithmetic and epsilon the geometric mean of the per-particle parameters, by one of the methods
/// below. An exception replaces the interaction of its pair, at any distance, without cutoff or screening. A Context
/// throws InputError for invalid parameters and for a cutoff of more than half the box.
struct NonbondedForce {
    static constexpr std::string_view name = "NonbondedForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member

    /// How distant pairs are treated.
    enum class Method {
        no_cutoff,            ///< all pairs, no periodic images
        cutoff_non_periodic,  ///< pairs within the cutoff, with a reaction field (Tironi et al., JCP 102, 5451 (1995))
        cutoff_periodic,      ///< the same between nearest images
        ewald,                ///< Ewald sum of the charges
        pme,                  ///< smooth particle mesh Ewald of the charges (Essmann et al., JCP 103, 8577 (1995))
        ljpme                 ///< particle mesh Ewald of charges and dispersion (Wennberg et al., JCTC 11, 5737 (2015))
    };

    /// Charge and Lennard-Jones parameters.
    struct Particle {
        double charge = 0;   ///< [e]
        double sigma = 1;    ///< [nm]
        double epsilon = 0;  ///< [kJ/mol]
    };
    /// Replaces the interaction of a pair of particles; none if charge_product and epsilon are 0.
    struct Exception {
        int particle1 = 0, particle2 = 0;  ///< particle indices, from 0
        double charge_product = 0;  ///< [e²]
        double sigma = 1;           ///< [nm]
        double epsilon = 0;         ///< [kJ/mol]
    };
    /// value = base + Σ parameter·scale, for a particle or an exception, where `charge_scale` applies to the charge
    /// product.
    struct Offset {
        std::string parameter{};  ///< name of the Context parameter
        int index = 0;  ///< of the particle or exception
        double charge_scale = 0, sigma_scale = 0, epsilon_scale = 0;  ///< [e] or [e²], [nm], [kJ/mol]
    };
    std::vector<Particle> particles{};  ///< one for each particle of the System
    std::vector<Exception> exceptions{};  ///< at most one for each pair
    std::vector<GlobalParameter> global_parameters{};  ///< Context parameters that offsets name, with their defaults
    std::vector<Offset> particle_offsets{}, exception_offsets{};  ///< any number for each particle or exception
    Method method = Method::no_cutoff;  ///< how distant pairs are treated
    double cutoff_distance = 1;           ///< [nm]
    bool use_switching_function = false;  ///< Lennard-Jones alone: 1 - 10t³ + 15t⁴ - 6t⁵ between the two distances
    double switching_distance = -1;       ///< [nm]
    double reaction_field_dielectric = 78.3;   ///< relative permittivity beyond the cutoff
    bool use_dispersion_correction = true;     ///< adds the mean energy of pairs beyond the cutoff
    double ewald_error_tolerance = 5e-4;       ///< approximate relative error of forces
    MeshSettings pme{}, ljpme{};               ///< of the charges, and of dispersion
    bool exceptions_use_periodic = false;      ///< take the nearest image in exceptions
    bool include_direct_space = true;          ///< if false, only the reciprocal sum acts
    int reciprocal_force_group = -1;  ///< -1: the same as `force_group`
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields =
        std::array{Field{"charge", "q", &Particle::charge}, Field{"sigma", "sig", &Particle::sigma},
                   Field{"epsilon", "eps", &Particle::epsilon}};

    /// Whether pairs beyond `cutoff_distance` are left out.
    bool uses_cutoff() const { return method != Method::no_cutoff; }
    /// Whether charges have a reciprocal-space sum.
    bool uses_ewald() const { return method == Method::ewald || method == Method::pme || method == Method::ljpme; }
    /// Whether the force needs periodic box vectors.
    bool is_periodic() const { return method == Method::cutoff_periodic || uses_ewald(); }
    /// Whether the method does not support triclinic boxes.
    bool needs_rectangular_box() const { return method == Method::ewald; }
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, NonbondedForce& force, int particle_count);
void write(XmlWriter& xml, NonbondedForce const& force);  ///< as an OpenMM Force element

/// Throws InputError for the first invalid parameter of a particle, an exception or an offset.
void check_numbers(NonbondedForce const& force);
/// Throws InputError for the first invalid parameter of the force in a System of `particle_count` particles and
/// this box.
void check(NonbondedForce const& force, int particle_count, Box const& box);
/// Throws InputError unless `changed` differs from `force` only in the parameters of particles, exceptions and offsets.
void check_same_shape(NonbondedForce const& force, NonbondedForce const& changed);

}  // namespace trotter
