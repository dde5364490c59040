// Gay-Berne interactions of ellipsoids.
// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trotter/base/field.hpp>

namespace trotter {

/// A Lennard-Jones interaction between ellipsoids, in the form of R. Everaers and M. R. Ejtehadi, Phys. Rev. E 67,
/// 041710 (2003): E = 4 epsilon (rho¹² - rho⁶) eta chi with rho = sigma/(h + sigma), where h is approximately the
/// distance between the surfaces, eta depends on the relative orientation of the ellipsoids and chi on their
/// orientation to the line between them. Sigma and epsilon of a pair are the arithmetic and the geometric mean, or
/// those of an exception. Forces are the exact gradient, for any energy scales and any angle between the axis particles
/// (OpenMM's are not).
struct GayBerneForce {
    static constexpr std::string_view name = "GayBerneForce";  ///< type name, in messages and files
    static constexpr bool is_all_members = true;  ///< a checkpoint compares every member

    /// All pairs, pairs within the cutoff, or pairs within the cutoff between nearest periodic images.
    enum class Method { no_cutoff, cutoff_non_periodic, cutoff_periodic };
    /// The x axis points from particle `x_particle` to it, the y axis from `y_particle`, orthogonalized to x; -1 for
    /// both: a sphere; -1 for `y_particle`: an ellipsoid of revolution about x.
    struct Particle {
        double sigma = 0;    ///< [nm]
        double epsilon = 0;  ///< [kJ/mol]; 0: no interaction, as for particles that only define axes
        int x_particle = -1, y_particle = -1;  ///< particles that define the axes
        double size_x = 0.1, size_y = 0.1, size_z = 0.1;  ///< diameters along the axes [nm]
        double scale_x = 1, scale_y = 1, scale_z = 1;     ///< scale of epsilon along the axes
    };
    /// A pair with explicit sigma and epsilon; epsilon 0 excludes it.
    struct Exception {
        int particle1 = 0, particle2 = 0;  ///< particle indices, from 0
        double sigma = 0;    ///< [nm]
        double epsilon = 0;  ///< [kJ/mol]
    };

    std::vector<Particle> particles{};  ///< one for each particle of the System
    std::vector<Exception> exceptions{};  ///< at most one for each pair
    Method method = Method::no_cutoff;  ///< all pairs, or those within the cutoff
    double cutoff_distance = 1;           ///< between centres [nm]
    bool use_switching_function = false;  ///< energy × (1 - 10t³ + 15t⁴ - 6t⁵) from the next distance to the cutoff
    double switching_distance = -1;       ///< [nm]
    int force_group = 0;  ///< 0 or more
    std::string label{name};  ///< name of this force in files and results

    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto fields = std::array{Field{"sigma", "sig", &Particle::sigma, Valid::not_negative},
                                              Field{"epsilon", "eps", &Particle::epsilon, Valid::not_negative},
                                              Field{"size_x", "sx", &Particle::size_x, Valid::positive},
                                              Field{"size_y", "sy", &Particle::size_y, Valid::positive},
                                              Field{"size_z", "sz", &Particle::size_z, Valid::positive},
                                              Field{"scale_x", "ex", &Particle::scale_x, Valid::positive},
                                              Field{"scale_y", "ey", &Particle::scale_y, Valid::positive},
                                              Field{"scale_z", "ez", &Particle::scale_z, Valid::positive}};
    /// Name in formulas, attribute in XML, member and valid values of each parameter.
    static constexpr auto exception_fields =
        std::array{Field{"sigma", "sig", &Exception::sigma, Valid::not_negative},
                   Field{"epsilon", "eps", &Exception::epsilon, Valid::not_negative}};

    /// Whether pairs beyond `cutoff_distance` are left out.
    bool uses_cutoff() const { return method != Method::no_cutoff; }
    /// Whether the force needs periodic box vectors.
    bool is_periodic() const { return method == Method::cutoff_periodic; }
    /// Whether the switching function acts.
    bool is_switched() const { return uses_cutoff() && use_switching_function; }
};

/// Reads the Force element of an OpenMM System. Throws InputError for a missing or invalid attribute.
void read(XmlNode const& node, GayBerneForce& force, int particle_count);
void write(XmlWriter& xml, GayBerneForce const& force);  ///< as an OpenMM Force element

}  // namespace trotter
