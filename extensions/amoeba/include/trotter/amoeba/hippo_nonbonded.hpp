// All interactions between atoms of the HIPPO force field.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/box.hpp>
#include <trotter/parts/mesh/mesh_settings.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// Hydrogen-like intermolecular polarizable potential (J. A. Rackers, R. R. Silva, Z. Wang, J. W. Ponder, J. Chem.
/// Theory Comput. 17, 7056 (2021)): electrostatics of point nuclei and of diffuse multipoles, dispersion, Pauli
/// repulsion, charge transfer, and induced dipoles by extrapolation. A Context throws InputError for invalid parameters
/// and for a cutoff of more than half the box.
struct HippoNonbondedForce {
    static constexpr std::string_view name = "HippoNonbondedForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;                     ///< a checkpoint compares every member

    /// How distant pairs are treated.
    enum class Method {
        no_cutoff,  ///< all pairs, no periodic images
        pme         ///< particle mesh Ewald of multipoles and of dispersion; other interactions within the cutoff
    };
    /// How the axes of a particle, in which its moments are given, follow from neighboring atoms.
    enum class AxisType {
        z_then_x,    ///< z to the first atom; x in the plane of the second
        bisector,    ///< z bisects the directions to both atoms; x in their plane
        z_bisect,    ///< z to the first atom; x in the plane of the bisector to the second and third
        three_fold,  ///< z along the sum of the directions to three atoms; x in the plane of the second
        z_only,      ///< z to the first atom; moments must be symmetric about it
        none         ///< the axes of space
    };

    /// Parameters of a particle. Its charge distribution is a point nucleus with `core_charge`, and electrons with the
    /// remaining charge, a dipole and a quadrupole, whose density decays with `alpha`.
    struct Particle {
        double charge = 0;                          ///< of nucleus and electrons [e]
        double core_charge = 0;                     ///< [e]
        double alpha = 0;                           ///< decay of the electron density [1/nm]
        double epsilon = 0;                         ///< strength of charge transfer [kJ/mol]
        double damping = 0;                         ///< decay of charge transfer [1/nm]
        double c6 = 0;                              ///< root of the dispersion coefficient [(kJ/mol)^½ nm³]
        double pauli_k = 0;                         ///< strength of repulsion [(kJ/mol nm)^½]
        double pauli_q = 0;                         ///< number of valence electrons for repulsion [e]
        double pauli_alpha = 0;                     ///< decay of repulsion [1/nm]
        double polarizability = 0;                  ///< [nm³]
        AxisType axis_type = AxisType::none;        ///< meaning of the next three
        int axis_z = -1, axis_x = -1, axis_y = -1;  ///< particle indices, or -1
        Vec3<> dipole{};                            ///< [e nm]
        std::array<double, 9> quadrupole{};         ///< Θ/3, traceless and symmetric, row by row [e nm²]
    };
    /// Scales the interactions of a pair of particles.
    struct Exception {
        int particle1 = 0, particle2 = 0;      ///< particle indices, from 0
        double multipole_multipole_scale = 1;  ///< of permanent electrostatics
        double dipole_multipole_scale = 1;     ///< of induced dipoles with permanent moments
        double dipole_dipole_scale = 1;        ///< of induced dipoles with each other
        double dispersion_scale = 1;           ///< of dispersion
        double repulsion_scale = 1;            ///< of Pauli repulsion
        double charge_transfer_scale = 1;      ///< of charge transfer
    };
    /// Dipoles of the last evaluation.
    struct Dipoles {
        std::vector<Vec3<>> induced{};    ///< [e nm]
        std::vector<Vec3<>> permanent{};  ///< in the axes of space [e nm]
    };
    using Answer = Dipoles;  ///< of `Context::ask`

    std::vector<Particle> particles{};    ///< one for each particle of the System
    std::vector<Exception> exceptions{};  ///< at most one for each pair
    Method method = Method::no_cutoff;    ///< how distant pairs are treated
    double cutoff_distance = 1;           ///< [nm]
    double switching_distance = 0.9;      ///< of repulsion and charge transfer with a cutoff, as in NonbondedForce [nm]
    double ewald_error_tolerance = 1e-4;  ///< approximate relative error of forces
    MeshSettings pme{}, dispersion_pme{};  ///< of the multipoles, and of dispersion
    /// The induced dipoles are Σ_n c_n Σ_{k≤n} μ_k, where μ_k arises from k mutual interactions.
    std::vector<double> extrapolation_coefficients{0.042, 0.635, 0.414};
    int force_group = 0;      ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Name in messages, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields =
        std::array{Field{"charge", &Particle::charge},
                   Field{"core charge", "coreCharge", &Particle::core_charge},
                   Field{"alpha", "alpha", &Particle::alpha, Valid::not_negative},
                   Field{"epsilon", &Particle::epsilon},
                   Field{"damping", &Particle::damping},
                   Field{"C6 root", "c6", &Particle::c6},
                   Field{"Pauli K", "pauliK", &Particle::pauli_k},
                   Field{"Pauli Q", "pauliQ", &Particle::pauli_q},
                   Field{"Pauli alpha", "pauliAlpha", &Particle::pauli_alpha, Valid::not_negative},
                   Field{"polarizability", "polarizability", &Particle::polarizability, Valid::not_negative}};
    /// The same for the factors of an exception.
    static constexpr auto exception_fields =
        std::array{Field{"multipole-multipole scale", "mmScale", &Exception::multipole_multipole_scale},
                   Field{"dipole-multipole scale", "dmScale", &Exception::dipole_multipole_scale},
                   Field{"dipole-dipole scale", "ddScale", &Exception::dipole_dipole_scale},
                   Field{"dispersion scale", "dispScale", &Exception::dispersion_scale},
                   Field{"repulsion scale", "repScale", &Exception::repulsion_scale},
                   Field{"charge-transfer scale", "ctScale", &Exception::charge_transfer_scale}};

    /// Whether the force needs periodic box vectors.
    bool is_periodic() const { return method == Method::pme; }
    /// Whether pairs beyond `cutoff_distance` are left out of sums over pairs.
    bool uses_cutoff() const { return method == Method::pme; }
};

/// Throws InputError for the first invalid parameter of the force in a System of `particle_count` particles and this
/// box.
void check(HippoNonbondedForce const& force, int particle_count, Box const& box);
/// Throws InputError unless `changed` differs from `force` only in the parameters of particles and exceptions.
void check_same_shape(HippoNonbondedForce const& force, HippoNonbondedForce const& changed);

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, HippoNonbondedForce& force, int particle_count);
void write(XmlWriter& xml, HippoNonbondedForce const& force);  ///< as an OpenMM Force element

}  // namespace trotter
