// Coulomb interactions with electrodes at constant potential.
// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>
#include <trotter/box.hpp>
#include <trotter/forces/nonbonded.hpp>
#include <trotter/vec3.hpp>

namespace trotter {

/// Coulomb interactions by particle mesh Ewald, with electrode charges that minimize the energy (T. Dufils et al.,
/// Phys. Rev. Lett. 123, 195501 (2019)). The energy is that of all charges with each other and in the external field,
/// -q F·x with unwrapped x, and for each particle of an electrode
/// -q V with its potential, q²/(4 pi eps0 sqrt(2 pi) w) of its Gaussian charge distribution exp(-r²/w²), and
/// 2 pi s q²/(4 pi eps0) of the Thomas-Fermi model (L. Scalfi et al., J. Chem. Phys. 153, 174704 (2020)). Two charge
/// distributions of widths w1 and w2, 0 for all but electrodes, interact by q1 q2 erf(r/sqrt(w1² + w2²))/r.
///
/// A Context throws InputError for invalid parameters, and SimulationError if charges cannot be computed.
struct ConstantPotentialForce {
    static constexpr std::string_view name = "ConstantPotentialForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member
    using Answer = std::vector<double>;  ///< of `Context::ask`: the charges [e]

    /// How electrode charges are computed.
    enum class Method {
        conjugate_gradient,  ///< iterates in every evaluation
        matrix               ///< solves with a matrix of the electrodes, which must not move
    };
    /// Replaces the interaction of a pair of particles, neither of an electrode; 0: no interaction.
    struct Exception {
        int particle1 = 0, particle2 = 0;  ///< particle indices, from 0
        double charge_product = 0;  ///< [e²]
    };
    /// Particles at one potential.
    struct Electrode {
        std::vector<int> particles{};   ///< ascending
        double potential = 0;           ///< [kJ/mol/e]
        double gaussian_width = 0.05;   ///< [nm]
        double thomas_fermi_scale = 0;  ///< squared Thomas-Fermi length by volume of a particle [1/nm]
    };

    std::vector<double> charges{};  ///< of each particle [e]; ignored for electrodes
    std::vector<Exception> exceptions{};  ///< at most one for each pair
    std::vector<Electrode> electrodes{};  ///< disjoint
    Method method = Method::conjugate_gradient;  ///< conjugate gradients, or a matrix for electrodes at rest
    double cutoff_distance = 1;           ///< of direct space [nm]
    double ewald_error_tolerance = 5e-4;  ///< approximate relative error of forces
    MeshSettings pme{};  ///< Ewald splitting and mesh; chosen from `ewald_error_tolerance` if alpha is 0
    bool exceptions_use_periodic = false;  ///< take the nearest image in exceptions
    double gradient_tolerance = 1e-4;  ///< of potentials in the conjugate gradient method, root mean square [kJ/mol/e]
    bool use_preconditioner = true;    ///< in the conjugate gradient method
    bool use_charge_constraint = false;  ///< the sum of all charges is `total_charge`
    double total_charge = 0;             ///< [e]
    Vec3<> external_field{};             ///< [kJ/mol/nm/e]
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Always true.
    bool is_periodic() const { return true; }
    /// The equivalent NonbondedForce, without electrodes.
    NonbondedForce fixed_charges() const;
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, ConstantPotentialForce& force, int particle_count);
void write(XmlWriter& xml, ConstantPotentialForce const& force);  ///< as an OpenMM Force element

/// Throws InputError for the first invalid parameter of the force with these masses and this box.
void check(ConstantPotentialForce const& force, std::vector<double> const& masses, Box const& box);
/// Throws InputError unless `changed` differs only in parameters of particles, exceptions and electrodes, or in the
/// total charge.
void check_same_shape(ConstantPotentialForce const& force, ConstantPotentialForce const& changed);

}  // namespace trotter
