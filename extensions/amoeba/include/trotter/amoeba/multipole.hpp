// Polarizable atomic multipoles: the electrostatics of AMOEBA.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/amoeba/generalized_kirkwood.hpp>
#include <trotter/amoeba/multipoles/moments.hpp>
#include <trotter/base/field.hpp>
#include <trotter/box.hpp>
#include <trotter/parts/mesh/mesh_settings.hpp>
#include <trotter/system.hpp>

namespace trotter {

/// Moments of the particles at the positions of an evaluation, as `Context::ask` returns them.
struct MultipoleAnswer {
    std::vector<Vec3<>> positions{};                 ///< [nm]
    std::vector<double> charges{};                   ///< [e]
    std::vector<Vec3<>> permanent_dipoles{};         ///< in the laboratory frame [e nm]
    std::vector<amoeba::Symmetric<>> quadrupoles{};  ///< a third of the traceless ones, in the laboratory frame [e nm²]
    /// Those with the scale factors of polarization groups; in the solvent, if there is one [e nm].
    std::vector<Vec3<>> induced_dipoles{};
    std::optional<Box> box{};  ///< with periodic images
    int iterations = 0;        ///< that the induced dipoles took

    /// Sums of permanent and induced dipoles [e nm].
    std::vector<Vec3<>> total_dipoles() const;
    /// The potential of all moments at each point, of nearest images alone if periodic [kJ/mol/e].
    std::vector<double> potential(std::vector<Vec3<>> const& points) const;
    /// Charge [e], dipole [D] and the nine elements of the quadrupole, row by row [D Å], about the center of mass.
    /// Throws InputError unless there is a mass for each particle.
    std::array<double, 13> system_moments(std::vector<double> const& masses) const;
};

/// Charges, dipoles and quadrupoles of atoms, which induce dipoles in each other (P. Ren, J. W. Ponder, J. Phys. Chem.
/// B 107, 5933 (2003)). The energy is that of permanent multipoles, scaled for pairs of bonded particles, and of the
/// induced dipoles μ_d in the field E_p, -½ Σ μ_d·E_p, where μ_d is induced by the field E_d: the fields differ in the
/// scale factors of near neighbours. The neutralizing background of a net charge is included with PME.
struct AmoebaMultipoleForce {
    static constexpr std::string_view name = "AmoebaMultipoleForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;                      ///< a checkpoint compares every member
    using Answer = MultipoleAnswer;                                   ///< of `Context::ask`

    /// How distant pairs are treated.
    enum class Method {
        no_cutoff,  ///< all pairs, no periodic images
        pme         ///< particle mesh Ewald (C. Sagui, L. G. Pedersen, T. A. Darden, J. Chem. Phys. 120, 73 (2004))
    };
    /// How induced dipoles are found.
    enum class Polarization {
        mutual,       ///< they induce each other, iterated until they are converged
        direct,       ///< by the permanent multipoles alone
        extrapolated  ///< a sum of orders of perturbation (A. C. Simmonett et al., J. Chem. Phys. 145, 164101 (2016))
    };
    /// Which vectors define the frame of a site's moments.
    enum class Axis {
        z_then_x,    ///< z to the z particle; x in the plane of the x particle
        bisector,    ///< z halfway to the z and x particles; x in their plane
        z_bisect,    ///< z to the z particle; x in the plane of the bisector of the x and y particles
        three_fold,  ///< z is the mean direction to the three; x in the plane of the x particle
        z_only,      ///< z to the z particle; x in the plane of a fixed axis
        none         ///< moments in the laboratory frame
    };
    /// Lists of particles near to one.
    enum Covalent {
        covalent_12,
        covalent_13,
        covalent_14,
        covalent_15,  ///< at 1 to 4 bonds
        polarization_11,
        polarization_12,
        polarization_13,
        polarization_14  ///< in its own group, or 1 to 3 groups away
    };

    /// Moments in a site's frame, polarizability and neighbours.
    struct Multipole {
        double charge = 0;                                      ///< [e]
        std::array<double, 3> dipole{};                         ///< [e nm]
        std::array<double, 9> quadrupole{};                     ///< a third of the traceless one, row by row [e nm²]
        Axis axis = Axis::none;                                 ///< how the next three define the frame
        int z_particle = -1, x_particle = -1, y_particle = -1;  ///< particle indices, or -1
        double thole = 0;                                       ///< parameter a of Thole's damping
        double damping = 0;                                     ///< sixth root of the polarizability [nm^½]
        double polarizability = 0;                              ///< [nm³]
        std::array<std::vector<int>, 8> covalent{};  ///< particles by `Covalent`; those of lower index are ignored
    };
    std::vector<Multipole> multipoles{};               ///< one for each particle of the System
    Method method = Method::no_cutoff;                 ///< how distant pairs are treated
    Polarization polarization = Polarization::mutual;  ///< how induced dipoles are found
    double cutoff_distance = 1;                        ///< of the direct sum [nm]
    double ewald_error_tolerance = 1e-4;               ///< approximate relative error of forces
    MeshSettings pme{};                   ///< of the reciprocal sum; alpha or nx 0: chosen from the tolerance
    double mutual_target_epsilon = 1e-5;  ///< rms error of a mutual induced dipole [D]
    int mutual_max_iterations = 60;       ///< of mutual induced dipoles
    std::vector<double> extrapolation_coefficients{-0.154, 0.017, 0.658, 0.474};  ///< of sums of orders 0 … n
    std::optional<AmoebaGeneralizedKirkwoodForce> solvent{};  ///< the implicit solvent; not in files
    int force_group = 0;                                      ///< 0 or more
    std::string label{name};                                  ///< name of this force in files and results

    /// Whether the force needs periodic box vectors.
    bool is_periodic() const { return method == Method::pme; }
    /// The mesh of the reciprocal sum, in the System's box.
    MeshSettings mesh(Box const& box) const;

    /// This force with the System's implicit solvent, if it has one.
    template <class List> AmoebaMultipoleForce joined_with(System<List> const& system) const {
        AmoebaMultipoleForce result = *this;
        result.solvent.reset();
        if constexpr (lists_force<AmoebaGeneralizedKirkwoodForce, List>)
            for (auto const& found : system.template forces<AmoebaGeneralizedKirkwoodForce>()) result.solvent = found;
        return result;
    }
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, AmoebaMultipoleForce& force, int particle_count);
void write(XmlWriter& xml, AmoebaMultipoleForce const& force);  ///< as an OpenMM Force element

/// Throws InputError for the first invalid parameter in a System of `particle_count` particles and this box.
void check(AmoebaMultipoleForce const& force, int particle_count, Box const& box);

}  // namespace trotter
